package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterTest extends ClusterBench {
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
      return cluster.translator.counts.all().size();
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
