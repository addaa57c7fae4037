package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.mirror.ClusterState;
import io.lighthouse.kubernetes.cluster.mirror.PodCount;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.mirror.SelectedPods;
import io.lighthouse.kubernetes.cluster.mirror.SpreadPods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Compares a cluster with a fresh list of everything, field by field. */
public final class ClusterDifferences {
  private ClusterDifferences() {}

  /**
   * The differences. Assumed placements are none.
   *
   * @return a line each, such as {@code node n1, used cpu: 1500, the list says 1000}
   */
  public static List<String> of(
      Cluster cluster,
      Collection<JsonNode> freshNodes,
      Collection<JsonNode> freshPods,
      Collection<JsonNode> freshNamespaces) {
    Cluster fresh = Clusters.of(Distributors.of("first", (pod, nodes) -> nodes.first()));
    Clusters.replaceAll(fresh, freshNodes, freshPods, freshNamespaces);
    for (PodEntry assumed : cluster.pods()) {
      PodEntry same = fresh.pods.get(assumed.uid());
      if (assumed.assumed && same != null && same.facts.nodeName.isEmpty()) {
        if (same.node != null) {
          fresh.fleet().takeAway(same);
        }
        same.assumed = true;
        fresh.fleet().place(same, assumed.node);
      }
    }
    copyCounts(cluster.translator, fresh.translator);
    List<String> lines = new ArrayList<>();
    state(cluster).compare(state(fresh), lines);
    return lines;
  }

  private static ClusterState state(Cluster cluster) {
    return ClusterState.of(cluster.fleet(), cluster.pods, cluster.namespaces);
  }

  /** Has one cluster count what the other counts. */
  private static void copyCounts(ConstraintTranslator from, ConstraintTranslator to) {
    for (PodCount count : from.counts.all()) {
      if (count instanceof SelectedPods pods) {
        to.selected(pods.key);
      } else if (count instanceof SpreadPods spread) {
        to.spread(spread.key);
      }
    }
  }
}
