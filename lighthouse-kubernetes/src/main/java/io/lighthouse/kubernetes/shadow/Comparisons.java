package io.lighthouse.kubernetes.shadow;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.decide.NodeComparison;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.watch.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;

/**
 * Compares each decision of the other scheduler with that of Lighthouse.
 *
 * <p><b>A binding</b> is compared in the state just before it became known, with the pods that are
 * known as bound by then. The other scheduler decided a little earlier, perhaps with bindings of
 * its own under way, and bindings may become known in another order than they were decided. So a
 * node that Lighthouse refuses is checked again after each change for the time {@link
 * Limits#settle}, also when the pod has ended by then. If it fits once, the refusal is no
 * difference of verdict. Nor is it one where the node fits in the cluster as it was before a node
 * changed or a pod ended within that time ({@link RecentChanges}).
 *
 * <p><b>A refusal</b> is compared when the condition {@code PodScheduled} shows it. If Lighthouse
 * has a node for the pod for the time {@link Limits#patience} without a pause, and the pod still
 * waits, it was left waiting.
 *
 * <p>For one thread at a time.
 */
final class Comparisons {
  /** The largest number of refused nodes that are checked again after each change. */
  private static final int MOST_REFUSED = 256;

  /** The largest number of waiting pods that are checked in one turn. */
  private static final int MOST_WAITING_CHECKS = 64;

  /** The shortest time between two checks of the waiting pods, in nanoseconds. */
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

  /** The time between two figures of the clusters, in nanoseconds. */
  private static final long SAMPLE_EVERY = TimeUnit.SECONDS.toNanos(5);

  private static final String UNSTEADY = " (a pod had just ended, or a node had just changed)";

  private static final String LEFT_WAITING = "left waiting";

  private final ClusterPair pair;
  private final Cluster there;
  private final String scheduler;
  private final ShadowFindings findings;
  private final Limits limits;
  private final LongSupplier nanos;

  /** By the uid of the pod, the oldest first. */
  private final Map<String, RefusedNode> refusedNodes = new LinkedHashMap<>();

  /** The pods that the other scheduler has refused, by uid; checked in turn. */
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  /** The refused pods that need no further check, by uid; it outlives these comparisons. */
  private final Set<String> reported;

  private boolean isPruned;

  private final RecentBindings recent;
  private final RecentChanges recentChanges;

  private long everRefused;
  private long checkedAt;
  private long sampledAt;

  /** When a pod ended or a node changed last. */
  private long changedAt;

  /**
   * How long the comparisons wait.
   *
   * @param settle for bindings that were under way
   * @param patience for the other scheduler to place a pod that has a node
   */
  record Limits(Duration settle, Duration patience) {
    /** Longer than the stock scheduler's calls and its pause between tries. */
    static final Limits STANDARD = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(30));
  }

  /**
   * A pod on a node that Lighthouse refused.
   *
   * @param isUnsteady whether a pod had just ended or a node had just changed
   */
  private record RefusedNode(
      String pod,
      String node,
      PodFacts waiting,
      NodeComparison comparison,
      long at,
      boolean isUnsteady) {}

  /** A pod that the other scheduler has refused. */
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

  Comparisons(
      ClusterPair pair,
      String scheduler,
      ShadowFindings findings,
      Set<String> reported,
      Limits limits,
      LongSupplier nanos) {
    this.pair = pair;
    there = pair.there();
    this.scheduler = scheduler;
    this.findings = findings;
    this.reported = reported;
    this.limits = limits;
    this.nanos = nanos;
    recent = new RecentBindings(there);
    recentChanges = new RecentChanges(there);
    checkedAt = nanos.getAsLong() - PAUSE;
    sampledAt = nanos.getAsLong() - SAMPLE_EVERY;
    changedAt = nanos.getAsLong() - limits.settle.toNanos();
  }

  /**
   * A pod has come or changed.
   *
   * @param isNew whether it was not known before
   * @param isSynced whether the whole cluster is known
   */
  void podChanged(String uid, JsonNode pod, boolean isNew, boolean isSynced) {
    String node = ObjectFields.node(pod);
    boolean isOthers = ObjectFields.text(pod.path("spec"), "schedulerName").equals(scheduler);
    boolean isFollowed = isOthers && (isNew ? node.isEmpty() : pair.isFollowed(uid));
    WaitingPod before = there.waitingPod(uid).orElse(null);
    if (ObjectFields.isDeleting(pod)) {
      changedAt = nanos.getAsLong();
    }
    if (ClusterPair.isOver(pod) && (ClusterPair.isFinished(pod) || !isDeleting(uid))) {
      ends(uid);
    }
    if (node.isEmpty()) {
      pair.podChanged(uid, pod, isFollowed);
      if (isFollowed) {
        stillWaits(uid, pod, isSynced);
      }
    } else if (!isFollowed || before == null) {
      pair.podChanged(uid, pod, isFollowed);
      if (isNew && isOthers && isSynced) {
        findings.count(ComparisonOutcome.SEEN_BOUND);
      }
    } else if (isSynced) {
      waitsNoMore(uid);
      bound(uid, ObjectFields.key(pod), pod, node);
    } else {
      waitsNoMore(uid);
      pair.podChanged(uid, pod, false);
    }
    checkRefusedNodes();
  }

  /** Whether a pod was being deleted already. */
  private boolean isDeleting(String uid) {
    PodFacts before = there.facts(uid);
    return before != null && before.deleting;
  }

  private void waitsNoMore(String uid) {
    waiting.remove(uid);
    reported.remove(uid);
  }

  private void bound(String uid, String name, JsonNode pod, String node) {
    NodeComparison comparison;
    try {
      comparison = there.questions().compare(there.waitingEntry(uid), node);
    } catch (LighthouseException failed) {
      findings.add(ComparisonOutcome.FAILED, name, node, "", "failure", failed.toString());
      pair.podChanged(uid, pod, false);
      return;
    }
    boolean isSupported = comparison.kind() != NodeComparison.Kind.UNSUPPORTED;
    pair.podChanged(uid, pod, isSupported);
    pair.place(uid);
    PodFacts waited = PodFacts.of(ClusterPair.unbound(pod));
    boolean isRefused =
        comparison.kind() == NodeComparison.Kind.REFUSED
            || comparison.kind() == NodeComparison.Kind.NO_NODE;
    recent.add(waited, node, nanos.getAsLong(), isRefused);
    switch (comparison.kind()) {
      case SAME -> findings.count(ComparisonOutcome.SAME_NODE);
      case ONLY -> findings.count(ComparisonOutcome.ONLY_NODE);
      case EQUAL -> findings.count(ComparisonOutcome.AS_GOOD);
      case RANKED -> add(ComparisonOutcome.RANKED, name, node, comparison);
      case UNSUPPORTED -> add(ComparisonOutcome.NOT_SUPPORTED, name, node, comparison);
      case REFUSED, NO_NODE -> {
        long now = nanos.getAsLong();
        String undone = recentChanges.undoneUntilFits(waited, node, now - limits.settle.toNanos());
        if (!undone.isEmpty()) {
          addUnderWay(name, node, comparison, "as things were before " + undone);
          return;
        }
        if (refusedNodes.size() == MOST_REFUSED) {
          report(refusedNodes.remove(refusedNodes.keySet().iterator().next()));
        }
        boolean isUnsteady = now - changedAt < limits.settle.toNanos();
        refusedNodes.put(uid, new RefusedNode(name, node, waited, comparison, now, isUnsteady));
      }
    }
  }

  private void add(ComparisonOutcome outcome, String pod, String there, NodeComparison comparison) {
    findings.add(outcome, pod, there, comparison.node(), comparison.by(), comparison.reason());
  }

  private void addUnderWay(String pod, String there, NodeComparison comparison, String when) {
    String reason = comparison.reason() + " (the node fits " + when + ")";
    findings.add(
        ComparisonOutcome.BINDINGS_UNDER_WAY,
        pod,
        there,
        comparison.node(),
        comparison.by(),
        reason);
  }

  /** A pod waits still; the other scheduler may have refused it. */
  private void stillWaits(String uid, JsonNode pod, boolean isSynced) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (ObjectFields.text(condition, "type").equals("PodScheduled")
          && ObjectFields.text(condition, "reason").equals("Unschedulable")
          && !waiting.containsKey(uid)) {
        Waiting refused =
            new Waiting(ObjectFields.key(pod), ObjectFields.text(condition, "message"));
        waiting.put(uid, refused);
        if (!isSynced) {
          pair.placeLater(uid);
          return;
        }
        everRefused++;
        pair.place(uid);
        check(uid, refused, new HashMap<>());
        if (!refused.fits && !reported.contains(uid)) {
          findings.count(ComparisonOutcome.BOTH_WAIT);
        }
      }
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
    } else if (now - pod.fitsSince >= limits.patience.toNanos()) {
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

  /** A pod ends; to be called before the clusters know. */
  private void ends(String uid) {
    PodFacts before = there.facts(uid);
    if (before != null && !before.nodeName.isEmpty()) {
      recentChanges.podEnded(before, nanos.getAsLong());
    }
  }

  /** A pod has gone; to be called before it goes from the clusters. */
  void podGone(String uid) {
    waitsNoMore(uid);
    ends(uid);
    pair.podGone(uid);
    changed();
  }

  /** A node has come or changed. */
  void nodeChanged(JsonNode node) {
    String name = ObjectFields.key(node);
    NodeFacts before = there.fleet().facts(name);
    pair.changed(Resource.NODES, name, node);
    // Also where it has less: the other scheduler may have decided before.
    if (!there.fleet().facts(name).equals(before)) {
      if (before != null) {
        recentChanges.nodeChanged(before, nanos.getAsLong());
      }
      changed();
    }
  }

  /** A claim or another thing has changed, or a node has gone. */
  void changed() {
    changedAt = nanos.getAsLong();
    checkRefusedNodes();
  }

  private boolean fitsInPlace(RefusedNode refused) {
    try {
      return there.fitsInPlace(refused.waiting, refused.node, List.of());
    } catch (LighthouseException failed) {
      return false; // A strategy or a plug-in failed: the refusal stands.
    }
  }

  /** Checks the refused nodes again. */
  private void checkRefusedNodes() {
    if (refusedNodes.isEmpty()) {
      return;
    }
    long now = nanos.getAsLong();
    for (Map.Entry<String, RefusedNode> entry : List.copyOf(refusedNodes.entrySet())) {
      RefusedNode refused = entry.getValue();
      if (fitsInPlace(refused)) {
        refusedNodes.remove(entry.getKey());
        addUnderWay(refused.pod, refused.node, refused.comparison, "after a later change");
      } else if (now - refused.at >= limits.settle.toNanos()) {
        refusedNodes.remove(entry.getKey());
        report(refused);
      }
    }
  }

  private void report(RefusedNode refused) {
    if (refused == null) {
      return;
    }
    NodeComparison comparison = refused.comparison;
    long since = refused.at - limits.settle.toNanos();
    if (!limits.settle.isZero() && recent.fitInSomeOrder(refused.waiting, since)) {
      String when = "in another order of the last bindings";
      addUnderWay(refused.pod, refused.node, comparison, when);
      return;
    }
    boolean hasNode = comparison.kind() == NodeComparison.Kind.REFUSED;
    findings.add(
        hasNode ? ComparisonOutcome.NODE_REFUSED : ComparisonOutcome.NO_NODE,
        refused.pod,
        refused.node,
        comparison.node(),
        comparison.by(),
        comparison.reason() + (refused.isUnsteady ? UNSTEADY : ""));
  }

  /** What time brings. To be called often. */
  void turn() {
    checkRefusedNodes();
    long now = nanos.getAsLong();
    if (now - checkedAt < PAUSE) {
      return;
    }
    checkedAt = now;
    if (!isPruned) {
      // Pods that have gone while nothing was watched.
      reported.retainAll(waiting.keySet());
      isPruned = true;
    }
    pair.retry();
    List<String> some = new ArrayList<>();
    for (Map.Entry<String, Waiting> entry : waiting.entrySet()) {
      if (!reported.contains(entry.getKey()) && some.size() < MOST_WAITING_CHECKS) {
        some.add(entry.getKey());
      }
    }
    Map<String, Set<String>> gangs = new HashMap<>();
    for (String uid : some) {
      Waiting pod = waiting.remove(uid);
      waiting.put(uid, pod);
      check(uid, pod, gangs);
    }
    if (now - sampledAt >= SAMPLE_EVERY) {
      sampledAt = now;
      findings.sample(pair.figuresThere(waiting.size(), everRefused), pair.figuresOurs());
    }
  }

  /** Reports what is not yet reported. */
  void end() {
    refusedNodes.values().forEach(this::report);
    refusedNodes.clear();
    findings.sample(pair.figuresThere(waiting.size(), everRefused), pair.figuresOurs());
  }
}
