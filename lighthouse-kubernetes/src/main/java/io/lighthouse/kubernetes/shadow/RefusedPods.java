package io.lighthouse.kubernetes.shadow;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;

/**
 * The pods that the other scheduler has refused, as the condition {@code PodScheduled} shows. If
 * Lighthouse has a node for one for the time of its patience without a pause, and the pod still
 * waits, it was left waiting.
 *
 * <p>For one thread at a time.
 */
final class RefusedPods {
  /** The largest number of pods that are checked in one turn. */
  private static final int MOST_CHECKS = 64;

  private static final String LEFT_WAITING = "left waiting";

  private final ClusterPair pair;
  private final Cluster there;
  private final ShadowFindings findings;
  private final Duration patience;
  private final LongSupplier nanos;

  /** By uid; checked in turn. */
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  /** Those that need no further check, by uid; it outlives these comparisons. */
  private final Set<String> reported;

  private boolean isPruned;
  private long ever;

  private static final class Waiting {
    final String pod;
    final String message;

    /** Since when Lighthouse has a node for it; empty where it has none. */
    long fitsSince;

    boolean fits;

    Waiting(String pod, String message) {
      this.pod = pod;
      this.message = message;
    }
  }

  RefusedPods(
      ClusterPair pair,
      ShadowFindings findings,
      Set<String> reported,
      Duration patience,
      LongSupplier nanos) {
    this.pair = pair;
    there = pair.there();
    this.findings = findings;
    this.reported = reported;
    this.patience = patience;
    this.nanos = nanos;
  }

  /** How many of them wait. */
  int size() {
    return waiting.size();
  }

  /** How many there were. */
  long ever() {
    return ever;
  }

  /** A pod is bound, or has gone. */
  void waitsNoMore(String uid) {
    waiting.remove(uid);
    reported.remove(uid);
  }

  /** A pod waits still; the other scheduler may have refused it. */
  void stillWaits(String uid, JsonNode pod, boolean isSynced) {
    JsonNode condition = ObjectFields.condition(pod, "PodScheduled");
    if (!ObjectFields.text(condition, "reason").equals("Unschedulable")
        || waiting.containsKey(uid)) {
      return;
    }
    Waiting refused = new Waiting(ObjectFields.key(pod), ObjectFields.text(condition, "message"));
    waiting.put(uid, refused);
    if (!isSynced) {
      pair.placeLater(uid);
      return;
    }
    ever++;
    pair.place(uid);
    check(uid, refused, new HashMap<>());
    if (!refused.fits && !reported.contains(uid)) {
      findings.count(ComparisonOutcome.BOTH_WAIT);
    }
  }

  /** Checks some of them, those first that were not checked for longest. */
  void turn() {
    if (!isPruned) {
      // Pods that have gone while nothing was watched.
      reported.retainAll(waiting.keySet());
      isPruned = true;
    }
    List<String> some =
        waiting.keySet().stream()
            .filter(uid -> !reported.contains(uid))
            .limit(MOST_CHECKS)
            .toList();
    Map<String, Set<String>> gangs = new HashMap<>();
    for (String uid : some) {
      Waiting pod = waiting.remove(uid);
      waiting.put(uid, pod);
      check(uid, pod, gangs);
    }
  }

  /**
   * Checks whether Lighthouse has a node for a pod.
   *
   * @param gangs by gang, the pods that would get a node with it, as far as known; more are added
   */
  private void check(String uid, Waiting pod, Map<String, Set<String>> gangs) {
    List<String> ranking;
    boolean fits;
    try {
      if (reported.contains(uid) || there.waitingPod(uid).isEmpty()) {
        return;
      }
      PodEntry entry = there.waitingEntry(uid);
      if (there.questions().isUnsupported(entry)) {
        reported.add(uid);
        findings.add(
            ComparisonOutcome.NOT_SUPPORTED,
            pod.pod,
            "",
            "",
            "not supported",
            "waits: " + pod.message);
        return;
      }
      ranking = there.questions().ranking(entry);
      fits = !ranking.isEmpty() && fitsWithGang(uid, gangs);
    } catch (LighthouseException failed) {
      reported.add(uid);
      findings.add(ComparisonOutcome.FAILED, pod.pod, "", "", "failure", failed.toString());
      return;
    }
    long now = nanos.getAsLong();
    if (!fits) {
      pod.fits = false;
    } else if (!pod.fits) {
      pod.fits = true;
      pod.fitsSince = now;
    } else if (now - pod.fitsSince >= patience.toNanos()) {
      reported.add(uid);
      findings.add(
          ComparisonOutcome.LEFT_WAITING, pod.pod, "", ranking.get(0), LEFT_WAITING, pod.message);
    }
  }

  /** Whether Lighthouse would place a pod that has a node with the rest of its gang, if any. */
  private boolean fitsWithGang(String uid, Map<String, Set<String>> gangs) {
    Optional<String> gang = there.gangKey(there.facts(uid).pod);
    return gang.isEmpty() || gangs.computeIfAbsent(gang.get(), key -> tryGang(uid)).contains(uid);
  }

  /** The pods of a pod's gang that Lighthouse would place now. They are taken back. */
  private Set<String> tryGang(String uid) {
    Set<String> placed = new HashSet<>();
    for (Decision decision : there.decide(List.of(uid))) {
      if (there.assumeFailed(decision.pod().uid())) {
        placed.add(decision.pod().uid());
      }
    }
    return placed;
  }
}
