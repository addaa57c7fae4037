package io.lighthouse.kubernetes.cluster.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Clusters;
import io.lighthouse.kubernetes.cluster.decide.RandomCluster;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A problem lets a pod go to the same nodes as the scheduler would, on random clusters with all
 * constraints. Pods with a remark on a rule are left out.
 */
class ClusterProblemProperties {
  /** How many clusters. */
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 500);

  /** Waiting pods of a cluster. */
  private static final int PODS = 8;

  @Test
  void waitingPodsFitTheNodesOfAProblemThatTheSchedulerWouldTake() {
    int fits = 0;
    int refused = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      RandomCluster random = new RandomCluster(seed);
      List<JsonNode> pods = new ArrayList<>(random.placed);
      Map<String, String> uids = new TreeMap<>();
      for (int i = 0; i < PODS; i++) {
        ObjectNode pod = random.pod(false);
        honorPolicies(pod);
        JsonNode metadata = pod.path("metadata");
        String name =
            metadata.path("namespace").asString() + "/" + metadata.path("name").asString();
        uids.put(name, metadata.path("uid").asString());
        pods.add(pod);
      }
      Cluster cluster = cluster(random, pods);
      ClusterProblem written = ClusterProblem.of(cluster, "first");
      Distributor fleet = fleet(written);
      for (Workload workload : written.problem().workloads()) {
        if (!written.inexact().containsKey(workload.name())) {
          Set<String> found = fitting(fleet, workload);
          assertThat(found)
              .as("seed %d: %s", seed, workload)
              .isEqualTo(fitting(cluster, uids.get(workload.name())));
          fits += found.size();
          refused += found.isEmpty() ? 1 : 0;
        }
      }
    }
    assertThat(fits).isGreaterThan(CLUSTERS * 3);
    assertThat(refused).isGreaterThan(CLUSTERS);
  }

  /** Two fifths of the pods on nodes are of DaemonSets; the others go, one after the other. */
  @Test
  void placedPodsFitTheNodesOfAProblemWithOwnPodsThatTheSchedulerWouldTake() {
    int fits = 0;
    int others = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      RandomCluster random = new RandomCluster(seed);
      Map<String, ObjectNode> pods = new LinkedHashMap<>();
      Set<String> own = new HashSet<>();
      for (JsonNode pod : random.placed) {
        honorPolicies(pod);
        if (random.chance(40)) {
          ((ObjectNode) pod.path("metadata"))
              .putArray("ownerReferences")
              .addObject()
              .put("kind", "DaemonSet")
              .put("controller", true);
        }
        String uid = pod.path("metadata").path("uid").asString();
        if (PodFacts.belongsToNode(pod)) {
          own.add(uid);
        }
        pods.put(uid, (ObjectNode) pod);
      }
      ClusterProblem written =
          ClusterProblem.withOwnPods(cluster(random, pods.values()), "first", own::contains);
      for (Node node : written.problem().nodes()) {
        for (Workload workload : node.workloads()) {
          String uid = written.placed().get(workload.name());
          if (uid == null
              || own.contains(uid)
              || written.inexact().containsKey(workload.name())
              || written.unsupported().containsKey(workload.name())) {
            continue;
          }
          Distributor fleet = fleet(written);
          fleet.release(workload.name());
          Set<String> found = fitting(fleet, workload);
          Map<String, ObjectNode> waiting = new LinkedHashMap<>(pods);
          waiting.put(uid, waiting(pods.get(uid)));
          assertThat(found)
              .as("seed %d: %s", seed, workload)
              .isEqualTo(fitting(cluster(random, waiting.values()), uid));
          fits += found.size();
          others += found.contains(node.name()) ? found.size() - 1 : found.size();
        }
      }
    }
    assertThat(fits).isGreaterThan(CLUSTERS / 2);
    assertThat(others).isGreaterThan(CLUSTERS / 2);
  }

  /** The pod as if it had no node yet. */
  private static ObjectNode waiting(ObjectNode pod) {
    ObjectNode waiting = pod.deepCopy();
    ((ObjectNode) waiting.path("spec")).remove("nodeName");
    ((ObjectNode) waiting.path("status")).put("phase", "Pending");
    return waiting;
  }

  private static Cluster cluster(RandomCluster random, Collection<? extends JsonNode> pods) {
    Cluster cluster = Cluster.forExport(Map.of());
    Clusters.replaceAll(cluster, random.nodes, new ArrayList<>(pods), random.namespaces);
    return cluster;
  }

  private static Distributor fleet(ClusterProblem written) {
    return Distributors.of("first", (pod, nodes) -> nodes.first())
        .nodes(written.problem().nodes())
        .build();
  }

  /** The nodes that a workload fits. */
  private static Set<String> fitting(Distributor fleet, Workload workload) {
    Set<String> nodes = new TreeSet<>();
    for (NodeVerdict verdict : fleet.explain(workload).nodes()) {
      if (verdict.fits()) {
        nodes.add(verdict.node());
      }
    }
    return nodes;
  }

  /** The nodes that the scheduler finds for a waiting pod. */
  private static Set<String> fitting(Cluster cluster, String uid) {
    Set<String> nodes = new TreeSet<>();
    Clusters.verdicts(cluster, uid)
        .forEach(
            (node, reasons) -> {
              if (reasons.isEmpty()) {
                nodes.add(node);
              }
            });
    return nodes;
  }

  /** Other policies of spreads are remarked on. */
  private static void honorPolicies(JsonNode pod) {
    for (JsonNode spread : pod.path("spec").path("topologySpreadConstraints")) {
      ((ObjectNode) spread).put("nodeAffinityPolicy", "Honor").put("nodeTaintsPolicy", "Honor");
    }
  }
}
