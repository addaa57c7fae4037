package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.ClusterChange;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.monitor.ClusterService;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The pods that were placed and are not bound yet. The claims of a pod to devices are written
 * first, together with those of its gang, and then its volumes; at last it is bound. Where one of
 * these fails, the pod is decided again after its pause. For the loop's thread, but for the counts.
 */
final class PodsOnTheWay {
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final Cluster cluster;
  private final PodQueue queue;
  private final Reporter reporter;
  private final Binder binder;
  private final VolumeWriter volumeWriter;
  private final DeviceWriter deviceWriter;
  private final DeviceWrites deviceWrites = new DeviceWrites();
  private final VolumeWaits volumeWaits;

  /** Those whose bindings were not sent yet, by uid. They are assumed on their nodes. */
  private final Map<String, Binding> unsent = new HashMap<>();

  /** What a placement changes that is taken back. */
  private final Set<ClusterChange> roomIsFree;

  PodsOnTheWay(
      ClusterService service,
      SchedulerSettings settings,
      Cluster cluster,
      PodQueue queue,
      Reporter reporter,
      Binder binder,
      VolumeWriter volumeWriter,
      DeviceWriter deviceWriter) {
    this.metrics = service.metrics();
    this.log = service.log();
    this.cluster = cluster;
    this.queue = queue;
    this.reporter = reporter;
    this.binder = binder;
    this.volumeWriter = volumeWriter;
    this.deviceWriter = deviceWriter;
    volumeWaits = new VolumeWaits(settings.binding().volumeTimeout());
    roomIsFree =
        settings.resourceClaims()
            ? Set.of(ClusterChange.POD_LEFT, ClusterChange.DEVICES)
            : Set.of(ClusterChange.POD_LEFT);
  }

  /** The pods whose bindings are being sent. */
  int inFlight() {
    return binder.inFlight();
  }

  /**
   * The pods that wait for writes to claims, for those of others in their gang, or for their
   * volumes. They have no limit: slow writes to claims would stop the decisions about all other
   * pods (page 161 of the decisions).
   */
  int waiting() {
    return deviceWriter.inFlight()
        + deviceWrites.waiting()
        + volumeWriter.inFlight()
        + volumeWaits.size();
  }

  /** Binds pods of a gang that were placed, once its claims to devices are written. */
  void bind(String gang, List<Binding> placed) {
    metrics.placements.inc(placed.size());
    placed.forEach(binding -> unsent.put(binding.uid(), binding));
    Map<Binding, DeviceWork> works = new LinkedHashMap<>();
    List<Binding> others = new ArrayList<>();
    for (Binding binding : placed) {
      cluster
          .devices()
          .assumed()
          .takeWork(binding.uid())
          .ifPresentOrElse(work -> works.put(binding, work), () -> others.add(binding));
    }
    if (works.isEmpty() && !deviceWrites.isOpen(gang)) {
      others.forEach(this::bindOrWriteVolumes);
    } else {
      deviceWrites.begin(gang, List.copyOf(works.keySet()), others);
      works.forEach(deviceWriter::submit);
    }
  }

  /** The claims of a pod to devices were written, or could not be. */
  void devicesWritten(Message.DevicesWritten written) {
    if (cluster.devices().assumed().writeEnded(written.binding().uid())) {
      wakeForRoom(System.nanoTime());
    }
    deviceWrites.end(written.binding(), written.failure()).ifPresent(this::bindOrGiveUp);
  }

  /**
   * The claims of a gang are written, but for some. Where one failed, or a pod goes to no node any
   * more, the gang is decided again, unless enough of its pods have a node. A pod that was put back
   * meanwhile and placed again is in the gang twice; its earlier binding does not count.
   */
  private void bindOrGiveUp(DeviceWrites.Group gang) {
    gang.failures().forEach((binding, failure) -> claimsFailed(binding, "device", failure));
    List<Binding> ready = gang.ready().stream().filter(this::isUnsent).toList();
    Optional<Binding> missing =
        Stream.concat(gang.failures().keySet().stream(), gang.ready().stream())
            .filter(binding -> !unsent.containsKey(binding.uid()))
            .findFirst();
    if (missing.isEmpty()
        || (!ready.isEmpty() && cluster.hasMinCount(ready.get(0).decision().pod()))) {
      ready.forEach(this::bindOrWriteVolumes);
      return;
    }
    String other =
        gang.failures().containsKey(missing.get())
            ? "the claims of pod " + missing.get().pod() + " could not be written"
            : "a pod has left its node";
    ready.forEach(
        binding -> putBack(binding.decision().pod(), "not bound, for in its gang " + other));
  }

  /** Not where the pod was put back while its claims were written, and perhaps placed again. */
  private boolean isUnsent(Binding binding) {
    return unsent.get(binding.uid()) == binding;
  }

  private void send(Binding binding) {
    unsent.remove(binding.uid());
    binder.submit(binding);
  }

  /**
   * Puts the victims of a preemption back whose bindings were not sent: they have never been on
   * their node, so they need not be deleted.
   *
   * @return the preemption of the others
   */
  Decision.Preempt putBackVictims(Decision.Preempt preempt) {
    String message = "not bound, for pod " + preempt.pod().key() + " needs its room";
    List<WaitingPod> others = new ArrayList<>();
    for (WaitingPod victim : preempt.victims()) {
      if (unsent.containsKey(victim.uid())) {
        putBack(victim, message);
      } else {
        others.add(victim);
      }
    }
    return preempt.withVictims(others);
  }

  private void bindOrWriteVolumes(Binding binding) {
    cluster
        .volumes()
        .work(binding.uid())
        .ifPresentOrElse(work -> volumeWriter.submit(binding, work), () -> send(binding));
  }

  /** The claims and volumes of a pod were written, or could not be. */
  void volumesWritten(Message.VolumesWritten written) {
    if (!written.failure().isEmpty()) {
      claimsFailed(written.binding(), "volume", written.failure());
    } else if (isUnsent(written.binding())) {
      volumeWaits.add(written.binding(), written.work(), System.nanoTime());
    }
  }

  /** An object has come, changed or gone, and the cluster knows it. */
  void changed(Resource resource, String key) {
    if (resource == Resource.PODS && cluster.assumedNode(key).isEmpty()) {
      forget(key);
    }
    volumeWaits.changed(cluster, resource, key);
  }

  private void forget(String uid) {
    unsent.remove(uid);
    volumeWaits.remove(uid);
  }

  /**
   * Binds the pods whose volumes are there, and gives up those that have waited for too long.
   *
   * @param most the maximum number of bindings; the other pods have their turn later
   */
  void endVolumeWaits(int most) {
    for (VolumeWaits.Ended ended : volumeWaits.takeEnded(cluster, System.nanoTime(), most)) {
      if (ended.isDeleted()) {
        release(ended.binding());
      } else if (ended.failure().isEmpty()) {
        send(ended.binding());
      } else {
        claimsFailed(ended.binding(), "volume", ended.failure());
      }
    }
  }

  /** A binding has ended. */
  void bindingEnded(Message.BindingEnded ended) {
    Binding binding = ended.binding();
    switch (ended.outcome()) {
      case BOUND -> {
        log.info(
            "bound",
            "pod",
            binding.pod(),
            "node",
            binding.node(),
            "strategy",
            binding.decision().strategy(),
            "decision",
            binding.decision().hash(),
            "micros",
            (System.nanoTime() - binding.decidedAt()) / 1_000);
        reporter.scheduled(binding.decision());
        queue.remove(binding.uid());
        return;
      }
      case ELSEWHERE -> queue.remove(binding.uid());
      case REFUSED -> putBack(binding.decision().pod(), "binding: " + ended.detail());
      case GONE, WITHDRAWN -> release(binding);
      case UNKNOWN -> {
        // The term ends.
      }
    }
    log.warning(
        "not-bound",
        "pod",
        binding.pod(),
        "node",
        binding.node(),
        "outcome",
        ended.outcome(),
        "error",
        ended.detail());
  }

  /**
   * The pod and what was assumed for it are free again, and it is decided once more after its
   * pause.
   *
   * @param what volume or device
   */
  private void claimsFailed(Binding binding, String what, String failure) {
    if (isUnsent(binding)) {
      putBack(binding.decision().pod(), "binding " + what + "s: " + failure);
      metrics.failures.labelValues(what).inc();
      log.warning(
          what + "s-not-bound", "pod", binding.pod(), "node", binding.node(), "error", failure);
    }
  }

  /** A pod that was placed is decided again after its pause, unless it has left its node. */
  private void putBack(WaitingPod pod, String message) {
    if (cluster.assumeFailed(pod.uid())) {
      decideAgain(pod.uid());
      reportError(pod, message);
    }
  }

  /**
   * Reports that the decision about a pod, or its binding, has failed. The nomination of the pod is
   * taken back, as by kube-scheduler 1.36: it may fit another node.
   */
  void reportError(WaitingPod pod, String message) {
    String lost = cluster.nominatedNode(pod.uid()).orElse("");
    reporter.refused(pod, "SchedulerError", message, lost);
  }

  /** The room of a pod is free again. If the pod goes, the watch removes it from the queue. */
  private void release(Binding binding) {
    cluster.assumeFailed(binding.uid());
    decideAgain(binding.uid());
  }

  private void decideAgain(String uid) {
    forget(uid);
    long now = System.nanoTime();
    queue.retry(uid, now);
    wakeForRoom(now);
  }

  /** Room that was taken or kept for a pod is free again: others are tried again. */
  void wakeForRoom(long now) {
    queue.wake(roomIsFree, now);
  }
}
