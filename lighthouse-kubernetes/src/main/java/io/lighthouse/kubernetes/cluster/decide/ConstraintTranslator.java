package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import io.lighthouse.kubernetes.cluster.device.ClusterDevices;
import io.lighthouse.kubernetes.cluster.mirror.EngineWords;
import io.lighthouse.kubernetes.cluster.mirror.MirroredFleet;
import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodCount;
import io.lighthouse.kubernetes.cluster.mirror.PodCounts;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodsWithClaim;
import io.lighthouse.kubernetes.cluster.mirror.SelectedPods;
import io.lighthouse.kubernetes.cluster.mirror.SpreadPods;
import io.lighthouse.kubernetes.cluster.object.HostPort;
import io.lighthouse.kubernetes.cluster.object.LabelLevels;
import io.lighthouse.kubernetes.cluster.object.LabelSelector;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.PodTerm;
import io.lighthouse.kubernetes.cluster.object.SpreadConstraint;
import io.lighthouse.kubernetes.cluster.object.Taint;
import io.lighthouse.kubernetes.cluster.preference.ImageLocality;
import io.lighthouse.kubernetes.cluster.preference.NodeImages;
import io.lighthouse.kubernetes.cluster.preference.PodOwners;
import io.lighthouse.kubernetes.cluster.volume.VolumeRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Translates a pod's constraints into terms of the engine, for the cluster as it is at the pod's
 * turn. Only the newcomer has rules; placed pods are members of groups:
 *
 * <ul>
 *   <li>a host port is {@code most} 0 of the pods that take it on the node.
 *   <li>Required anti-affinity is {@code most} 0 of the pods that it selects, and {@code most} 0 of
 *       the pods whose anti-affinity selects the newcomer. The nodes of nominated pods that it
 *       selects are left out by name.
 *   <li>Required affinity is {@code least} 1 of the pods that <em>all</em> its terms select, by
 *       each term's label. The first pod of its kind needs only the labels.
 *   <li>Volume claims are translated by {@link VolumeTranslator}, claims to devices by {@link
 *       DeviceTranslator}.
 *   <li>A spread is {@code most} (floor + maxSkew - itself) of the pods that it counts; {@link
 *       SpreadPods} keeps the floor.
 * </ul>
 */
final class ConstraintTranslator {
  /** The largest number of translated selections that are kept. */
  private static final int MOST_SELECTIONS = 1024;

  private final MirroredFleet fleet;
  final PodCounts counts;
  private final Function<String, Map<String, String>> namespaceLabels;
  private final VolumeRules rules;
  private final VolumeTranslator volumes;
  private final DeviceTranslator devices;
  private final PodOwners owners;
  private final ImageLocality images;
  private final Profiles profiles;

  /** The translated selections, for the present {@link #vocabulary}. */
  private final Map<NodeSelection, List<Condition>> conditions = new LinkedHashMap<>();

  private long vocabulary = -1;

  ConstraintTranslator(
      MirroredFleet fleet,
      PodCounts counts,
      VolumeRules rules,
      ClusterDevices devices,
      PodOwners owners,
      NodeImages images,
      Profiles profiles,
      Function<String, Map<String, String>> namespaceLabels) {
    this.fleet = fleet;
    this.counts = counts;
    this.owners = owners;
    this.images = new ImageLocality(fleet, images);
    this.profiles = profiles;
    this.namespaceLabels = namespaceLabels;
    this.rules = rules;
    volumes = new VolumeTranslator(rules, this::users, this::conditions);
    this.devices = new DeviceTranslator(devices, () -> fleet.nodes().keySet(), this::conditions);
  }

  /** Translates for all nodes. */
  Newcomer translate(PodFacts facts) {
    Newcomer newcomer = required(facts);
    volumes.leaveOutFull(newcomer);
    addPreferences(newcomer);
    return newcomer;
  }

  /** Translates for one node, in the cluster as it would be without some pods of that node. */
  Newcomer translate(PodFacts facts, String node, Set<PodEntry> without) {
    return without(required(facts), node, without);
  }

  /** What a pod requires of all nodes, but for the number of volumes. */
  private Newcomer required(PodFacts facts) {
    Newcomer newcomer = new Newcomer(facts);
    newcomer.where(conditions(facts.selection), RefusalCause.SELECTION);
    for (HostPort port : facts.ports) {
      if (port.address().equals(HostPort.EVERY)) {
        newcomer.rule(new Rule.Most(0, port.group(), Rule.NODE), RefusalCause.PORTS);
      } else {
        for (String address : List.of(HostPort.EVERY, port.address())) {
          newcomer.rule(new Rule.Most(0, port.groupAt(address), Rule.NODE), RefusalCause.PORTS);
        }
      }
    }
    volumes.translate(newcomer);
    addHardSpreads(newcomer);
    addAffinity(newcomer);
    for (PodTerm term : facts.antiAffinity) {
      newcomer.rule(most(0, selected(term.pods()).group, term.key()), RefusalCause.ANTI_AFFINITY);
    }
    Set<String> kept = nodesKeptFrom(facts);
    if (!kept.isEmpty()) {
      newcomer.where(new Condition.NotIn(Rule.NODE, kept), RefusalCause.ANTI_AFFINITY);
    }
    Map<String, String> labels = namespaceLabels.apply(facts.pod.namespace());
    for (PodTerm term : counts.against(facts, labels == null ? Map.of() : labels)) {
      newcomer.rule(most(0, PodCounts.carriers(term), term.key()), RefusalCause.EXISTING);
    }
    devices.translate(newcomer);
    return newcomer;
  }

  /**
   * A newcomer for one node, in the cluster as it would be without some pods of that node. Whether
   * the newcomer is the first of its kind depends on the pods that are there, and so does whether
   * the node holds too many volumes. All other rules name groups, which the engine counts.
   *
   * <p>The bound of a spread does not change. The removal may make the node's domain the emptiest.
   * Then the node satisfies the spread by the old bound and by the new one.
   *
   * @param newcomer the newcomer for all nodes, with all pods
   */
  Newcomer without(Newcomer newcomer, String node, Set<PodEntry> pods) {
    PodFacts facts = newcomer.facts;
    boolean isFirst = newcomer.selectsItself && isAlone(facts, pods);
    if (!isFirst && facts.claims.isEmpty()) {
      return newcomer;
    }
    Newcomer left = newcomer.onOneNode(isFirst);
    if (hasTooManyVolumes(facts, node, pods)) {
      left.where(new Condition.NotIn(Rule.NODE, Set.of(node)), RefusalCause.VOLUME_COUNT);
    }
    return left;
  }

  /** Whether a node would hold too many volumes with those of a pod, if other pods had left it. */
  boolean hasTooManyVolumes(PodFacts facts, String node, Set<PodEntry> without) {
    return !facts.claims.isEmpty() && rules.attached().isFullFor(facts, node, without);
  }

  private static Rule most(int most, String group, String key) {
    return new Rule.Most(most, group, LabelLevels.level(key));
  }

  private List<Condition> conditions(NodeSelection selection) {
    if (vocabulary != fleet.vocabulary() || conditions.size() > MOST_SELECTIONS) {
      vocabulary = fleet.vocabulary();
      conditions.clear();
    }
    return conditions.computeIfAbsent(selection, one -> List.copyOf(one.conditions(fleet::values)));
  }

  private void addHardSpreads(Newcomer newcomer) {
    PodFacts facts = newcomer.facts;
    for (int i = 0; i < facts.spreads.size(); i++) {
      SpreadConstraint constraint = facts.spreads.get(i);
      if (constraint.hard()) {
        newcomer.where(
            new Condition.Somewhere(LabelLevels.level(constraint.key())),
            RefusalCause.spreadLabel(i));
        SpreadPods spread = spread(SpreadPods.Key.of(facts, constraint));
        int self = constraint.selector().matches(facts.labels) ? 1 : 0;
        long most = (long) spread.floor(constraint.minDomains()) + constraint.maxSkew() - self;
        int bounded = (int) Math.min(Integer.MAX_VALUE, most);
        newcomer.rule(most(bounded, spread.group, constraint.key()), RefusalCause.spread(i));
      }
    }
  }

  private void addAffinity(Newcomer newcomer) {
    PodFacts facts = newcomer.facts;
    if (facts.affinity.isEmpty()) {
      return;
    }
    newcomer.selectsItself = selectsItself(facts);
    boolean first = newcomer.selectsItself && isAlone(facts, Set.of());
    for (PodTerm term : facts.affinity) {
      String level = LabelLevels.level(term.key());
      newcomer.where(new Condition.Somewhere(level), RefusalCause.AFFINITY);
      if (!first) {
        newcomer.rule(new Rule.Least(1, affine(facts).group, level), RefusalCause.AFFINITY);
      }
    }
  }

  /** The nodes with room for a pod that the anti-affinity of a newcomer is about. */
  private Set<String> nodesKeptFrom(PodFacts facts) {
    if (facts.antiAffinity.isEmpty()) {
      return Set.of();
    }
    Set<String> nodes = new TreeSet<>();
    for (PodEntry pod : fleet.reserved()) {
      NodeFacts node = fleet.facts(pod.node);
      if (node != null && pod.keepsRoomFrom(facts)) {
        Map<String, String> labels = namespaceLabels.apply(pod.facts.pod.namespace());
        for (PodTerm term : facts.antiAffinity) {
          if (node.labels().containsKey(term.key()) && pod.facts.isAmong(term.pods(), labels)) {
            nodes.add(node.name());
          }
        }
      }
    }
    return nodes;
  }

  private SelectedPods affine(PodFacts facts) {
    return selected(
        new SelectedPods.Key(facts.affinity.stream().map(PodTerm::pods).toList(), false));
  }

  /** Whether no pod that the affinity selects is on a node with one of the labels. */
  private boolean isAlone(PodFacts facts, Set<PodEntry> without) {
    for (PodEntry pod : affine(facts).members) {
      if (without.contains(pod)) {
        continue;
      }
      Map<String, String> labels = fleet.facts(pod.node).labels();
      for (PodTerm term : facts.affinity) {
        if (labels.containsKey(term.key())) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean selectsItself(PodFacts facts) {
    Map<String, String> labels = namespaceLabels.apply(facts.pod.namespace());
    for (PodTerm term : facts.affinity) {
      if (!facts.isAmong(term.pods(), labels)) {
        return false;
      }
    }
    return true;
  }

  /** Soft taints, then terms by weight, then soft spreads or else the default one, then images. */
  private void addPreferences(Newcomer newcomer) {
    PodFacts facts = newcomer.facts;
    for (Taint taint : fleet.softTaints()) {
      if (!facts.tolerates(taint)) {
        newcomer.prefers(
            new Rule.Where(List.of(new Condition.Nowhere(EngineWords.softLevel(taint)))),
            "PreferNoSchedule taint");
      }
    }
    for (PodFacts.Preference preference : facts.preferences) {
      if (preference.nodes() != null) {
        List<Condition> conditions = NodeSelection.conditions(preference.nodes(), fleet::values);
        if (!conditions.isEmpty()) {
          newcomer.prefers(new Rule.Where(conditions), "preferred node affinity");
        }
      } else {
        String group = selected(preference.pods().pods()).group;
        String level = LabelLevels.level(preference.pods().key());
        if (preference.against()) {
          newcomer.prefers(new Rule.Most(0, group, level), "preferred pod anti-affinity");
        } else {
          newcomer.prefers(new Rule.Least(1, group, level), "preferred pod affinity");
        }
      }
    }
    for (SpreadConstraint constraint : facts.spreads) {
      if (!constraint.hard()) {
        PodTerm.Pods of = PodTerm.Pods.of(facts.pod.namespace(), constraint.selector());
        String group = selected(new SelectedPods.Key(List.of(of), true)).group;
        newcomer.prefers(
            new Rule.Skew(0, group, LabelLevels.level(constraint.key()), 1),
            "ScheduleAnyway spread");
      }
    }
    Profiles.Profile profile = profiles.of(facts.pod);
    if (facts.spreads.isEmpty() && !profile.spreadBy().isEmpty()) {
      addDefaultSpread(newcomer, profile.spreadBy());
    }
    if (profile.prefersImages()) {
      images.preferences(facts.images).forEach(rule -> newcomer.prefers(rule, "ImageLocality"));
    }
  }

  /**
   * Pods of a Service or controller are spread. A node without the label has no such pods beside
   * it, as for the stock scheduler. Where all nodes have the label, {@code skew} gives the same
   * order as {@code most}, and the engine finds the best nodes by bitmaps.
   */
  private void addDefaultSpread(Newcomer newcomer, List<String> keys) {
    LabelSelector selector = owners.selector(newcomer.facts);
    if (selector.matchesEverything()) {
      return;
    }
    PodTerm.Pods of = PodTerm.Pods.of(newcomer.facts.pod.namespace(), selector);
    String group = selected(new SelectedPods.Key(List.of(of), true)).group;
    for (String key : keys) {
      int labelled = fleet.nodesWith(key);
      if (labelled > 0) {
        String level = LabelLevels.level(key);
        newcomer.prefers(
            labelled == fleet.size()
                ? new Rule.Skew(0, group, level, 1)
                : new Rule.Most(0, group, level),
            "default spread");
      }
    }
  }

  // ---- counts, made when they are first asked for ----

  private SelectedPods selected(PodTerm.Pods of) {
    return selected(new SelectedPods.Key(List.of(of), false));
  }

  SelectedPods selected(SelectedPods.Key key) {
    PodCount kept = counts.find(key);
    return (SelectedPods) (kept != null ? kept : made(key, new SelectedPods(key, namespaceLabels)));
  }

  private String users(PodsWithClaim.Key key) {
    PodCount kept = counts.find(key);
    return (kept != null ? kept : made(key, new PodsWithClaim(key))).group;
  }

  SpreadPods spread(SpreadPods.Key key) {
    PodCount kept = counts.find(key);
    return (SpreadPods) (kept != null ? kept : made(key, new SpreadPods(key)));
  }

  /** Counts the pods that are there; those enter its group. */
  private PodCount made(Object key, PodCount count) {
    for (NodeEntry node : fleet.nodes().values()) {
      if (node.facts != null) {
        count.nodeCame(node.facts);
      }
    }
    counts.keep(key, count, fleet::facts).forEach(fleet::regroup);
    return count;
  }

  private void drop(Object key) {
    counts.drop(key).forEach(fleet::regroup);
  }

  /** Drops the counts that are too many. Between decisions only: newcomers name groups. */
  void tidy() {
    counts.superfluous().forEach(this::drop);
  }

  /** The labels of a namespace are others: what they decided is counted anew when asked for. */
  void namespacesChanged() {
    counts.selectingNamespaces().forEach(this::drop);
    counts.forgetAgainst();
  }
}
