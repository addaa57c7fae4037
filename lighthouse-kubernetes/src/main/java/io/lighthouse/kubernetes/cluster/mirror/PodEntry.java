package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** A pod that is known, and where it is. */
public final class PodEntry {
  public PodFacts facts;

  /** The node it is bound to, assumed on, or has room reserved on; null where it has none. */
  public String node;

  /** Whether this scheduler has put it there, and no event has shown it bound yet. */
  public boolean assumed;

  /** Whether it only waits for room that a scheduler has made for it there. */
  public boolean reserved;

  /**
   * The node that this scheduler has nominated it to, where no event has shown that yet; null where
   * it has not.
   */
  public String nominatedTo;

  /** The pod that this scheduler evicts it for; null where it does not. */
  public PodEntry evictedFor;

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

  /** The node that it is nominated to; empty where it is nominated to none. */
  public String nominated() {
    return nominatedTo != null ? nominatedTo : facts.nominated;
  }

  /**
   * Whether the room that is reserved for it counts for a newcomer, which is another pod of at most
   * its priority.
   */
  public boolean keepsRoomFrom(PodFacts newcomer) {
    return !uid().equals(newcomer.pod.uid())
        && facts.pod.priority() >= newcomer.pod.priority()
        && !facts.deleting;
  }

  /** Whether it is in one of some groups of the engine. */
  public boolean isInAnyOf(Set<String> some) {
    return !Collections.disjoint(groups, some);
  }

  public boolean waits() {
    return (node == null || reserved) && !facts.deleting;
  }
}
