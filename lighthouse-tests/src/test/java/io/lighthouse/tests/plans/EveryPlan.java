package io.lighthouse.tests.plans;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The best that any sequence of moves (and placements) reaches, by trying all of them. */
final class EveryPlan {
  private record State(Distributor fleet, int moves) {}

  private EveryPlan() {}

  static Quantity best(Distributor fleet, PlanGoal goal, int mostMoves) {
    Deque<State> open = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    open.add(new State(fleet.copy(), 0));
    seen.add(fleet.snapshot().nodes().toString());
    Quantity best = null;
    Snapshot start = fleet.snapshot();
    while (!open.isEmpty()) {
      State state = open.poll();
      Snapshot now = state.fleet.snapshot();
      Quantity figure = figure(start, now, goal);
      if (best == null || better(goal, figure, best)) {
        best = figure;
      }
      for (Change change : changes(now, goal)) {
        int moves = state.moves + (change instanceof Change.Move ? 1 : 0);
        Distributor next = state.fleet.copy();
        if (moves <= mostMoves && goes(next, change)) {
          if (seen.add(moves(mostMoves, moves) + places(next.snapshot()))) {
            open.add(new State(next, moves));
          }
        }
      }
    }
    return best;
  }

  private static String moves(int mostMoves, int moves) {
    return mostMoves == Integer.MAX_VALUE ? "" : moves + ":";
  }

  private static String places(Snapshot fleet) {
    StringBuilder places = new StringBuilder();
    for (NodeState node : fleet.nodes()) {
      places.append(node.name()).append(':');
      node.workloads().stream().map(Workload::name).sorted().forEach(places::append);
      places.append(';');
    }
    return places.toString();
  }

  private static boolean goes(Distributor fleet, Change change) {
    try {
      fleet.apply(change);
      return true;
    } catch (InvalidChangeException doesNotFit) {
      return false;
    }
  }

  /** Every move, and for a placement every assignment. */
  static List<Change> changes(Snapshot now, PlanGoal goal) {
    List<Change> changes = new ArrayList<>();
    Set<String> placed = new HashSet<>();
    for (NodeState from : now.nodes()) {
      for (Workload workload : from.workloads()) {
        placed.add(workload.name());
        for (NodeState to : now.nodes()) {
          if (to != from) {
            changes.add(new Change.Move(workload.name(), from.name(), to.name()));
          }
        }
      }
    }
    if (goal instanceof PlanGoal.Place place) {
      for (Workload workload : place.workloads()) {
        if (!placed.contains(workload.name())) {
          now.nodes().forEach(to -> changes.add(new Change.Assign(workload, to.name())));
        }
      }
    }
    return changes;
  }

  static boolean better(PlanGoal goal, Quantity one, Quantity other) {
    boolean most =
        goal instanceof PlanGoal.Place
            || goal instanceof PlanGoal.Drain
            || goal instanceof PlanGoal.Evacuate;
    return most ? one.compareTo(other) > 0 : one.compareTo(other) < 0;
  }

  static Quantity figure(Snapshot start, Snapshot now, PlanGoal goal) {
    return goal.match(
        new PlanGoal.Cases<>() {
          @Override
          public Quantity place(PlanGoal.Place place) {
            return Quantity.of(Recount.of(now).placed() - Recount.of(start).placed());
          }

          @Override
          public Quantity drain(PlanGoal.Drain drain) {
            return Quantity.of(
                now.nodes().stream()
                    .filter(
                        node -> drain.nodes().contains(node.name()) && node.workloads().isEmpty())
                    .count());
          }

          @Override
          public Quantity consolidate(PlanGoal.Consolidate consolidate) {
            return Quantity.of(Recount.of(now).nodesInUse());
          }

          @Override
          public Quantity rebalance(PlanGoal.Rebalance rebalance) {
            return Recount.of(now).fullest();
          }

          @Override
          public Quantity evacuate(PlanGoal.Evacuate evacuate) {
            return Quantity.of(held(start, evacuate.nodes()) - held(now, evacuate.nodes()));
          }

          @Override
          public Quantity repair(PlanGoal.Repair repair) {
            return Quantity.of(Recount.of(now).averse());
          }
        });
  }

  private static int held(Snapshot fleet, List<String> nodes) {
    return fleet.nodes().stream()
        .filter(node -> nodes.contains(node.name()))
        .mapToInt(node -> node.workloads().size())
        .sum();
  }
}
