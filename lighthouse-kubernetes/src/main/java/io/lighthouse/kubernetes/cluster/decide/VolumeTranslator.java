package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import io.lighthouse.kubernetes.cluster.mirror.PodsWithClaim;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
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
 * Translates a pod's claims into terms of the engine:
 *
 * <ul>
 *   <li>a claim of one pod alone is {@code most} 0 of the pods that use it, in the whole fleet.
 *   <li>The nodes that reach a volume, and its zones, are conditions on labels.
 *   <li>Nodes with too many volumes, and nodes without a volume for a claim, are left out by name.
 * </ul>
 */
final class VolumeTranslator {
  private final VolumeRules rules;
  private final Function<PodsWithClaim.Key, String> group;
  private final Function<NodeSelection, List<Condition>> conditions;

  /**
   * A translator.
   *
   * @param group returns the group of the pods that use a claim
   * @param conditions translates a selection of nodes
   */
  VolumeTranslator(
      VolumeRules rules,
      Function<PodsWithClaim.Key, String> group,
      Function<NodeSelection, List<Condition>> conditions) {
    this.rules = rules;
    this.group = group;
    this.conditions = conditions;
  }

  /** Translates the claims of a newcomer, but not how many volumes a node may hold. */
  void translate(Newcomer newcomer) {
    if (newcomer.facts.claims.isEmpty()) {
      return;
    }
    PodClaims claims = rules.claims(newcomer.facts);
    if (!claims.refusal().isEmpty()) {
      newcomer.refuseEverywhere(RefusalCause.preFilter(claims.refusal()));
      return;
    }
    for (ClaimFacts claim : claims.oncePod()) {
      if (rules.isInUse(claim)) {
        String users = group.apply(new PodsWithClaim.Key(claim.key()));
        newcomer.rule(new Rule.Most(0, users, Rule.FLEET), RefusalCause.CLAIM_IN_USE);
      }
    }
    addBound(newcomer, claims.bound());
    addDelayed(newcomer, rules.unfit(claims));
    for (ClaimFacts claim : claims.named()) {
      VolumeFacts volume = rules.volumes().volume(claim.volume());
      newcomer.where(VolumeZones.conditions(volume), RefusalCause.VOLUME_ZONE);
    }
  }

  /** Leaves out the nodes that would hold too many volumes, among all nodes. */
  void leaveOutFull(Newcomer newcomer) {
    if (!newcomer.facts.claims.isEmpty() && newcomer.everywhere() == null) {
      leaveOut(newcomer, rules.attached().fullFor(newcomer.facts), RefusalCause.VOLUME_COUNT);
    }
  }

  private void addDelayed(Newcomer newcomer, VolumeRules.Unfit unfit) {
    for (NodeSelection selection : unfit.topologies()) {
      newcomer.where(conditions.apply(selection), RefusalCause.NO_VOLUME);
    }
    leaveOut(newcomer, unfit.unmatched(), RefusalCause.NO_VOLUME);
    leaveOut(newcomer, unfit.full(), RefusalCause.NO_STORAGE);
  }

  private void leaveOut(Newcomer newcomer, Set<String> nodes, RefusalCause means) {
    if (nodes.isEmpty()) {
      return;
    }
    Set<String> all = rules.allNodes();
    if (nodes.size() * 2 <= all.size()) {
      newcomer.where(new Condition.NotIn(Rule.NODE, nodes), means);
    } else {
      Set<String> others = new TreeSet<>(all);
      others.removeAll(nodes);
      newcomer.where(new Condition.In(Rule.NODE, others), means);
    }
  }

  /** Of a claim whose volume is gone the stock scheduler says so where the claims before it fit. */
  private void addBound(Newcomer newcomer, List<ClaimFacts> bound) {
    Set<String> fit = null;
    for (int i = 0; i < bound.size(); i++) {
      VolumeFacts volume = rules.volumes().volume(bound.get(i).volume());
      if (volume == null) {
        fit = rules.allNodes();
        for (ClaimFacts before : bound.subList(0, i)) {
          fit = intersection(fit, rules.reaching(before));
        }
        leaveOut(newcomer, fit, RefusalCause.VOLUME_GONE);
        return;
      }
      newcomer.where(conditions.apply(volume.nodes()), RefusalCause.VOLUME_NODE);
    }
  }

  private static Set<String> intersection(Set<String> some, Collection<String> others) {
    Set<String> both = new TreeSet<>(some);
    both.retainAll(others);
    return both;
  }
}
