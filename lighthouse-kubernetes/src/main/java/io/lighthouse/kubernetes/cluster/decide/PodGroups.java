package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.PodGroupFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The PodGroup objects that are known, the pods that name each group, and what the objects make of
 * them. A group that labels name needs no object: all its pods are a gang.
 */
final class PodGroups {
  private static final Comparator<PodEntry> TURNS =
      Comparator.comparing((PodEntry entry) -> entry.facts.pod, WaitingPod.TURNS);

  /** By namespace and name. */
  private final Map<String, PodGroupFacts> known = new HashMap<>();

  /**
   * The pods that name a group. To search all pods for them took 1.1 ms for each decision among
   * 20,000 pods of gangs, and this 0.1 ms (2026-11-29).
   */
  private final PodsByGroup<PodEntry> pods = new PodsByGroup<>();

  /** A group has come or changed. Returns whether that may help a pod. */
  boolean changed(String key, PodGroupFacts group) {
    return !group.equals(known.put(key, group));
  }

  /** A group has gone. */
  void gone(String key) {
    known.remove(key);
  }

  /**
   * The gang that a pod is a member of, as the groups are now.
   *
   * @return its {@link WaitingPod#groupKey}; empty where the pod is placed alone
   */
  Optional<String> gangKey(WaitingPod pod) {
    boolean isMember = !isOfObject(pod) || minCount(pod) > 0;
    return isMember ? pod.groupKey() : Optional.empty();
  }

  /** Whether a pod names a PodGroup object. */
  static boolean isOfObject(WaitingPod pod) {
    return pod.gang().isPresent() && pod.gang().get().isObject();
  }

  /**
   * How many pods of a pod's PodGroup need a node; 0 where that is not known, or does not count.
   */
  private int minCount(WaitingPod pod) {
    return group(pod).map(PodGroupFacts::minCount).orElse(0);
  }

  /** Whether a pod names a PodGroup object that is not there. */
  boolean lacksGroup(WaitingPod pod) {
    return isOfObject(pod) && group(pod).isEmpty();
  }

  /** What of its group keeps a pod from being placed at all; empty for nothing. */
  String unsupported(WaitingPod pod) {
    return group(pod)
        .filter(group -> !group.unsupported().isEmpty())
        .map(group -> "PodGroup " + pod.gang().get().name() + ": " + group.unsupported())
        .orElse("");
  }

  private Optional<PodGroupFacts> group(WaitingPod pod) {
    return isOfObject(pod)
        ? Optional.ofNullable(known.get(pod.namespace() + "/" + pod.gang().get().name()))
        : Optional.empty();
  }

  // ---- the pods of a gang ----

  /** A pod is known. One that is known already keeps its place in its group. */
  void podCame(PodEntry entry) {
    pods.add(entry.facts.pod, entry);
  }

  /** A pod is not known any more, or is about to name another group. */
  void podLeaves(PodEntry entry) {
    pods.remove(entry.facts.pod, entry);
  }

  /** The members of the gangs in a queue, by gang and in the order of turns. */
  Map<String, List<PodEntry>> members(Collection<PodEntry> queue) {
    Map<String, List<PodEntry>> gangs = new HashMap<>();
    for (PodEntry entry : queue) {
      gangKey(entry.facts.pod).ifPresent(gang -> gangs.computeIfAbsent(gang, this::members));
    }
    return gangs;
  }

  private List<PodEntry> members(String gang) {
    return counted(gang).sorted(TURNS).toList();
  }

  private Stream<PodEntry> counted(String gang) {
    return pods.of(gang).stream().filter(PodGroups::counts);
  }

  /**
   * Whether a pod counts as a member of its gang. As for the stock scheduler, a PodGroup has a
   * bound pod until it has ended. A pod that ends before it is bound does not count.
   */
  private static boolean counts(PodEntry entry) {
    return !entry.facts.deleting || isOfObject(entry.facts.pod) && !entry.facts.nodeName.isEmpty();
  }

  /** Whether as many pods of a PodGroup have a node as have to have one; false for other gangs. */
  boolean hasMinCount(WaitingPod pod) {
    return isOfObject(pod)
        && counted(pod.groupKey().orElseThrow()).filter(entry -> !entry.waits()).count()
            >= minCount(pod);
  }

  /** How many pods a gang has to have. */
  int wanted(List<PodEntry> members) {
    int wanted = Math.max(1, minCount(members.get(0).facts.pod));
    for (PodEntry member : members) {
      wanted = Math.max(wanted, member.facts.pod.gang().orElseThrow().members());
    }
    return wanted;
  }

  /**
   * Why a gang is not placed, whatever room there is: fewer pods are there than it has to have, or
   * a member of a gang by labels cannot be placed.
   *
   * @param canBePlaced whether there may be a node for a waiting member
   * @return empty for a gang that may be placed
   */
  String obstacle(List<PodEntry> members, Predicate<PodEntry> canBePlaced) {
    WaitingPod first = members.get(0).facts.pod;
    int wanted = wanted(members);
    if (members.size() < wanted) {
      return hasOnly(first) + members.size() + " of " + wanted + " pods";
    }
    boolean isWhole =
        isOfObject(first) || members.stream().filter(PodEntry::waits).allMatch(canBePlaced);
    return isWhole ? "" : hasOnly(first) + "a member that cannot be placed";
  }

  /**
   * The obstacles of the gangs of waiting pods, by {@link WaitingPod#groupKey}; none of a gang that
   * may be placed.
   *
   * @param all all pods that are known
   */
  Map<String, String> obstacles(Collection<PodEntry> all, Predicate<PodEntry> canBePlaced) {
    List<PodEntry> waiting = all.stream().filter(PodEntry::waits).toList();
    Map<String, String> obstacles = new HashMap<>();
    members(waiting)
        .forEach((gang, members) -> obstacles.put(gang, obstacle(members, canBePlaced)));
    obstacles.values().removeIf(String::isEmpty);
    return obstacles;
  }

  /** What a message about the gang of a pod begins with. */
  static String hasOnly(WaitingPod member) {
    return "pod group " + member.gang().orElseThrow().name() + " has only ";
  }
}
