package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.Plan.Obstacle.Cause;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a plan reports of workloads with a rule of skew is what its search has found. */
class PlanObstaclesTest {
  private static final Workload MEMBER = web("a", Terms.NONE);

  private static Workload web(String name, Terms terms) {
    return Workload.of(name, Resources.of("cpu", 1)).withTerms(terms.inGroups("web"));
  }

  private static Workload spread(String name, int minDomains) {
    return web(name, Terms.NONE.rules(new Rule.Skew(1, "web", "zone", minDomains)));
  }

  private static Node node(String name, String zone) {
    return Node.of(name, Resources.of("cpu", 4)).in("zone", zone);
  }

  private static Plan plan(PlanGoal goal, PlanLimits limits, Node... nodes) {
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(List.of(nodes))
            .build();
    return fleet.advisor().plan(goal, limits);
  }

  @Test
  void anEmptyAvoidedDomainKeepsTheFloorLow() {
    Plan plan =
        plan(
            new PlanGoal.Place(List.of(spread("b", 1))),
            PlanLimits.NONE.withAvoided(Set.of("n2")),
            node("n1", "z1").withWorkloads(MEMBER),
            node("n2", "z2"));
    assertThat(plan.obstacles()).extracting(Plan.Obstacle::cause).containsExactly(Cause.NO_NODE);
    assertThat(plan.obstacles().get(0).refusal().orElseThrow().counts())
        .extracting(ReasonCount::kind, ReasonCount::nodes)
        .contains(tuple(Reason.Kind.SKEWED, 1));
  }

  /** A cordoned domain does not count for the floor, but is one of the least number of domains. */
  @Test
  void theDomainOfTheNodeThatIsDrainedIsAmongThoseThatARuleAsksFor() {
    Plan plan =
        plan(
            new PlanGoal.Drain(List.of("n2")),
            PlanLimits.NONE,
            node("n1", "z1").withWorkloads(MEMBER),
            node("n2", "z2")
                .withWorkloads(spread("b", 2), Workload.of("large", Resources.of("cpu", 9)))
                .asCordoned());
    assertThat(plan.unmet()).containsExactly("n2");
    assertThat(plan.obstacles())
        .extracting(obstacle -> obstacle.workload().name())
        .containsExactly("large");
  }
}
