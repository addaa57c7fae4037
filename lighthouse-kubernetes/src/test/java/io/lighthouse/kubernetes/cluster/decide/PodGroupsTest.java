package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that name PodGroup objects. The nodes n1 and n2 have 4 cpu each. */
class PodGroupsTest {
  private static final String NONE = "0/2 nodes are available: ";
  private static final String GANG_OF_3 = "'schedulingPolicy':{'gang':{'minCount':3}}";

  private final Cluster cluster = cluster(true);

  static Cluster cluster(boolean readsPodGroups) {
    return Cluster.withProfiles(
        new Profiles(Map.of("lighthouse", Clusters.standard("prioritized"))),
        names -> Distributors.installed().strategy("prioritized"),
        true,
        new PodFacts.Reads(readsPodGroups, false));
  }

  @BeforeEach
  void addNodes() {
    addNodes(cluster);
  }

  private static void addNodes(Cluster cluster) {
    for (String name : List.of("n1", "n2")) {
      cluster.nodeChanged(
          ClusterBench.json(
              "{'metadata':{'name':'%s'},'status':{'allocatable':{'cpu':'4','pods':'9'}}}"
                  .formatted(name)));
    }
  }

  private static void group(Cluster cluster, String spec) {
    cluster.podGroupChanged(
        "default/g",
        ClusterBench.json("{'metadata':{'name':'g','namespace':'default'},'spec':{" + spec + "}}"));
  }

  private void group(String spec) {
    group(cluster, spec);
  }

  private static String member(Cluster cluster, String name, String cpu, String more) {
    cluster.podChanged(
        ClusterBench.json(
            ("{'metadata':{'name':'%s','namespace':'default','uid':'%s'},'spec':{"
                    + "'schedulingGroup':{'podGroupName':'g'},'containers':[{'name':'c',"
                    + "'resources':{'requests':{'cpu':'%s'}}}],'schedulerName':'lighthouse'%s}}")
                .formatted(name, name, cpu, more)));
    return name;
  }

  private String member(String name, String cpu) {
    return member(cluster, name, cpu, "");
  }

  private List<String> decide(String... uids) {
    return decide(cluster, uids);
  }

  /** The node or the message of each. */
  private static List<String> decide(Cluster cluster, String... uids) {
    return cluster.decide(List.of(uids)).stream()
        .map(
            decision ->
                decision instanceof Decision.Bind bind
                    ? bind.pod().name() + " " + bind.node()
                    : decision instanceof Decision.Refused refused
                        ? refused.message()
                        : ((Decision.Unsupported) decision).message())
        .toList();
  }

  @Test
  void areNotSupportedWithoutTheSetting() {
    Cluster without = cluster(false);
    addNodes(without);
    member(without, "a", "1", "");
    group(without, "'schedulingPolicy':{'basic':{}}");
    assertThat(decide(without, "a")).containsExactly("not supported: schedulingGroup");
  }

  @Test
  void podsWaitForTheirGroup() {
    member("a", "1");
    assertThat(decide("a")).containsExactly(NONE + "pod group g is not there.");
    Decision.Refused refused = (Decision.Refused) cluster.decide(List.of("a")).get(0);
    assertThat(refused.filters()).containsExactly(Filter.PRE_FILTER);
    assertThat(Filter.PRE_FILTER.helpedBy()).contains(ClusterChange.POD_GROUP);
    assertThat(
            cluster.podGroupChanged(
                "default/g",
                ClusterBench.json("{'spec':{'schedulingPolicy':{'gang':{'minCount':1}}}}")))
        .containsExactly(ClusterChange.POD_GROUP);
    assertThat(decide("a")).containsExactly("a n1");
    cluster.gone(Resource.POD_GROUPS, "default/g");
    member("b", "1");
    assertThat(decide("b")).containsExactly(NONE + "pod group g is not there.");
  }

  @Test
  void podsOfABasicGroupAreTakenOneByOne() {
    group("'schedulingPolicy':{'basic':{}}");
    member("a", "5");
    member("b", "1");
    assertThat(cluster.gangKey(cluster.waitingPod("a").orElseThrow())).isEmpty();
    assertThat(decide("b")).containsExactly("b n1");
    assertThat(decide("a").get(0)).startsWith(NONE + "2 Insufficient cpu.");
  }

  private Set<ClusterChange> labelled(String name, String group, String more) {
    return cluster.podChanged(
        ClusterBench.json(
            ("{'metadata':{'name':'%s','namespace':'default','uid':'%s',"
                    + "'labels':{'scheduling.x-k8s.io/pod-group':'%s'}%s},"
                    + "'spec':{'schedulerName':'%s'}}")
                .formatted(name, name, group, more, name.equals("a") ? "lighthouse" : "other")));
  }

  /** A gang by labels waits for all its members. Without this it would wait for five minutes. */
  @Test
  void aGangIsTriedAgainWhenAMemberLeavesIt() {
    labelled("a", "g", "");
    labelled("b", "g", "");
    labelled("c", "g", "");
    labelled("d", "g", "");
    Decision.Refused refused = (Decision.Refused) cluster.decide(List.of("a")).get(0);
    assertThat(refused.message())
        .isEqualTo(NONE + "pod group g has only a member that cannot be placed.");
    assertThat(refused.filters()).contains(Filter.PRE_FILTER);
    Set<ClusterChange> left = Set.of(ClusterChange.POD_GROUP);
    assertThat(cluster.podGone("b")).isEqualTo(left);
    assertThat(labelled("c", "another", "")).isEqualTo(left);
    assertThat(labelled("d", "g", ",'deletionTimestamp':'2026-11-29T12:00:00Z'")).isEqualTo(left);
    assertThat(cluster.podGone("c")).as("of a group of its own").isEqualTo(left);
    assertThat(cluster.podGone("d")).as("it had left before").isEmpty();
    assertThat(decide("a")).containsExactly("a n1");
    assertThat(labelled("a", "another", ""))
        .as("it does not wait")
        .doesNotContainAnyElementsOf(left);
  }

  @Test
  void aGangNeedsItsMinCount() {
    group(GANG_OF_3);
    member("a", "3");
    member("b", "3");
    String few = NONE + "pod group g has only 2 of 3 pods.";
    assertThat(decide("a")).containsExactly(few, few);
    member("c", "3");
    String some = NONE + "pod group g has only 2 of 3 pods with a node.";
    assertThat(decide("c")).hasSize(3).startsWith(some, some);
    assertThat(decide("c").get(2)).startsWith(NONE + "2 Insufficient cpu.");
    assertThat(cluster.assumedNode("a")).isEmpty();
    member("d", "1");
    assertThat(decide("a").get(2)).startsWith(NONE + "2 Insufficient cpu.");
    assertThat(cluster.assumedNode("a")).contains("n1");
    assertThat(cluster.assumedNode("b")).contains("n2");
    assertThat(cluster.assumedNode("c")).isEmpty();
    assertThat(cluster.assumedNode("d")).contains("n1");
  }

  @Test
  void moreThanMinCountArePlacedAndPlacedOnesCountUntilTheyHaveEnded() {
    group(GANG_OF_3);
    for (String name : List.of("a", "b", "c", "d")) {
      member(name, "1");
    }
    assertThat(decide("d")).containsExactly("a n1", "b n1", "c n1", "d n1");
    for (String name : List.of("a", "b", "c")) {
      member(cluster, name, "1", ",'nodeName':'n1'");
    }
    cluster.podGone("c");
    cluster.podGone("d");
    ending("b", ",'nodeName':'n1'");
    member("e", "1");
    assertThat(decide("e")).containsExactly("e n1");
    for (String gone : List.of("a", "b")) {
      cluster.podGone(gone);
    }
    member("f", "1");
    assertThat(decide("f")).containsExactly(NONE + "pod group g has only 2 of 3 pods.");
  }

  private void ending(String name, String more) {
    cluster.podChanged(
        ClusterBench.json(
            ("{'metadata':{'name':'%s','namespace':'default','uid':'%s','deletionTimestamp':"
                    + "'2026-01-01T00:00:00Z'},'spec':{'schedulingGroup':{'podGroupName':'g'},"
                    + "'schedulerName':'lighthouse'%s}}")
                .formatted(name, name, more)));
  }

  @Test
  void aMemberThatEndsBeforeItIsBoundDoesNotCount() {
    group(GANG_OF_3);
    for (String name : List.of("a", "b", "c")) {
      member(name, "1");
    }
    assertThat(decide("a")).containsExactly("a n1", "b n1", "c n1");
    ending("c", "");
    assertThat(cluster.assumedNode("c")).contains("n1");
    member("d", "5");
    assertThat(decide("d").get(0)).startsWith(NONE + "2 Insufficient cpu.");
    member(cluster, "d", "1", ",'schedulingGates':[{'name':'x'}]");
    cluster.podGone("a");
    member("e", "1");
    assertThat(decide("e")).containsExactly(NONE + "pod group g has only 2 of 3 pods with a node.");
  }

  /** One that fits in one order of its pods is not tried in a second one. */
  @Test
  void aGangIsTriedInOneOrderOnly() {
    group(GANG_OF_3);
    member("a", "4");
    member("b", "4");
    member("c", "1");
    member("d", "1");
    assertThat(decide("c")).hasSize(4).allMatch(line -> line.startsWith(NONE));
    for (String name : List.of("a", "b", "c", "d")) {
      assertThat(cluster.assumedNode(name)).isEmpty();
    }
  }

  @Test
  void membersThatAreGatedOrOfAnotherSchedulerOrNotSupportedAreNotPlaced() {
    group(GANG_OF_3);
    member("a", "1");
    member(cluster, "b", "1", ",'schedulingGates':[{'name':'x'}]");
    member(cluster, "c", "1", ",'schedulerName':'other'");
    member(cluster, "d", "1", ",'resourceClaims':[{'name':'gpu'}]");
    assertThat(decide("a"))
        .containsExactly(
            NONE + "pod group g has only 1 of 3 pods with a node.",
            "not supported: resourceClaims");
    member("e", "1");
    member("f", "1");
    assertThat(decide("a"))
        .containsExactly("a n1", "not supported: resourceClaims", "e n1", "f n1");
    assertThat(cluster.waitingPod("b")).isPresent();
    assertThat(cluster.waitingPod("c")).isPresent();
  }

  @Test
  void aGangEvictsNothingAndABasicGroupDoes() {
    for (String node : List.of("n1", "n2")) {
      member(cluster, "on-" + node, "4", ",'nodeName':'" + node + "'");
    }
    group("'schedulingPolicy':{'gang':{'minCount':1}}");
    member(cluster, "a", "4", ",'priority':9");
    assertThat(decide("a").get(0)).startsWith(NONE + "2 Insufficient cpu.");
    group("'schedulingPolicy':{'basic':{}}");
    assertThat(cluster.decide(List.of("a")).get(0)).isInstanceOf(Decision.Preempt.class);
  }

  private Decision.Refused refusal(String uid) {
    return (Decision.Refused) cluster.decide(List.of(uid)).get(0);
  }

  /** The pod a of a basic group is nominated to n1, where the pod on-n1 is to be evicted for it. */
  private void nominate() {
    for (String node : List.of("n1", "n2")) {
      member(cluster, "on-" + node, "4", ",'nodeName':'" + node + "'");
    }
    group("'schedulingPolicy':{'basic':{}}");
    member(cluster, "a", "4", ",'priority':9");
    Decision.Preempt preempt = (Decision.Preempt) cluster.decide(List.of("a")).get(0);
    assertThat(preempt.node()).isEqualTo("n1");
    nominated();
    cluster.preemptionEnded(preempt, Set.of("on-n1"));
  }

  private void nominated() {
    cluster.podChanged(
        ClusterBench.json(
            "{'metadata':{'name':'a','namespace':'default','uid':'a'},'spec':{'priority':9,"
                + "'schedulingGroup':{'podGroupName':'g'},'containers':[{'name':'c',"
                + "'resources':{'requests':{'cpu':'4'}}}],'schedulerName':'lighthouse'},"
                + "'status':{'nominatedNodeName':'n1'}}"));
  }

  @Test
  void aPodWhoseGroupHasGoneLosesItsNomination() {
    nominate();
    cluster.podGone("on-n1");
    cluster.gone(Resource.POD_GROUPS, "default/g");
    assertThat(refusal("a").lostNomination()).isEqualTo("n1");
    // The nomination is taken back: others may have the room.
    member(cluster, "a", "4", ",'priority':9");
    cluster.podChanged(
        ClusterBench.json(
            "{'metadata':{'name':'x','namespace':'default','uid':'x'},'spec':{'containers':"
                + "[{'name':'c','resources':{'requests':{'cpu':'4'}}}],"
                + "'schedulerName':'lighthouse'}}"));
    assertThat(decide("x")).containsExactly("x n1");
    assertThat(refusal("a").lostNomination()).isEmpty();
  }

  @Test
  void aPodWhoseGroupBecameAGangLosesItsNominationOnceNoVictimEnds() {
    nominate();
    group("'schedulingPolicy':{'gang':{'minCount':2}}");
    Decision.Refused waits = refusal("a");
    assertThat(waits.lostNomination()).isEmpty();
    assertThat(waits.filters()).containsAll(List.of(Filter.NODE_RESOURCES_FIT, Filter.PRE_FILTER));
    cluster.podGone("on-n1");
    member(cluster, "on-n1", "5", ",'nodeName':'n1','priority':10");
    assertThat(refusal("a").lostNomination()).isEqualTo("n1");
    // The same where the gang has its pods, and this one finds no node.
    group("'schedulingPolicy':{'gang':{'minCount':1}}");
    assertThat(refusal("a").lostNomination()).isEqualTo("n1");
  }

  @Test
  void aRefusedMemberIsTriedAgainWhenItsGroupBecomesBasic() {
    for (String node : List.of("n1", "n2")) {
      member(cluster, "on-" + node, "4", ",'nodeName':'" + node + "'");
    }
    group("'schedulingPolicy':{'gang':{'minCount':1}}");
    member(cluster, "a", "4", ",'priority':9");
    assertThat(refusal("a").filters())
        .containsExactlyInAnyOrder(Filter.PRE_FILTER, Filter.NODE_RESOURCES_FIT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'schedulingConstraints':{'topology':[{'key':'rack'}]} | schedulingConstraints",
        "'disruptionMode':'PodGroup' | disruptionMode: PodGroup",
        "'disruptionMode':{'podGroup':{}} | disruptionMode: {\"podGroup\":{}}",
        "'disruptionMode':false | disruptionMode: false",
        "'priority':7,'priorityClassName':'high' | priority: 7",
        "'resourceClaims':[{'name':'gpu'}] | resourceClaims",
        "'someday':1 | someday"
      },
      quoteCharacter = '`')
  void whatAGroupSaysBesidesIsRefused(String field, String words) {
    group(GANG_OF_3 + "," + field);
    member("a", "1");
    assertThat(decide("a")).containsExactly("not supported: PodGroup g: " + words);
    group(
        GANG_OF_3
            + ",'disruptionMode':'Pod','priority':0,'priorityClassName':'plain',"
            + "'schedulingConstraints':{}");
    assertThat(decide("a")).containsExactly(NONE + "pod group g has only 1 of 3 pods.");
  }

  @Test
  void aPolicyThatIsNotKnownAndALabelBesideAreRefused() {
    group("'schedulingPolicy':{'some':{'day':1}}");
    member("a", "1");
    assertThat(decide("a")).containsExactly("not supported: PodGroup g: schedulingPolicy.some");
    group("'schedulingPolicy':{}");
    assertThat(decide("a")).containsExactly("not supported: PodGroup g: schedulingPolicy {}");
    cluster.podChanged(
        ClusterBench.json(
            "{'metadata':{'name':'b','namespace':'default','uid':'b','labels':"
                + "{'scheduling.x-k8s.io/pod-group':'g'}},'spec':{'schedulerName':'lighthouse',"
                + "'schedulingGroup':{'podGroupName':'g'}}}"));
    assertThat(decide("b"))
        .containsExactly(
            "not supported: schedulingGroup together with a pod-group label or annotation");
  }

  @Test
  void aLabelledGangTakesNoPodOfAnotherScheduler() {
    for (String scheduler : List.of("lighthouse", "other")) {
      cluster.podChanged(
          ClusterBench.json(
              ("{'metadata':{'name':'%s','namespace':'default','uid':'%s','labels':"
                      + "{'scheduling.x-k8s.io/pod-group':'g'}},'spec':{'schedulerName':'%s'}}")
                  .formatted(scheduler, scheduler, scheduler)));
    }
    assertThat(decide("lighthouse"))
        .containsExactly(NONE + "pod group g has only a member that cannot be placed.");
    assertThat(cluster.assumedNode("other")).isEmpty();
    // A shadow decides pods of a scheduler that its profiles do not name.
    cluster.podGone("lighthouse");
    assertThat(decide("other")).containsExactly("other n1");
  }
}
