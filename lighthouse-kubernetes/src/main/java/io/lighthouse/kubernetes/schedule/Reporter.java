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
 * above it wait, those of bound pods behind all others. They are lost only where too many wait.
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

  private static final int THREADS = 4;

  /** The number of reports that may wait. Above it, events of bound pods are not written. */
  static final int MOST_WAITING = 100_000;

  /**
   * The maximum length of the pod's name in an event's name: a name has at most 253 characters, of
   * which the suffix needs 17.
   */
  private static final int LONGEST_NAME = 253 - 17;

  private final ApiServer server;
  private final String reporter;
  private final String instance;
  private final TokenBucket rate;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final Clock wall;
  private final Map<String, Report> newest = new ConcurrentHashMap<>();
  private final BlockingQueue<Turn> turns = new PriorityBlockingQueue<>();
  private final AtomicLong turnsTaken = new AtomicLong();

  /** The newest written reports of pods that still wait. */
  private final Map<String, Told> told = new ConcurrentHashMap<>();

  private final Thread[] threads = new Thread[THREADS];
  private volatile boolean closed;

  /** A report to be written; without a condition for a pod that was bound. */
  private record Report(
      WaitingPod pod, boolean bound, String type, String reason, String action, String words) {}

  /** When a report is written: those of pods without a node first, each kind in its order. */
  private record Turn(boolean bound, long number, String uid) implements Comparable<Turn> {
    @Override
    public int compareTo(Turn other) {
      return bound == other.bound
          ? Long.compare(number, other.number)
          : Boolean.compare(bound, other.bound);
    }
  }

  /** A written report, and its time. */
  private record Told(String reason, String words, long at) {}

  Reporter(
      ApiServer server,
      String reporter,
      String instance,
      TokenBucket rate,
      SchedulerMetrics metrics,
      JsonLog log,
      Clock wall,
      UncaughtExceptionHandler crashed) {
    this.server = server;
    this.wall = wall;
    this.reporter = reporter;
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
    add(new Report(bind.pod(), true, "Normal", "Scheduled", "Binding", words));
  }

  /**
   * The pod found no node.
   *
   * @param reason the reason of the condition, such as Unschedulable
   */
  void refused(WaitingPod pod, String reason, String words) {
    Told last = told.get(pod.uid());
    boolean same = last != null && last.words.equals(words) && last.reason.equals(reason);
    if (!same || System.nanoTime() - last.at > REPEAT.toNanos()) {
      add(new Report(pod, false, "Warning", reason, "Scheduling", words));
    }
  }

  /** The pod does not wait any more. */
  void forget(String uid) {
    told.remove(uid);
    newest.computeIfPresent(uid, (key, report) -> report.bound ? report : null);
  }

  private void add(Report report) {
    if (report.bound && newest.size() >= MOST_WAITING) {
      metrics.unwritten.labelValues("event").inc();
      return;
    }
    if (newest.put(report.pod.uid(), report) == null) {
      turns.add(new Turn(report.bound, turnsTaken.getAndIncrement(), report.pod.uid()));
    }
  }

  /** Reports that wait to be written. */
  int waiting() {
    return newest.size();
  }

  private void work() {
    while (!closed) {
      try {
        Report report = newest.remove(turns.take().uid);
        if (report != null) {
          write(report);
        }
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException broken) {
        metrics.failures.labelValues("report").inc();
        log.error("report-failed", broken);
      }
    }
  }

  private void write(Report report) throws InterruptedException {
    String pod = report.pod.namespace() + "/" + report.pod.name();
    try {
      if (!report.bound && !condition(report)) {
        return;
      }
      for (long wait = rate.take(); wait > 0; wait = rate.take()) {
        TimeUnit.NANOSECONDS.sleep(wait);
      }
      server.tell(
          "/apis/events.k8s.io/v1/namespaces/" + report.pod.namespace() + "/events", event(report));
    } catch (IOException failed) {
      metrics.failures.labelValues("report").inc();
      if (!closed) {
        log.warning("report-failed", "pod", pod, "error", failed.getMessage());
      }
    }
  }

  /**
   * Writes the condition; false where the pod does not wait any more, so that nothing is written.
   */
  private boolean condition(Report report) throws IOException, InterruptedException {
    Pause pause = new Pause(Duration.ofMillis(50), Duration.ofSeconds(2));
    String path = "/api/v1/namespaces/" + report.pod.namespace() + "/pods/" + report.pod.name();
    String version = report.pod.resourceVersion();
    for (int tries = 1; ; tries++) {
      try {
        server.patch(path + "/status", patch(report, version));
        told.put(report.pod.uid(), new Told(report.reason, report.words, System.nanoTime()));
        return true;
      } catch (ApiException refused) {
        if (refused.code() == 404) {
          return false;
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
          return false;
        }
        throw refused;
      }
      JsonNode metadata = now.path("metadata");
      boolean waits =
          metadata.path("uid").asString("").equals(report.pod.uid())
              && !metadata.has("deletionTimestamp")
              && now.path("spec").path("nodeName").asString("").isEmpty();
      if (!waits) {
        return false;
      }
      version = metadata.path("resourceVersion").asString("");
    }
  }

  /**
   * The uid and the version guard the write: without them, a bound pod could be marked
   * unschedulable.
   */
  private ObjectNode patch(Report report, String version) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", report.pod.uid()).put("resourceVersion", version);
    ObjectNode condition = patch.putObject("status").putArray("conditions").addObject();
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
        .put("name", eventName(report.pod.name()))
        .put("namespace", report.pod.namespace());
    event.put("eventTime", MICROS.format(wall.instant()));
    event.put("reportingController", reporter).put("reportingInstance", instance);
    event.put("action", report.action).put("type", report.type);
    event.put("reason", report.bound ? report.reason : "FailedScheduling");
    event
        .putObject("regarding")
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("namespace", report.pod.namespace())
        .put("name", report.pod.name())
        .put("uid", report.pod.uid());
    event.put(
        "note",
        report.words.substring(0, Math.min(report.words.length(), Decision.MOST_CHARACTERS)));
    return event;
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
