package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.monitor.DaemonThreads;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes decisions on the pods: the condition {@code PodScheduled} of those without a node, and an
 * event for each. Only the newest report of a pod is kept, and the same text is not repeated for
 * {@link #REPEAT}. A condition is written only on the version of the pod that was checked, and
 * never on a bound pod. Thread-safe.
 *
 * <p>The rate of events is limited, to leave the server and its etcd room for other calls. Events
 * above it wait, those of bound pods behind all others. They are lost where too many wait, where
 * the server refuses them, and where it fails {@value #MOST_FAILURES} times.
 */
final class Reporter implements AutoCloseable {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

  /** The same report of a pod is repeated after this time: the server keeps events for an hour. */
  private static final Duration REPEAT = Duration.ofMinutes(15);

  /** The maximum number of attempts to write a condition on a pod that keeps changing. */
  private static final int TRIES = 5;

  static final int THREADS = 4;

  /** How often a report is tried while the server does not answer, is busy, or fails. */
  static final int MOST_FAILURES = 12;

  /** The number of reports that may wait. Above it, events of bound pods are not written. */
  static final int MOST_WAITING = 100_000;

  /**
   * The maximum length of the pod's name in an event's name: a name has at most 253 characters, of
   * which the suffix needs 17.
   */
  private static final int LONGEST_NAME = 253 - 17;

  private final ApiServer server;
  private final String instance;
  private final TokenBucket rate;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final Clock wall;
  private final Map<String, Attempt> newest = new ConcurrentHashMap<>();
  private final BlockingQueue<Turn> turns = new PriorityBlockingQueue<>();
  private final AtomicLong numbers = new AtomicLong();

  /** The number of the newest condition of each pod that still waits. */
  private final Map<String, Long> conditions = new ConcurrentHashMap<>();

  /** The newest written reports of pods that still wait. */
  private final Map<String, Told> told = new ConcurrentHashMap<>();

  private final Thread[] threads = new Thread[THREADS];
  private volatile boolean closed;

  /**
   * A report to be written.
   *
   * @param eventOnly whether no condition is written, as for a pod that was bound
   * @param nomination what becomes of the pod's nomination
   * @param related the pod that a victim is evicted for; null for other reports
   * @param event the name and the time of its event
   * @param number the later a condition was decided, the higher; 0 where there is none
   */
  private record Report(
      WaitingPod pod,
      boolean eventOnly,
      String type,
      String reason,
      String action,
      String words,
      Nomination nomination,
      WaitingPod related,
      EventId event,
      long number) {
    boolean isOfBoundPod() {
      return reason.equals("Scheduled");
    }

    /** The name of the scheduler that acted: of a victim, that of the pod it is evicted for. */
    String scheduler() {
      return (related == null ? pod : related).schedulerName();
    }

    /** A victim may have a report of its binding, too. */
    String key() {
      return related == null ? pod.uid() : pod.uid() + " preempted";
    }
  }

  /**
   * A report that waits.
   *
   * @param failures how often it was tried in vain
   */
  private record Attempt(Report report, int failures) {}

  /**
   * The same at every attempt to write an event: the server may have written it without an answer.
   *
   * @param at when the report was made
   */
  private record EventId(String name, Instant at) {}

  /**
   * What becomes of the nomination of a pod.
   *
   * @param to the node that it is nominated to; empty for none
   * @param lost the node whose nomination is taken back, if the pod has it still; empty for none
   */
  private record Nomination(String to, String lost) {
    static final Nomination KEEP = new Nomination("", "");
  }

  /** When a report is written: those of bound pods last, each kind in its order. */
  private record Turn(boolean bound, long number, String key) implements Comparable<Turn> {
    @Override
    public int compareTo(Turn other) {
      return bound == other.bound
          ? Long.compare(number, other.number)
          : Boolean.compare(bound, other.bound);
    }
  }

  /** A written report with its number, and its time. */
  private record Told(String reason, String words, long number, long at) {}

  Reporter(
      ApiServer server,
      String instance,
      TokenBucket rate,
      SchedulerMetrics metrics,
      JsonLog log,
      Clock wall,
      UncaughtExceptionHandler crashed) {
    this.server = server;
    this.wall = wall;
    this.instance = instance.substring(0, Math.min(instance.length(), 128));
    this.rate = rate;
    this.metrics = metrics;
    this.log = log;
    for (int i = 0; i < THREADS; i++) {
      threads[i] = new DaemonThreads("lighthouse-report-" + i, crashed).newThread(this::work);
      threads[i].start();
    }
  }

  /** The pod is bound. */
  void scheduled(Decision.Bind bind) {
    told.remove(bind.pod().uid());
    conditions.remove(bind.pod().uid());
    String words =
        "Successfully assigned "
            + bind.pod().namespace()
            + "/"
            + bind.pod().name()
            + " to "
            + bind.node()
            + " (strategy "
            + bind.strategy()
            + ", decision "
            + bind.hash()
            + ")";
    add(event(bind.pod(), "Normal", "Scheduled", "Binding", words, null));
  }

  /**
   * The pod found no node.
   *
   * @param reason the reason of the condition, such as Unschedulable
   */
  void refused(WaitingPod pod, String reason, String words) {
    refused(pod, reason, words, "");
  }

  /**
   * The pod found no node.
   *
   * @param lost the node that it was nominated to in vain; empty where its nomination stays
   */
  void refused(WaitingPod pod, String reason, String words, String lost) {
    Told last = told.get(pod.uid());
    // A newer report may be on its way, after which these words are new again.
    boolean same =
        last != null
            && last.number == conditions.getOrDefault(pod.uid(), 0L)
            && last.words.equals(words)
            && last.reason.equals(reason);
    if (!same || !lost.isEmpty() || System.nanoTime() - last.at > REPEAT.toNanos()) {
      add(condition(pod, reason, words, new Nomination("", lost)));
    }
  }

  /**
   * Writes now, in the caller's thread, that a pod found no node and is nominated to one.
   *
   * @param mayAct checked before every call
   * @return the pod as the server has it then; null where it does not wait any more, or has a newer
   *     report
   * @throws IOException if it is not known that this was written
   */
  JsonNode nominate(WaitingPod pod, String node, String words, BooleanSupplier mayAct)
      throws IOException, InterruptedException {
    Report report = condition(pod, "Unschedulable", words, new Nomination(node, ""));
    JsonNode written = write(report, mayAct);
    if (written != null) {
      add(event(pod, "Warning", "FailedScheduling", "Scheduling", words, null));
    }
    return written;
  }

  /** The pod was evicted for another. */
  void preempted(WaitingPod victim, WaitingPod by, String node) {
    String words = "Preempted by pod " + by.uid() + " on node " + node;
    add(event(victim, "Normal", "Preempted", "Preempting", words, by));
  }

  private Report event(
      WaitingPod pod, String type, String reason, String action, String words, WaitingPod related) {
    return new Report(
        pod,
        true,
        type,
        reason,
        action,
        words,
        Nomination.KEEP,
        related,
        new EventId(eventName(pod.name()), wall.instant()),
        0);
  }

  /** A report with a condition, which takes the place of all that the pod had. */
  private Report condition(WaitingPod pod, String reason, String words, Nomination nomination) {
    long number = numbers.incrementAndGet();
    conditions.merge(pod.uid(), number, Math::max);
    return new Report(
        pod,
        false,
        "Warning",
        reason,
        "Scheduling",
        words,
        nomination,
        null,
        new EventId(eventName(pod.name()), wall.instant()),
        number);
  }

  /** The pod does not wait any more. */
  void forget(String uid) {
    told.remove(uid);
    conditions.remove(uid);
    newest.computeIfPresent(uid, (key, waiting) -> waiting.report.eventOnly ? waiting : null);
  }

  private void add(Report report) {
    if (report.isOfBoundPod() && newest.size() >= MOST_WAITING) {
      metrics.unwritten.labelValues("event").inc();
      return;
    }
    if (newest.put(report.key(), new Attempt(report, 0)) == null) {
      addTurn(report);
    }
  }

  private void addTurn(Report report) {
    turns.add(new Turn(report.isOfBoundPod(), numbers.incrementAndGet(), report.key()));
  }

  /** A report that failed is tried again, unless a newer one has taken its place. */
  private void addAgain(Report report, int failures) {
    if ((report.eventOnly || isNewest(report))
        && newest.putIfAbsent(report.key(), new Attempt(report, failures)) == null) {
      addTurn(report);
    }
  }

  /** Whether its condition is the newest of a pod that still waits. */
  private boolean isNewest(Report report) {
    return conditions.getOrDefault(report.pod.uid(), 0L) == report.number;
  }

  /** Reports that wait to be written. */
  int waiting() {
    return newest.size();
  }

  private void work() {
    Pause pause = Pause.betweenCalls();
    while (!closed) {
      try {
        Attempt attempt = newest.remove(turns.take().key);
        if (attempt != null) {
          write(attempt, pause);
        }
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException broken) {
        metrics.failures.labelValues("report").inc();
        log.error("report-failed", broken);
      }
    }
  }

  private void write(Attempt attempt, Pause pause) throws InterruptedException {
    Report report = attempt.report;
    String pod = report.pod.namespace() + "/" + report.pod.name();
    try {
      if (!report.eventOnly && write(report, () -> true) == null) {
        return;
      }
      for (long wait = rate.take(); wait > 0; wait = rate.take()) {
        TimeUnit.NANOSECONDS.sleep(wait);
      }
      writeEvent(report);
      pause.reset();
    } catch (IOException failed) {
      metrics.failures.labelValues("report").inc();
      if (closed) {
        return;
      }
      log.warning("report-failed", "pod", pod, "error", failed.getMessage());
      int failures = attempt.failures + 1;
      if (!mayHelpToWait(failed) || failures == MOST_FAILURES) {
        metrics.unwritten.labelValues(report.eventOnly ? "event" : "condition").inc();
        return;
      }
      pause.sleep(failed instanceof ApiException busy ? busy.retryAfter() : 0);
      addAgain(report, failures);
    }
  }

  private void writeEvent(Report report) throws IOException {
    try {
      server.tell(
          "/apis/events.k8s.io/v1/namespaces/" + report.pod.namespace() + "/events", event(report));
    } catch (ApiException refused) {
      if (!refused.isThereAlready()) {
        throw refused;
      }
      // An earlier attempt has written it, though its answer was lost.
    }
  }

  private static boolean mayHelpToWait(IOException failed) {
    return !(failed instanceof ApiException refused)
        || !refused.isRefused()
        || refused.code() == 429;
  }

  /**
   * Writes the condition, and answers the pod; null where the pod does not wait any more, or has a
   * newer report, so that nothing is written.
   */
  private JsonNode write(Report report, BooleanSupplier mayAct)
      throws IOException, InterruptedException {
    Pause pause = Pause.betweenCalls();
    String path = "/api/v1/namespaces/" + report.pod.namespace() + "/pods/" + report.pod.name();
    String version = report.pod.resourceVersion();
    String nominated = report.nomination.lost;
    for (int tries = 1; ; tries++) {
      if (!mayAct.getAsBoolean()) {
        throw new IOException("no leader");
      }
      // After the look at the pod: whatever a newer report writes from now on changes its version.
      if (!isNewest(report)) {
        return null;
      }
      try {
        JsonNode written =
            server.patch(server.limited(path + "/status"), patch(report, version, nominated));
        told.put(
            report.pod.uid(),
            new Told(report.reason, report.words, report.number, System.nanoTime()));
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
      JsonNode now;
      try {
        now = server.get(path);
      } catch (ApiException refused) {
        if (refused.code() == 404) {
          return null;
        }
        throw refused;
      }
      JsonNode metadata = now.path("metadata");
      boolean waits =
          metadata.path("uid").asString("").equals(report.pod.uid())
              && !metadata.has("deletionTimestamp")
              && now.path("spec").path("nodeName").asString("").isEmpty();
      if (!waits) {
        return null;
      }
      version = metadata.path("resourceVersion").asString("");
      nominated = now.path("status").path("nominatedNodeName").asString("");
    }
  }

  /**
   * The uid and the version guard the write: without them, a bound pod could be marked
   * unschedulable. A nomination is taken back only if it is the one that was decided about.
   */
  private ObjectNode patch(Report report, String version, String nominated) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", report.pod.uid()).put("resourceVersion", version);
    ObjectNode status = patch.putObject("status");
    if (!report.nomination.to.isEmpty()) {
      status.put("nominatedNodeName", report.nomination.to);
    } else if (!nominated.isEmpty() && nominated.equals(report.nomination.lost)) {
      status.putNull("nominatedNodeName");
    }
    ObjectNode condition = status.putArray("conditions").addObject();
    condition
        .put("type", "PodScheduled")
        .put("status", "False")
        .put("reason", report.reason)
        .put("message", report.words);
    if (!told.containsKey(report.pod.uid())) {
      condition.put("lastTransitionTime", SECONDS.format(wall.instant()));
    }
    return patch;
  }

  private ObjectNode event(Report report) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
    event
        .putObject("metadata")
        .put("name", report.event.name)
        .put("namespace", report.pod.namespace());
    event.put("eventTime", MICROS.format(report.event.at));
    event.put("reportingController", report.scheduler()).put("reportingInstance", instance);
    event.put("action", report.action).put("type", report.type);
    event.put("reason", report.eventOnly ? report.reason : "FailedScheduling");
    reference(event.putObject("regarding"), report.pod);
    if (report.related != null) {
      reference(event.putObject("related"), report.related);
    }
    event.put(
        "note",
        report.words.substring(0, Math.min(report.words.length(), Decision.MOST_CHARACTERS)));
    return event;
  }

  private static void reference(ObjectNode reference, WaitingPod pod) {
    reference
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("namespace", pod.namespace())
        .put("name", pod.name())
        .put("uid", pod.uid());
  }

  private static String eventName(String pod) {
    String start = pod.substring(0, Math.min(pod.length(), LONGEST_NAME));
    while (!Character.isLetterOrDigit(start.charAt(start.length() - 1))) {
      start = start.substring(0, start.length() - 1);
    }
    return start + "." + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }
}
