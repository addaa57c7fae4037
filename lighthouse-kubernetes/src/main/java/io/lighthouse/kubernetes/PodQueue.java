package io.lighthouse.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The pods that wait for a node: those to be tried now, by priority and then by age; those whose
 * back-off has not passed; and those that found no node, until something happens that may help them
 * or a while has passed. Used by one thread; times are monotonic nanoseconds.
 *
 * <p>The three parts are those of the stock scheduler's queue (active, back-off, unschedulable), and
 * so are the default times.
 */
final class PodQueue {
  /** Whoever heard of nothing that may help him is tried again after this long all the same. */
  static final Duration TRY_ANYWAY = Duration.ofMinutes(5);

  private static final Comparator<Waiting> URGENT =
      Comparator.<Waiting>comparingInt(waiting -> -waiting.priority)
          .thenComparing(waiting -> waiting.created)
          .thenComparing(waiting -> waiting.uid);
  private static final Comparator<Waiting> SOON =
      Comparator.<Waiting>comparingLong(waiting -> waiting.notBefore)
          .thenComparing(waiting -> waiting.uid);

  private final long firstPause;
  private final long longestPause;
  private final Map<String, Waiting> byUid = new HashMap<>();
  private final TreeSet<Waiting> active = new TreeSet<>(URGENT);
  private final TreeSet<Waiting> paused = new TreeSet<>(SOON);
  private final TreeSet<Waiting> refused = new TreeSet<>(SOON);

  PodQueue(Duration firstPause, Duration longestPause) {
    this.firstPause = firstPause.toNanos();
    this.longestPause = longestPause.toNanos();
  }

  /** Adds a pod that is to be placed; known already, it stays where it is with its new priority. */
  void add(String uid, int priority, String created) {
    Waiting known = byUid.get(uid);
    if (known == null) {
      Waiting fresh = new Waiting(uid, priority, created);
      byUid.put(uid, fresh);
      active.add(fresh);
    }
  }

  /** A pod changed in a way that may help it: it is tried as soon as its back-off has passed. */
  void changed(String uid, long now) {
    Waiting known = byUid.get(uid);
    if (known != null && refused.remove(known)) {
      wake(known, now);
    }
  }

  /** Forgets a pod: it is gone, placed or not ours any more. */
  void remove(String uid) {
    Waiting known = byUid.remove(uid);
    if (known != null) {
      leave(known);
    }
  }

  /** Something changed that may help those who found no node. */
  void wakeAll(long now) {
    List<Waiting> all = new ArrayList<>(refused);
    refused.clear();
    all.forEach(waiting -> wake(waiting, now));
  }

  private void wake(Waiting waiting, long now) {
    waiting.notBefore = Math.max(waiting.pausedUntil, now);
    (waiting.pausedUntil > now ? paused : active).add(waiting);
  }

  /** The most urgent pods that may be tried now; they stay in the queue's books until removed. */
  List<String> take(int most, long now) {
    while (!paused.isEmpty() && paused.first().notBefore <= now) {
      active.add(paused.pollFirst());
    }
    while (!refused.isEmpty() && refused.first().notBefore <= now) {
      active.add(refused.pollFirst());
    }
    List<String> taken = new ArrayList<>();
    while (taken.size() < most && !active.isEmpty()) {
      taken.add(active.pollFirst().uid);
    }
    return taken;
  }

  /** A taken pod found no node: it waits for something that may help, and at least its pause. */
  void refuse(String uid, long now) {
    Waiting known = byUid.get(uid);
    if (known != null) {
      leave(known);
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

  int activeCount() {
    return active.size();
  }

  int pausedCount() {
    return paused.size();
  }

  int refusedCount() {
    return refused.size();
  }

  private void leave(Waiting waiting) {
    active.remove(waiting);
    paused.remove(waiting);
    refused.remove(waiting);
  }

  /** A pod and its times. */
  private static final class Waiting {
    private final String uid;
    private final int priority;

    /** RFC 3339 in UTC, which sorts as text. */
    private final String created;

    private int attempts;
    private long pausedUntil = Long.MIN_VALUE;

    /** When it leaves the part that it is in; the order of that part, so set before it is added. */
    private long notBefore;

    Waiting(String uid, int priority, String created) {
      this.uid = uid;
      this.priority = priority;
      this.created = created;
    }

    private void pause(long now, long first, long longest) {
      long pause = Math.min(longest, first << Math.min(attempts, 20));
      attempts++;
      pausedUntil = now + pause;
    }
  }
}
