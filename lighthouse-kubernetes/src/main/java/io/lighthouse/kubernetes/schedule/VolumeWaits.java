package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ChangeStream;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.volume.VolumeProgress;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The pods with a node whose claims are not all bound yet. A wait is checked when an object that it
 * depends on has changed, so no thread waits for a volume. To check all 5,000 waits at each turn of
 * the loop took 3 to 9 ms (a busy machine, 2026-11-29). For the loop's thread.
 */
final class VolumeWaits {
  private final Duration limit;

  /** In the order of their ends, for all have the same limit. */
  private final Map<String, Wait> byUid = new LinkedHashMap<>();

  /** The uids of the pods that depend on an object. */
  private final Map<Dependency, Set<String>> byDependency = new HashMap<>();

  /** The uids of the pods that are to be checked. */
  private final Set<String> due = new LinkedHashSet<>();

  /** The number of waiting pods, for other threads. */
  private volatile int size;

  private record Wait(Binding binding, VolumeWork work, long until) {}

  /** An object, by its {@link Resource#key}. */
  private record Dependency(Resource resource, String key) {}

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
    String uid = binding.uid();
    remove(uid);
    Wait wait = new Wait(binding, work, now + limit.toNanos());
    byUid.put(uid, wait);
    dependencies(wait)
        .forEach(one -> byDependency.computeIfAbsent(one, none -> new LinkedHashSet<>()).add(uid));
    due.add(uid);
    size = byUid.size();
  }

  int size() {
    return size;
  }

  /** A pod does not wait any more, such as one that is not on its way to its node any more. */
  void remove(String uid) {
    Wait wait = byUid.remove(uid);
    if (wait != null) {
      due.remove(uid);
      size = byUid.size();
      for (Dependency one : dependencies(wait)) {
        byDependency.computeIfPresent(
            one, (key, uids) -> uids.remove(uid) && uids.isEmpty() ? null : uids);
      }
    }
  }

  /** What decides whether a wait is over, but for volumes that are made for its claims. */
  private static Set<Dependency> dependencies(Wait wait) {
    Set<Dependency> all = new LinkedHashSet<>();
    all.add(new Dependency(Resource.PODS, wait.binding().uid()));
    all.add(new Dependency(Resource.NODES, wait.binding().node()));
    for (VolumeWork.Match match : wait.work().matches()) {
      all.add(new Dependency(Resource.CLAIMS, match.claim().key()));
      all.add(new Dependency(Resource.VOLUMES, match.volume().name()));
    }
    wait.work()
        .provisions()
        .forEach(claim -> all.add(new Dependency(Resource.CLAIMS, claim.key())));
    return all;
  }

  /** An object has come, changed or gone, and the cluster knows it. */
  void changed(Cluster cluster, Resource resource, String key) {
    if (byUid.isEmpty()) {
      return;
    }
    due.addAll(byDependency.getOrDefault(new Dependency(resource, key), Set.of()));
    if (resource == Resource.VOLUMES) {
      cluster
          .volumes()
          .volumes()
          .claimsOf(key)
          .forEach(claim -> changed(cluster, Resource.CLAIMS, claim));
    }
  }

  /**
   * Takes the waits that are over, also where the pod is being deleted: the server binds it no
   * more.
   *
   * @param most the maximum number of pods that are taken to be bound
   */
  List<Ended> takeEnded(Cluster cluster, long now, int most) {
    for (Wait wait : byUid.values()) {
      if (wait.until() - now > 0) {
        break;
      }
      due.add(wait.binding().uid());
    }
    List<Ended> ended = new ArrayList<>();
    Iterator<String> uids = due.iterator();
    int bound = 0;
    while (bound < most && uids.hasNext()) {
      String uid = uids.next();
      uids.remove();
      Optional<Ended> end = ended(cluster, byUid.get(uid), now);
      end.ifPresent(ended::add);
      bound += end.isPresent() && end.get().failure().isEmpty() ? 1 : 0;
    }
    ended.forEach(one -> remove(one.binding().uid()));
    return ended;
  }

  private Optional<Ended> ended(Cluster cluster, Wait wait, long now) {
    if (cluster.facts(wait.binding().uid()).deleting) {
      return Optional.of(new Ended(wait.binding(), true, "the pod is being deleted"));
    }
    VolumeProgress progress =
        VolumeProgress.of(cluster.volumes(), wait.work(), ChangeStream::isOlder);
    if (progress.state() != VolumeProgress.State.WAITING) {
      return Optional.of(new Ended(wait.binding(), false, progress.detail()));
    }
    return wait.until() - now <= 0
        ? Optional.of(
            new Ended(wait.binding(), false, "not bound within " + limit.toMillis() + "ms"))
        : Optional.empty();
  }
}
