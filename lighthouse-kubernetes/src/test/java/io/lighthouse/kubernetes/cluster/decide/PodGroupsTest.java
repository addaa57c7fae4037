package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that name PodGroup objects. The nodes n1 and n2 have 4 cpu each. */
class PodGroupsTest {
  private static final String NONE = "0/2 nodes are available: ";
  private static final String GANG_OF_3 = "'schedulingPolicy':{'gang':{'minCount':3}}";

  private final Cluster cluster = cluster(true);

  static Cluster cluster(boolean podGroups) {
    return Cluster.withProfiles(
        new Profiles(Map.of("lighthouse", Profiles.Profile.standard("prioritized"))),
        names -> Distributors.installed().strategy("prioritized"),
        true,
        podGroups);
  }

  @BeforeEach
  void addNodes() {
    addNodes(cluster);
  }

  private static void addNodes(Cluster cluster) {
    for (String name : List.of("n1", "n2")) {
      cluster.nodeChanged(
          ClusterTest.json(
              "{'metadata':{'name':'%s'},'status':{'allocatable':{'cpu':'4','pods':'9'}}}"
                  .formatted(name)));
    }
  }

  private static void group(Cluster cluster, String spec) {
    cluster.podGroupChanged(
        "default/g",
        ClusterTest.json("{'metadata':{'name':'g','namespace':'default'},'spec':{" + spec + "}}"));
  }

  private void group(String spec) {
    group(cluster, spec);
  }

  private static String member(Cluster cluster, String name, String cpu, String more) {
    cluster.podChanged(
        ClusterTest.json(
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
                ClusterTest.json("{'spec':{'schedulingPolicy':{'gang':{'minCount':1}}}}")))
        .containsExactly(ClusterChange.POD_GROUP);
    assertThat(decide("a")).containsExactly("a n1");
    cluster.podGroupGone("default/g");
    member("b", "1");
    assertThat(decide("b")).containsExactly(NONE + "pod group g is not there.");
  }

  @Test
  void podsOfABasicGroupAreTakenOneByOne() {
    group("'schedulingPolicy':{'basic':{}}");
    member("a", "5");
    member("b", "1");
    assertThat(cluster.gangName(cluster.waitingPod("a").orElseThrow())).isEmpty();
    assertThat(decide("b")).containsExactly("b n1");
    assertThat(decide("a").get(0)).startsWith(NONE + "2 Insufficient cpu.");
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
    cluster.podGone("d");
    cluster.podChanged(
        ClusterTest.json(
            "{'metadata':{'name':'b','namespace':'default','uid':'b','deletionTimestamp':"
                + "'2026-01-01T00:00:00Z'},'spec':{'schedulingGroup':{'podGroupName':'g'},"
                + "'nodeName':'n1','schedulerName':'lighthouse'}}"));
    member("e", "1");
    assertThat(decide("e")).containsExactly("e n1");
    for (String gone : List.of("a", "b", "c")) {
      cluster.podGone(gone);
    }
    member("f", "1");
    assertThat(decide("f")).containsExactly(NONE + "pod group g has only 2 of 3 pods.");
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'schedulingConstraints':{'topology':[{'key':'rack'}]} | schedulingConstraints",
        "'disruptionMode':'PodGroup' | disruptionMode: PodGroup",
        "'priority':7 | priority: 7",
        "'resourceClaims':[{'name':'gpu'}] | resourceClaims",
        "'someday':1 | someday"
      },
      quoteCharacter = '"')
  void whatAGroupSaysBesidesIsRefused(String field, String words) {
    group(GANG_OF_3 + "," + field);
    member("a", "1");
    assertThat(decide("a")).containsExactly("not supported: PodGroup g: " + words);
    group(GANG_OF_3 + ",'disruptionMode':'Pod','priority':0,'schedulingConstraints':{}");
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
        ClusterTest.json(
            "{'metadata':{'name':'b','namespace':'default','uid':'b','labels':"
                + "{'scheduling.x-k8s.io/pod-group':'g'}},'spec':{'schedulerName':'lighthouse',"
                + "'schedulingGroup':{'podGroupName':'g'}}}"));
    assertThat(decide("b"))
        .containsExactly("not supported: schedulingGroup beside the label of another pod group");
  }

  @Test
  void aLabelledGangTakesNoPodOfAnotherScheduler() {
    for (String scheduler : List.of("lighthouse", "other")) {
      cluster.podChanged(
          ClusterTest.json(
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
