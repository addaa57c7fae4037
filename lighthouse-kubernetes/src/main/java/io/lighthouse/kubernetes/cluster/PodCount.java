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

  /** The only namespaces that its pods can be of; null for any. */
  abstract Iterable<String> namespaces();

  /** Whether a pod on a node is to be counted. */
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
