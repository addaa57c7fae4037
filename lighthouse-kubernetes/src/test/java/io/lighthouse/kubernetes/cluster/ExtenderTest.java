package io.lighthouse.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ExtenderTest {
  private final Cluster cluster = new Cluster(Distributors.installed().strategy("spread"));

  private static JsonNode json(String text) {
    return ClusterTest.json(text);
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
    assertThat(Extender.filter(cluster, args))
        .isEqualTo(
            json(
                "{'NodeNames':['n3','n1'],'FailedNodes':{'n9':'node is not known to Lighthouse',"
                    + "'n2':'Insufficient cpu'},'Error':''}"));
    assertThat(cluster.knows("p")).isFalse();
  }

  @Test
  void filtersWholeNodes() {
    JsonNode args =
        json(
            "{'pod':"
                + pod("p", "2", "")
                + ",'nodes':{'items':[{'metadata':{'name':'n2'}},{'metadata':{'name':'n3'}}]}}");
    assertThat(Extender.filter(cluster, args).at("/Nodes/items"))
        .isEqualTo(json("[{'metadata':{'name':'n3'}}]"));
  }

  @Test
  void scoresByTheOrderOfTheStrategy() {
    JsonNode args = json("{'Pod':" + pod("p", "1", "") + ",'NodeNames':['n1','n2','n3','n9']}");
    assertThat(Extender.prioritize(cluster, args).toString())
        .isEqualTo(
            json("[{'Host':'n1','Score':6},{'Host':'n2','Score':3},{'Host':'n3','Score':10},"
                    + "{'Host':'n9','Score':0}]")
                .toString());
  }

  @Test
  void whatIsNotSupportedIsLeftToTheStockScheduler() {
    String claims = ",'resourceClaims':[{'name':'gpu'}]";
    JsonNode args = json("{'Pod':" + pod("p", "9", claims) + ",'NodeNames':['n1']}");
    assertThat(Extender.filter(cluster, args).path("NodeNames")).isEqualTo(json("['n1']"));
    assertThat(Extender.prioritize(cluster, args).toString())
        .isEqualTo("[{\"Host\":\"n1\",\"Score\":0}]");
  }

  @Test
  void aWrongQuestionIsAnError() {
    assertThat(Extender.filter(cluster, json("{}")).path("Error").asString())
        .isEqualTo("the request names no pod with a uid");
    JsonNode bound = json("{'Pod':" + pod("a", "2", "") + ",'NodeNames':['n1']}");
    assertThat(Extender.filter(cluster, bound).path("Error").asString())
        .isEqualTo("pod a does not wait for a node");
    assertThat(Extender.prioritize(cluster, bound).toString())
        .isEqualTo("[{\"Host\":\"n1\",\"Score\":0}]");
  }
}
