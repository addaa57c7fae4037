package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.Plan.Obstacle.Cause;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    return node(name, zone, 4);
  }

  /** A node that has some cpu left. */
  private static Node node(String name, String zone, int cpu) {
    return Node.of(name, Resources.of("cpu", cpu)).in("zone", zone);
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

  private static Refusal refusal(Plan plan, Cause cause) {
    assertThat(plan.obstacles()).extracting(Plan.Obstacle::cause).containsExactly(cause);
    return plan.obstacles().get(0).refusal().orElseThrow();
  }

  private static String[] reasons(Refusal refusal) {
    return refusal.counts().stream()
        .map(count -> count.kind() + " " + count.nodes())
        .toArray(String[]::new);
  }

  /** The nodes in z2 break nothing but the limits of the plan. */
  @Test
  void avoidedNodesThatFitAreCordonedAndAmongTheNearest() {
    Plan plan =
        plan(
            new PlanGoal.Place(List.of(spread("b", 1))),
            PlanLimits.NONE.withAvoided(Set.of("n2", "n3", "n4")),
            node("n1", "z1").withWorkloads(MEMBER),
            node("n2", "z2"),
            node("n3", "z2"),
            node("n4", "z2"));
    Refusal refusal = refusal(plan, Cause.NO_NODE);
    assertThat(refusal.nodes()).isEqualTo(4);
    assertThat(reasons(refusal)).containsExactly("CORDONED 3", "SKEWED 1");
    assertThat(refusal.nearest())
        .extracting(NodeVerdict::node, verdict -> verdict.reasons().get(0).kind())
        .containsExactly(
            tuple("n2", Reason.Kind.CORDONED),
            tuple("n3", Reason.Kind.CORDONED),
            tuple("n4", Reason.Kind.CORDONED));
  }

  @Test
  void aNodeThatIsLeftAndEmptyIsNotNamedAndOneThatIsHeldIsCordoned() {
    Plan plan =
        plan(
            new PlanGoal.Drain(List.of("n2", "n3", "n4")),
            PlanLimits.NONE.withPinned(Set.of("held")),
            node("n1", "z1").withWorkloads(MEMBER),
            node("n2", "z2").withWorkloads(spread("b", 1)),
            node("n3", "z2"),
            node("n4", "z2", 0).withWorkloads(Workload.of("held", Resources.of("cpu", 1))));
    assertThat(plan.obstacles())
        .extracting(obstacle -> obstacle.workload().name(), Plan.Obstacle::cause)
        .containsExactly(tuple("b", Cause.NO_NODE), tuple("held", Cause.PINNED));
    Refusal refusal = plan.obstacles().get(0).refusal().orElseThrow();
    assertThat(refusal.nodes()).isEqualTo(2);
    assertThat(reasons(refusal)).containsExactly("CORDONED 1", "SHORT 1", "SKEWED 1");
    assertThat(refusal.nearest()).extracting(NodeVerdict::node).containsExactly("n1", "n4");
  }

  /** If n2 were cordoned on the ledger, n1 would break no skew. */
  @Test
  void aNodeThatLacksRoomAndBreaksTheSkewHasBothReasons() {
    Plan plan =
        plan(
            new PlanGoal.Place(List.of(spread("b", 1))),
            PlanLimits.NONE.withAvoided(Set.of("n2")),
            node("n1", "z1", 0).withWorkloads(MEMBER),
            node("n2", "z2"));
    assertThat(reasons(refusal(plan, Cause.NO_NODE)))
        .containsExactly("CORDONED 1", "SHORT 1", "SKEWED 1");
  }

  @Test
  void aWorkloadToBeRepairedIsNotAverseOnANodeThatBreaksTheSkew() {
    Workload stays = spread("b", 1).withAversionGroups("noisy");
    Plan plan =
        plan(
            new PlanGoal.Repair(),
            PlanLimits.NONE.withAvoided(Set.of("n2")).withPinned(Set.of("a", "c")),
            node("n1", "z1").withWorkloads(MEMBER.withAversionGroups("noisy"), stays),
            node("n2", "z2"),
            node("n3", "z3").withWorkloads(web("c", Terms.NONE)));
    Plan.Obstacle obstacle =
        plan.obstacles().stream()
            .filter(one -> one.workload().name().equals("b"))
            .findAny()
            .orElseThrow();
    assertThat(obstacle.cause()).isEqualTo(Cause.AVERSION);
    assertThat(obstacle.why()).isEqualTo("no friendly node takes it");
    assertThat(reasons(obstacle.refusal().orElseThrow())).containsExactly("CORDONED 1", "SKEWED 2");
  }

  @Test
  void theRefusalOfAnEqualWorkloadIsNotMadeAgain() {
    Workload large = Workload.of("a", Resources.of("cpu", 5));
    Plan plan =
        plan(
            new PlanGoal.Place(List.of(large, large.named("b"))),
            PlanLimits.NONE.withAvoided(Set.of("n2")),
            node("n1", "z"),
            node("n2", "z"));
    Refusal first = plan.obstacles().get(0).refusal().orElseThrow();
    Refusal second = plan.obstacles().get(1).refusal().orElseThrow();
    assertThat(second.workload()).isEqualTo("b");
    assertThat(second.nearest()).isSameAs(first.nearest());
  }

  @Test
  void theNearestNodesOfAWorkloadToBeRepairedAreThoseThatItDoesNotFit() {
    Workload noisy = Workload.of("a", Resources.of("cpu", 2)).withAversionGroups("noisy");
    Plan plan =
        plan(
            new PlanGoal.Repair(),
            PlanLimits.NONE,
            node("n1", "z", 2).withWorkloads(noisy, noisy.named("b")),
            node("n2", "z", 2).withWorkloads(noisy.named("c")),
            node("n3", "z", 2).withWorkloads(noisy.named("d")),
            node("n4", "z", 2).withWorkloads(noisy.named("e")),
            node("n5", "z", 1));
    Plan.Obstacle obstacle = plan.obstacles().get(0);
    assertThat(obstacle.why()).isEqualTo("no friendly node takes it: averse on 3 more nodes");
    Refusal refusal = obstacle.refusal().orElseThrow();
    assertThat(reasons(refusal)).containsExactly("SHORT 1");
    assertThat(refusal.nearest()).extracting(NodeVerdict::node).containsExactly("n5");
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

  /** Each of the workloads is refused by all ten nodes, for another reason. */
  @ParameterizedTest
  @CsvSource({"100,5", "25,3", "20,2", "0,0"})
  void obstaclesEndWithTheirBudget(int steps, int count) {
    Ledger ledger = new Ledger();
    ledger.nodeChanges().add(IntStream.range(0, 10).mapToObj(i -> node("n" + i, "z")).toList());
    List<Workload> newcomers =
        IntStream.range(5, 10)
            .mapToObj(cpu -> Workload.of("w" + cpu, Resources.of("cpu", cpu)))
            .toList();
    Batch batch = Batch.open(ledger, newcomers);
    Finder finder = new Finder(ledger, NamedRules.NONE);
    PlanSession session =
        new PlanSession(ledger, finder, PlanLimits.NONE, new StepBudget(StepBudget.OF_A_PLAN));
    session.obstacles.spend(PlanObstacles.MOST_STEPS - steps);
    List<String> unmet = newcomers.stream().map(Workload::name).toList();
    assertThat(new PlanObstacles(session, batch, unmet).of(new PlanGoal.Place(newcomers)))
        .hasSize(count);
    batch.close();
  }
}
