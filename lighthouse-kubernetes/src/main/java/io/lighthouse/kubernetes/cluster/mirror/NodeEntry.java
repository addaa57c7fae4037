package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A node that is known, or that a pod names; and the pods on it. */
public final class NodeEntry {
  /** Null where only pods name it. */
  public NodeFacts facts;

  /** In the order in which they came. */
  public final Set<PodEntry> pods = new LinkedHashSet<>();

  /** What the pods on it hold, pods themselves included; nothing of 0 is in it. */
  public final Map<String, Long> used = new TreeMap<>();

  /**
   * What the engine has as its capacity, wards left out: allocatable, and 0 of other resources that
   * pods hold, or have held since the node last changed.
   */
  final Map<String, Long> capacity = new TreeMap<>();

  /** The share of its fullest common resource that is in use; negative where not yet computed. */
  private double load = -1;

  /** The share of its fullest common resource that is in use. */
  public double load() {
    if (load < 0) {
      load = ResourceUse.largestShare(used, capacity);
    }
    return load;
  }

  /** What is in use, or what there is, has changed. */
  void loadChanged() {
    load = -1;
  }

  /** By how much the use of a resource exceeds what there is of it; 0 or less where it does not. */
  long excess(String resource) {
    return used.getOrDefault(resource, 0L) - capacity.getOrDefault(resource, 0L);
  }

  boolean fits(Map<String, Long> request) {
    if (used.getOrDefault(NodeFacts.PODS, 0L) >= capacity.getOrDefault(NodeFacts.PODS, 0L)) {
      return false;
    }
    for (Map.Entry<String, Long> entry : request.entrySet()) {
      if (excess(entry.getKey()) + entry.getValue() > 0) {
        return false;
      }
    }
    return true;
  }
}
