package io.lighthouse.kubernetes.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Clusters;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Bindings of another scheduler beside the nodes that Lighthouse would choose. */
class ComparedBindingsTest extends ComparisonsBench {
  @Test
  void agreeOnTheSameNodeAndOnOneAsGood() {
    place(pod("p1", "1"), "n1");
    assertThat(cluster.count(ComparisonOutcome.SAME_NODE)).isEqualTo(1);
    // n2 and n3 are equal; n2 comes first.
    place(pod("p2", "1"), "n3");
    assertThat(cluster.count(ComparisonOutcome.AS_GOOD)).isEqualTo(1);
    place(with(pod("p3", "1"), "{'nodeSelector':{'kubernetes.io/hostname':'n1'}}"), "n1");
    assertThat(cluster.count(ComparisonOutcome.ONLY_NODE)).isEqualTo(1);
    assertThat(cluster.report().last()).isEmpty();
    assertThat(cluster.log).isEmpty();
  }

  @Test
  void differByTheStrategyWithBothShares() {
    place(pod("p1", "2"), "n1");
    place(pod("p2", "1"), "n1");
    assertThat(cluster.last().outcome()).isEqualTo(ComparisonOutcome.RANKED);
    assertThat(cluster.last().ours()).isEqualTo("n2");
    assertThat(cluster.last().by()).isEqualTo("strategy spread");
    assertThat(cluster.last().reason()).contains("n2 25.00 %, n1 75.00 %");
    assertThat(cluster.log).hasSize(1);
    assertThat(cluster.log.get(0))
        .contains("\"level\":\"info\"", "\"outcome\":\"ranked\"", "\"pod\":\"default/p2\"");
  }

  @Test
  void differByAPreferenceWhichIsNamed() {
    place(
        with(
            pod("p1", "1"),
            "{'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':"
                + "[{'weight':1,'preference':{'matchExpressions':[{'key':"
                + "'kubernetes.io/hostname','operator':'In','values':['n3']}]}}]}}}"),
        "n2");
    assertThat(cluster.last().by()).isEqualTo("preferred node affinity");
    assertThat(cluster.last().ours()).isEqualTo("n3");
    assertThat(cluster.last().reason()).contains("preference 1 of 1");
  }

  @Test
  void differByTheDefaultSpreadOfAService() {
    cluster.pair.changed(
        Resource.SERVICES,
        Objects.json(
            "{'metadata':{'name':'web','namespace':'default'},'spec':{'selector':"
                + "{'app':'test'}}}"));
    place(pod("p1", "1"), "n1");
    place(pod("p2", "1"), "n1");
    assertThat(cluster.last().pod()).isEqualTo("default/p2");
    assertThat(cluster.last().by()).isEqualTo("default spread");
  }

  @Test
  void differInTheVerdictWithTheFilterOnceTheRefusalHasSettled() {
    cluster.node(tainted("n2"));
    cluster.pass(SETTLED);
    place(pod("p1", "1"), "n2");
    assertThat(cluster.count(ComparisonOutcome.Group.VERDICT)).isZero();
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.NODE_REFUSED)).isEqualTo(1);
    assertThat(cluster.last().by()).isEqualTo("TaintToleration");
    assertThat(cluster.last().reason()).startsWith("node(s) had untolerated taint(s)");
    assertThat(cluster.log.get(0)).contains("\"level\":\"warning\"");
  }

  @Test
  void toANodeThatHadJustBeenClosedAreNoDifferenceOfVerdict() {
    ObjectNode closed = with(Objects.node("n2", "a", "4", "8Gi", 10), "{'unschedulable':true}");
    cluster.node(closed);
    place(pod("p1", "1"), "n2");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.Group.VERDICT)).isZero();
    assertThat(cluster.last().outcome()).isEqualTo(ComparisonOutcome.BINDINGS_UNDER_WAY);
    assertThat(cluster.last().reason())
        .isEqualTo(
            "node(s) were unschedulable (the node fits as things were before node n2 changed)");
    // It is closed still, and by now the other scheduler knows.
    place(pod("p2", "1"), "n2");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.NODE_REFUSED)).isEqualTo(1);
  }

  @Test
  void toANodeThatHadJustShrunkAreNoDifferenceOfVerdict() {
    cluster.pass(SETTLED);
    cluster.node(Objects.node("n1", "a", "1", "8Gi", 10));
    place(pod("p1", "2"), "n1");
    assertThat(cluster.count(ComparisonOutcome.BINDINGS_UNDER_WAY)).isEqualTo(1);
    assertThat(cluster.last().reason())
        .isEqualTo("Insufficient cpu (the node fits as things were before node n1 changed)");
  }

  @Test
  void toANodeThatHadJustBeenClosedWhileAPodEndedSlowly() {
    ObjectNode ends = FollowedCluster.bound(pod("ends", "1"), "n1");
    cluster.pod(ends);
    cluster.node(with(Objects.node("n2", "a", "4", "8Gi", 10), "{'unschedulable':true}"));
    ends.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-26T10:00:00Z");
    for (int i = 0; i < 1000; i++) {
      cluster.pod(ends);
    }
    place(pod("p1", "1"), "n2");
    assertThat(cluster.count(ComparisonOutcome.BINDINGS_UNDER_WAY)).isEqualTo(1);
  }

  @Test
  void toANodeThatWasClosedAsLongAgoAsTheWaitDiffer() {
    cluster.node(with(Objects.node("n2", "a", "4", "8Gi", 10), "{'unschedulable':true}"));
    cluster.pass(Comparisons.Limits.STANDARD.settle());
    place(pod("p1", "1"), "n2");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.NODE_REFUSED)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0})
  void areCheckedAgainForSoManyOfTheLastChanges(int more) {
    cluster.node(Objects.node("large", "a", "4", "8Gi", RecentChanges.MOST_CHECKS));
    cluster.node(with(Objects.node("n2", "a", "4", "8Gi", 10), "{'unschedulable':true}"));
    for (int i = 0; i < RecentChanges.MOST_CHECKS + more; i++) {
      cluster.pod(FollowedCluster.bound(pod("ends-" + i, "1m"), "large"));
      cluster.gone("ends-" + i);
    }
    place(pod("p1", "1"), "n2");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.BINDINGS_UNDER_WAY)).isEqualTo(-more);
    assertThat(cluster.count(ComparisonOutcome.NODE_REFUSED)).isEqualTo(1 + more);
  }

  @Test
  void thatWereDecidedBeforeAPodEndedAreNoDifferenceOfVerdict() {
    place(spread("a", 1), "n1");
    place(spread("b", 1), "n2");
    place(spread("c", 1), "n3");
    cluster.pass(SETTLED);
    ObjectNode ends = FollowedCluster.bound(spread("c", 1), "n3");
    ends.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-26T10:00:00Z");
    cluster.pod(ends);
    cluster.gone("b");
    Figures before = cluster.pair.figuresThere(0, 0);
    ObjectNode late = spread("late", 1);
    cluster.pod(late);
    // Without b and c, n1 would have two pods more than n2 and n3.
    assertThat(Clusters.verdict(cluster.pair.there(), "late", "n1")).isNotEmpty();
    cluster.bind(late, "n1");
    assertThat(cluster.last().outcome()).isEqualTo(ComparisonOutcome.BINDINGS_UNDER_WAY);
    assertThat(cluster.last().reason())
        .endsWith(" (the node fits as things were before pod default/c ended)");
    cluster.gone("late");
    assertThat(cluster.pair.figuresThere(0, 0)).isEqualTo(before);
    assertThat(cluster.pair.there().pods()).extracting(PodEntry::uid).containsOnly("a", "c");
    // By now the other scheduler knows.
    cluster.pass(SETTLED);
    place(spread("later", 1), "n1");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.NODE_REFUSED)).isEqualTo(1);
  }

  @Test
  void toANodeThatHadJustBeenClosedAndWasFullDifferAllTheSame() {
    place(pod("full", "4"), "n2");
    cluster.pass(SETTLED);
    cluster.node(with(Objects.node("n2", "a", "4", "8Gi", 10), "{'unschedulable':true}"));
    place(pod("p1", "1"), "n2");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.NODE_REFUSED)).isEqualTo(1);
  }

  @Test
  void differWhereLighthouseHasNoNodeAtAll() {
    place(pod("p1", "5"), "n2");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.NO_NODE)).isEqualTo(1);
    assertThat(cluster.last().by()).isEqualTo("NodeResourcesFit");
    assertThat(cluster.last().reason()).contains("0/3 nodes are available: 3 Insufficient cpu.");
  }

  private ObjectNode ofGroup(String name) {
    ObjectNode pod = pod(name, "1");
    pod.withObjectProperty("metadata").withObjectProperty("labels").put("group", "db");
    return pod;
  }

  private ObjectNode besideTheGroup(String name) {
    return with(
        pod(name, "1"),
        "{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "[{'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':"
            + "{'group':'db'}}}]}}}");
  }

  @Test
  void thatCameInAnotherOrderAreNoDifferenceOfVerdict() {
    ObjectNode friend = ofGroup("friend");
    ObjectNode pod = besideTheGroup("p1");
    cluster.pod(friend);
    cluster.pod(pod);
    cluster.bind(pod, "n3");
    cluster.bind(friend, "n3");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.Group.VERDICT)).isZero();
    assertThat(cluster.count(ComparisonOutcome.BINDINGS_UNDER_WAY)).isEqualTo(1);
    assertThat(cluster.report().last())
        .anySatisfy(
            one -> {
              assertThat(one.outcome()).isEqualTo(ComparisonOutcome.BINDINGS_UNDER_WAY);
              assertThat(one.by()).isEqualTo("InterPodAffinity");
            });
  }

  @Test
  void thatBreakASpreadDifferInTheVerdict() {
    for (String name : new String[] {"p1", "p2"}) {
      place(
          with(
              pod(name, "1"),
              "{'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'kubernetes.io/hostname',"
                  + "'whenUnsatisfiable':'DoNotSchedule',"
                  + "'labelSelector':{'matchLabels':{'app':'test'}}}]}"),
          "n3");
    }
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.NODE_REFUSED))
        .as("%s", cluster.report())
        .isEqualTo(1);
    assertThat(cluster.last().by()).isEqualTo("PodTopologySpread");
  }

  @Test
  void ofAPodThatGoesBeforeItHasSettledAreReported() {
    place(pod("p1", "5"), "n2");
    cluster.gone("p1");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.NO_NODE)).isEqualTo(1);
  }

  @Test
  void ofAPodThatHasEndedAreComparedWithWhatWasUnderWay() {
    ObjectNode friend = ofGroup("friend");
    ObjectNode pod = besideTheGroup("p1");
    cluster.pod(friend);
    cluster.pod(pod);
    cluster.bind(pod, "n3");
    cluster.gone("p1");
    cluster.bind(friend, "n3");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.Group.VERDICT)).isZero();
    assertThat(cluster.count(ComparisonOutcome.BINDINGS_UNDER_WAY)).isEqualTo(1);
  }

  @Test
  void mayBeOrderedWithoutAPodThatHasEnded() {
    place(spread("a", 1), "n1");
    ObjectNode early = spread("early", 1);
    cluster.pod(early);
    // Known before those on n2 and n3, between which it was decided.
    cluster.bind(early, "n1");
    place(spread("loose", 9), "n1");
    place(spread("ended", 9), "n1");
    cluster.gone("ended");
    place(spread("b", 1), "n2");
    place(spread("c", 1), "n3");
    cluster.pass(SETTLED);
    assertThat(cluster.count(ComparisonOutcome.Group.VERDICT)).as("%s", cluster.report()).isZero();
    assertThat(cluster.count(ComparisonOutcome.BINDINGS_UNDER_WAY)).isEqualTo(1);
  }

  private static ObjectNode spread(String name, int skew) {
    return with(
        pod(name, "100m"),
        "{'topologySpreadConstraints':[{'maxSkew':"
            + skew
            + ",'topologyKey':'kubernetes.io/hostname','whenUnsatisfiable':'DoNotSchedule',"
            + "'labelSelector':{'matchLabels':{'app':'test'}}}]}");
  }

  @Test
  void ofPodsThatAreNotSupportedAreNotJudged() {
    place(with(pod("p1", "1"), "{'resourceClaims':[{'name':'gpu'}]}"), "n2");
    assertThat(cluster.count(ComparisonOutcome.NOT_SUPPORTED)).isEqualTo(1);
    assertThat(cluster.last().reason()).contains("resourceClaims");
    assertThat(cluster.report().compared()).isZero();
    assertThat(cluster.pair.figuresOurs().used()).isEqualTo(1);
  }

  @Test
  void thatWereThereBeforeAreNotCompared() {
    FollowedCluster later = new FollowedCluster("spread").listing();
    later.node(Objects.node("n1", "a", "4", "8Gi", 10));
    ObjectNode waited = pod("p1", "1");
    later.pod(waited);
    later.bind(waited, "n1");
    later.pod(FollowedCluster.bound(pod("p2", "1"), "n1"));
    later.synced();
    later.pod(FollowedCluster.bound(pod("p3", "1"), "n1"));
    assertThat(later.report().compared()).isZero();
    assertThat(later.count(ComparisonOutcome.SEEN_BOUND)).isEqualTo(1);
    assertThat(later.pair.figuresOurs()).isEqualTo(later.pair.figuresThere(0, 0));
  }

  @Test
  void ofOtherSchedulersAreTakenAsTheyAre() {
    place(with(pod("p1", "5"), "{'schedulerName':'third'}"), "n2");
    cluster.pass(SETTLED);
    assertThat(cluster.report().counts().values()).containsOnly(0L);
    assertThat(cluster.pair.figuresOurs()).isEqualTo(cluster.pair.figuresThere(0, 0));
  }
}
