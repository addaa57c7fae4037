package io.lighthouse.kubernetes.schedule;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.decide.Filter;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.monitor.ClusterService;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Takes pods from the queue, decides about them, and carries the decisions out. Placed pods go to
 * {@link PodsOnTheWay}, refused ones back into the queue and to the {@link Reporter}, and victims
 * to the {@link Preemptor}. For the loop's thread.
 */
final class SchedulingCycle {
  /**
   * The next decision waits until one part in {@value} of the bindings that may be in flight is
   * free.
   */
  private static final int ROOM = 8;

  /** After this time, the loop turns to its messages before it decides about more pods. */
  static final long LONGEST_DECIDING = TimeUnit.SECONDS.toNanos(1);

  private final SchedulerSettings.Binding settings;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final Cluster cluster;
  private final PodQueue queue;
  private final Reporter reporter;
  private final PodsOnTheWay onTheWay;
  private final Preemptor preemptor;
  private final DeviceWriter deviceWriter;

  SchedulingCycle(
      ClusterService service,
      SchedulerSettings.Binding settings,
      Cluster cluster,
      PodQueue queue,
      Reporter reporter,
      PodsOnTheWay onTheWay,
      Preemptor preemptor,
      DeviceWriter deviceWriter) {
    this.settings = settings;
    this.metrics = service.metrics();
    this.log = service.log();
    this.cluster = cluster;
    this.queue = queue;
    this.reporter = reporter;
    this.onTheWay = onTheWay;
    this.preemptor = preemptor;
    this.deviceWriter = deviceWriter;
  }

  /** Whether enough bindings may still begin. */
  boolean hasRoom() {
    return free() * ROOM >= settings.inFlight();
  }

  /** How many bindings may still begin. */
  private int free() {
    return settings.inFlight() - onTheWay.inFlight();
  }

  /**
   * Binds the pods whose volumes are there, and decides about the pods that may be tried now, up to
   * the limits of bindings and of time.
   */
  void run() {
    onTheWay.endVolumeWaits(free());
    long until = System.nanoTime() + LONGEST_DECIDING;
    int most = free();
    while (most > 0 && System.nanoTime() - until < 0) {
      List<String> pods = queue.take(System.nanoTime());
      if (pods.isEmpty()) {
        return;
      }
      decide(pods);
      most -= pods.size();
    }
  }

  /** Decides about a pod or a gang, and carries that out. */
  private void decide(List<String> pods) {
    long now = System.nanoTime();
    Map<String, String> reserved = new HashMap<>();
    pods.forEach(uid -> cluster.nominatedNode(uid).ifPresent(node -> reserved.put(uid, node)));
    List<Decision> decisions;
    try {
      decisions = cluster.decide(pods);
    } catch (LighthouseException broken) {
      log.error("decision-failed", broken, "pods", pods.size());
      metrics.failures.labelValues("decide").inc();
      for (String uid : pods) {
        cluster.waitingPod(uid).ifPresent(pod -> onTheWay.reportError(pod, broken.getMessage()));
        queue.retry(uid, now);
      }
      return;
    }
    metrics.decided(pods.size(), System.nanoTime() - now);
    Set<String> open = new HashSet<>(pods);
    Map<String, List<Binding>> gangs = new LinkedHashMap<>();
    for (Decision decision : decisions) {
      open.remove(decision.pod().uid());
      carryOut(decision, gangs, now);
    }
    gangs.forEach(onTheWay::bind);
    if (reserved.entrySet().stream().anyMatch(this::isGivenUp)) {
      onTheWay.wakeForRoom(now);
    }
    // Skipped pods were bound, assumed or gated meanwhile; the code that did so handles them.
    open.stream().filter(uid -> cluster.assumedNode(uid).isEmpty()).forEach(queue::remove);
  }

  /** Whether the room that was reserved for a pod is not kept for it any more. */
  private boolean isGivenUp(Map.Entry<String, String> reserved) {
    String uid = reserved.getKey();
    return !cluster
        .assumedNode(uid)
        .or(() -> cluster.nominatedNode(uid))
        .equals(Optional.of(reserved.getValue()));
  }

  /**
   * Carries a decision out.
   *
   * @param gangs gets the pods that are to be bound, by their gang
   */
  private void carryOut(Decision decision, Map<String, List<Binding>> gangs, long now) {
    decision.match(
        new Decision.Cases() {
          @Override
          public void bind(Decision.Bind bind) {
            String gang = cluster.gangKey(bind.pod()).orElse(bind.pod().uid());
            gangs
                .computeIfAbsent(gang, none -> new ArrayList<>())
                .add(new Binding(bind, gang, now));
          }

          @Override
          public void refused(Decision.Refused refused) {
            metrics.refusals.labelValues("no-node").inc();
            refuse(
                refused.pod(), refused.message(), refused.filters(), refused.lostNomination(), now);
            cluster
                .takeClaimToFree(refused)
                .ifPresent(claim -> deviceWriter.free(refused.pod().uid(), claim));
            deleteClaim(refused.pod());
          }

          @Override
          public void preempt(Decision.Preempt preempt) {
            metrics.refusals.labelValues("no-node").inc();
            Decision.Preempt others = onTheWay.putBackVictims(preempt);
            List<WaitingPod> putBack = new ArrayList<>(preempt.victims());
            putBack.removeAll(others.victims());
            preemptor.submit(others);
            log.info(
                "preempts",
                "pod",
                preempt.pod().key(),
                "node",
                preempt.node(),
                "victims",
                words(others.victims()),
                "put_back",
                words(putBack),
                "ending",
                words(preempt.ending()),
                "why",
                preempt.why(),
                "message",
                preempt.message());
          }

          @Override
          public void unsupported(Decision.Unsupported unsupported) {
            metrics.refusals.labelValues("unsupported").inc();
            refuse(unsupported.pod(), unsupported.message(), Filter.BEFORE_NODES, "", now);
            deleteClaim(unsupported.pod());
          }
        });
  }

  /** Deletes what an earlier attempt has left of the extended resources of a pod. */
  private void deleteClaim(WaitingPod pod) {
    cluster
        .devices()
        .claims()
        .takeToDelete(pod)
        .ifPresent(claim -> deviceWriter.delete(pod.uid(), claim));
  }

  private static String words(List<WaitingPod> pods) {
    return String.join(", ", pods.stream().map(WaitingPod::key).toList());
  }

  private void refuse(
      WaitingPod pod, String message, Set<Filter> by, String lostNomination, long now) {
    queue.refuse(pod.uid(), by, now);
    reporter.refused(pod, "Unschedulable", message, lostNomination);
    log.info("refused", "pod", pod.key(), "message", message);
  }
}
