package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ChangeStream;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.volume.VolumeProgress;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods with a node whose claims are not all bound yet. The loop looks at them at each turn, so
 * no thread waits for a volume. For the loop's thread.
 */
final class VolumeWaits {
  private final Duration limit;
  private final Map<String, Wait> byUid = new LinkedHashMap<>();

  /** The number of waiting pods, for other threads. */
  private volatile int size;

  private record Wait(Binding binding, VolumeWork work, long until) {}

  /**
   * A wait that is over.
   *
   * @param isDeleted whether the pod is being deleted
   * @param failure why the volumes do not come; empty where all claims are bound
   */
  record Ended(Binding binding, boolean isDeleted, String failure) {}

  VolumeWaits(Duration limit) {
    this.limit = limit;
  }

  /** A pod begins to wait. */
  void add(Binding binding, VolumeWork work, long now) {
    byUid.put(binding.uid(), new Wait(binding, work, now + limit.toNanos()));
    size = byUid.size();
  }

  int size() {
    return size;
  }

  /**
   * Takes the waits that are over, also where the pod is being deleted: the server binds it no
   * more. A pod that is not on its way to its node any more is dropped.
   */
  List<Ended> takeEnded(Cluster cluster, long now) {
    if (byUid.isEmpty()) {
      return List.of();
    }
    List<Ended> ended = new ArrayList<>();
    for (Iterator<Wait> all = byUid.values().iterator(); all.hasNext(); ) {
      Wait wait = all.next();
      String uid = wait.binding().uid();
      if (!cluster.assumedNode(uid).equals(Optional.of(wait.binding().node()))) {
        all.remove();
        continue;
      }
      if (cluster.facts(uid).deleting) {
        all.remove();
        ended.add(new Ended(wait.binding(), true, "the pod is being deleted"));
        continue;
      }
      VolumeProgress progress =
          VolumeProgress.of(cluster.volumes(), wait.work(), ChangeStream::isOlder);
      boolean late = wait.until() - now <= 0;
      if (progress.state() != VolumeProgress.State.WAITING || late) {
        all.remove();
        String failure =
            progress.state() == VolumeProgress.State.WAITING
                ? "not bound within " + limit.toMillis() + "ms"
                : progress.detail();
        ended.add(new Ended(wait.binding(), false, failure));
      }
    }
    size = byUid.size();
    return ended;
  }
}
