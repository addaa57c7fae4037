package io.lighthouse.kubernetes.cluster.problem;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.PodTerm;
import io.lighthouse.kubernetes.cluster.object.SpreadConstraint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The groups that stand for selections of pods. All pods that a selection is about are members, but
 * for placed ones that the rule does not count: ending pods, and pods on a node that lacks its
 * labels. Rules that count the same pods have the same group.
 */
final class PodSelections {
  /** Longer names of groups are cut, and numbered. */
  private static final int LONGEST = 200;

  private final Cluster cluster;
  private final Map<Counted, Group> byCount = new HashMap<>();

  /** In the order in which rules name them. */
  private final Map<Members, Group> groups = new LinkedHashMap<>();

  /**
   * What a rule counts.
   *
   * @param pods all of them have to be about a pod
   * @param alive whether ending pods do not count
   * @param keys the labels of which a node has to have one; none where that does not matter
   */
  private record Counted(List<PodTerm.Pods> pods, boolean alive, Set<String> keys) {
    boolean counts(PodFacts pod, NodeFacts node) {
      return !(alive && pod.deleting)
          && (keys.isEmpty() || keys.stream().anyMatch(node.labels()::containsKey));
    }
  }

  /**
   * The members of a group.
   *
   * @param pods all of them are about a member
   * @param without the placed pods that are no members all the same
   */
  private record Members(List<PodTerm.Pods> pods, Set<PodEntry> without) {}

  /**
   * A group.
   *
   * @param name its name in the problem
   * @param isByNode whether a pod that may be moved does not count because of the node that it is
   *     on
   */
  record Group(String name, boolean isByNode) {}

  PodSelections(Cluster cluster) {
    this.cluster = cluster;
    cluster.pods().forEach(pod -> nameAll(pod.facts));
  }

  /** Makes the groups that the rules of a pod name. */
  private void nameAll(PodFacts pod) {
    pod.antiAffinity.forEach(term -> group(term.pods()));
    affine(pod);
    pod.spreads.forEach(spread -> spread(pod, spread));
    for (PodFacts.Preference preference : pod.preferences) {
      if (preference.pods() != null) {
        group(preference.pods().pods());
      }
    }
  }

  /** The pods that a selection is about. */
  String group(PodTerm.Pods pods) {
    return group(new Counted(List.of(pods), false, Set.of())).name();
  }

  /**
   * The pods that all required affinity of a pod is about, on nodes with one of its labels; null
   * where it has none.
   */
  Group affine(PodFacts pod) {
    if (pod.affinity.isEmpty()) {
      return null;
    }
    List<PodTerm.Pods> pods = pod.affinity.stream().map(PodTerm::pods).distinct().toList();
    Set<String> keys = new TreeSet<>();
    pod.affinity.forEach(term -> keys.add(term.key()));
    return group(new Counted(pods, false, keys));
  }

  /** The pods that a spread of a pod counts, on whatever node. */
  String spread(PodFacts pod, SpreadConstraint spread) {
    PodTerm.Pods pods = PodTerm.Pods.of(pod.pod.namespace(), spread.selector());
    return group(new Counted(List.of(pods), true, Set.of())).name();
  }

  private Group group(Counted counted) {
    return byCount.computeIfAbsent(counted, this::find);
  }

  private Group find(Counted counted) {
    Set<PodEntry> without = new HashSet<>();
    for (PodEntry pod : cluster.pods()) {
      NodeFacts node = pod.node == null ? null : cluster.fleet().facts(pod.node);
      if (node != null && !counted.counts(pod.facts, node) && isAmong(pod.facts, counted.pods())) {
        without.add(pod);
      }
    }
    int number = groups.size() + 1;
    return groups.computeIfAbsent(
        new Members(counted.pods(), without),
        members ->
            new Group(
                name(members, number), without.stream().anyMatch(pod -> !pod.facts.belongsToNode)));
  }

  private static String name(Members members, int number) {
    String text =
        "pods: "
            + String.join(" and ", members.pods().stream().map(PodTerm.Pods::toString).toList());
    if (text.length() > LONGEST) {
      // A name holds no half of a pair of surrogates.
      int end = text.offsetByCodePoints(LONGEST + 1, -1);
      return text.substring(0, end) + "... (" + number + ")";
    }
    return members.without().isEmpty() ? text : text + " (" + number + ")";
  }

  /** Whether a selection is about a pod. */
  boolean isAmong(PodFacts pod, PodTerm.Pods pods) {
    return pod.isAmong(pods, cluster.namespaceLabels(pod.pod.namespace()));
  }

  private boolean isAmong(PodFacts pod, List<PodTerm.Pods> all) {
    return all.stream().allMatch(pods -> isAmong(pod, pods));
  }

  /** The names of the groups that a pod is a member of. */
  Set<String> of(PodEntry pod) {
    Set<String> names = new TreeSet<>();
    groups.forEach(
        (members, group) -> {
          if (!members.without().contains(pod) && isAmong(pod.facts, members.pods())) {
            names.add(group.name());
          }
        });
    return names;
  }
}
