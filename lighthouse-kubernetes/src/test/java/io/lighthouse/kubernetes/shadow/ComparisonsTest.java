package io.lighthouse.kubernetes.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Refusals, the cluster as it would be, and how much is kept of all. */
class ComparisonsTest extends ComparisonsBench {
  @Nested
  class Refusals {
    @Test
    void ofBothAgree() {
      ObjectNode pod = pod("p1", "5");
      cluster.pod(pod);
      cluster.refuse(pod, "0/3 nodes are available");
      cluster.refuse(pod, "0/3 nodes are available");
      cluster.pass(IMPATIENT);
      assertThat(cluster.count(ComparisonOutcome.BOTH_WAIT)).isEqualTo(1);
      assertThat(cluster.report().compared()).isEqualTo(1);
      assertThat(cluster.report().there().waiting()).isEqualTo(1);
      assertThat(cluster.report().ours().waiting()).isEqualTo(1);
    }

    @Test
    void ofAPodThatLighthouseCanPlaceAreReportedAfterAWhile() {
      ObjectNode pod = pod("p1", "2");
      cluster.pod(pod);
      cluster.refuse(pod, "0/3 nodes are available: 3 mistakes.");
      cluster.pass(Duration.ofSeconds(20));
      assertThat(cluster.report().compared()).isZero();
      cluster.pass(IMPATIENT);
      assertThat(cluster.count(ComparisonOutcome.LEFT_WAITING)).isEqualTo(1);
      assertThat(cluster.last().ours()).isEqualTo("n1");
      assertThat(cluster.last().reason()).isEqualTo("0/3 nodes are available: 3 mistakes.");
      cluster.pass(IMPATIENT);
      assertThat(cluster.report().compared()).isEqualTo(1);
      assertThat(cluster.report().ours().waiting()).isZero();
      assertThat(cluster.report().ours().refused()).isZero();
    }

    @Test
    void ofAPodWhoseGangLighthouseLeavesWaitingTooAgree() {
      ObjectNode one = member("p1", "2");
      cluster.pod(one);
      cluster.refuse(one, "pod group g has not enough pods");
      cluster.pass(IMPATIENT);
      assertThat(cluster.count(ComparisonOutcome.LEFT_WAITING)).isZero();
      assertThat(cluster.count(ComparisonOutcome.BOTH_WAIT)).isEqualTo(1);
      cluster.pod(member("p2", "2"));
      cluster.pass(IMPATIENT);
      assertThat(cluster.count(ComparisonOutcome.LEFT_WAITING)).isEqualTo(1);
    }

    @Test
    void ofAGangThatFitsOnlyTheClusterAsItWouldBeAgree() {
      FollowedCluster packed = withAGangBeside("bin-pack", "n1", "n2");
      assertThat(packed.count(ComparisonOutcome.LEFT_WAITING)).isZero();
      assertThat(packed.count(ComparisonOutcome.BOTH_WAIT)).isEqualTo(2);
    }

    @Test
    void ofAGangThatFitsOnlyTheClusterAsItIsAreReported() {
      FollowedCluster spread = withAGangBeside("spread", "n1", "n1");
      assertThat(spread.count(ComparisonOutcome.LEFT_WAITING)).isEqualTo(2);
      assertThat(spread.count(ComparisonOutcome.BOTH_WAIT)).isZero();
      assertThat(spread.pair.there().assumedNode("p1")).isEmpty();
      assertThat(spread.pair.there().assumedNode("p2")).isEmpty();
    }

    /** Two pods are on the nodes. A gang of two that need 3 of a node's 4 cpu each is refused. */
    private static FollowedCluster withAGangBeside(String strategy, String first, String second) {
      FollowedCluster other = new FollowedCluster(strategy);
      for (String name : List.of("n1", "n2", "n3")) {
        other.node(Objects.node(name, "a", "4", "8Gi", 10));
      }
      ObjectNode a = pod("a", "2");
      other.pod(a);
      other.bind(a, first);
      ObjectNode b = pod("b", "2");
      other.pod(b);
      other.bind(b, second);
      other.pass(SETTLED);
      ObjectNode one = member("p1", "3");
      ObjectNode two = member("p2", "3");
      other.pod(one);
      other.pod(two);
      other.refuse(one, "0/3 nodes are available");
      other.refuse(two, "0/3 nodes are available");
      other.pass(IMPATIENT);
      return other;
    }

    private static ObjectNode member(String name, String cpu) {
      ObjectNode pod = pod(name, cpu);
      pod.withObjectProperty("metadata")
          .withObjectProperty("labels")
          .put("pod-group.scheduling.sigs.k8s.io/name", "g")
          .put("pod-group.scheduling.sigs.k8s.io/min-available", "2");
      return pod;
    }

    @Test
    void areReportedOnceThoughTheWatchesBeginAnew() {
      ObjectNode left = pod("p1", "2");
      ObjectNode gone = pod("p2", "2");
      for (int term = 0; term < 3; term++) {
        cluster.listing();
        threeNodes();
        cluster.pod(left);
        cluster.refuse(left, "0/3 nodes are available");
        if (term != 1) {
          cluster.pod(gone);
          cluster.refuse(gone, "0/3 nodes are available");
        }
        cluster.synced();
        cluster.pass(IMPATIENT);
        cluster.watchAnew();
      }
      // The second pod was away in the middle, so it is another case.
      assertThat(cluster.count(ComparisonOutcome.LEFT_WAITING)).isEqualTo(3);
    }

    @Test
    void areForgottenWhereThePodIsPlacedInTime() {
      ObjectNode pod = pod("p1", "2");
      cluster.pod(pod);
      cluster.refuse(pod, "0/3 nodes are available");
      cluster.pass(Duration.ofSeconds(20));
      cluster.bind(pod, "n1");
      cluster.pass(IMPATIENT);
      assertThat(cluster.count(ComparisonOutcome.SAME_NODE)).isEqualTo(1);
      assertThat(cluster.report().compared()).isEqualTo(1);
    }

    @Test
    void fromBeforeTheStartCountOnceTheClusterIsKnown() {
      FollowedCluster later = new FollowedCluster("spread").listing();
      ObjectNode pod = pod("p1", "2");
      later.pod(pod);
      later.refuse(pod, "0/0 nodes are available");
      later.node(Objects.node("n1", "a", "4", "8Gi", 10));
      later.synced();
      later.pass(IMPATIENT);
      assertThat(later.count(ComparisonOutcome.LEFT_WAITING)).isEqualTo(1);
      assertThat(later.nodeInOurs("p1")).isEqualTo("n1");
    }
  }

  @Nested
  class ClusterAsItWouldBe {
    @Test
    void hasEachPodWhereLighthouseWouldHavePutIt() {
      for (String name : new String[] {"p1", "p2", "p3"}) {
        place(pod(name, "1"), "n1");
      }
      assertThat(cluster.pair.figuresThere(0, 0)).isEqualTo(new Figures(3, 1, 750, 250, 0, 0));
      assertThat(cluster.pair.figuresOurs()).isEqualTo(new Figures(3, 3, 250, 250, 0, 0));
      assertThat(Arrays.asList("n1", "n2", "n3"))
          .containsExactly(
              cluster.nodeInOurs("p1"), cluster.nodeInOurs("p2"), cluster.nodeInOurs("p3"));
      cluster.gone("p2");
      assertThat(cluster.pair.figuresOurs().used()).isEqualTo(2);
    }

    @Test
    void placesAPodAgainWhoseNodeGoesOnlyThere() {
      place(pod("p1", "1"), "n1");
      place(pod("p2", "1"), "n1");
      assertThat(cluster.nodeInOurs("p2")).isEqualTo("n2");
      cluster.pair.gone(Resource.NODES, "n2");
      cluster.pass(Duration.ofSeconds(2));
      assertThat(cluster.nodeInOurs("p2")).isEqualTo("n3");
      // p1 goes with its node in both.
      cluster.pair.gone(Resource.NODES, "n1");
      cluster.pass(Duration.ofSeconds(2));
      assertThat(cluster.nodeInOurs("p1")).isEqualTo("n1");
      assertThat(cluster.pair.figuresOurs().waiting()).isZero();
    }

    @Test
    void triesARefusedPodAgainOnceThereIsRoom() {
      place(pod("p1", "3"), "n1");
      place(pod("p2", "3"), "n1");
      place(pod("p3", "3"), "n1");
      place(pod("p4", "2"), "n2");
      assertThat(cluster.nodeInOurs("p4")).isEmpty();
      assertThat(cluster.pair.figuresOurs().refused()).isEqualTo(1);
      cluster.gone("p2");
      cluster.pass(Duration.ofSeconds(2));
      assertThat(cluster.nodeInOurs("p4")).isEqualTo("n2");
      assertThat(cluster.pair.figuresOurs().waiting()).isZero();
      assertThat(cluster.pair.figuresOurs().refused()).isEqualTo(1);
    }

    @Test
    void doesNotCountPodsOfDaemonSetsAsUse() {
      ObjectNode agent = pod("agent", "1");
      agent
          .withObjectProperty("metadata")
          .putArray("ownerReferences")
          .addObject()
          .put("kind", "DaemonSet")
          .put("controller", true);
      place(agent, "n1");
      assertThat(cluster.pair.figuresThere(0, 0).used()).isZero();
      assertThat(cluster.pair.figuresThere(0, 0).fullest()).isEqualTo(250);
    }
  }

  @Test
  void keepsTheLastThousandDifferencesAndCountsAll() {
    place(pod("full", "1"), "n1");
    for (int i = 0; i < ShadowFindings.MOST + 5; i++) {
      String name = "p" + i;
      place(pod(name, "1"), "n1");
      cluster.gone(name);
    }
    assertThat(cluster.count(ComparisonOutcome.RANKED)).isEqualTo(ShadowFindings.MOST + 5);
    assertThat(cluster.report().last()).hasSize(ShadowFindings.MOST);
    assertThat(cluster.last().pod()).isEqualTo("default/p" + (ShadowFindings.MOST + 4));
    assertThat(cluster.log).hasSizeLessThan(200);
  }

  @Test
  void logsVerdictsThoughOtherDifferencesWereTooMany() {
    place(pod("full", "1"), "n1");
    for (int i = 0; i < 200; i++) {
      String name = "p" + i;
      place(pod(name, "1"), "n1");
      cluster.gone(name);
    }
    assertThat(cluster.log).hasSize(120);
    place(pod("large", "4"), "n1");
    cluster.pass(SETTLED);
    assertThat(cluster.log).hasSize(121);
    assertThat(cluster.log.get(120)).contains("node-refused", "default/large");
  }
}
