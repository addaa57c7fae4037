package io.lighthouse.kubernetes.cluster.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.RandomCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A problem lets a waiting pod go to the same nodes as the scheduler would, on random clusters with
 * all constraints. Pods with a remark on a rule are left out.
 */
class ClusterProblemProperties {
  /** How many clusters; each has eight waiting pods. */
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 500);

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
      Cluster cluster = Cluster.forExport();
      cluster.replaceAll(random.nodes, pods, random.namespaces);
      ClusterProblem written = ClusterProblem.of(cluster, "first");
      Distributor fleet =
          Distributors.of("first", (pod, nodes) -> nodes.first())
              .nodes(written.problem().nodes())
              .build();
      for (Workload workload : written.problem().workloads()) {
        if (!written.inexact().containsKey(workload.name())) {
          Set<String> expected = new TreeSet<>();
          cluster
              .verdicts(uids.get(workload.name()))
              .forEach(
                  (node, reasons) -> {
                    if (reasons.isEmpty()) {
                      expected.add(node);
                    }
                  });
          Set<String> found = new TreeSet<>();
          for (NodeVerdict verdict : fleet.explain(workload).nodes()) {
            if (verdict.fits()) {
              found.add(verdict.node());
            }
          }
          assertThat(found).as("seed %d: %s", seed, workload).isEqualTo(expected);
          fits += found.size();
          refused += found.isEmpty() ? 1 : 0;
        }
      }
    }
    assertThat(fits).isGreaterThan(CLUSTERS * 3);
    assertThat(refused).isGreaterThan(CLUSTERS);
  }

  /** Other policies of spreads are remarked on. */
  private static void honorPolicies(ObjectNode pod) {
    for (JsonNode spread : pod.path("spec").path("topologySpreadConstraints")) {
      ((ObjectNode) spread).put("nodeAffinityPolicy", "Honor").put("nodeTaintsPolicy", "Honor");
    }
  }
}
