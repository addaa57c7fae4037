package io.lighthouse.core.plan;

import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.bound.LowerBounds;
import io.lighthouse.core.budget.CountedLoops;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Plans for one large fleet, whose loops are counted. */
public final class CountedPlans {
  /** The number of nodes. */
  static final int NODES = 400;

  /** The number of placed workloads. */
  static final int PLACED = 10 * NODES;

  /** The number of workloads in a batch. */
  static final int BATCH = 300;

  private static final int GROUPS = 40;

  private static Ledger ledger;
  private static Finder finder;

  private CountedPlans() {}

  private static void fill() {
    ledger = new Ledger();
    finder = new Finder(ledger, NamedRules.NONE);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      Resources has = Resources.of("cpu", 80 + i % 7, "mem", 90 + i % 5, "disk", 99, "net", 80);
      nodes.add(Node.of("n" + i, has).in("rack", "r" + i % 20));
    }
    ledger.nodeChanges().add(nodes);
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < PLACED; i++) {
      workloads.add(workload("w", i).withAversionGroups("g" + i % GROUPS));
    }
    Batch batch = Batch.open(ledger, workloads);
    for (int i = 0; i < PLACED; i++) {
      ledger.place(batch.entry(i), i / 10, batch.demand(i));
    }
    batch.close();
    ledger.commit();
  }

  /** One that takes a fifth to a tenth of a node at most. */
  private static Workload workload(String name, int i) {
    return Workload.of(
        name + i, Resources.of("cpu", 3 + i % 5, "mem", 1 + i % 9, "disk", 9, "net", 1 + i % 7));
  }

  private static PlanGoal goal(String name) {
    List<String> some = new ArrayList<>();
    for (int i = 0; i < NODES; i += 4) {
      some.add("n" + i);
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      Resources large = Resources.of("cpu", 50 + i % 7, "mem", 40, "disk", 20 + i % 3);
      Gang gang = Gang.of("gang" + i / 3);
      batch.add(
          switch (name) {
            case "place" -> Workload.of("b" + i, large);
            case "gangs" ->
                Workload.of("b" + i, large).withTerms(Terms.NONE.inGang(gang.within("rack")));
            default -> workload("b", i);
          });
    }
    return switch (name) {
      case "consolidate" -> new PlanGoal.Consolidate();
      case "rebalance" -> new PlanGoal.Rebalance();
      case "repair" -> new PlanGoal.Repair();
      case "drain" -> new PlanGoal.Drain(some);
      case "evacuate" -> new PlanGoal.Evacuate(some);
      default -> new PlanGoal.Place(batch);
    };
  }

  /** The turns and calls of a plan. */
  public static long turns(String goal, long most) {
    if (ledger == null) {
      fill();
    }
    PlanGoal wanted = goal(goal);
    CountedLoops.take();
    Planner.plan(ledger, finder, 0, wanted, PlanLimits.NONE, new StepBudget(most));
    return CountedLoops.take();
  }

  /** The turns and calls of a plan that moves workloads of one group, one in each wave. */
  public static long waves(int count) {
    List<String> old = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count / 10; i++) {
      old.add("old" + i);
      nodes.add(Node.of("old" + i, Resources.of("slots", 10)));
      nodes.add(Node.of("new" + i, Resources.of("slots", 10)));
    }
    return turnsOfOneInEachWave(nodes, i -> 2 * (i / 10), count, new PlanGoal.Drain(old));
  }

  /**
   * The turns and calls of a plan that places workloads on one node, each after a member of a group
   * has left it, one in each wave.
   */
  public static long wavesAtOneNode(int count) {
    List<Node> nodes = new ArrayList<>();
    nodes.add(Node.of("full", Resources.of("slots", count, "disk", 0)));
    for (int i = 0; i < count; i++) {
      nodes.add(Node.of("new" + i, Resources.of("slots", 1)));
    }
    Workload newcomer = Workload.of("b", Resources.of("slots", 1, "disk", 0));
    PlanGoal goal = new PlanGoal.Place(newcomer.replicas(count));
    return turnsOfOneInEachWave(nodes, i -> 0, count, goal);
  }

  /**
   * The turns and calls for waves of a group that may have no more members in a rack: some leave
   * it, one in each wave, and then as many others come.
   */
  public static long wavesUnderARule(int count) {
    PlanSession session = movesUnderARule(count, StepBudget.OF_A_PLAN);
    CountedLoops.take();
    int waves = Waves.of(session).size();
    return waves == count + 1 ? CountedLoops.take() : 0;
  }

  /**
   * The turns and calls for the waves of twenty workloads.
   *
   * @param steps what other orders than the first may cost
   */
  public static long compiledForWaves(int steps) {
    PlanSession session = movesUnderARule(10, steps);
    CountedLoops.take();
    Waves.of(session);
    return CountedLoops.take();
  }

  private static PlanSession movesUnderARule(int count, long steps) {
    Ledger small = new Ledger();
    Resources slots = Resources.of("slots", 2 * count);
    small
        .nodeChanges()
        .add(
            List.of(
                Node.of("full", slots).in("rack", "r"),
                Node.of("from", slots),
                Node.of("to", slots)));
    Workload member =
        Workload.of("w", Resources.of("slots", 1)).withTerms(Terms.NONE.inGroups("g"));
    Rule most = new Rule.Most(count, "g", "rack");
    Workload bound = member.named("b").withTerms(member.terms().rules(most));
    List<Workload> all = new ArrayList<>(member.withAversionGroups("one").replicas(count));
    all.addAll(bound.replicas(count));
    Batch batch = Batch.open(small, all);
    for (int i = 0; i < 2 * count; i++) {
      small.place(batch.entry(i), i < count ? 0 : 1, batch.demand(i));
    }
    batch.close();
    small.commit();
    PlanSession session =
        new PlanSession(
            small,
            new Finder(small, NamedRules.NONE),
            PlanLimits.NONE.withMostOfAGroup(1),
            new StepBudget(steps));
    for (int i = 0; i < 2 * count; i++) {
      session.move(batch.entry(i), i < count ? 2 : 0);
    }
    return session;
  }

  /** Those of a plan for a fleet that holds members of one group, each on a node of its index. */
  private static long turnsOfOneInEachWave(
      List<Node> nodes, IntUnaryOperator nodeOf, int members, PlanGoal goal) {
    Ledger small = new Ledger();
    small.nodeChanges().add(nodes);
    Workload member = Workload.of("w", Resources.of("slots", 1)).withAversionGroups("g");
    Batch batch = Batch.open(small, member.replicas(members));
    for (int i = 0; i < members; i++) {
      small.place(batch.entry(i), nodeOf.applyAsInt(i), batch.demand(i));
    }
    batch.close();
    small.commit();
    PlanLimits limits = PlanLimits.NONE.withMostOfAGroup(1);
    StepBudget budget = new StepBudget(StepBudget.OF_A_PLAN);
    CountedLoops.take();
    Planner.plan(small, new Finder(small, NamedRules.NONE), 0, goal, limits, budget);
    return CountedLoops.take();
  }

  /** The turns and calls of the bounds of a batch. */
  public static long bounds(long most) {
    if (ledger == null) {
      fill();
    }
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      workloads.add(workload("b", i));
    }
    Batch batch = Batch.open(ledger, workloads);
    CountedLoops.take();
    LowerBounds.bounds(ledger, batch, new StepBudget(most)).get();
    long turns = CountedLoops.take();
    batch.close();
    return turns;
  }
}
