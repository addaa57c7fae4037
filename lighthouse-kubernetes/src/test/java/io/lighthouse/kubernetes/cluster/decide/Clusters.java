package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Clusters of one profile, and what tests ask them. */
public final class Clusters {
  private Clusters() {}

  /** A profile with the preferences of the stock scheduler. */
  static Profiles.Profile standard(String strategy) {
    return new Profiles.Profile(
        strategy, List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone"), true);
  }

  /** An empty cluster that places the pods of all names, and preempts nothing. */
  public static Cluster of(Distributors.Builder engine) {
    return of(engine, false, PodFacts.Reads.NEITHER);
  }

  /** The same; it reads claims to devices. */
  public static Cluster withDevices(Distributors.Builder engine) {
    return of(engine, false, new PodFacts.Reads(false, true));
  }

  /** An empty cluster that places the pods of all names. */
  static Cluster withPreemption(Distributors.Builder engine) {
    return of(engine, true, PodFacts.Reads.NEITHER);
  }

  private static Cluster of(Distributors.Builder engine, boolean preempts, PodFacts.Reads reads) {
    String strategy = engine.build().strategy().name();
    return Cluster.withProfiles(
        new Profiles(Map.of("", standard(strategy))), names -> engine, preempts, reads);
  }

  /** A fresh list of everything: what is not in it has gone. */
  public static void replaceAll(
      Cluster cluster,
      Collection<? extends JsonNode> nodes,
      Collection<? extends JsonNode> pods,
      Collection<? extends JsonNode> namespaces) {
    gone(cluster.pods.keySet(), pods, "uid").forEach(cluster::podGone);
    gone(cluster.fleet().nodes().keySet(), nodes, "name").forEach(cluster::nodeGone);
    gone(cluster.namespaces.keySet(), namespaces, "name").forEach(cluster::namespaceGone);
    namespaces.forEach(cluster::namespaceChanged);
    nodes.forEach(cluster::nodeChanged);
    pods.forEach(cluster::podChanged);
  }

  private static List<String> gone(
      Set<String> known, Collection<? extends JsonNode> fresh, String name) {
    Set<String> there =
        fresh.stream()
            .map(object -> object.path("metadata").path(name).asString(""))
            .collect(Collectors.toSet());
    return known.stream().filter(one -> !there.contains(one)).toList();
  }

  /** The pods without a node that ask for a scheduler, in the order of their turns. */
  static List<WaitingPod> waiting(Cluster cluster, String schedulerName) {
    return cluster.pods().stream()
        .filter(PodEntry::waits)
        .map(entry -> entry.facts.pod)
        .filter(pod -> pod.schedulerName().equals(schedulerName))
        .sorted(WaitingPod.TURNS)
        .toList();
  }

  /** Why each node would not do for a pod; nothing where it fits. */
  public static Map<String, List<String>> verdicts(Cluster cluster, String uid) {
    Map<String, List<String>> reasons = new LinkedHashMap<>();
    cluster
        .questions()
        .verdicts(cluster.waitingEntry(uid))
        .forEach((node, verdict) -> reasons.put(node, verdict.reasons()));
    return reasons;
  }

  /** Why a known node would not do for a pod; nothing where it fits. */
  public static List<String> verdict(Cluster cluster, String uid, String node) {
    return Objects.requireNonNull(verdicts(cluster, uid).get(node), node);
  }
}
