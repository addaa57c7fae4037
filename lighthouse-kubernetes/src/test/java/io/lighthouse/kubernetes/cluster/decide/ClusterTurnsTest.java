package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.StrategyException;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a pod is decided on at its turn, and what that leaves in the cluster. */
class ClusterTurnsTest extends ClusterBench {
  /** By its condition: the server or another scheduler may have written it. */
  @Test
  void aPodIsKnownToBeRefused() {
    String condition = "'conditions':[{'type':'%s','status':'%s'}]";
    String refused = pod("p", "", cpu("1"), condition.formatted("PodScheduled", "False"));
    assertThat(cluster.waitingPod(refused).orElseThrow().refused()).isTrue();
    for (String other : List.of("Ready:False", "PodScheduled:True")) {
      String[] parts = other.split(":");
      String uid = pod("q", "", cpu("1"), condition.formatted(parts[0], parts[1]));
      assertThat(cluster.waitingPod(uid).orElseThrow().refused()).isFalse();
    }
  }

  @Test
  void theHighestPriorityWaitsFirstThenTheOldestThenTheFirstThatCame() {
    node("n1", "", "");
    pod("young", "'creationTimestamp':'2026-11-22T10:00:02Z'", cpu("2"), "");
    pod("old", "'creationTimestamp':'2026-11-22T10:00:01Z'", cpu("2"), "");
    pod("also-old", "'creationTimestamp':'2026-11-22T10:00:01Z'", cpu("2"), "");
    pod("first", "'creationTimestamp':'2026-11-22T10:00:03Z'", cpu("2") + ",'priority':7", "");
    assertThat(Clusters.waiting(cluster, "lighthouse"))
        .extracting(WaitingPod::name)
        .containsExactly("first", "old", "also-old", "young");
  }

  @Test
  void podsAreDecidedInTheOrderGiven() {
    node("n1", "", "");
    pod("young", "'creationTimestamp':'2026-11-22T10:00:02Z'", cpu("2"), "");
    pod("old", "'creationTimestamp':'2026-11-22T10:00:01Z'", cpu("2"), "");
    pod("first", "'creationTimestamp':'2026-11-22T10:00:03Z'", cpu("2") + ",'priority':7", "");
    List<Decision> decisions =
        cluster.decide(List.of("uid-first", "uid-old", "uid-none", "uid-young", "uid-old"));
    assertThat(decisions.stream().map(decision -> decision.pod().name()))
        .containsExactly("first", "old", "young");
    assertThat(decisions.get(1)).isInstanceOf(Decision.Bind.class);
    assertThat(decisions.get(2)).isInstanceOf(Decision.Refused.class);
    assertThat(Clusters.waiting(cluster, "lighthouse"))
        .extracting(WaitingPod::name)
        .contains("young");
    assertThat(Clusters.waiting(cluster, "other")).isEmpty();
  }

  @Test
  void gatedBoundAndDeletedPodsArePassedOver() {
    node("n1", "", "");
    pod("gated", cpu("1") + ",'schedulingGates':[{'name':'g'}]");
    pod("bound", cpu("1") + ",'nodeName':'n1'");
    pod("deleted", "'deletionTimestamp':'2026-11-22T10:00:00Z'", cpu("1"), "");
    pod("finished", "", cpu("1"), "'phase':'Failed'");
    assertThat(cluster.decide(List.of("uid-gated", "uid-bound", "uid-deleted", "uid-finished")))
        .isEmpty();
    assertThat(cluster.waitingPod("uid-gated"))
        .hasValueSatisfying(pod -> assertThat(pod.gated()).isTrue());
    assertThat(cluster.waitingPod("uid-bound")).isEmpty();
  }

  @Test
  void aPlacementStandsUntilItsBindingFailsOrIsSeen() {
    node("n1", "", "");
    String first = pod("first", cpu("3"));
    Decision.Bind bind = (Decision.Bind) decide(first);
    assertThat(bind.hash()).matches("[0-9a-f]{64}");
    assertThat(bind.strategy()).isEqualTo("prioritized");
    assertThat(cluster.decide(List.of(first))).isEmpty();
    pod("first", cpu("3"));
    String second = pod("second", cpu("3"));
    assertThat(message(second)).contains("1 Insufficient cpu");
    assertThat(cluster.assumeFailed(first)).isTrue();
    assertThat(bound(second)).isEqualTo("n1");
    assertThat(cluster.assumeFailed(first)).isFalse();
    pod("second", cpu("3") + ",'nodeName':'n1'");
    assertThat(cluster.assumedNode(second)).isEmpty();
    assertThat(cluster.assumeFailed(second)).isFalse();
  }

  /** The hash is of what the pods on the node hold, and none is there either time. */
  @Test
  void podsThatHaveLeftTheNodeDoNotChangeTheHash() {
    node("n1", "", "");
    String uid = pod("p", cpu("3"));
    String hash = ((Decision.Bind) decide(uid)).hash();
    cluster.assumeFailed(uid);
    assertThat(((Decision.Bind) decide(uid)).hash()).isEqualTo(hash);
  }

  /** A new leader has not made the earlier decisions. */
  @Test
  void whatWasDecidedBeforeDoesNotChangeTheHashOfASpreadPod() {
    node("n1", "", "");
    String spread =
        cpu("1")
            + ",'topologySpreadConstraints':[{'topologyKey':'kubernetes.io/hostname','maxSkew':9,"
            + "'whenUnsatisfiable':'DoNotSchedule',"
            + "'labelSelector':{'matchLabels':{'app':'%s'}}}]";
    String uid = pod("p", spread.formatted("a"));
    cluster.questions().verdicts(cluster.waitingEntry(pod("q", spread.formatted("b"))));
    String hash = ((Decision.Bind) decide(uid)).hash();
    ClusterTurnsTest other = new ClusterTurnsTest();
    other.node("n1", "", "");
    other.pod("p", spread.formatted("a"));
    assertThat(((Decision.Bind) other.decide(uid)).hash()).isEqualTo(hash);
  }

  @Test
  void theOrderInWhichPodsCameDoesNotChangeTheHash() {
    String against =
        "'nodeName':'n1','affinity':{'podAntiAffinity':{"
            + "'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':"
            + "'kubernetes.io/hostname','labelSelector':{'matchLabels':{'%s':'x'}}}]}}";
    String labels = "'labels':{'app':'x','tier':'x'}";
    ClusterTurnsTest other = new ClusterTurnsTest();
    for (ClusterTurnsTest one : List.of(this, other)) {
      one.node("n1", "", "");
      one.node("n2", "", "");
      one.pod("p", labels, cpu("1"), "");
    }
    pod("a", against.formatted("app"));
    pod("b", against.formatted("tier"));
    other.pod("b", against.formatted("tier"));
    other.pod("a", against.formatted("app"));
    assertThat(((Decision.Bind) other.decide("uid-p")).hash())
        .isEqualTo(((Decision.Bind) decide("uid-p")).hash());
  }

  @Test
  void theOrderInWhichTaintsCameDoesNotChangeTheNode() {
    String soft = "'taints':[{'key':'%s','effect':'PreferNoSchedule'}]";
    ClusterTurnsTest other = new ClusterTurnsTest();
    node("n1", "", soft.formatted("a"));
    node("n2", "", soft.formatted("b"));
    other.node("n2", "", soft.formatted("b"));
    other.node("n1", "", soft.formatted("a"));
    pod("p", cpu("1"));
    other.pod("p", cpu("1"));
    assertThat(bound("uid-p")).isEqualTo(other.bound("uid-p"));
  }

  @Test
  void aQuestionChangesNothing() {
    node("n1", "", "");
    pod("other", "", cpu("3") + ",'priority':5", "'nominatedNodeName':'n1'");
    String high = pod("high", cpu("2") + ",'priority':6");
    long before = cluster.fleet().distributor().generation();
    assertThat(Clusters.verdict(cluster, high, "n1")).isEmpty();
    assertThat(cluster.questions().ranking(cluster.waitingEntry(high))).containsExactly("n1");
    assertThat(Clusters.verdict(cluster, "uid-other", "n1")).isEmpty();
    assertThat(cluster.fleet().distributor().generation()).isEqualTo(before);
  }

  /** A cluster with the waiting pods a and b, of which b makes the strategy fail. */
  private static Cluster failingAtB(Runnable before) {
    Cluster failing =
        Clusters.of(
            Distributors.of(
                "odd",
                (pod, nodes) -> {
                  if (pod.name().equals("uid-b")) {
                    before.run();
                    throw new IllegalArgumentException("odd");
                  }
                  return nodes.first();
                }));
    failing.nodeChanged(
        json("{'metadata':{'name':'n1'},'status':{'allocatable':{'cpu':'4','pods':'9'}}}"));
    for (String name : new String[] {"a", "b"}) {
      failing.podChanged(
          json(
              "{'metadata':{'name':'%s','uid':'uid-%s'},'spec':{%s}}"
                  .formatted(name, name, cpu("1"))));
    }
    return failing;
  }

  @Test
  void aDecisionThatFailsTakesBackThoseBeforeIt() {
    Cluster failing = failingAtB(() -> {});
    assertThatThrownBy(() -> failing.decide(List.of("uid-a", "uid-b")))
        .isInstanceOf(StrategyException.class);
    assertThat(failing.assumedNode("uid-a")).isEmpty();
    assertThat(failing.decide(List.of("uid-a"))).singleElement().isInstanceOf(Decision.Bind.class);
  }

  @Test
  void aFailureWhileOthersAreTakenBackDoesNotHideTheFirst() {
    Cluster[] failing = new Cluster[1];
    failing[0] = failingAtB(() -> failing[0].fleet().nodes().clear());
    assertThatThrownBy(() -> failing[0].decide(List.of("uid-a", "uid-b")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the mirror is half applied")
        .satisfies(
            halfApplied ->
                assertThat(halfApplied.getSuppressed())
                    .singleElement()
                    .isInstanceOf(StrategyException.class));
  }

  @Test
  void aChangeThatFailsHalfwayIsNoMatterOfTheObject() {
    // Half of a surrogate pair: no server lets it in, and the engine takes no such name.
    assertThatThrownBy(() -> node("n1", "'half':'\\ud800'", ""))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the mirror is half applied");
  }

  @Test
  void roomMadeForAnotherPodCountsForPodsOfAtMostItsPriority() {
    node("n1", "", "");
    pod("other", "", cpu("3") + ",'priority':5", "'nominatedNodeName':'n1'");
    assertThat(message(pod("low", cpu("2")))).contains("1 Insufficient cpu");
    assertThat(message(pod("equal", cpu("2") + ",'priority':5"))).contains("Insufficient cpu");
    assertThat(bound(pod("high", cpu("2") + ",'priority':6"))).isEqualTo("n1");
    cluster.podGone("uid-high");
    assertThat(bound("uid-other")).isEqualTo("n1");
  }

  @Test
  void aPodIsKeptFromTheNodeThatAPodItAvoidsIsNominatedTo() {
    node("n1", "'zone':'a'", "");
    node("n2", "'zone':'a'", "");
    String apart =
        ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
            + "'topologyKey':'%s','labelSelector':{'matchLabels':{'app':'web'}}}]}}";
    pod("web", "'labels':{'app':'web'}", cpu("1") + ",'priority':5", "'nominatedNodeName':'n1'");
    String low = pod("low", cpu("1") + apart.formatted("zone"));
    assertThat(Clusters.verdict(cluster, low, "n1"))
        .containsExactly("node(s) didn't match pod anti-affinity rules");
    assertThat(Clusters.verdict(cluster, low, "n2")).isEmpty();
    assertThat(bound(low)).isEqualTo("n2");
    String high = pod("high", cpu("1") + ",'priority':6" + apart.formatted("zone"));
    assertThat(Clusters.verdict(cluster, high, "n1")).isEmpty();
    String other = pod("other", cpu("1") + apart.formatted("rack"));
    assertThat(Clusters.verdict(cluster, other, "n1")).as("without the label").isEmpty();
  }
}
