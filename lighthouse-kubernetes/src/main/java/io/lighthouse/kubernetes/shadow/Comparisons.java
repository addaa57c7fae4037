package io.lighthouse.kubernetes.shadow;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.NodeComparison;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * <p><b>A refusal</b> is compared by {@link RefusedPods}.
 *
 * <p>For one thread at a time.
 */
final class Comparisons {
  /** The largest number of refused nodes that are checked again after each change. */
  private static final int MOST_REFUSED = 256;

  /** The shortest time between two checks of the waiting pods, in nanoseconds. */
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

  private static final String UNSTEADY = " (a pod had just ended, or a node had just changed)";

  private final ClusterPair pair;
  private final Cluster there;
  private final String scheduler;
  private final ShadowFindings findings;
  private final Limits limits;
  private final LongSupplier nanos;

  /** By the uid of the pod, the oldest first. */
  private final Map<String, RefusedNode> refusedNodes = new LinkedHashMap<>();

  private final RefusedPods refusedPods;
  private final RecentBindings recent;
  private final RecentChanges recentChanges;

  private long checkedAt;

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
    this.limits = limits;
    this.nanos = nanos;
    refusedPods = new RefusedPods(pair, findings, reported, limits.patience, nanos);
    recent = new RecentBindings(there);
    recentChanges = new RecentChanges(there);
    checkedAt = nanos.getAsLong() - PAUSE;
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
    if (ClusterPair.isOver(pod) && (PodFacts.isFinished(pod) || !isDeleting(uid))) {
      ends(uid);
    }
    if (node.isEmpty()) {
      pair.podChanged(uid, pod, isFollowed);
      if (isFollowed) {
        refusedPods.stillWaits(uid, pod, isSynced);
      }
    } else if (!isFollowed || before == null) {
      pair.podChanged(uid, pod, isFollowed);
      if (isNew && isOthers && isSynced) {
        findings.count(ComparisonOutcome.SEEN_BOUND);
      }
    } else if (isSynced) {
      refusedPods.waitsNoMore(uid);
      bound(uid, ObjectFields.key(pod), pod, node);
    } else {
      refusedPods.waitsNoMore(uid);
      pair.podChanged(uid, pod, false);
    }
    checkRefusedNodes();
  }

  /** Whether a pod was being deleted already. */
  private boolean isDeleting(String uid) {
    PodFacts before = there.facts(uid);
    return before != null && before.deleting;
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

  /** A pod ends; to be called before the clusters know. */
  private void ends(String uid) {
    PodFacts before = there.facts(uid);
    if (before != null && !before.nodeName.isEmpty()) {
      recentChanges.podEnded(before, nanos.getAsLong());
    }
  }

  /** A pod has gone; to be called before it goes from the clusters. */
  void podGone(String uid) {
    refusedPods.waitsNoMore(uid);
    ends(uid);
    pair.podGone(uid);
    changed();
  }

  /** A node has come or changed. */
  void nodeChanged(JsonNode node) {
    String name = ObjectFields.key(node);
    NodeFacts before = there.fleet().facts(name);
    pair.changed(Resource.NODES, node);
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

  /** Checks the refused nodes again. */
  private void checkRefusedNodes() {
    if (refusedNodes.isEmpty()) {
      return;
    }
    long now = nanos.getAsLong();
    for (Map.Entry<String, RefusedNode> entry : List.copyOf(refusedNodes.entrySet())) {
      RefusedNode refused = entry.getValue();
      if (ClusterPair.fitsInPlace(there, refused.waiting, refused.node, List.of())) {
        refusedNodes.remove(entry.getKey());
        addUnderWay(refused.pod, refused.node, refused.comparison, "after a later change");
      } else if (now - refused.at >= limits.settle.toNanos()) {
        refusedNodes.remove(entry.getKey());
        report(refused);
      }
    }
  }

  private void report(RefusedNode refused) {
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
    pair.retry();
    refusedPods.turn();
    sample();
  }

  /** Reports what is not yet reported. */
  void end() {
    refusedNodes.values().forEach(this::report);
    refusedNodes.clear();
    sample();
  }

  private void sample() {
    findings.sample(pair.figuresThere(refusedPods.size(), refusedPods.ever()), pair.figuresOurs());
  }
}
