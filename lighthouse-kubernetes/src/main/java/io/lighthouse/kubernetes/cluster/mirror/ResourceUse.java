package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the pods on some nodes request, and what these nodes have, by resource. */
final class ResourceUse {
  /** The resources that every node has; others do not count for the largest share. */
  private static final List<String> COMMON = List.of("cpu", "memory", NodeFacts.PODS);

  private final Map<String, Long> used = new TreeMap<>();
  private final Map<String, Long> allocatable = new TreeMap<>();

  void use(String resource, long units) {
    if (COMMON.contains(resource)) {
      used.merge(resource, units, Long::sum);
    }
  }

  /** Adds what a node has (1), or takes it back (-1). */
  void count(NodeFacts node, int by) {
    for (String resource : COMMON) {
      long units = node.allocatable().getOrDefault(resource, 0L);
      allocatable.merge(resource, by * units, Long::sum);
    }
  }

  double largestShare() {
    return largestShare(used, allocatable);
  }

  /** The largest share that is in use of a common resource; 0 where there is none of it. */
  static double largestShare(Map<String, Long> used, Map<String, Long> capacity) {
    double largest = 0;
    for (String resource : COMMON) {
      long has = capacity.getOrDefault(resource, 0L);
      if (has > 0) {
        largest = Math.max(largest, (double) used.getOrDefault(resource, 0L) / has);
      }
    }
    return largest;
  }
}
