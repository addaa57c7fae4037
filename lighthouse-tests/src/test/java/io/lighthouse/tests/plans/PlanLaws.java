package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What holds of every plan: lawful at every step, true in what it says, and never harmful. */
final class PlanLaws {
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

    Distributor otherwise = fleet.copy();
    for (List<Change> wave : plan.waves()) {
      List<Change> shuffled = new ArrayList<>(wave);
      Collections.shuffle(shuffled, random);
      otherwise.apply(shuffled);
    }
    assertThat(Recount.of(otherwise.snapshot())).isEqualTo(plan.after());

    fleet.apply(plan.generation(), plan.changes());
    assertThat(fleet.snapshot().nodes()).isEqualTo(after.nodes());
    if (!plan.changes().isEmpty()) {
      assertThatThrownBy(() -> fleet.apply(plan.generation(), plan.changes()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("plan", "generation");
    }
    return plan;
  }

  private static void checkLimits(Plan plan, PlanLimits limits, Snapshot before) {
    assertThat(plan.moves()).isLessThanOrEqualTo(limits.mostMoves());
    Map<String, Workload> workloads = new HashMap<>();
    before.nodes().forEach(node -> node.workloads().forEach(one -> workloads.put(one.name(), one)));
    BigDecimal moved = BigDecimal.ZERO;
    for (List<Change> wave : plan.waves()) {
      Map<String, Integer> ofGroup = new HashMap<>();
      for (Change change : wave) {
        if (change instanceof Change.Assign assign) {
          assertThat(limits.avoided()).doesNotContain(assign.node());
          workloads.put(assign.workload().name(), assign.workload());
        } else {
          Change.Move move = (Change.Move) change;
          assertThat(limits.avoided()).doesNotContain(move.to());
          assertThat(limits.pinned()).doesNotContain(move.workload());
          Workload workload = workloads.get(move.workload());
          workload.aversionGroups().forEach(group -> ofGroup.merge(group, 1, Integer::sum));
          moved =
              moved.add(
                  workload
                      .requirements()
                      .get("cpu")
                      .map(cpu -> cpu.toBigDecimal().max(BigDecimal.ZERO))
                      .orElse(BigDecimal.ZERO));
        }
      }
      assertThat(ofGroup.values()).allMatch(count -> count <= limits.mostOfAGroup());
    }
    if (limits.mostMoved().has("cpu")) {
      assertThat(moved)
          .isLessThanOrEqualTo(limits.mostMoved().get("cpu").orElseThrow().toBigDecimal());
    }
  }
}
