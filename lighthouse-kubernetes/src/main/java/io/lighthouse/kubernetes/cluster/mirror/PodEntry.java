package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A pod that is known, and where it is. */
public final class PodEntry {
  public PodFacts facts;

  /** The node it is bound to, assumed on, or has room reserved on; null where it has none. */
  public String node;

  /** Whether this scheduler has put it there, and no event has shown it bound yet. */
  public boolean assumed;

  /** Whether it only waits for room that another scheduler has made for it there. */
  public boolean reserved;

  /** The counts that it is in: none while its node is not known. */
  final List<PodCount> counts = new ArrayList<>();

  /** The groups that the engine has it in. */
  Set<String> groups = Set.of();

  /** Whether the engine has it. */
  public boolean placed;

  public PodEntry(PodFacts facts) {
    this.facts = facts;
  }

  public String uid() {
    return facts.pod.uid();
  }

  public boolean waits() {
    return (node == null || reserved) && !facts.deleting;
  }
}
