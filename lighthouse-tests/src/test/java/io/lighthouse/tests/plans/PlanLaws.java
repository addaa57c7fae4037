package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What holds of every plan: lawful at every step, true in what it says, and never harmful. */
final class PlanLaws {
  /** The least number of waves is searched for plans of at most this many changes. */
  private static final int MOST_WITH_LEAST = 6;

  private PlanLaws() {}

  /** What makes plans: the advisor, or a planted fault. */
  interface Planner {
    Plan plan(Distributor fleet, PlanGoal goal, PlanLimits limits);
  }

  /** Has a plan made and carried out, and checks it. */
  static Plan check(
      Distributor fleet, PlanGoal goal, PlanLimits limits, Planner planner, Random random) {
    Snapshot before = fleet.snapshot();
    Plan plan = planner.plan(fleet, goal, limits);

    assertThat(plan.goal()).isEqualTo(goal);
    assertThat(fleet.generation()).isEqualTo(before.generation()).isEqualTo(plan.generation());
    assertThat(fleet.snapshot().nodes()).as("nothing has changed").isEqualTo(before.nodes());
    assertThat(fleet.snapshot().lastPlaced()).isEqualTo(before.lastPlaced());
    assertThat(plan.before()).isEqualTo(Recount.of(before));
    checkLimits(plan, limits, before);

    Distributor replayed = fleet.copy();
    plan.changes().forEach(change -> replayed.apply(change));
    Snapshot after = replayed.snapshot();
    assertThat(plan.after()).isEqualTo(Recount.of(after));
    Quantity reached = EveryPlan.figure(before, after, goal);
    assertThat(EveryPlan.better(goal, reached, plan.bound().best()))
        .as("%s is better than the bound of %s", reached, plan)
        .isFalse();
    assertThat(EveryPlan.better(goal, EveryPlan.figure(before, before, goal), reached))
        .as("%s is worse than before, after %s", reached, plan)
        .isFalse();
    assertThat(plan.optimal()).isEqualTo(reached.equals(plan.bound().best()));
    assertThat(plan.unmet()).containsExactlyInAnyOrderElementsOf(Recount.unmet(goal, after));

    checkWaves(fleet, plan, limits, random);
    if (goal instanceof PlanGoal.Rebalance) {
      assertThat(Recount.compareLoads(after, before)).as("%s", plan).isNotPositive();
      checkNoMoveIsGood(replayed, plan, limits);
    }

    fleet.apply(plan.generation(), plan.changes());
    assertThat(fleet.snapshot().nodes()).isEqualTo(after.nodes());
    if (!plan.changes().isEmpty()) {
      assertThatThrownBy(() -> fleet.apply(plan.generation(), plan.changes()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("plan", "generation");
    }
    return plan;
  }

  /** Where the limits allow more moves, none lowers its source and fills no node as much. */
  private static void checkNoMoveIsGood(Distributor fleet, Plan plan, PlanLimits limits) {
    if (plan.moves() == limits.mostMoves() || !limits.mostMoved().isEmpty()) {
      return;
    }
    Snapshot now = fleet.snapshot();
    for (Change change : EveryPlan.changes(now, plan.goal())) {
      Change.Move move = (Change.Move) change;
      if (limits.pinned().contains(move.workload())
          || limits.avoided().contains(move.to())
          || !Recount.isLower(fleet.node(move.to()), fleet.node(move.from()))
          || !isLawful(fleet, List.of(move))) {
        continue;
      }
      Distributor moved = fleet.copy();
      moved.apply(move);
      Snapshot then = moved.snapshot();
      boolean makesAverse = Recount.of(then).averse() > Recount.of(now).averse();
      NodeState source = fleet.node(move.from());
      boolean isGood =
          Recount.isLower(moved.node(move.from()), source)
              && Recount.isLower(moved.node(move.to()), source);
      assertThat(isGood && !makesAverse).as("%s improves on %s", move, plan).isFalse();
    }
  }

  /** Every order of a wave is lawful, and there are few more waves than that needs. */
  private static void checkWaves(Distributor fleet, Plan plan, PlanLimits limits, Random random) {
    WaveJudge judge = new WaveJudge(order -> isLawful(fleet, order));
    assertThat(judge.failingOrder(plan.waves(), random)).as("%s", plan).isEmpty();
    if (plan.changes().size() <= MOST_WITH_LEAST) {
      Map<String, Workload> workloads = workloads(fleet.snapshot(), plan);
      int least =
          judge.leastWaves(
              plan.changes(), wave -> mostOfAGroup(wave, workloads) <= limits.mostOfAGroup());
      assertThat(2 * plan.waves().size())
          .as("waves of %s beside the least of %d", plan, least)
          .isLessThanOrEqualTo(3 * least);
    }
  }

  private static boolean isLawful(Distributor fleet, List<Change> order) {
    Distributor other = fleet.copy();
    try {
      order.forEach(change -> other.apply(change));
      return true;
    } catch (InvalidInputException unlawful) {
      return false;
    }
  }

  /** All workloads that a plan may move, by name: a workload that it assigns may be moved later. */
  private static Map<String, Workload> workloads(Snapshot fleet, Plan plan) {
    Map<String, Workload> workloads = new HashMap<>();
    fleet.nodes().forEach(node -> node.workloads().forEach(one -> workloads.put(one.name(), one)));
    for (Change change : plan.changes()) {
      if (change instanceof Change.Assign assign) {
        workloads.put(assign.workload().name(), assign.workload());
      }
    }
    return workloads;
  }

  /** How many workloads of an aversion group some changes move at most. */
  private static int mostOfAGroup(List<Change> wave, Map<String, Workload> workloads) {
    Map<String, Integer> ofGroup = new HashMap<>();
    for (Change change : wave) {
      if (change instanceof Change.Move move) {
        Workload workload = workloads.get(move.workload());
        workload.aversionGroups().forEach(group -> ofGroup.merge(group, 1, Integer::sum));
      }
    }
    return ofGroup.values().stream().max(Integer::compare).orElse(0);
  }

  private static void checkLimits(Plan plan, PlanLimits limits, Snapshot before) {
    assertThat(plan.moves()).isLessThanOrEqualTo(limits.mostMoves());
    Map<String, Workload> workloads = workloads(before, plan);
    BigDecimal moved = BigDecimal.ZERO;
    for (List<Change> wave : plan.waves()) {
      for (Change change : wave) {
        if (change instanceof Change.Assign assign) {
          assertThat(limits.avoided()).doesNotContain(assign.node());
        } else {
          Change.Move move = (Change.Move) change;
          assertThat(limits.avoided()).doesNotContain(move.to());
          assertThat(limits.pinned()).doesNotContain(move.workload());
          Workload workload = workloads.get(move.workload());
          moved =
              moved.add(
                  workload
                      .requirements()
                      .get("cpu")
                      .map(cpu -> cpu.toBigDecimal().max(BigDecimal.ZERO))
                      .orElse(BigDecimal.ZERO));
        }
      }
      assertThat(mostOfAGroup(wave, workloads)).isLessThanOrEqualTo(limits.mostOfAGroup());
    }
    if (limits.mostMoved().has("cpu")) {
      assertThat(moved)
          .isLessThanOrEqualTo(limits.mostMoved().get("cpu").orElseThrow().toBigDecimal());
    }
  }
}
