package io.lighthouse.kubernetes.shadow;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a cluster fares at one moment. Immutable.
 *
 * @param nodes the number of nodes
 * @param used the number of nodes with a pod that belongs to no daemon set
 * @param fullest the share of cpu or memory that is requested on the fullest node, in thousandths
 * @param mean the same share of each node, whichever resource is fuller, as the mean of all nodes
 * @param waiting the number of pods that were refused and wait
 * @param refused the number of pods that were ever refused
 */
record Figures(int nodes, int used, int fullest, int mean, int waiting, long refused) {
  /** No cluster. */
  static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0);

  private static final List<String> RESOURCES = List.of("cpu", "memory");
  private static final double THOUSAND = 1_000;

  /**
   * The figures of a cluster.
   *
   * @param daemons the uids of pods that belong to their nodes
   */
  static Figures of(Cluster cluster, Set<String> daemons, int waiting, long refused) {
    int nodes = 0;
    int used = 0;
    double fullest = 0;
    double sum = 0;
    for (NodeEntry node : cluster.fleet().nodes().values()) {
      if (node.facts == null) {
        continue;
      }
      nodes++;
      used += isUsed(node, daemons) ? 1 : 0;
      double share = share(node);
      fullest = Math.max(fullest, share);
      sum += share;
    }
    return new Figures(
        nodes,
        used,
        (int) Math.round(fullest * THOUSAND),
        nodes == 0 ? 0 : (int) Math.round(sum / nodes * THOUSAND),
        waiting,
        refused);
  }

  private static boolean isUsed(NodeEntry node, Set<String> daemons) {
    for (PodEntry pod : node.pods) {
      if (!pod.reserved && !daemons.contains(pod.uid())) {
        return true;
      }
    }
    return false;
  }

  private static double share(NodeEntry node) {
    Map<String, Long> all = node.facts.allocatable();
    double share = 0;
    for (String resource : RESOURCES) {
      long of = all.getOrDefault(resource, 0L);
      if (of > 0) {
        share = Math.max(share, (double) node.used.getOrDefault(resource, 0L) / of);
      }
    }
    return share;
  }
}
