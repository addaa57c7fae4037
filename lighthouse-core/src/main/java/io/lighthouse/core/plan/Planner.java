package io.lighthouse.core.plan;

import io.lighthouse.api.Gang;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.feasibility.Finder;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeTable;
import io.lighthouse.core.ledger.Placements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Finds the changes of a {@link Plan} on the ledger itself, one after the other, so that each is
 * feasible at its turn; and takes them back. The node with the fewest workloads is drained first,
 * and its largest workload is moved first. Each workload goes to the node in use that it leaves the
 * least on. Where none fits, room is made first by moving others ({@link Ejections}).
 */
public final class Planner {
  /** Some ten seconds of one thread. */
  private static final long MOST_STEPS = 50_000_000;

  private final Ledger ledger;
  private final Placements placements;
  private final PlanGoal goal;
  private final PlanLimits limits;
  private final Desk desk;
  private final Ejections ejections;
  private final Improving improving;

  private Planner(
      Ledger ledger,
      Finder finder,
      PlanGoal goal,
      PlanLimits limits,
      StepBudget budget,
      int[] newcomers) {
    this.ledger = ledger;
    placements = ledger.placements();
    this.goal = goal;
    this.limits = limits;
    desk = new Desk(ledger, finder, limits, budget);
    ejections = new Ejections(desk, newcomers);
    improving = new Improving(desk, ejections);
  }

  /**
   * Makes a plan. The ledger is afterwards what it was.
   *
   * @param ledger the accounts
   * @param finder the finder that decides what fits
   * @param generation that of the fleet
   * @param goal what is to be reached
   * @param limits what may be done
   * @return the plan
   * @throws InvalidInputException if the goal or the limits name what is not there
   */
  public static Plan plan(
      Ledger ledger, Finder finder, long generation, PlanGoal goal, PlanLimits limits) {
    return plan(ledger, finder, generation, goal, limits, new StepBudget(MOST_STEPS));
  }

  static Plan plan(
      Ledger ledger,
      Finder finder,
      long generation,
      PlanGoal goal,
      PlanLimits limits,
      StepBudget budget) {
    int before = ledger.savepoint();
    Batch batch = null;
    try {
      if (goal instanceof PlanGoal.Place place) {
        batch = ledger.open(place.workloads());
      }
      int[] newcomers =
          batch == null ? new int[0] : IntStream.range(0, batch.size()).map(batch::entry).toArray();
      return new Planner(ledger, finder, goal, limits, budget, newcomers).plan(generation, batch);
    } finally {
      ledger.rollBack(before);
      if (batch != null) {
        batch.close();
      }
    }
  }

  private Plan plan(long generation, Batch batch) {
    Plan.Figures before = PlanFigures.of(ledger);
    List<String> unmet = new ArrayList<>();
    Limit limit;
    if (goal instanceof PlanGoal.Drain drain) {
      limit = drain(nodes(drain.nodes()), unmet);
    } else if (goal instanceof PlanGoal.Evacuate evacuate) {
      limit = evacuate(nodes(evacuate.nodes()), unmet);
    } else if (goal instanceof PlanGoal.Consolidate) {
      limit = consolidate();
    } else if (goal instanceof PlanGoal.Rebalance) {
      limit = rebalance(before);
    } else if (goal instanceof PlanGoal.Repair) {
      limit = repair(unmet);
    } else {
      limit = place(batch, unmet);
    }
    Plan.Figures after = PlanFigures.of(ledger);
    Quantity reached = limit.reached(after);
    return new Plan(
        goal,
        generation,
        Waves.of(desk, desk.done(), limits.mostOfAGroup()),
        unmet,
        before,
        after,
        new Plan.Bound(limit.figure, limit.best, reached.equals(limit.best)));
  }

  /** What could be reached at best, and, where the figures do not say it, what was reached. */
  private record Limit(String figure, Quantity best, long count) {
    Quantity reached(Plan.Figures after) {
      return switch (figure) {
        case "nodesInUse" -> Quantity.of(after.nodesInUse());
        case "fullest" -> after.fullest();
        case "averse" -> Quantity.of(after.averse());
        default -> Quantity.of(count);
      };
    }
  }

  private int[] nodes(List<String> names) {
    return names.stream().mapToInt(ledger.nodes()::node).toArray();
  }

  private Limit drain(int[] nodes, List<String> unmet) {
    Set<Integer> leaving = set(nodes);
    long most = emptiable(nodes);
    for (int node : byHeld(nodes)) {
      improving.drain(node, leaving, false, Ejections.LONG_CHAINS);
    }
    long emptied = 0;
    for (int node : nodes) {
      if (placements.count(node) == 0) {
        emptied++;
      } else {
        unmet.add(ledger.nodes().nodeName(node));
      }
    }
    return new Limit("emptied", Quantity.of(most), emptied);
  }

  private Limit evacuate(int[] nodes, List<String> unmet) {
    Set<Integer> leaving = set(nodes);
    long all = 0;
    for (int node : nodes) {
      for (int entry : placements.entries(node)) {
        all += desk.isPinned(entry) ? 0 : 1;
      }
    }
    long left = 0;
    for (int node : byHeld(nodes)) {
      for (int entry : desk.largestFirst(node)) {
        left += improving.leave(entry, leaving) ? 1 : 0;
      }
    }
    for (int node : nodes) {
      if (placements.count(node) > 0) {
        unmet.add(ledger.nodes().nodeName(node));
      }
    }
    return new Limit("moved", Quantity.of(Math.min(all, limits.mostMoves())), left);
  }

  private Limit consolidate() {
    int[] inUse =
        IntStream.range(0, ledger.nodes().slotCount())
            .filter(node -> ledger.nodes().alive(node) && placements.count(node) > 0)
            .toArray();
    long fewest = inUse.length - emptiable(inUse);
    if (!PlanFigures.overdrawn(ledger)) {
      fewest = Math.max(fewest, Covering.fewestNodes(ledger, null));
    }
    improving.consolidate();
    return new Limit("nodesInUse", Quantity.of(Math.max(0, fewest)), 0);
  }

  private Limit rebalance(Plan.Figures before) {
    Quantity best = limits.mostMoves() == 0 ? before.fullest() : PlanFigures.leastFullest(ledger);
    best = best.compareTo(before.fullest()) > 0 ? Quantity.ZERO : best;
    improving.rebalance();
    return new Limit("fullest", best, 0);
  }

  private Limit repair(List<String> unmet) {
    long fewest = PlanFigures.leastAverse(ledger);
    improving.repair();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      for (int entry : placements.entries(node)) {
        if (desk.averse(entry)) {
          unmet.add(placements.workload(entry).name());
        }
      }
    }
    return new Limit("averse", Quantity.of(fewest), 0);
  }

  private Limit place(Batch batch, List<String> unmet) {
    long most = Covering.mostPlaced(ledger, batch);
    long placed = 0;
    Integer[] order = new Integer[batch.size()];
    long[] sizes = new long[batch.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
      sizes[i] = desk.size(batch.entry(i));
    }
    Arrays.sort(order, (a, b) -> Long.compare(sizes[b], sizes[a]));
    Map<String, List<Integer>> gangs = new HashMap<>();
    for (int i : order) {
      gang(batch, i)
          .ifPresent(gang -> gangs.computeIfAbsent(gang.name(), none -> new ArrayList<>()).add(i));
    }
    List<Integer> waiting = new ArrayList<>();
    for (int i : order) {
      Optional<Gang> gang = gang(batch, i);
      if (gang.isPresent()) {
        List<Integer> members = gangs.remove(gang.get().name());
        placed += members == null ? 0 : placeGang(batch, members, gang.get());
      } else if (improving.place(batch.entry(i), node -> true, Ejections.SETS)) {
        placed++;
      } else {
        waiting.add(i);
      }
    }
    placed += placeWaiting(batch, waiting);
    if (placed == 0 && !batch.hasGangs() && !ejections.anyMoves()) {
      most = 0; // A plan has to begin with something.
    }
    for (int i = 0; i < order.length; i++) {
      if (placements.nodeOf(batch.entry(i)) < 0) {
        unmet.add(batch.names()[i]);
      }
    }
    return new Limit("placed", Quantity.of(most), placed);
  }

  /** Places more by longer chains, as long as that places any; returns how many. */
  private int placeWaiting(Batch batch, List<Integer> waiting) {
    int all = waiting.size();
    int before = all + 1;
    while (waiting.size() < before && !desk.isOver()) {
      before = waiting.size();
      for (int effort = Ejections.CHAINS; effort <= Ejections.LONG_CHAINS; effort++) {
        int most = effort;
        waiting.removeIf(i -> improving.place(batch.entry(i), node -> true, most));
      }
    }
    return all - before;
  }

  private static Optional<Gang> gang(Batch batch, int index) {
    return batch.workload(index).terms().gang();
  }

  /**
   * Places all members of a gang or none, in one domain where it wants one; they stay there.
   * Answers how many.
   */
  private int placeGang(Batch batch, List<Integer> members, Gang gang) {
    if (gang.within().isEmpty()) {
      return placeAll(batch, members, node -> true);
    }
    int level = ledger.topology().levelIndex(gang.within().get());
    Set<Integer> tried = new HashSet<>(Set.of(NodeTable.NONE));
    for (int node = 0; node < ledger.nodes().slotCount() && !desk.isOver(); node++) {
      int domain = ledger.topology().domainOf(level, node);
      if (ledger.nodes().alive(node) && tried.add(domain)) {
        int placed =
            placeAll(batch, members, other -> ledger.topology().domainOf(level, other) == domain);
        if (placed > 0) {
          return placed;
        }
      }
    }
    return 0;
  }

  private int placeAll(Batch batch, List<Integer> members, IntPredicate allowed) {
    Desk.Mark before = desk.mark();
    for (int member : members) {
      if (!improving.place(batch.entry(member), allowed, Ejections.LONG_CHAINS)) {
        desk.back(before);
        return 0;
      }
    }
    members.forEach(member -> desk.pin(batch.entry(member)));
    return members.size();
  }

  /** The number of the given nodes that can be emptied at most: those with the fewest workloads. */
  private long emptiable(int[] nodes) {
    long moves = 0;
    long count = 0;
    for (int node : byHeld(nodes)) {
      boolean pinned = Arrays.stream(placements.entries(node)).anyMatch(desk::isPinned);
      moves += pinned ? 0 : placements.count(node);
      if (!pinned && moves <= limits.mostMoves()) {
        count++;
      }
    }
    return count;
  }

  /** The one with the fewest workloads first; equal ones in the order of nodes. */
  private int[] byHeld(int[] nodes) {
    return Arrays.stream(nodes)
        .boxed()
        .sorted(
            (a, b) ->
                placements.count(a) != placements.count(b)
                    ? Integer.compare(placements.count(a), placements.count(b))
                    : Integer.compare(a, b))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static Set<Integer> set(int[] nodes) {
    Set<Integer> set = new HashSet<>();
    Arrays.stream(nodes).forEach(set::add);
    return set;
  }
}
