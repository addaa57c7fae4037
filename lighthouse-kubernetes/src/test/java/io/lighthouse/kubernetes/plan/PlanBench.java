package io.lighthouse.kubernetes.plan;

import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tests of plans of a cluster: on the fake in every build, on a real server under the profile
 * kubernetes, there with the rights of deploy/kubernetes/planner.yaml.
 */
abstract class PlanBench {
  static ControlPlane plane;
  static Bench bench;
  static ClusterAccess planner;

  @BeforeAll
  static void start() throws Exception {
    plane = ControlPlane.start();
    bench = new Bench(plane.admin());
    planner = Kubeconfig.access(Optional.of(plane.planner()), Optional.empty());
  }

  @AfterAll
  static void stop() {
    plane.close();
  }

  /** Three empty nodes, and no pods. */
  @BeforeEach
  void clear() throws IOException {
    bench.clear();
    for (int i = 0; i < 3; i++) {
      bench.addNode("n" + i, "z" + i, "4", "8Gi", 20);
    }
  }

  static KubernetesPlan.Request drain(String... nodes) {
    return new KubernetesPlan.Request("drain", List.of(nodes), PlanLimits.NONE, false, false);
  }

  static ObjectNode on(String name, String node) {
    ObjectNode pod = Objects.pod(name, "1", "1Gi");
    pod.withObjectProperty("spec").put("nodeName", node);
    return pod;
  }

  /** A pod with a controller of another API, which plans cannot read: they know the kind alone. */
  static ObjectNode owned(ObjectNode pod, String kind) {
    return owned(
        pod,
        Objects.json(
            "{'apiVersion':'example.com/v1','kind':'%s','metadata':{'name':'o','uid':'%s'}}",
            kind, "00000000-0000-0000-0000-000000000007"));
  }

  /** A pod with this controller. */
  static ObjectNode owned(ObjectNode pod, JsonNode controller) {
    ObjectNode reference =
        pod.withObjectProperty("metadata").putArray("ownerReferences").addObject();
    reference
        .put("apiVersion", controller.path("apiVersion").asString())
        .put("kind", controller.path("kind").asString())
        .put("name", Bench.name(controller))
        .put("uid", controller.at("/metadata/uid").asString())
        .put("controller", true);
    return pod;
  }

  static List<String> podsOn(String node) throws IOException {
    return bench.pods().stream()
        .filter(pod -> Bench.nodeOf(pod).equals(node))
        .map(Bench::name)
        .toList();
  }
}
