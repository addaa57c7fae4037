package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.budget.CountedLoops;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.oracle.ProblemMaker;
import io.lighthouse.core.search.Finder;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Every plan ends within its budget of steps and its last turn, whatever its goal. */
class PlanBudgetProperties {
  /** Every goal has loops of its own; a batch may be of gangs. */
  private static final List<String> GOALS =
      List.of("consolidate", "rebalance", "repair", "drain", "evacuate", "place", "gangs");

  /** Turns of loops for each node and workload, in the passes that every plan needs. */
  private static final long PASSES = 18;

  /** Turns of loops for each step, and the reads that come with it. */
  private static final long TURNS_PER_STEP = 4 * StepBudget.READS_PER_STEP;

  private Demand demand;

  @Property(shrinking = ShrinkingMode.OFF)
  void everyPlanEndsWithinItsBudget(@ForAll long seed, @ForAll @IntRange(max = 400) int most) {
    ProblemMaker maker = new ProblemMaker(seed);
    Ledger ledger = new Ledger();
    Finder finder = new Finder(ledger, NamedRules.NONE);
    List<Node> nodes = new ArrayList<>();
    for (int i = 1 + maker.random.nextInt(25); i >= 0; i--) {
      nodes.add(maker.node());
    }
    ledger.nodeChanges().add(nodes);
    ledger.commit();
    place(ledger, finder, batch(maker, 60));
    List<String> some =
        nodes.stream().map(Node::name).filter(name -> maker.chance(3)).limit(5).toList();
    List<PlanGoal> goals = new ArrayList<>();
    goals.add(new PlanGoal.Consolidate());
    goals.add(new PlanGoal.Rebalance());
    goals.add(new PlanGoal.Repair());
    goals.add(new PlanGoal.Place(batch(maker, 12)));
    if (!some.isEmpty()) {
      goals.add(new PlanGoal.Drain(some));
      goals.add(new PlanGoal.Evacuate(some));
    }
    for (PlanGoal goal : goals) {
      StepBudget budget = new StepBudget(most);
      Plan plan = Planner.plan(ledger, finder, 0, goal, PlanLimits.NONE, budget);
      // The last turn checks all nodes for one workload, or the sets of three of one node.
      assertThat(budget.spent()).as("%s", goal).isLessThanOrEqualTo(most + 4L * nodes.size() + 128);
      if (most == 0) {
        assertThat(plan.changes()).isEmpty();
      }
    }
  }

  /**
   * The loops of a plan stay within its budget, whether they count steps or not: a few passes over
   * the fleet, and a number of turns for each step.
   */
  @Example
  void noLoopForgetsTheBudget() throws ReflectiveOperationException {
    CountedLoops core = new CountedLoops();
    long pass = CountedPlans.NODES + CountedPlans.PLACED;
    for (long most : new long[] {0, 1, 100, 1_000, 10_000}) {
      long allowed = PASSES * pass + TURNS_PER_STEP * most;
      for (String goal : GOALS) {
        long turns = (long) core.call(CountedPlans.class, "turns", goal, most);
        assertThat(turns).as("%s in %d steps", goal, most).isLessThanOrEqualTo(allowed);
      }
      long turns = (long) core.call(CountedPlans.class, "bounds", most);
      assertThat(turns).as("bounds in %d steps", most).isLessThanOrEqualTo(allowed);
    }
  }

  @Example
  void wavesThatMoveEnoughOfAGroupAreNotReadAgain() throws ReflectiveOperationException {
    CountedLoops core = new CountedLoops(List.of("plan.Waves"));
    long few = (long) core.call(CountedPlans.class, "waves", 100);
    long many = (long) core.call(CountedPlans.class, "waves", 200);
    assertThat(many).isBetween(200L, 3 * few);
  }

  @Example
  void aStepReadsTheWavesOfItsNodeOnce() throws ReflectiveOperationException {
    CountedLoops core = new CountedLoops(List.of("plan.Wave"));
    long few = (long) core.call(CountedPlans.class, "wavesAtOneNode", 50);
    long many = (long) core.call(CountedPlans.class, "wavesAtOneNode", 100);
    assertThat(many).isBetween(10_000L, 5 * few);
  }

  @Example
  void aStepReadsEachOtherOneOfItsGroupOnce() throws ReflectiveOperationException {
    CountedLoops core = new CountedLoops(List.of("plan."));
    long few = (long) core.call(CountedPlans.class, "wavesUnderARule", 50);
    long many = (long) core.call(CountedPlans.class, "wavesUnderARule", 100);
    assertThat(many).isBetween(10_000L, 5 * few);
  }

  @Example
  void eachWorkloadIsCompiledOnceForAllOrdersOfWaves() throws ReflectiveOperationException {
    CountedLoops core = new CountedLoops(List.of("account.ResourceTable"));
    long one = (long) core.call(CountedPlans.class, "compiledForWaves", 0);
    long many = (long) core.call(CountedPlans.class, "compiledForWaves", 100);
    assertThat(many).isEqualTo(one).isPositive();
  }

  private static List<Workload> batch(ProblemMaker maker, int most) {
    List<Workload> batch = new ArrayList<>();
    for (int i = maker.random.nextInt(most); i >= 0; i--) {
      batch.add(maker.workload());
    }
    return batch;
  }

  private void place(Ledger ledger, Finder finder, List<Workload> workloads) {
    Batch batch = Batch.open(ledger, workloads);
    for (int i = 0; i < batch.size(); i++) {
      demand = batch.demand(i);
      int node;
      try (Query query = finder.bind(demand)) {
        node = finder.first(query, 0);
      }
      if (node != NodeTable.NONE) {
        ledger.place(batch.entry(i), node, demand);
      }
    }
    batch.close();
    ledger.commit();
  }
}
