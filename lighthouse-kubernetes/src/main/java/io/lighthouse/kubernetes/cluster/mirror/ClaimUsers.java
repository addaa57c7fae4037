package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The pods on known nodes that use claims, by claim and by node. Pods that only have room reserved
 * are kept apart. Pods without claims cost nothing here.
 */
public final class ClaimUsers {
  private final Map<String, Set<PodEntry>> byClaim = new HashMap<>();
  private final Map<String, Set<PodEntry>> byNode = new HashMap<>();
  private final Set<PodEntry> reserved = new LinkedHashSet<>();

  /** Gets each node whose pods with claims change. */
  private Consumer<String> listener = node -> {};

  /** Sets what gets each node whose pods with claims change. */
  public void onChange(Consumer<String> listener) {
    this.listener = listener;
  }

  void add(PodEntry pod) {
    if (pod.facts.claims.isEmpty()) {
      return;
    }
    if (pod.reserved) {
      reserved.add(pod);
      return;
    }
    for (PodFacts.Claim claim : pod.facts.claims) {
      byClaim.computeIfAbsent(claim.key(), none -> new LinkedHashSet<>()).add(pod);
    }
    byNode.computeIfAbsent(pod.node, none -> new LinkedHashSet<>()).add(pod);
    listener.accept(pod.node);
  }

  void remove(PodEntry pod, String node) {
    if (pod.facts.claims.isEmpty() || reserved.remove(pod)) {
      return;
    }
    for (PodFacts.Claim claim : pod.facts.claims) {
      drop(byClaim, claim.key(), pod);
    }
    drop(byNode, node, pod);
    listener.accept(node);
  }

  private static void drop(Map<String, Set<PodEntry>> pods, String key, PodEntry pod) {
    Set<PodEntry> some = pods.get(key);
    if (some != null && some.remove(pod) && some.isEmpty()) {
      pods.remove(key);
    }
  }

  /** The pods that use a claim. */
  public Collection<PodEntry> ofClaim(String claim) {
    return byClaim.getOrDefault(claim, Set.of());
  }

  /** The pods on a node that use claims. */
  public Collection<PodEntry> onNode(String node) {
    return byNode.getOrDefault(node, Set.of());
  }

  /** The pods with claims that have room reserved. */
  public Collection<PodEntry> reserved() {
    return reserved;
  }
}
