package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.LinkedHashSet;
import java.util.Set;

/** Placed pods that a constraint counts: a group of the engine, kept in step with the cluster. */
public abstract class PodCount {
  /** The name of the group. */
  public final String group;

  /** In the order in which they came. */
  public final Set<PodEntry> members = new LinkedHashSet<>();

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

  public void nodeCame(NodeFacts node) {}

  void nodeLeft(NodeFacts node) {}
}
