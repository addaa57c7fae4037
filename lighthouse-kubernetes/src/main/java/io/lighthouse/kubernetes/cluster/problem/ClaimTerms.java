package io.lighthouse.kubernetes.cluster.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import io.lighthouse.kubernetes.cluster.volume.PodClaims;
import io.lighthouse.kubernetes.cluster.volume.VolumeRules;
import io.lighthouse.kubernetes.cluster.volume.VolumeZones;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a pod's claims say of it in a problem. The nodes that reach its volumes, and their zones,
 * are conditions. A claim of one pod alone is a group with at most one member. A claim without a
 * volume leaves the nodes out that have none for it now. How many volumes a node holds is not said.
 */
final class ClaimTerms {
  private final VolumeRules rules;
  private final Function<String, Collection<String>> values;

  /**
   * The terms of a cluster's claims.
   *
   * @param values the values that a label has on the nodes
   */
  ClaimTerms(VolumeRules rules, Function<String, Collection<String>> values) {
    this.rules = rules;
    this.values = values;
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
    if (!claims.delayed().isEmpty()) {
      VolumeRules.Unfit unfit = rules.unfit(claims);
      Set<String> nodes = new TreeSet<>(unfit.unmatched());
      nodes.addAll(unfit.full());
      if (!nodes.isEmpty()) {
        where.add(new Condition.NotIn(Rule.NODE, nodes));
      }
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
