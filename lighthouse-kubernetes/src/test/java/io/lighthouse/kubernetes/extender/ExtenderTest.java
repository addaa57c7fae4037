package io.lighthouse.kubernetes.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.ClusterBench;
import io.lighthouse.kubernetes.cluster.decide.Clusters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ExtenderTest {
  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("spread"));

  private static JsonNode json(String text) {
    return ClusterBench.json(text);
  }

  @BeforeEach
  void threeNodes() {
    for (String name : new String[] {"n1", "n2", "n3"}) {
      cluster.nodeChanged(
          json(
              "{'metadata':{'name':'%s'},'status':{'allocatable':{'cpu':'4','pods':'9'}}}"
                  .formatted(name)));
    }
    cluster.podChanged(json(pod("a", "2", ",'nodeName':'n1'")));
    cluster.podChanged(json(pod("b", "3", ",'nodeName':'n2'")));
  }

  private static String pod(String name, String cpu, String spec) {
    return "{'metadata':{'name':'%s','uid':'%s','namespace':'d'},'spec':{'containers':"
            .formatted(name, name)
        + "[{'name':'c','resources':{'requests':{'cpu':'%s'}}}]%s}}".formatted(cpu, spec);
  }

  @Test
  void filtersByNameInTheOrderAsked() {
    JsonNode args = json("{'Pod':" + pod("p", "2", "") + ",'NodeNames':['n9','n3','n2','n1']}");
    assertThat(Extender.filter(cluster, Extender.question(args)))
        .isEqualTo(
            json(
                "{'NodeNames':['n3','n1'],'FailedNodes':{'n2':'Insufficient cpu'},"
                    + "'FailedAndUnresolvableNodes':{'n9':'node is not known to Lighthouse'},"
                    + "'Error':''}"));
    assertThat(cluster.pods()).noneMatch(pod -> pod.uid().equals("p"));
  }

  /** The stock scheduler looks for victims on those of FailedNodes. */
  @Test
  void nodesThatNoEvictionMakesFitAreApart() {
    cluster.nodeChanged(
        json(
            "{'metadata':{'name':'n1'},'spec':{'taints':[{'key':'k','effect':'NoSchedule'}]},"
                + "'status':{'allocatable':{'cpu':'4','pods':'9'}}}"));
    JsonNode args = json("{'Pod':" + pod("p", "2", "") + ",'NodeNames':['n1','n2']}");
    JsonNode result = Extender.filter(cluster, Extender.question(args));
    assertThat(result.path("FailedNodes")).isEqualTo(json("{'n2':'Insufficient cpu'}"));
    assertThat(result.path("FailedAndUnresolvableNodes"))
        .isEqualTo(json("{'n1':'node(s) had untolerated taint(s)'}"));
  }

  @Test
  void aNodeTooSmallEvenWithoutItsPodsIsAmongThoseThatNoEvictionMakesFit() {
    cluster.nodeChanged(
        json("{'metadata':{'name':'n3'},'status':{'allocatable':{'cpu':'1','pods':'9'}}}"));
    JsonNode args = json("{'Pod':" + pod("p", "2", "") + ",'NodeNames':['n2','n3']}");
    JsonNode result = Extender.filter(cluster, Extender.question(args));
    assertThat(result.path("FailedNodes")).isEqualTo(json("{'n2':'Insufficient cpu'}"));
    assertThat(result.path("FailedAndUnresolvableNodes"))
        .isEqualTo(json("{'n3':'Insufficient cpu'}"));
  }

  /** As the stock scheduler, which calls only a lack of resources unresolvable. */
  @Test
  void aNodeWithoutPlacesForPodsIsResolvable() {
    cluster.nodeChanged(
        json("{'metadata':{'name':'n3'},'status':{'allocatable':{'cpu':'4','pods':'0'}}}"));
    JsonNode args = json("{'Pod':" + pod("p", "2", "") + ",'NodeNames':['n3']}");
    assertThat(Extender.filter(cluster, Extender.question(args)).path("FailedNodes"))
        .isEqualTo(json("{'n3':'Too many pods'}"));
  }

  @Test
  void filtersWholeNodes() {
    JsonNode args =
        json(
            "{'pod':"
                + pod("p", "2", "")
                + ",'nodes':{'items':[{'metadata':{'name':'n2'}},{'metadata':{'name':'n3'}}]}}");
    assertThat(Extender.filter(cluster, Extender.question(args)).at("/Nodes/items"))
        .isEqualTo(json("[{'metadata':{'name':'n3'}}]"));
  }

  @Test
  void scoresByTheOrderOfTheStrategy() {
    JsonNode args = json("{'Pod':" + pod("p", "1", "") + ",'NodeNames':['n1','n2','n3','n9']}");
    assertThat(Extender.prioritize(cluster, Extender.question(args)).toString())
        .isEqualTo(
            json("[{'Host':'n1','Score':6},{'Host':'n2','Score':3},{'Host':'n3','Score':10},"
                    + "{'Host':'n9','Score':0}]")
                .toString());
  }

  @Test
  void whatIsNotSupportedIsLeftToTheStockScheduler() {
    String claims = ",'resourceClaims':[{'name':'gpu'}]";
    JsonNode args = json("{'Pod':" + pod("p", "9", claims) + ",'NodeNames':['n1']}");
    assertThat(Extender.filter(cluster, Extender.question(args)).path("NodeNames"))
        .isEqualTo(json("['n1']"));
    assertThat(Extender.prioritize(cluster, Extender.question(args)).toString())
        .isEqualTo("[{\"Host\":\"n1\",\"Score\":0}]");
  }

  @Test
  void aQuestionChangesNothing() {
    cluster.podChanged(json(nominated("low", "3", "n3", 1)));
    long before = cluster.fleet().distributor().generation();
    JsonNode urgent = json("{'Pod':" + nominated("p", "2", "n2", 5) + ",'NodeNames':['n2','n3']}");
    assertThat(Extender.filter(cluster, Extender.question(urgent)).path("NodeNames"))
        .isEqualTo(json("['n3']"));
    JsonNode equal = json("{'Pod':" + nominated("q", "2", "n2", 1) + ",'NodeNames':['n2','n3']}");
    assertThat(Extender.filter(cluster, Extender.question(equal)).path("NodeNames"))
        .isEqualTo(json("[]"));
    JsonNode scores = Extender.prioritize(cluster, Extender.question(urgent));
    assertThat(scores.at("/1/Score").asInt()).isEqualTo(10);
    assertThat(cluster.fleet().distributor().generation()).isEqualTo(before);
    assertThat(cluster.pods()).noneMatch(pod -> pod.uid().equals("p"));
  }

  private static String nominated(String name, String cpu, String node, int priority) {
    String pod = pod(name, cpu, ",'priority':" + priority);
    return pod.substring(0, pod.length() - 1)
        + ",'status':{'nominatedNodeName':'%s'}}".formatted(node);
  }

  @Test
  void aPodThatDoesNotWaitIsAnError() {
    JsonNode bound = json("{'Pod':" + pod("a", "2", "") + ",'NodeNames':['n1']}");
    assertThat(Extender.filter(cluster, Extender.question(bound)).path("Error").asString())
        .isEqualTo("pod a does not wait for a node");
    assertThat(Extender.prioritize(cluster, Extender.question(bound)).toString())
        .isEqualTo("[{\"Host\":\"n1\",\"Score\":0}]");
  }

  /** Go's own types refuse all of these. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "7 | spec is 7; allowed: an object",
        "{'containers':'c'} | spec.containers is \"c\"; allowed: a list",
        "{'containers':[1]} | spec.containers[0] is 1; allowed: an object",
        "{'initContainers':[{'resources':[]}]} | spec.initContainers[0].resources is []; allowed:",
        "{'containers':[{'resources':{'requests':1}}]} | spec.containers[0].resources.requests is"
            + " 1",
        "{'containers':[{},{'resources':{'limits':{'cpu':'1x'}}}]}"
            + " | spec.containers[1].resources.limits.cpu is '1x'; allowed: a Kubernetes quantity",
        "{'resources':{'requests':{'cpu':[]}}} | spec.resources.requests.cpu is []; allowed: a",
        "{'overhead':{'memory':'1 Gi'}} | spec.overhead.memory is '1 Gi'; allowed: a Kubernetes",
        "{'priority':'high'} | spec.priority is \"high\"; allowed: a whole number",
        "{'tolerations':{}} | spec.tolerations is {}; allowed: a list",
        "{'tolerations':[{'key':1}]} | spec.tolerations[0].key is 1; allowed: a text",
        "{'nodeSelector':'n1'} | spec.nodeSelector is \"n1\"; allowed: an object",
        "{'nodeSelector':{'a':[]}} | spec.nodeSelector.a is []; allowed: a text",
        "{'affinity':{'nodeAffinity':7}} | spec.affinity.nodeAffinity is 7; allowed: an object",
        "{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':'x'}}}"
            + " | spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution is",
        "{'affinity':{'podAntiAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':"
            + "[{'podAffinityTerm':{'labelSelector':{'matchExpressions':[{'values':[1]}]}}}]}}}"
            + " | spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]"
            + ".podAffinityTerm.labelSelector.matchExpressions[0].values[0] is 1; allowed: a text",
        "{'containers':[{'ports':'x'}]} | spec.containers[0].ports is \"x\"; allowed: a list",
        "{'containers':[{'ports':[{'hostPort':'x'}]}]}"
            + " | spec.containers[0].ports[0].hostPort is \"x\"; allowed: a whole number",
        "{'preemptionPolicy':4} | spec.preemptionPolicy is 4; allowed: a text",
        "{'topologySpreadConstraints':[{'maxSkew':'x'}]}"
            + " | spec.topologySpreadConstraints[0].maxSkew is \"x\"; allowed: a whole number",
        "{'topologySpreadConstraints':[{'maxSkew':1}]} | spec.topologySpreadConstraints[0]"
            + ".topologyKey is not there; allowed: a text that is not empty",
        "{'topologySpreadConstraints':[{'topologyKey':''}]} | spec.topologySpreadConstraints[0]"
            + ".topologyKey is \"\"; allowed: a text that is not empty",
        "{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{}]}}}"
            + " | spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]"
            + ".topologyKey is not there; allowed: a text that is not empty",
        "{'affinity':{'podAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{}]}}}"
            + " | spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]"
            + ".podAffinityTerm is not there; allowed: an object",
        "{'hostNetwork':'yes'} | spec.hostNetwork is \"yes\"; allowed: true or false",
        "{},'status':'x' | status is \"x\"; allowed: an object",
        "{},'status':{'containerStatuses':[{'resources':{'requests':{'cpu':'1x'}}}]} |"
            + " status.containerStatuses[0].resources.requests.cpu is '1x'; allowed: a Kubernetes",
      })
  void aMalformedPodIsRefusedWithTheField(String spec, String message) {
    JsonNode args =
        json(
            "{'Pod':{'metadata':{'name':'p','uid':'p','namespace':'d'},'spec':%s},'NodeNames':[]}"
                .formatted(spec));
    assertThatThrownBy(() -> Extender.question(args))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("pod 'd/p': " + message);
  }

  @Test
  void aLabelOfAnotherKindIsRefusedWithTheField() {
    JsonNode args =
        json("{'Pod':{'metadata':{'name':'p','uid':'p','labels':['x']},'spec':{}},'NodeNames':[]}");
    assertThatThrownBy(() -> Extender.question(args))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("pod 'p': metadata.labels is [\"x\"]; allowed: an object");
  }

  /** So Go reads it: a quantity is then 0. */
  @Test
  void nullIsAsAbsent() {
    String nulls = ",'affinity':null,'nodeSelector':null,'overhead':{'cpu':null}";
    JsonNode args = json("{'Pod':" + pod("p", "2", nulls) + ",'NodeNames':['n1','n2']}");
    assertThat(Extender.filter(cluster, Extender.question(args)).path("NodeNames"))
        .isEqualTo(json("['n1']"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | the text is []; allowed: an object",
        "{} | Pod.metadata.uid is not there; allowed: a name",
        "{'Pod':{'metadata':{'uid':7}}} | Pod.metadata.uid is 7; allowed: a name",
        "{'Pod':{'metadata':{'uid':'u'}}} | Pod.metadata.name is not there; allowed: a name",
        "{'Pod':P,'Extra':1} | Extra is not known; allowed: one of Pod, Nodes, NodeNames",
        "{'Pod':P,'pod':P} | pod is there twice; allowed: once",
        "{'Pod':P} | NodeNames is not there; allowed: one of the two",
        "{'Pod':P,'Nodes':null,'NodeNames':null} | NodeNames is not there; allowed: one of the",
        "{'Pod':P,'Nodes':{'items':[]},'NodeNames':[]} | NodeNames is there with Nodes; allowed",
        "{'Pod':P,'NodeNames':'n1'} | NodeNames is \"n1\"; allowed: a list",
        "{'Pod':P,'NodeNames':['n1',3]} | NodeNames is 3; allowed: names of nodes",
        "{'Pod':P,'NodeNames':['']} | NodeNames is \"\"; allowed: names of nodes",
        "{'Pod':P,'Nodes':{}} | Nodes.items is not there; allowed: a list",
        "{'Pod':P,'Nodes':{'items':[{}]}} | Nodes.items.metadata.name is not there; allowed: a"
      })
  void aWrongQuestionIsRefusedWithTheMember(String question, String message) {
    JsonNode args = json(question.replaceAll("P(?=[,}])", pod("p", "2", "")));
    assertThatThrownBy(() -> Extender.question(args))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("ExtenderArgs: " + message);
  }
}
