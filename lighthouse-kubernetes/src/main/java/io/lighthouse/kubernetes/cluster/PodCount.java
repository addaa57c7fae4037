package io.lighthouse.kubernetes.cluster;

import java.util.LinkedHashSet;
import java.util.Set;

/** Placed pods that a constraint counts: a group of the engine, kept in step with the cluster. */
abstract class PodCount {
  /** The name of the group. */
  final String group;

  /** In the order in which they came. */
  final Set<PodEntry> members = new LinkedHashSet<>();

  /** When it was last asked for, in decisions. */
  long lastUsed;

  PodCount(String group) {
    this.group = group;
  }

  /** Whether its selectors match pods of a namespace with some labels. */
  abstract boolean selects(LabelledPods.Key pods);

  /** Whether a pod that its selectors match is to be counted on a node. */
  abstract boolean counts(PodFacts pod, NodeFacts node);

  void add(PodEntry pod, NodeFacts node) {
    members.add(pod);
  }

  void remove(PodEntry pod, NodeFacts node) {
    members.remove(pod);
  }

  void nodeCame(NodeFacts node) {}

  void nodeLeft(NodeFacts node) {}
}
