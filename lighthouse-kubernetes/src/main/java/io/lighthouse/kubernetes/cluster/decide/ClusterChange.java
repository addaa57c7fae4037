package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What an event changes that may let a refused pod fit ({@link Filter#helpedBy}). */
public enum ClusterChange {
  NODE_ADDED,
  NODE_REMOVED,
  /** A node has more of some resource. */
  NODE_ALLOCATABLE,
  NODE_LABELS,
  /** Other taints, or {@code spec.unschedulable}. */
  NODE_TAINTS,
  /** A pod is bound. */
  POD_ARRIVED,
  /** A pod is on a node no more, or room reserved for one is free. */
  POD_LEFT,
  /** A pod on a node is being deleted. It keeps its room; spread constraints do not count it. */
  POD_ENDING,
  /** A pod on a node has other labels. */
  POD_LABELS,
  /** A pod on a node requests less of some resource. */
  POD_REQUEST,
  NAMESPACE_LABELS,
  /** A claim, a volume, or another object of the cluster's storage. */
  STORAGE,
  /** A PodGroup object, or a waiting pod has left its group. */
  POD_GROUP,
  /** A ResourceClaim has come, or is reserved for fewer pods. */
  RESOURCE_CLAIM,
  /**
   * A claim has given devices back or got some, or has gone; a ResourceSlice or DeviceClass has
   * changed; or devices are not kept for a pod any more.
   */
  DEVICES;

  /**
   * What has changed about a node.
   *
   * @param before null where it was not there
   */
  static Set<ClusterChange> ofNode(NodeFacts before, NodeFacts after) {
    if (before == null) {
      return EnumSet.of(NODE_ADDED);
    }
    Set<ClusterChange> changes = EnumSet.noneOf(ClusterChange.class);
    if (hasLess(before.allocatable(), after.allocatable())) {
      changes.add(NODE_ALLOCATABLE);
    }
    if (!before.labels().equals(after.labels())) {
      changes.add(NODE_LABELS);
    }
    if (before.unschedulable() != after.unschedulable()
        || !before.taints().equals(after.taints())) {
      changes.add(NODE_TAINTS);
    }
    return changes;
  }

  /** A pod as it counts: its facts, and the node that it is on, or null. */
  record Seen(PodFacts facts, String node, boolean reserved) {
    static final Seen NOT_THERE = new Seen(null, null, false);

    /** Whether other pods do not get the devices that it may need. */
    boolean keepsDevices() {
      return reserved && facts.mayNeedDevices();
    }

    /** The {@link WaitingPod#groupKey} of the group in which it waits; empty for none. */
    Optional<String> waitsIn() {
      boolean waits = facts != null && !facts.deleting && (node == null || reserved);
      return waits ? facts.pod.groupKey() : Optional.empty();
    }
  }

  /**
   * What has changed about a pod. Where this scheduler has decided on a pod, it arrives when it is
   * seen bound.
   */
  static Set<ClusterChange> ofPod(Seen before, Seen after) {
    Set<ClusterChange> changes = EnumSet.noneOf(ClusterChange.class);
    if (after.facts != null
        && !after.facts.nodeName.isEmpty()
        && (before.facts == null || before.facts.nodeName.isEmpty())) {
      changes.add(POD_ARRIVED);
    }
    Optional<String> group = before.waitsIn();
    if (group.isPresent() && !group.equals(after.waitsIn())) {
      changes.add(POD_GROUP);
    }
    if (before.node == null) {
      return changes;
    }
    if (!before.node.equals(after.node)
        || after.reserved && after.facts.deleting
        || !before.facts.antiAffinity.equals(after.facts.antiAffinity)
        || !before.facts.ports.equals(after.facts.ports)) {
      changes.add(POD_LEFT);
      if (before.keepsDevices()) {
        changes.add(DEVICES);
      }
      return changes;
    }
    if (after.facts.deleting && !before.facts.deleting) {
      changes.add(POD_ENDING);
    }
    if (!before.facts.labels.equals(after.facts.labels)) {
      changes.add(POD_LABELS);
    }
    if (hasLess(after.facts.request, before.facts.request)) {
      changes.add(POD_REQUEST);
    }
    return changes;
  }

  /** Whether one has less of some resource than the other. */
  private static boolean hasLess(Map<String, Long> one, Map<String, Long> other) {
    return other.entrySet().stream()
        .anyMatch(entry -> one.getOrDefault(entry.getKey(), 0L) < entry.getValue());
  }
}
