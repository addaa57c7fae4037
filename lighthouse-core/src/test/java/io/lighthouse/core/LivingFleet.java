package io.lighthouse.core;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.oracle.NaiveFleet;
import io.lighthouse.core.oracle.ProblemMaker;
import io.lighthouse.core.oracle.RandomChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random calls of every kind, asked of several fleets alike, and strategies for them. */
final class LivingFleet {
  private LivingFleet() {}

  static PlacementStrategy roundRobin() {
    return new PlacementStrategy() {
      @Override
      public String name() {
        return "round-robin";
      }

      @Override
      public Placer newPlacer(Fleet fleet, Settings settings) {
        return (workload, candidates) -> candidates.firstAfter(fleet.lastPlaced());
      }
    };
  }

  /** The lowest score first. */
  static PlacementStrategy byScore(Rubric rubric) {
    return new PlacementStrategy() {
      @Override
      public String name() {
        return "by-score";
      }

      @Override
      public Placer newPlacer(Fleet fleet, Settings settings) {
        NodeOrder order = fleet.orderBy(rubric);
        return (workload, candidates) -> candidates.first(order);
      }
    };
  }

  /** One call of any kind; the oracle comes to the same state. */
  static void step(
      ProblemMaker maker, RandomChanges changes, NaiveFleet naive, List<Distributor> fleets) {
    List<String> placed = naive.placedNames();
    switch (maker.random.nextInt(8)) {
      case 0, 1 -> {
        List<Change> some = changes.some(naive);
        if (naive.copy().carryOutPossible(some) == some.size()) {
          fleets.forEach(fleet -> fleet.apply(some));
          some.forEach(naive::carryOut);
        }
      }
      case 2 -> {
        List<String> chosen = placed.stream().filter(name -> maker.chance(3)).toList();
        fleets.forEach(fleet -> fleet.release(chosen));
        chosen.forEach(naive::release);
      }
      case 3 -> {
        if (maker.chance(4)) {
          fleets.forEach(Distributor::releaseAll);
          placed.forEach(naive::release);
        } else if (naive.size() > 0) {
          int node = maker.random.nextInt(naive.size());
          fleets.forEach(fleet -> fleet.releaseNode(naive.name(node)));
          List.copyOf(naive.workloads(node)).forEach(w -> naive.release(w.name()));
        }
      }
      default -> {
        List<Workload> batch = new ArrayList<>();
        for (int i = maker.random.nextInt(9); i > 0; i--) {
          batch.add(maker.workload());
        }
        AssignOption[] options =
            maker.chance(3)
                ? new AssignOption[] {AssignOption.ALL_OR_NOTHING}
                : new AssignOption[0];
        for (Distributor fleet : fleets) {
          Assignments answer = fleet.assign(batch, options);
          if (fleet == fleets.get(0)) {
            follow(fleet, batch, answer, naive);
          }
        }
      }
    }
  }

  /** Places on the oracle what was placed; in the order on each node, the last one's node last. */
  private static void follow(
      Distributor fleet, List<Workload> batch, Assignments answer, NaiveFleet naive) {
    String last = fleet.snapshot().lastPlaced().orElse("");
    for (boolean turn : new boolean[] {false, true}) {
      for (int node = 0; node < naive.size(); node++) {
        String name = naive.name(node);
        if (name.equals(last) == turn) {
          for (Workload workload : fleet.node(name).workloads()) {
            if (batch.contains(workload) && answer.nodeOf(workload.name()).isPresent()) {
              naive.place(workload, node);
            }
          }
        }
      }
    }
  }

  /** First fit, after the same has been done and rolled back. */
  static final class ThereAndBack implements PlacementStrategy {
    @Override
    public String name() {
      return "there-and-back";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (BatchPlacer)
          session -> {
            int start = session.savepoint();
            firstFit(session);
            session.rollBack(start);
            firstFit(session);
          };
    }

    private static void firstFit(Session session) {
      for (int i = 0; i < session.size(); i++) {
        if (session.candidates(i).iterator().hasNext()) {
          session.assign(i, session.candidates(i).first().index());
        }
      }
    }
  }

  /**
   * Moves the workloads of a batch about at random, back to savepoints and on from them, and ends
   * with whatever is friendlier. Where it takes a giver away that others need, it is unlawful.
   */
  static final class Wandering implements PlacementStrategy {
    private final SplittableRandom random;

    Wandering(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    public String name() {
      return "wandering";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public boolean mayDecline() {
      return true;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (BatchPlacer) this::place;
    }

    private void place(Session session) {
      List<Integer> savepoints = new ArrayList<>();
      for (int step = 0; step < 30 && session.size() > 0; step++) {
        int one = random.nextInt(session.size());
        switch (random.nextInt(8)) {
          case 0 -> savepoints.add(session.savepoint());
          case 1 -> rollBack(session, savepoints, one);
          default -> {
            if (session.nodeOf(one) >= 0) {
              session.release(one);
            }
            if (random.nextInt(4) > 0) {
              assignSomewhere(session, one);
            }
          }
        }
      }
      for (int one = 0; one < session.size(); one++) {
        if (session.nodeOf(one) >= 0 && session.averse(one, session.nodeOf(one))) {
          session.release(one);
        }
      }
    }

    private void rollBack(Session session, List<Integer> savepoints, int one) {
      if (!savepoints.isEmpty()) {
        int to = one % savepoints.size();
        int savepoint = savepoints.get(to);
        if (random.nextInt(3) > 0) {
          session.rollBack(savepoint);
          savepoints.removeIf(other -> other > savepoint);
        } else {
          session.forget(savepoint);
          savepoints.removeIf(other -> other >= savepoint);
        }
      }
    }

    private void assignSomewhere(Session session, int one) {
      Candidates candidates = session.candidates(one);
      List<FleetNode> all = new ArrayList<>();
      candidates.forEach(all::add);
      if (!all.isEmpty()) {
        session.assign(one, all.get(random.nextInt(all.size())).index());
      }
    }
  }
}
