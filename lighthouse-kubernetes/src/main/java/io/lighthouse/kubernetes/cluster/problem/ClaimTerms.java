package io.lighthouse.kubernetes.cluster.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import io.lighthouse.kubernetes.cluster.volume.PodClaims;
import io.lighthouse.kubernetes.cluster.volume.VolumeRules;
import io.lighthouse.kubernetes.cluster.volume.VolumeZones;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a pod's claims say of it in a problem. The nodes that reach its volumes, and their zones,
 * are conditions. A claim of one pod alone is a group with at most one member. A claim without a
 * volume leaves the nodes out that have none for it now. How many volumes of a CSI driver a node
 * takes is a resource; a volume that two pods on a node share counts twice in it.
 */
final class ClaimTerms {
  private final VolumeRules rules;
  private final Function<String, Collection<String>> values;

  /** The drivers of volumes that pods use and whose number some node limits. */
  private final Set<String> drivers = new TreeSet<>();

  /**
   * The terms of a cluster's claims.
   *
   * @param values the values that a label has on the nodes
   */
  ClaimTerms(
      VolumeRules rules, Collection<PodEntry> pods, Function<String, Collection<String>> values) {
    this.rules = rules;
    this.values = values;
    Set<String> limited = new TreeSet<>();
    rules.allNodes().forEach(node -> limited.addAll(rules.volumes().limits(node).keySet()));
    pods.forEach(pod -> drivers.addAll(rules.attached().ofPod(pod.facts).keySet()));
    drivers.retainAll(limited);
  }

  private static String resource(String driver) {
    return "volumes:" + driver;
  }

  /** What a pod requires, its volumes included. */
  Resources required(PodFacts pod, Resources others) {
    Resources required = others;
    for (Map.Entry<String, Integer> entry : rules.attached().ofPod(pod).entrySet()) {
      if (drivers.contains(entry.getKey())) {
        required = required.with(resource(entry.getKey()), entry.getValue());
      }
    }
    return required;
  }

  /** What is left of the volumes that a node takes. */
  Map<String, Quantity> left(String node, Collection<PodEntry> pods) {
    if (drivers.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> limits = rules.volumes().limits(node);
    Map<String, Integer> used = new HashMap<>(rules.attached().besidesPods(node));
    for (PodEntry pod : pods) {
      rules
          .attached()
          .ofPod(pod.facts)
          .forEach((driver, count) -> used.merge(driver, count, Integer::sum));
    }
    Map<String, Quantity> left = new TreeMap<>();
    for (String driver : drivers) {
      Long limit = limits.get(driver);
      left.put(
          resource(driver),
          limit == null
              ? Quantity.INFINITY
              : Quantity.of(Math.max(0, limit - used.getOrDefault(driver, 0))));
    }
    return left;
  }

  private static String group(ClaimFacts claim) {
    return "claim: " + claim.key();
  }

  void addTerms(PodFacts pod, List<Condition> where, List<Rule> to) {
    if (pod.claims.isEmpty()) {
      return;
    }
    PodClaims claims = rules.claims(pod);
    for (ClaimFacts claim : claims.oncePod()) {
      to.add(new Rule.Most(1, group(claim), Rule.FLEET));
    }
    for (ClaimFacts claim : claims.bound()) {
      VolumeFacts volume = rules.volumes().volume(claim.volume());
      if (volume != null) {
        where.addAll(volume.nodes().conditions(values));
      }
    }
    for (ClaimFacts claim : claims.named()) {
      where.addAll(VolumeZones.conditions(rules.volumes().volume(claim.volume())));
    }
    VolumeRules.Unfit unfit = rules.unfit(claims);
    unfit.topologies().forEach(selection -> where.addAll(selection.conditions(values)));
    Set<String> nodes = new TreeSet<>(unfit.unmatched());
    nodes.addAll(unfit.full());
    if (!nodes.isEmpty()) {
      where.add(new Condition.NotIn(Rule.NODE, nodes));
    }
  }

  /** The groups of a pod: the claims that it uses and no other pod may use. */
  Set<String> groups(PodFacts pod) {
    Set<String> groups = new TreeSet<>();
    if (!pod.claims.isEmpty()) {
      rules.claims(pod).oncePod().forEach(claim -> groups.add(group(claim)));
    }
    return groups;
  }
}
