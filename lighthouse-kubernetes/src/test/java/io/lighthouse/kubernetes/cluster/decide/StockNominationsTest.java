package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The real kube-scheduler leaves a refused pod its nomination where it is left here. */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
class StockNominationsTest {
  private static final String PODS = "/api/v1/namespaces/default/pods/";

  private static RealControlPlane plane;
  private static Bench bench;

  /** One node, which is full. */
  @BeforeAll
  static void start() throws Exception {
    plane = new RealControlPlane();
    ApiServer admin = plane.admin();
    bench = new Bench(admin);
    for (String policy : List.of("PreemptLowerPriority", "Never")) {
      admin.post(
          "/apis/scheduling.k8s.io/v1/priorityclasses",
          Objects.json(
              "{'metadata':{'name':'%s'},'value':9,'preemptionPolicy':'%s'}",
              policy.toLowerCase(Locale.ROOT), policy));
    }
    bench.addNode("n1", "a", "4", "8Gi", 20);
    ObjectNode full = Objects.pod("full", "4", "1Gi");
    full.withObjectProperty("spec")
        .put("nodeName", "n1")
        .put("priorityClassName", "preemptlowerpriority");
    bench.add(full);
    plane.startStockScheduler();
  }

  @AfterAll
  static void stop() {
    plane.close();
  }

  @ParameterizedTest
  @CsvSource({
    "preemptlowerpriority, n1",
    "preemptlowerpriority, gone",
    "never, n1",
    "never, gone",
  })
  void staysOrGoesAsHere(String priorityClass, String node) throws Exception {
    String name = priorityClass + "-" + node;
    ObjectNode pod = Objects.pod(name, "4", "1Gi");
    ObjectNode spec = pod.withObjectProperty("spec");
    spec.put("schedulerName", "default-scheduler").put("priorityClassName", priorityClass);
    spec.putArray("schedulingGates").addObject().put("name", "example.com/judged");
    bench.add(pod);
    bench.patchStatus(name, Objects.json("{'status':{'nominatedNodeName':'%s'}}", node));
    Decision.Refused here = (Decision.Refused) decide(name);
    bench.admin().patch(PODS + name, Objects.json("{'spec':{'schedulingGates':null}}"));
    JsonNode there =
        bench.await(
            name, now -> Bench.scheduled(now).path("reason").asString("").equals("Unschedulable"));
    assertThat(there.at("/status/nominatedNodeName").asString(""))
        .isEqualTo(here.lostNomination().isEmpty() ? node : "");
    assertThat(here.lostNomination().isEmpty()).isEqualTo(priorityClass.equals("never"));
    bench.deletePod(name);
  }

  /** The decision here about a pod whose gate is removed. */
  private static Decision decide(String name) throws Exception {
    Cluster cluster =
        Clusters.withPreemption(Distributors.of("first", (pod, nodes) -> nodes.first()));
    List<JsonNode> pods = Bench.list(bench.admin(), "/api/v1/pods");
    pods.forEach(pod -> ((ObjectNode) pod.path("spec")).remove("schedulingGates"));
    Clusters.replaceAll(
        cluster, bench.nodes(), pods, Bench.list(bench.admin(), "/api/v1/namespaces"));
    String uid = bench.pod(name).at("/metadata/uid").asString();
    return cluster.decide(List.of(uid)).get(0);
  }
}
