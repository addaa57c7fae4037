package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.control.Manifests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The replicas of {@code deploy/kubernetes/lighthouse.yaml}, placed by a strategy that packs. */
class DeploymentTest {
  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("prioritized"));
  private JsonNode deployment;
  private JsonNode budget;

  @BeforeEach
  void read() throws Exception {
    Path file =
        Path.of(System.getProperty("lighthouse.root"), "deploy", "kubernetes", "lighthouse.yaml");
    List<JsonNode> objects = Manifests.read(Files.readString(file));
    deployment = ofKind(objects, "Deployment");
    budget = ofKind(objects, "PodDisruptionBudget");
  }

  private static JsonNode ofKind(List<JsonNode> objects, String kind) {
    List<JsonNode> found =
        objects.stream().filter(one -> one.path("kind").asString().equals(kind)).toList();
    assertThat(found).as(kind).hasSize(1);
    return found.get(0);
  }

  private void node(String name, String spec) {
    cluster.nodeChanged(
        ClusterBench.json(
            ("{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s'}},'spec':{%s},"
                    + "'status':{'allocatable':{'cpu':'8','memory':'16Gi','pods':'110'}}}")
                .formatted(name, name, spec)));
  }

  /** The node of a replica of a revision, made from the template as the controllers make it. */
  private String place(String uid, String revision) {
    ObjectNode pod = (ObjectNode) deployment.at("/spec/template").deepCopy();
    ObjectNode metadata = pod.withObjectProperty("metadata");
    metadata.put("name", uid).put("uid", uid).put("namespace", "kube-system");
    metadata.withObjectProperty("labels").put("pod-template-hash", revision);
    cluster.podChanged(pod);
    return cluster.decide(List.of(uid)).get(0) instanceof Decision.Bind bind ? bind.node() : "";
  }

  @Test
  void twoReplicasAreOnDifferentNodes() {
    node("control", "'taints':[{'key':'control-plane','effect':'NoSchedule'}]");
    node("n1", "");
    node("n2", "");
    assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(2);
    assertThat(List.of(place("a", "1"), place("b", "1"))).containsExactlyInAnyOrder("n1", "n2");
    // An update with the old replicas still there.
    assertThat(List.of(place("c", "2"), place("d", "2"))).containsExactlyInAnyOrder("n1", "n2");
  }

  @Test
  void aClusterOfOneNodeHasBoth() {
    node("control", "'taints':[{'key':'control-plane','effect':'NoSchedule'}]");
    node("n1", "");
    assertThat(List.of(place("a", "1"), place("b", "1"))).containsExactly("n1", "n1");
  }

  @Test
  void theBudgetLetsOneReplicaGoAtATime() {
    JsonNode labels = deployment.at("/spec/template/metadata/labels");
    assertThat(budget.at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(budget.at("/spec/maxUnavailable").asInt()).isEqualTo(1);
    assertThat(budget.at("/metadata/namespace")).isEqualTo(deployment.at("/metadata/namespace"));
  }
}
