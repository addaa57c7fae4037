package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Finds the node on which evicting pods for one newcomer does the least harm, among all nodes.
 *
 * <p>On a node, all pods of a lower priority are removed first. Where the newcomer fits then, they
 * are put back one by one, those that violate a disruption budget first, and each group with the
 * most important pod first. A pod without which only the newcomer fits is a victim.
 *
 * <p>The harm grows with each victim. A node is given up as soon as its harm cannot be below that
 * of the best node so far. The result is the same as without that.
 *
 * <p>Source: the plug-in DefaultPreemption of kube-scheduler 1.36.
 */
final class VictimSearch {
  /** The most important pod first: by priority, then by age. */
  static final Comparator<PodEntry> IMPORTANCE =
      Comparator.<PodEntry>comparingInt(pod -> pod.facts.pod.priority())
          .reversed()
          .thenComparing(pod -> pod.facts.started)
          .thenComparing(PodEntry::uid);

  /**
   * The victims on a node.
   *
   * @param pods in the order of importance
   */
  record Victims(String node, List<PodEntry> pods, Harm harm) {}

  private final RemovalTrial trial;
  private final DisruptionBudgets budgets;
  private final int priority;

  /** Null while no node has been found. */
  private Victims best;

  VictimSearch(RemovalTrial trial, DisruptionBudgets budgets, int priority) {
    this.trial = trial;
    this.budgets = budgets;
    this.priority = priority;
  }

  /** The best node of those that were tried, and its victims; null where there is none. */
  Victims best() {
    return best;
  }

  /** The pods on a node that may be evicted for the newcomer, the most important first. */
  List<PodEntry> evictable(NodeEntry node) {
    List<PodEntry> pods = new ArrayList<>(node.pods.size());
    for (PodEntry pod : node.pods) {
      if (!pod.reserved && pod.facts.pod.priority() < priority) {
        pods.add(pod);
      }
    }
    pods.sort(IMPORTANCE);
    return pods;
  }

  /**
   * Tries a node. Of nodes that do equal harm, the one tried first stays the best.
   *
   * @param evictable the pods on it that may be evicted, the most important first; at least one
   */
  void tryNode(NodeEntry node, List<PodEntry> evictable) {
    RemovalTrial.OnNode without = trial.on(node);
    if (best != null && bound(without, evictable).compareTo(best.harm) >= 0) {
      return;
    }
    evictable.forEach(without::remove);
    if (!without.fits()) {
      return;
    }
    Set<PodEntry> violating = budgets.violatedBy(evictable);
    List<PodEntry> victims = new ArrayList<>();
    int violations = 0;
    for (PodEntry pod : violatingFirst(evictable, violating)) {
      if (!without.spares(pod)) {
        victims.add(pod);
        violations += violating.contains(pod) ? 1 : 0;
        if (best != null && atLeast(violations, victims).compareTo(best.harm) >= 0) {
          return;
        }
      }
    }
    if (victims.isEmpty()) {
      // It fits as it is, and so was refused for another reason.
      return;
    }
    victims.sort(IMPORTANCE);
    Harm harm = Harm.of(violations, victims);
    if (best == null || harm.compareTo(best.harm) < 0) {
      best = new Victims(node.facts.name(), victims, harm);
    }
  }

  private static List<PodEntry> violatingFirst(List<PodEntry> pods, Set<PodEntry> violating) {
    List<PodEntry> ordered = new ArrayList<>(pods);
    ordered.sort(Comparator.comparing(pod -> !violating.contains(pod)));
    return ordered;
  }

  /** The harm with at least these victims; their start is not compared, more may be younger. */
  private static Harm atLeast(int violations, List<PodEntry> victims) {
    Harm harm = Harm.of(violations, victims);
    return new Harm(violations, harm.highest(), harm.sum(), harm.victims(), Instant.MAX);
  }

  /**
   * A bound of the harm: by the number of victims that the resources alone need, and the priority
   * that one of them has. With the priority alone, 1,000 pods that evict three others each took 1.8
   * times the processor time on 1,000 nodes (scheduler_perf, PreemptionPVs, 2026-11-29).
   */
  private static Harm bound(RemovalTrial.OnNode without, List<PodEntry> evictable) {
    int victims = without.fewestVictims(evictable);
    int last = evictable.size() - 1;
    int lowest = evictable.get(last).facts.pod.priority();
    Instant latest = evictable.get(evictable.size() - victims).facts.started;
    without.remove(evictable.get(last));
    while (last > 0 && !without.hasResources()) {
      without.remove(evictable.get(--last));
    }
    int highest = evictable.get(last).facts.pod.priority();
    // Pods of one priority stand by their start, so the earliest of these victims has this one or
    // an earlier one.
    return Harm.atLeast(victims, lowest, highest, highest == lowest ? latest : Instant.MAX);
  }
}
