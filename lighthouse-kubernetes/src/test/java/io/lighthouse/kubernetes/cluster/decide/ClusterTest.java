package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

public class ClusterTest {
  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("prioritized"));

  // ---- objects, in single quotes ----

  public static JsonNode json(String text) {
    return RandomCluster.JSON.readTree(text.replace('\'', '"'));
  }

  private void node(String name, String labels, String spec) {
    cluster.nodeChanged(
        json(
            "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s'%s}},'spec':{%s},"
                    .formatted(name, name, labels.isEmpty() ? "" : "," + labels, spec)
                + "'status':{'allocatable':{'cpu':'4','memory':'8Gi','pods':'3'}}}"));
  }

  private String pod(String name, String spec) {
    return pod(name, "", spec, "");
  }

  private String pod(String name, String metadata, String spec, String status) {
    String uid = "uid-" + name;
    cluster.podChanged(
        json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s'%s},"
                    .formatted(name, uid, metadata.isEmpty() ? "" : "," + metadata)
                + "'spec':{'schedulerName':'lighthouse'%s},'status':{%s}}"
                    .formatted(spec.isEmpty() ? "" : "," + spec, status)));
    return uid;
  }

  private static String cpu(String amount) {
    return "'containers':[{'name':'c','resources':{'requests':{'cpu':'" + amount + "'}}}]";
  }

  private Decision decide(String uid) {
    List<Decision> decisions = cluster.decide(List.of(uid));
    assertThat(decisions).hasSize(1);
    return decisions.get(0);
  }

  private String message(String uid) {
    Decision decision = decide(uid);
    return decision instanceof Decision.Refused refused
        ? refused.message()
        : ((Decision.Unsupported) decision).message();
  }

  private String bound(String uid) {
    return ((Decision.Bind) decide(uid)).node();
  }

  /** News of the pod may come before news of its node, which an autoscaler has just made. */
  @Test
  void aPodOnANodeThatIsNotKnownFitsNothingThere() {
    node("n1", "", "");
    String uid = pod("a", cpu("1"));
    PodFacts waiting = cluster.facts(uid);
    pod("a", cpu("1") + ",'nodeName':'n9'");
    assertThat(cluster.fitsInPlace(waiting, "n9", List.of())).isFalse();
  }

  /** Another scheduler has placed the first. Lighthouse refuses such a pod. */
  @Test
  void aPodOnANodeCountsWithAllItsMemory() {
    cluster.nodeChanged(
        json(
            "{'metadata':{'name':'n1'},'status':{'allocatable':{'cpu':'4','memory':'24Ti',"
                + "'pods':'3'}}}"));
    String memory = "'containers':[{'name':'c','resources':{'requests':{'memory':'%s'}}}]";
    pod("large", memory.formatted("22Ti") + ",'nodeName':'n1'");
    assertThat(message(pod("p", memory.formatted("3Ti"))))
        .startsWith("0/1 nodes are available: 1 Insufficient memory.");
    assertThat(bound(pod("q", memory.formatted("2Ti")))).isEqualTo("n1");
  }

  /** Another scheduler has made room for the first. */
  @Test
  void aNominatedPodCountsWithAllItsMemory() {
    cluster.nodeChanged(
        json(
            "{'metadata':{'name':'n1'},'status':{'allocatable':{'cpu':'4','memory':'24Ti',"
                + "'pods':'3'}}}"));
    String memory = "'containers':[{'name':'c','resources':{'requests':{'memory':'%s'}}}]";
    String large = pod("large", "", memory.formatted("22Ti"), "'nominatedNodeName':'n1'");
    assertThat(message(pod("p", memory.formatted("3Ti"))))
        .startsWith("0/1 nodes are available: 1 Insufficient memory.");
    assertThat(bound(pod("q", memory.formatted("2Ti")))).isEqualTo("n1");
    assertThat(message(large)).isEqualTo("not supported: a request of 16 Ti or more of memory");
  }

  /** Each new selector makes a count. An extender never decides, so its questions drop old ones. */
  @Nested
  class Counts {
    /** At most 2,048 are kept, and that of the last question. */
    private static final int MOST = 2_048 + 1;

    private int kept(Consumer<PodEntry> question) {
      node("n1", "", "");
      for (int i = 0; i < MOST + 50; i++) {
        String spread =
            "'topologySpreadConstraints':[{'topologyKey':'kubernetes.io/hostname','maxSkew':1,"
                + "'whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':{'app':'"
                + i
                + "'}}}]";
        question.accept(
            cluster.askedAbout(
                "p", json("{'metadata':{'name':'p','uid':'p'},'spec':{" + spread + "}}")));
      }
      return cluster.words.counts.all().size();
    }

    @Test
    void ofVerdictsDoNotAddUp() {
      assertThat(kept(cluster.questions()::verdicts)).isBetween(1, MOST);
    }

    @Test
    void ofRankingsDoNotAddUp() {
      assertThat(kept(cluster.questions()::ranking)).isBetween(1, MOST);
    }
  }

  @Nested
  class Messages {
    @Test
    void countEachReasonOverAllNodesAsTheStockSchedulerDoes() {
      node("n1", "", "");
      node("n2", "", "'taints':[{'key':'k','effect':'NoSchedule'}]");
      node("n3", "", "'taints':[{'key':'k','effect':'NoExecute'}],'unschedulable':true");
      node("n4", "", "");
      pod("a", cpu("2") + ",'nodeName':'n1'");
      assertThat(message(pod("p", cpu("5"))))
          .isEqualTo(
              "0/4 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were"
                  + " unschedulable, 2 Insufficient cpu. Nearest: n4, with 1 more cpu.");
    }

    @Test
    void countEveryResourceOfANodeAndThePods() {
      node("n1", "", "");
      for (String name : List.of("a", "b", "c")) {
        pod(name, cpu("1") + ",'nodeName':'n1'");
      }
      String spec =
          "'containers':[{'name':'c','resources':{'requests':{'cpu':'1500m','memory':'9Gi',"
              + "'example.com/gpu':'1'}}}]";
      assertThat(message(pod("p", spec)))
          .startsWith(
              "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient example.com/gpu,"
                  + " 1 Insufficient memory, 1 Too many pods. Nearest: n1, with ")
          .contains("500m more cpu", "1Gi more memory", "one pod less on it");
    }

    @Test
    void nameTheFilterOfEachConstraint() {
      node("n1", "'zone':'a'", "");
      pod("a", "'labels':{'app':'web'}", "'nodeName':'n1','containers':[]", "");
      String term =
          "'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'zone',"
              + "'labelSelector':{'matchLabels':{'app':'%s'}}}]";
      String spread =
          "'topologySpreadConstraints':[{'topologyKey':'%s','maxSkew':1,"
              + "'whenUnsatisfiable':'DoNotSchedule','minDomains':3,"
              + "'labelSelector':{'matchLabels':{'app':'web'}}}]";
      String begin = "0/1 nodes are available: 1 node(s) didn't ";
      assertThat(message(pod("p1", "'nodeSelector':{'zone':'b'}")))
          .startsWith(begin + "match Pod's node affinity/selector. Nearest: n1, with ");
      assertThat(message(pod("p2", "'affinity':{'podAffinity':{" + term.formatted("db") + "}}")))
          .startsWith(begin + "match pod affinity rules.");
      assertThat(
              message(pod("p3", "'affinity':{'podAntiAffinity':{" + term.formatted("web") + "}}")))
          .startsWith(begin + "match pod anti-affinity rules.");
      assertThat(message(pod("p4", "'labels':{'app':'web'}", spread.formatted("zone"), "")))
          .startsWith(begin + "match pod topology spread constraints.");
      assertThat(message(pod("p5", spread.formatted("rack"))))
          .startsWith(begin + "match pod topology spread constraints (missing required label).");
      pod("b", "'nodeName':'n1','affinity':{'podAntiAffinity':{" + term.formatted("db") + "}}");
      assertThat(message(pod("p6", "'labels':{'app':'db'}", "'containers':[]", "")))
          .startsWith(begin + "satisfy existing pods anti-affinity rules.");
      String port = "'containers':[{'name':'c','ports':[{'hostPort':80}]}]";
      cluster.podGone("uid-b");
      pod("c", port + ",'nodeName':'n1'");
      assertThat(message(pod("p7", port)))
          .startsWith("0/1 nodes are available: 1 node(s) didn't have free ports for");
    }

    @Test
    void ofPodsThatNameNodesAndOfNoNodes() {
      assertThat(message(pod("p0", ""))).isEqualTo("no nodes available to schedule pods");
      node("n1", "", "");
      node("n2", "", "");
      String pinned =
          "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
              + "{'nodeSelectorTerms':[{'matchFields':[%s]}]}}}";
      String field = "{'key':'metadata.name','operator':'In','values':['%s']}";
      assertThat(message(pod("p1", pinned.formatted(field.formatted("n2")) + "," + cpu("5"))))
          .startsWith(
              "0/2 nodes are available: 1 Insufficient cpu,"
                  + " 1 node(s) didn't satisfy plugin(s) [NodeAffinity].");
      assertThat(
              message(
                  pod("p2", pinned.formatted(field.formatted("n2") + "," + field.formatted("n1")))))
          .isEqualTo("0/2 nodes are available: pod affinity terms conflict.");
      assertThat(bound(pod("p3", pinned.formatted(field.formatted("n2"))))).isEqualTo("n2");
    }

    @Test
    void staySmallEnoughForAnEvent() {
      node("n1", "", "");
      StringBuilder requests = new StringBuilder("'cpu':'1'");
      for (int i = 0; i < 100; i++) {
        requests.append(",'example.com/device-").append(i).append("':'1'");
      }
      String spec = "'containers':[{'name':'c','resources':{'requests':{" + requests + "}}}]";
      String message = message(pod("p", spec));
      assertThat(message).startsWith("0/1 nodes are available: 1 Insufficient example.com/");
      assertThat(message).endsWith("...");
      assertThat(message.getBytes(StandardCharsets.UTF_8).length)
          .isBetween(Decision.MOST_BYTES - 60, Decision.MOST_BYTES);
    }
  }

  @Nested
  class Support {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '"',
        value = {
          "'resourceClaims':[{'name':'gpu'}] | resourceClaims",
          "'schedulingGroup':{'podGroupName':'g'} | schedulingGroup",
          "'somethingNew':7 | somethingNew",
          "'volumes':[{'name':'v','gcePersistentDisk':{}}] | volume v (gcePersistentDisk)",
          "'volumes':[{'name':'v','brandNew':{}}] | volume v (brandNew)",
          "'tolerations':[{'key':'k','operator':'Ge','value':'5'}] | operator Ge in tolerations",
          "'hostUsers':false,'hostNetwork':true | hostUsers: false with hostNetwork: true",
          "'affinity':{'cosmicAffinity':{'x':1}} | affinity.cosmicAffinity",
          "'containers':[{'name':'c','resources':{'claims':[{'name':'x'}]}}]"
              + " | resources.claims of container c",
          "'containers':[{'name':'c','restartPolicyRules':[{'action':'RestartAllContainers'}]}]"
              + " | restartPolicyRules of container c",
          "'topologySpreadConstraints':[{'topologyKey':'z','whenUnsatisfiable':'Perhaps'}]"
              + " | topologySpreadConstraints.whenUnsatisfiable Perhaps",
          "'topologySpreadConstraints':[{'topologyKey':'z','whenUnsatisfiable':'DoNotSchedule',"
              + "'labelSelector':{'matchExpressions':"
              + "[{'key':'k','operator':'Gt','values':['1']}]}}]"
              + " | operator Gt in topologySpreadConstraints",
          "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
              + "[{'topologyKey':'z','labelSelector':"
              + "{'matchExpressions':[{'key':'k','operator':'Lt','values':['1']}]}}]}}"
              + " | operator Lt in podAntiAffinity",
          "'containers':[{'name':'c','resources':{'requests':{'memory':'20Ti'}}}]"
              + " | a request of 16 Ti or more of memory"
        })
    void whatIsNotSupportedIsRefusedByName(String spec, String what) {
      node("n1", "", "");
      Decision decision = decide(pod("p", spec));
      assertThat(decision).isInstanceOf(Decision.Unsupported.class);
      assertThat(((Decision.Unsupported) decision).message()).isEqualTo("not supported: " + what);
    }

    @Test
    void whatNoFilterReadsIsPassedOver() {
      node("n1", "", "");
      String spec =
          "'containers':[],'dnsPolicy':'ClusterFirst','hostUsers':false,'resourceClaims':[],"
              + "'volumes':[{'name':'a','emptyDir':{}},{'name':'b','configMap':{'name':'m'}}],"
              + "'enableServiceLinks':true,'preemptionPolicy':'PreemptLowerPriority',"
              + "'somethingNew':null";
      assertThat(bound(pod("p", spec))).isEqualTo("n1");
    }

    @Test
    void aPodThatIsPlacedCountsWhateverItAsksFor() {
      node("n1", "", "");
      pod("a", cpu("3") + ",'nodeName':'n1','resourceClaims':[{'name':'gpu'}]");
      assertThat(message(pod("p", cpu("2")))).contains("1 Insufficient cpu");
    }

    @Test
    void brokenObjectsAreRefusedAtTheDoor() {
      assertThatThrownBy(() -> cluster.nodeChanged(json("{'metadata':{}}")))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> cluster.podChanged(json("{'metadata':{'name':'p'}}")))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("metadata.uid");
      assertThatThrownBy(() -> pod("p", cpu("lots")))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'lots'");
    }
  }

  @Nested
  class Turns {
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
      ClusterTest other = new ClusterTest();
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
      ClusterTest other = new ClusterTest();
      for (ClusterTest one : List.of(ClusterTest.this, other)) {
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
      ClusterTest other = new ClusterTest();
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
      assertThat(failing.decide(List.of("uid-a")))
          .singleElement()
          .isInstanceOf(Decision.Bind.class);
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

  @Nested
  class Gangs {
    private String member(String name, String amount) {
      String labels =
          "'labels':{'scheduling.x-k8s.io/pod-group':'g',"
              + "'pod-group.scheduling.sigs.k8s.io/min-available':'3'}";
      return pod(name, labels, cpu(amount), "");
    }

    @Test
    void arePlacedAllOrNone() {
      node("n1", "", "");
      node("n2", "", "");
      member("a", "3");
      member("b", "3");
      assertThat(cluster.decide(List.of("uid-b")))
          .extracting(decision -> ((Decision.Refused) decision).message())
          .containsExactly(
              "0/2 nodes are available: pod group g has only 2 of 3 pods.",
              "0/2 nodes are available: pod group g has only 2 of 3 pods.");
      member("c", "2");
      List<Decision> refused = cluster.decide(List.of("uid-c"));
      assertThat(refused).hasSize(3).allMatch(one -> one instanceof Decision.Refused);
      assertThat(((Decision.Refused) refused.get(2)).message())
          .startsWith("0/2 nodes are available: 2 Insufficient cpu.");
      assertThat(((Decision.Refused) refused.get(0)).message())
          .isEqualTo(
              "0/2 nodes are available: pod group g has only 2 of 3 waiting pods with a node.");
      assertThat(cluster.assumedNode("uid-a")).isEmpty();
      member("c", "1");
      assertThat(cluster.decide(List.of("uid-c")))
          .hasSize(3)
          .allMatch(one -> one instanceof Decision.Bind);
    }

    @Test
    void aMemberThatIsThereAlreadyCounts() {
      node("n1", "", "");
      member("a", "1");
      member("b", "1");
      pod("c", "'labels':{'scheduling.x-k8s.io/pod-group':'g'}", cpu("1") + ",'nodeName':'n1'", "");
      assertThat(cluster.decide(List.of("uid-a")))
          .hasSize(2)
          .allMatch(one -> one instanceof Decision.Bind);
    }
  }

  @Nested
  class Preferences {
    @Test
    void softTaintsWeightsAndSpreadChooseAmongTheNodesThatFit() {
      node("n1", "'zone':'a'", "'taints':[{'key':'k','effect':'PreferNoSchedule'}]");
      node("n2", "'zone':'a'", "");
      node("n3", "'zone':'b'", "");
      assertThat(bound(pod("p1", cpu("1")))).isEqualTo("n2");
      String preferred =
          "'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':["
              + "{'weight':1,'preference':{'matchExpressions':[{'key':'zone','operator':'In',"
              + "'values':['a']}]}},"
              + "{'weight':9,'preference':{'matchExpressions':[{'key':'zone','operator':'In',"
              + "'values':['b']}]}}]}}";
      assertThat(bound(pod("p2", cpu("1") + "," + preferred))).isEqualTo("n3");
      String anyway =
          "'topologySpreadConstraints':[{'topologyKey':'kubernetes.io/hostname','maxSkew':1,"
              + "'whenUnsatisfiable':'ScheduleAnyway',"
              + "'labelSelector':{'matchLabels':{'app':'x'}}}]";
      pod("there", "'labels':{'app':'x'}", "'nodeName':'n2','containers':[]", "");
      assertThat(bound(pod("p3", "'labels':{'app':'x'}", anyway, ""))).isEqualTo("n3");
    }
  }
}
