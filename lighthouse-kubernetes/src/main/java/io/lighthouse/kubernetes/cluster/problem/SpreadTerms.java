package io.lighthouse.kubernetes.cluster.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rule;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.mirror.MirroredFleet;
import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.mirror.SpreadPods;
import io.lighthouse.kubernetes.cluster.object.LabelLevels;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.SpreadConstraint;
import io.lighthouse.kubernetes.cluster.object.Taint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the hard spreads of pods say in a problem. A spread is {@code skew} by the level of its
 * label. Where that would count pods or domains that the scheduler does not count, it has a level
 * of its own, which only the nodes that count are in. The pod fits none of the others.
 *
 * <p>A node without a resource that such a pod requests has 0 of it. Then its zone counts, as for
 * the scheduler.
 */
final class SpreadTerms {
  private final MirroredFleet fleet;
  private final PodSelections selections;

  /** By what a spread counts: its level. */
  private final Map<Counted, String> levels = new HashMap<>();

  /** Those that count an unschedulable node, as it has no taint that leaves it out. */
  private final Set<Counted> countUnschedulable = new HashSet<>();

  /** The levels of their own, by what they leave out. */
  private final Map<Own, String> own = new LinkedHashMap<>();

  /** What pods with hard spreads request. */
  private final Set<String> requested = new TreeSet<>();

  /**
   * What a spread counts.
   *
   * @param pods the pods
   * @param domains whether it counts domains, too ({@code minDomains})
   */
  private record Counted(SpreadPods.Key pods, boolean domains) {
    static Counted of(PodFacts pod, SpreadConstraint spread) {
      return new Counted(SpreadPods.Key.of(pod, spread), spread.minDomains() > 1);
    }
  }

  /**
   * A level of its own.
   *
   * @param key the label whose values are the domains
   * @param without the names of the nodes with the label that are not in it
   */
  private record Own(String key, Set<String> without) {}

  SpreadTerms(Cluster cluster, PodSelections selections) {
    fleet = cluster.fleet();
    this.selections = selections;
    for (PodEntry pod : cluster.pods()) {
      for (SpreadConstraint spread : pod.facts.spreads) {
        if (spread.hard()) {
          levels.computeIfAbsent(Counted.of(pod.facts, spread), this::findLevel);
          requested.addAll(pod.facts.request.keySet());
        }
      }
    }
  }

  private String findLevel(Counted counted) {
    String key = counted.pods().key();
    Set<String> without = new TreeSet<>();
    Set<String> domains = new HashSet<>();
    Set<String> otherDomains = new HashSet<>();
    boolean hasPods = false;
    for (NodeEntry node : fleet.nodes().values()) {
      if (node.facts == null || !node.facts.labels().containsKey(key)) {
        continue;
      }
      boolean isIncluded = counted.pods().includes(node.facts);
      (isIncluded ? domains : otherDomains).add(node.facts.labels().get(key));
      if (!isIncluded) {
        without.add(node.facts.name());
        hasPods |= node.pods.stream().anyMatch(pod -> isCounted(pod.facts, counted.pods()));
      } else if (node.facts.unschedulable()) {
        countUnschedulable.add(counted);
      }
    }
    if (!hasPods && (!counted.domains() || domains.containsAll(otherDomains))) {
      return LabelLevels.level(key);
    }
    int number = own.size() + 1;
    return own.computeIfAbsent(
        new Own(key, without), none -> "spread: " + key + " (" + number + ")");
  }

  private boolean isCounted(PodFacts pod, SpreadPods.Key counted) {
    return !pod.deleting && selections.isAmong(pod, counted.pods());
  }

  void addTerms(PodFacts pod, SpreadConstraint spread, List<Condition> where, List<Rule> to) {
    String level = levels.get(Counted.of(pod, spread));
    if (spread.selector().matchesEverything()) {
      // The scheduler counts no pods by an empty selector.
      where.add(new Condition.Somewhere(level));
    } else {
      String group = selections.spread(pod, spread);
      to.add(new Rule.Skew(spread.maxSkew(), group, level, spread.minDomains()));
    }
  }

  /**
   * Why a spread may count a zone that {@code skew} does not count, as the pod can never go there;
   * empty where none is.
   *
   * @param hasVolumes whether its volumes limit where it may go
   */
  String inexact(PodFacts pod, SpreadConstraint spread, boolean hasVolumes) {
    if (spread.selector().matchesEverything()) {
      return "";
    }
    if (!spread.honorsTaints() || !spread.honorsAffinity()) {
      return "nodeAffinityPolicy and nodeTaintsPolicy Honor";
    }
    if (hasVolumes) {
      return "its volumes";
    }
    if (pod.affinity.stream().anyMatch(term -> fleet.nodesWith(term.key()) < fleet.size())) {
      return "the labels of its pod affinity";
    }
    boolean isUnschedulable =
        countUnschedulable.contains(Counted.of(pod, spread)) && !pod.tolerates(Taint.UNSCHEDULABLE);
    return isUnschedulable ? "nodes that are unschedulable and have no taint" : "";
  }

  /** What a node lacks that pods with spreads request: 0 of it. */
  Map<String, Quantity> left(NodeEntry node) {
    Map<String, Quantity> left = new TreeMap<>();
    for (String resource : requested) {
      if (!node.facts.allocatable().containsKey(resource) && !node.used.containsKey(resource)) {
        left.put(resource, Quantity.ZERO);
      }
    }
    return left;
  }

  /** A node in the domains of the levels that it counts for. */
  Node withLevels(Node node, NodeFacts facts) {
    Node in = node;
    for (Map.Entry<Own, String> level : own.entrySet()) {
      String value = facts.labels().get(level.getKey().key());
      if (value != null && !level.getKey().without().contains(facts.name())) {
        in = in.in(level.getValue(), LabelLevels.domain(value));
      }
    }
    return in;
  }
}
