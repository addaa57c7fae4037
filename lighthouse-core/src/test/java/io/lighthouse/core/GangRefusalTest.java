package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The reasons that the members of a gang get when it has to be in one domain. */
class GangRefusalTest {
  private static final List<Node> NODES =
      List.of(
          Node.of("loose", Resources.of("cpu", 9)),
          Node.of("a1", Resources.of("cpu", 3)).in("rack", "a"),
          Node.of("b1", Resources.of("cpu", 9)).in("rack", "b"),
          Node.of("a2", Resources.of("cpu", 2)).in("rack", "a"));

  private static List<Workload> gang(int cpu, int members) {
    return IntStream.rangeClosed(1, members)
        .mapToObj(
            i ->
                Workload.of("g-" + i, Resources.of("cpu", cpu))
                    .withTerms(Terms.NONE.inGang(Gang.of("g").within("rack"))))
        .toList();
  }

  private static Distributor fleet() {
    return Distributors.of("first", (workload, candidates) -> candidates.first())
        .nodes(NODES)
        .build();
  }

  private static Refusal last(List<Workload> batch) {
    List<Refusal> refusals = fleet().assign(batch, AssignOption.EXPLAIN).refusals();
    return refusals.get(refusals.size() - 1);
  }

  private static List<String> nearest(Refusal refusal) {
    return refusal.nearest().stream().map(NodeVerdict::node).toList();
  }

  @Test
  void oneThatFindsNothingIsToldOfTheDomainThatTheOthersStandIn() {
    Refusal fourth = last(gang(3, 4));

    assertThat(fourth.gang().orElseThrow().domain()).contains("b");
    assertThat(fourth.counts()).containsExactly(new ReasonCount(Reason.Kind.SHORT, "cpu", 1));
    assertThat(nearest(fourth)).containsExactly("b1");
    assertThat(fourth.nodes()).isEqualTo(4);
  }

  @Test
  void theFirstIsToldWhichNodesStandInNoDomain() {
    Refusal first = fleet().assign(gang(10, 2), AssignOption.EXPLAIN).refusals().get(0);

    assertThat(first.counts())
        .containsExactly(
            new ReasonCount(Reason.Kind.SHORT, "cpu", 4),
            new ReasonCount(Reason.Kind.NO_DOMAIN, "rack", "", 1));
    assertThat(nearest(first)).containsExactly("b1", "a1", "a2");
  }

  @Test
  void whatSharesSomethingOfTheLevelIsToldOnceThatANodeStandsInNoDomain() {
    List<Workload> sharing =
        gang(10, 2).stream()
            .map(one -> one.withTerms(one.terms().sharing("rack", Resources.of("power", 1))))
            .toList();
    Refusal first = fleet().assign(sharing, AssignOption.EXPLAIN).refusals().get(0);

    assertThat(first.counts()).contains(new ReasonCount(Reason.Kind.NO_DOMAIN, "rack", "", 1));
  }

  @Test
  void aLevelAtWhichNothingStandsIsCountedAsOneWithoutAGroup() {
    Workload spread =
        Workload.of("w", Resources.of("cpu", 1))
            .withTerms(Terms.NONE.inGroups("web").rules(new Rule.Least(2, "web", "zone")));

    assertThat(last(List.of(spread)).counts())
        .containsExactly(new ReasonCount(Reason.Kind.NO_DOMAIN, "zone", "", 4));
  }

  @Test
  void aNodeOfAnotherDomainIsNotComparedByPreferences() {
    Distributor fleet = fleet();
    List<Workload> batch = gang(3, 3);
    Rule onA = new Rule.Where(List.of(new Condition.In("rack", Set.of("a"))));
    List<Workload> preferring =
        batch.stream().map(one -> one.withTerms(one.terms().preferring(onA))).toList();

    assertThat(reasons(fleet.explain(0, preferring)))
        .containsEntry("a1", List.of(new Reason.Later("b1")))
        .containsEntry("b1", List.of());
    assertThat(reasons(fleet.explain(1, preferring)))
        .containsEntry("a1", List.of(new Reason.Later("b1")));
  }

  @Test
  void aNodeOfAnotherDomainThatFitsARefusedMemberIsDeclined() {
    List<Workload> batch = new ArrayList<>(gang(3, 3));
    batch.add(Workload.of("g-4", Resources.of("cpu", 2)).withTerms(batch.get(0).terms()));
    Rule onA = new Rule.Where(List.of(new Condition.In("rack", Set.of("a"))));
    batch.set(3, batch.get(3).withTerms(batch.get(3).terms().preferring(onA)));

    assertThat(reasons(fleet().explain(3, batch)))
        .containsEntry("a1", List.of(new Reason.Declined()))
        .containsEntry("a2", List.of(new Reason.Declined()));
  }

  @Test
  void aNodeOfAnotherDomainIsNotComparedByAversion() {
    Distributor fleet = fleet();
    Workload rival = Workload.of("r", Resources.of("cpu", 0)).withAversionGroups("x");
    fleet.apply(new Change.Assign(rival, "a1"));
    List<Workload> batch = new ArrayList<>(gang(3, 3));
    batch.set(2, batch.get(2).withAversionGroups("x"));

    assertThat(reasons(fleet.explain(2, batch)))
        .containsEntry("a1", List.of(new Reason.Later("b1")));
  }

  @Test
  void fittingAndShortagesIgnoreTheGangAndTheExplanationObeysIt() {
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(NODES.subList(0, 1))
            .build();
    Workload small = gang(9, 1).get(0);
    Workload large = gang(10, 1).get(0);

    assertThat(fleet.fitting(small)).containsExactly("loose");
    assertThat(fleet.advisor().shortages(List.of(small))).isEmpty();
    assertThat(reasons(fleet.explain(small)))
        .containsEntry("loose", List.of(new Reason.NoDomain("rack", -1)));
    assertThat(fleet.advisor().shortages(List.of(large)))
        .singleElement()
        .satisfies(shortage -> assertThat(shortage.more()).isEqualTo(Resources.of("cpu", 1)));
  }

  @Test
  void aMemberOfAGangThatIsNotPlacedHasNoNode() {
    List<Workload> batch = gang(3, 4);
    List<Refusal> refusals = fleet().assign(batch, AssignOption.EXPLAIN).refusals();
    for (int i = 0; i < batch.size(); i++) {
      Explanation explanation = fleet().explain(i, batch);
      assertThat(explanation.chosen()).isEmpty();
      assertThat(explanation.summary().gang()).isPresent().isEqualTo(refusals.get(i).gang());
      assertThat(fleet().advisor().choice(i, batch).chosen()).isEmpty();
    }
    assertThat(reasons(fleet().explain(0, batch)))
        .containsEntry("b1", List.of(new Reason.Declined()));
  }

  @Test
  void aMemberOfAGangThatIsPlacedHasItsNode() {
    List<Workload> batch = gang(3, 3);
    Explanation explanation = fleet().explain(1, batch);
    assertThat(explanation.chosen()).isEqualTo(fleet().assign(batch).node(1)).isPresent();
    assertThat(explanation.summary().gang()).isEmpty();
    assertThat(fleet().advisor().choice(1, batch).chosen()).isEqualTo(explanation.chosen());
  }

  private static Map<String, List<Reason>> reasons(Explanation explanation) {
    return explanation.nodes().stream()
        .collect(Collectors.toMap(NodeVerdict::node, NodeVerdict::reasons));
  }
}
