package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import org.junit.jupiter.api.Test;

/** What the figures of a plan could be at best. */
class PlanFiguresTest {
  private static Plan rebalance(Node... nodes) {
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first()).nodes(nodes).build();
    return fleet.advisor().plan(new PlanGoal.Rebalance(), PlanLimits.NONE);
  }

  /** An immune workload that requires a resource may go where it takes no measured share. */
  @Test
  void whatIsRequiredInSpiteOfAnImmunityBoundsNothing() {
    Workload immune = Workload.of("w", Resources.of("cpu", 2)).withImmunities("cpu");
    Plan plan =
        rebalance(
            Node.of("a", Resources.of("cpu", 4)).withWorkloads(immune),
            Node.of("b", Resources.of("cpu", "-inf")));

    assertThat(plan.waves()).hasSize(1);
    assertThat(plan.after().fullest()).isEqualByComparingTo(Quantity.ZERO);
    assertThat(plan.bound()).isEqualTo(new Plan.Bound("fullest", Quantity.ZERO, true));
  }

  /** What an immune workload does not require, it takes nowhere. */
  @Test
  void anImmunityAloneChangesNoBound() {
    Workload immune = Workload.of("immune", Resources.none()).withImmunities("cpu");
    Workload small = Workload.of("w", Resources.of("cpu", 1));
    Plan plan =
        rebalance(
            Node.of("a", Resources.of("cpu", 2))
                .withWorkloads(immune, small.named("w-1"), small.named("w-2")),
            Node.of("b", Resources.of("cpu", 4)));

    assertThat(plan.after().fullest()).isEqualByComparingTo(Quantity.of("0.25"));
    assertThat(plan.bound().best()).isEqualByComparingTo(Quantity.of("0.25"));
    assertThat(plan.bound().reached()).isTrue();
  }
}
