package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.monitor.DaemonThreads;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/**
 * Writes decisions on the pods: the condition {@code PodScheduled} of those without a node, and an
 * event for each. Only the newest report of a pod is kept. The same text is not repeated for {@link
 * #REPEAT}, nor is an event that differs in numbers alone. A condition is written only on the
 * version of the pod that was checked, and never on a bound pod. Thread-safe.
 *
 * <p>The rate of events is limited, to leave the server and its etcd room for other calls. Events
 * above it wait, those of bound pods behind all others. They are lost where too many wait, where
 * the server refuses them, and where it fails {@value #MOST_FAILURES} times.
 */
final class Reporter implements AutoCloseable {
  /** The same report of a pod is repeated after this time: the server keeps events for an hour. */
  private static final Duration REPEAT = Duration.ofMinutes(15);

  /** The maximum number of attempts to write a condition on a pod that keeps changing. */
  private static final int TRIES = 5;

  static final int THREADS = 4;

  /** How often a report is tried while the server does not answer, is busy, or fails. */
  static final int MOST_FAILURES = 12;

  /**
   * The number of conditions a second that differ from the one before in numbers alone. Where
   * thousands of pods wait in a busy cluster, the numbers change all the time.
   */
  static final int UPDATES = 100;

  /** The number of reports that may wait. Above it, events of bound pods are not written. */
  static final int MOST_WAITING = 100_000;

  private final ApiServer server;
  private final String instance;
  private final TokenBucket rate;
  private final TokenBucket updates;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final Clock wall;
  private final Map<String, Report> newest = new ConcurrentHashMap<>();
  private final BlockingQueue<Turn> turns = new PriorityBlockingQueue<>();
  private final AtomicLong numbers = new AtomicLong();

  /** The pods that still wait, by uid. */
  private final Map<String, Waiting> pods = new ConcurrentHashMap<>();

  private final Thread[] threads = new Thread[THREADS];
  private volatile boolean closed;

  /**
   * A report to be written.
   *
   * @param condition null where only the event is written, as for a pod that was bound
   * @param failures how often it was tried in vain
   */
  private record Report(PodEvent event, PodCondition condition, int failures) {}

  /** When a report is written: those of bound pods last, each kind in its order. */
  private record Turn(boolean bound, long number, String key) implements Comparable<Turn> {
    @Override
    public int compareTo(Turn other) {
      return bound == other.bound
          ? Long.compare(number, other.number)
          : Boolean.compare(bound, other.bound);
    }
  }

  /**
   * A pod that still waits.
   *
   * @param newest the number of its newest condition
   * @param told the condition that was written last; null before the first
   * @param noted the last event of a refusal; null before the first
   */
  private record Waiting(long newest, Told told, Noted noted) {}

  /**
   * An event of a refusal, and its time.
   *
   * @param kinds the kinds of reasons in it
   */
  private record Noted(String kinds, long at) {}

  /** How a condition is sent. */
  interface Sender {
    /** Sends it, and returns the server's answer. */
    JsonNode send(CallWorkers.Write write) throws IOException;
  }

  /** A written condition, and its time. */
  private record Told(PodCondition condition, long at) {
    boolean says(String reason, String message) {
      return condition.reason().equals(reason) && condition.message().equals(message);
    }

    boolean hasKindsOf(String reason, String message) {
      return condition.kinds().equals(PodCondition.kinds(reason, message));
    }
  }

  Reporter(
      ApiServer server,
      String instance,
      TokenBucket rate,
      TokenBucket updates,
      SchedulerMetrics metrics,
      JsonLog log,
      Clock wall,
      UncaughtExceptionHandler crashed) {
    this.server = server;
    this.wall = wall;
    this.instance = instance.substring(0, Math.min(instance.length(), 128));
    this.rate = rate;
    this.updates = updates;
    this.metrics = metrics;
    this.log = log;
    for (int i = 0; i < THREADS; i++) {
      threads[i] = new DaemonThreads("lighthouse-report-" + i, crashed).newThread(this::work);
      threads[i].start();
    }
  }

  /** The pod is bound. */
  void scheduled(Decision.Bind bind) {
    pods.remove(bind.pod().uid());
    add(new Report(PodEvent.bound(bind, wall.instant()), null, 0));
  }

  /**
   * The pod found no node.
   *
   * @param reason the reason of the condition, such as Unschedulable
   * @param lost the node that it was nominated to in vain; empty where its nomination stays
   */
  void refused(WaitingPod pod, String reason, String message, String lost) {
    Told last = told(pod);
    // A newer report may be on its way, after which these words are new again.
    boolean isWritten =
        last != null
            && lost.isEmpty()
            && isNewest(pod, last.condition)
            && last.condition.generation() == pod.generation()
            && System.nanoTime() - last.at <= REPEAT.toNanos();
    boolean same = isWritten && last.says(reason, message);
    if (same || isWritten && last.hasKindsOf(reason, message) && updates.take() > 0) {
      return;
    }
    PodCondition condition = condition(pod, reason, message, "", lost);
    add(new Report(PodEvent.refused(pod, message, wall.instant()), condition, 0));
  }

  /**
   * The pod found no node, and is to be nominated to one: {@link #nominate} writes that.
   *
   * @return the condition of the pod
   */
  PodCondition nomination(WaitingPod pod, String node, String message) {
    return condition(pod, "Unschedulable", message, node, "");
  }

  /**
   * Writes a condition with a nomination now, in the caller's thread.
   *
   * @return the pod as the server has it then; null where it does not wait any more, or has a newer
   *     report
   * @throws IOException if it is not known that this was written
   */
  JsonNode nominate(WaitingPod pod, PodCondition nomination, Sender sender)
      throws IOException, InterruptedException {
    JsonNode written = write(pod, nomination, sender);
    if (written != null) {
      add(new Report(PodEvent.refused(pod, nomination.message(), wall.instant()), null, 0));
    }
    return written;
  }

  /** The pod was evicted for another. */
  void preempted(WaitingPod victim, WaitingPod by, String node) {
    add(new Report(PodEvent.preempted(victim, by, node, wall.instant()), null, 0));
  }

  /** A condition that takes the place of all that the pod had. The pod waits. */
  private PodCondition condition(
      WaitingPod pod, String reason, String message, String to, String lost) {
    long number = numbers.incrementAndGet();
    pods.merge(
        pod.uid(),
        new Waiting(number, null, null),
        (known, fresh) ->
            new Waiting(Math.max(known.newest, fresh.newest), known.told, known.noted));
    return new PodCondition(reason, message, to, lost, pod.generation(), number);
  }

  /** The condition of a pod that was written last; null where it has none, or does not wait. */
  private Told told(WaitingPod pod) {
    Waiting known = pods.get(pod.uid());
    return known == null ? null : known.told;
  }

  /** The pod does not wait any more. */
  void forget(String uid) {
    pods.remove(uid);
    newest.computeIfPresent(uid, (key, waiting) -> waiting.condition == null ? waiting : null);
  }

  private void add(Report report) {
    if (report.event.isOfBoundPod() && newest.size() >= MOST_WAITING) {
      metrics.unwritten.labelValues("event").inc();
      return;
    }
    if (newest.put(report.event.key(), report) == null) {
      addTurn(report);
    }
  }

  private void addTurn(Report report) {
    PodEvent event = report.event;
    turns.add(new Turn(event.isOfBoundPod(), numbers.incrementAndGet(), event.key()));
  }

  /** A report that failed is tried again, unless a newer one has taken its place. */
  private void addAgain(Report report) {
    if ((report.condition == null || isNewest(report.event.pod(), report.condition))
        && newest.putIfAbsent(report.event.key(), report) == null) {
      addTurn(report);
    }
  }

  /** Whether a condition is the newest of a pod that still waits. */
  private boolean isNewest(WaitingPod pod, PodCondition condition) {
    Waiting known = pods.get(pod.uid());
    return known != null && known.newest == condition.number();
  }

  /** Reports that wait to be written. */
  int waiting() {
    return newest.size();
  }

  private void work() {
    Pause pause = Pause.betweenCalls();
    while (!closed) {
      try {
        Report report = newest.remove(turns.take().key);
        if (report != null) {
          write(report, pause);
        }
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException broken) {
        metrics.failures.labelValues("report").inc();
        log.error("report-failed", broken);
      }
    }
  }

  private void write(Report report, Pause pause) throws InterruptedException {
    WaitingPod pod = report.event.pod();
    long now = System.nanoTime();
    boolean isNews = false;
    try {
      if (report.condition != null
          && write(pod, report.condition, CallWorkers.Write::send) == null) {
        return;
      }
      isNews = report.condition == null || isNews(pod, report.condition, now);
      if (isNews) {
        for (long wait = rate.take(); wait > 0; wait = rate.take()) {
          TimeUnit.NANOSECONDS.sleep(wait);
        }
        write(report.event);
      }
      pause.reset();
    } catch (IOException failed) {
      metrics.failures.labelValues("report").inc();
      if (closed) {
        return;
      }
      if (isNews) {
        note(pod, null);
      }
      log.warning("report-failed", "pod", pod.key(), "error", failed.getMessage());
      int failures = report.failures + 1;
      if (!ApiException.mayHelpToWait(failed) || failures == MOST_FAILURES) {
        String what = isNews ? "event" : "condition";
        metrics.unwritten.labelValues(what).inc();
        return;
      }
      pause.sleep(failed);
      addAgain(new Report(report.event, report.condition, failures));
    }
  }

  /**
   * Whether the last event of a pod has other kinds of reasons, or is old. Then the next one is the
   * last from now on, unless it cannot be written. The numbers of nodes in a refusal change all the
   * time, and the server keeps each event for an hour.
   */
  private boolean isNews(WaitingPod pod, PodCondition condition, long now) {
    Noted fresh = new Noted(condition.kinds(), now);
    Waiting known = pods.get(pod.uid());
    Noted last = known == null ? null : known.noted;
    if (last != null && last.kinds.equals(fresh.kinds) && now - last.at <= REPEAT.toNanos()) {
      return false;
    }
    note(pod, fresh);
    return true;
  }

  /** Keeps the last event of a pod that waits; null where it was not written. */
  private void note(WaitingPod pod, Noted event) {
    pods.computeIfPresent(pod.uid(), (uid, known) -> new Waiting(known.newest, known.told, event));
  }

  private void write(PodEvent event) throws IOException {
    try {
      server.tell(event.collection(), event.json(instance));
    } catch (ApiException refused) {
      if (!refused.isThereAlready()) {
        throw refused;
      }
      // An earlier attempt has written it, though its answer was lost.
    }
  }

  /**
   * Writes a condition, and answers the pod; null where the pod does not wait any more, or has a
   * newer report, so that nothing is written.
   */
  private JsonNode write(WaitingPod pod, PodCondition condition, Sender sender)
      throws IOException, InterruptedException {
    Pause pause = Pause.betweenCalls();
    String path = pod.path();
    String version = pod.resourceVersion();
    String nominated = condition.lost();
    boolean wasRefused = pod.refused();
    for (int tries = 1; ; tries++) {
      // After the look at the pod: whatever a newer report writes from now on changes its version.
      if (!isNewest(pod, condition)) {
        return null;
      }
      try {
        boolean isFirst = told(pod) == null && !wasRefused;
        JsonNode patch = condition.patch(pod, version, nominated, isFirst ? wall.instant() : null);
        JsonNode written = sender.send(() -> server.patch(path + "/status", patch));
        Told now = new Told(condition, System.nanoTime());
        pods.computeIfPresent(
            pod.uid(), (uid, known) -> new Waiting(known.newest, now, known.noted));
        return written;
      } catch (ApiException refused) {
        if (refused.code() == 404) {
          return null;
        }
        if (refused.code() != 409 && refused.code() != 422 && refused.code() != 429
            || tries == TRIES) {
          throw refused;
        }
        pause.sleep(refused.retryAfter());
      }
      JsonNode now = server.find(path);
      boolean waits =
          ObjectFields.uid(now).equals(pod.uid())
              && !ObjectFields.isDeleting(now)
              && ObjectFields.node(now).isEmpty();
      if (!waits) {
        return null;
      }
      version = ObjectFields.version(now);
      wasRefused = ObjectFields.isRefused(now);
      nominated = ObjectFields.text(now.path("status"), "nominatedNodeName");
    }
  }

  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }
}
