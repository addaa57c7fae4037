package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.decide.ClusterChange;
import io.lighthouse.kubernetes.cluster.decide.Filter;
import io.lighthouse.kubernetes.cluster.decide.PodsByGroup;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The pods that wait for a node, in three parts like the stock scheduler's queue (active, back-off,
 * unschedulable), with the same default times. For one thread; times are monotonic nanoseconds.
 *
 * <ul>
 *   <li>Active pods are tried now, by priority and then in the order of their entry.
 *   <li>Paused pods wait until their back-off has passed.
 *   <li>Refused pods found no node. They wait for an event that may help them, or for a maximum
 *       time.
 * </ul>
 */
final class PodQueue {
  /** Refused pods are retried after this time without an event. */
  static final Duration TRY_ANYWAY = Duration.ofMinutes(5);

  private static final Comparator<Waiting> URGENT =
      Comparator.<Waiting>comparingInt(waiting -> waiting.pod.priority())
          .reversed()
          .thenComparing(waiting -> waiting.since)
          .thenComparing(waiting -> waiting.entry);
  private static final Comparator<Waiting> SOON =
      Comparator.<Waiting>comparingLong(waiting -> waiting.notBefore)
          .thenComparing(waiting -> waiting.uid);

  private final long firstPause;
  private final long longestPause;
  private final Function<WaitingPod, Optional<String>> gangs;
  private final Map<String, Waiting> byUid = new LinkedHashMap<>();

  /**
   * The pods that name a group. To search all pods for them took 0.4 ms for each of 10,000 pods in
   * gangs of five, and this 2 us (2026-11-29).
   */
  private final PodsByGroup<Waiting> byGroup = new PodsByGroup<>();

  private final TreeSet<Waiting> active = new TreeSet<>(URGENT);
  private final TreeSet<Waiting> paused = new TreeSet<>(SOON);
  private final TreeSet<Waiting> refused = new TreeSet<>(SOON);

  /**
   * The changes that may help some refused pod, and perhaps others. While 10,000 pods were refused,
   * an event that helps none of them took 0.37 ms without this, and 0.1 us with it (2026-11-29).
   */
  private final Set<ClusterChange> helpful = EnumSet.noneOf(ClusterChange.class);

  private long entries;

  /**
   * An empty queue.
   *
   * @param gangs the gang of a pod at this moment: its {@link WaitingPod#groupKey}, or empty where
   *     its group is no gang
   */
  PodQueue(
      Duration firstPause, Duration longestPause, Function<WaitingPod, Optional<String>> gangs) {
    this.gangs = gangs;
    this.firstPause = firstPause.toNanos();
    this.longestPause = longestPause.toNanos();
  }

  /**
   * Adds a pod that is to be placed. A pod that is queued already keeps its place, unless its
   * priority has changed; and its place in its group, unless it names another.
   *
   * @param listed whether the pod comes with the first lists. Such pods stand before those that
   *     come later, the oldest first: so a new process continues as the one before it.
   */
  void add(WaitingPod pod, boolean listed) {
    Waiting known = byUid.get(pod.uid());
    if (known == null) {
      known = new Waiting(pod, listed ? pod.created() : Instant.MAX, entries++);
      byUid.put(pod.uid(), known);
      byGroup.add(pod, known);
      active.add(known);
    } else {
      boolean wasActive = active.remove(known);
      if (!pod.groupKey().equals(known.pod.groupKey())) {
        byGroup.remove(known.pod, known);
      }
      known.pod = pod;
      byGroup.add(pod, known);
      if (wasActive) {
        active.add(known);
      }
    }
  }

  /**
   * Updates what a pod requests. Where that has changed, and the pod was refused, it is tried as
   * soon as its pause is over.
   *
   * @param traits a hash of what it requests
   */
  void changed(String uid, int traits, long now) {
    Waiting known = byUid.get(uid);
    if (known == null || known.traits == traits) {
      return;
    }
    known.traits = traits;
    if (refused.remove(known)) {
      wake(known, now);
    }
  }

  /** Removes a pod: it is gone, placed, or not this scheduler's any more. */
  void remove(String uid) {
    Waiting known = byUid.remove(uid);
    if (known != null) {
      leave(known);
      byGroup.remove(known.pod, known);
    }
  }

  /** The cluster has changed: the refused pods that this may help are tried again. */
  void wake(Set<ClusterChange> changes, long now) {
    if (Collections.disjoint(helpful, changes)) {
      return;
    }
    List<Waiting> helped =
        refused.stream().filter(one -> !Collections.disjoint(one.helpedBy, changes)).toList();
    helped.forEach(refused::remove);
    helpful.clear();
    refused.forEach(one -> helpful.addAll(one.helpedBy));
    helped.forEach(one -> wake(one, now));
  }

  private void wake(Waiting waiting, long now) {
    waiting.notBefore = Math.max(waiting.pausedUntil, now);
    (waiting.pausedUntil > now ? paused : active).add(waiting);
  }

  /**
   * Takes the most urgent pod that may be tried now, and with the member of a gang all its other
   * queued members. They stay known to the queue until they are removed, refused or retried.
   *
   * @return empty where no pod may be tried now
   */
  List<String> take(long now) {
    while (!paused.isEmpty() && paused.first().notBefore <= now) {
      active.add(paused.pollFirst());
    }
    while (!refused.isEmpty() && refused.first().notBefore <= now) {
      active.add(refused.pollFirst());
    }
    List<String> taken = new ArrayList<>();
    Waiting next = active.pollFirst();
    if (next != null) {
      taken.add(next.pod.uid());
      gangs.apply(next.pod).ifPresent(gang -> takeGang(gang, taken));
    }
    return taken;
  }

  /** Takes the other members of a gang. */
  private void takeGang(String gang, List<String> taken) {
    for (Waiting other : byGroup.of(gang)) {
      if (active.remove(other) || paused.remove(other) || refused.remove(other)) {
        taken.add(other.pod.uid());
      }
    }
  }

  /**
   * A taken pod found no node: it waits for a change that may help, and at least for its pause.
   *
   * @param by the filters that refused some node; none where no change of the cluster can help
   */
  void refuse(String uid, Set<Filter> by, long now) {
    Waiting known = byUid.get(uid);
    if (known != null) {
      leave(known);
      known.helpedBy.clear();
      by.forEach(filter -> known.helpedBy.addAll(filter.helpedBy()));
      helpful.addAll(known.helpedBy);
      known.pause(now, firstPause, longestPause);
      known.notBefore = now + TRY_ANYWAY.toNanos();
      refused.add(known);
    }
  }

  /** A taken pod failed through no fault of its own: it is tried again after its pause. */
  void retry(String uid, long now) {
    Waiting known = byUid.get(uid);
    if (known != null) {
      leave(known);
      known.pause(now, firstPause, longestPause);
      known.notBefore = known.pausedUntil;
      paused.add(known);
    }
  }

  /** When the next pod may be tried: now, a time, or Long.MAX_VALUE for none. */
  long nextTime(long now) {
    if (!active.isEmpty()) {
      return now;
    }
    long next = paused.isEmpty() ? Long.MAX_VALUE : paused.first().notBefore;
    return refused.isEmpty() ? next : Math.min(next, refused.first().notBefore);
  }

  boolean contains(String uid) {
    return byUid.containsKey(uid);
  }

  int size() {
    return byUid.size();
  }

  private void leave(Waiting waiting) {
    active.remove(waiting);
    paused.remove(waiting);
    refused.remove(waiting);
  }

  /** A pod and its times. */
  private static final class Waiting {
    private final String uid;

    /** The pod as last seen; of the fields that it is compared by, only the priority can change. */
    private WaitingPod pod;

    /** When it was created where the first lists held it, else the end of time; and its number. */
    private final Instant since;

    private final long entry;

    /** The changes that may help it, where it was refused. */
    private final Set<ClusterChange> helpedBy = EnumSet.noneOf(ClusterChange.class);

    private int traits;
    private int attempts;
    private long pausedUntil = Long.MIN_VALUE;

    /**
     * When it leaves its part of the queue. It is the order of that part, so it is set before the
     * pod is added.
     */
    private long notBefore;

    Waiting(WaitingPod pod, Instant since, long entry) {
      this.uid = pod.uid();
      this.pod = pod;
      this.since = since;
      this.entry = entry;
    }

    private void pause(long now, long first, long longest) {
      long pause = Math.min(longest, first << Math.min(attempts, 20));
      attempts++;
      pausedUntil = now + pause;
    }
  }
}
