package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A reporter, and the server that gets its calls. */
abstract class ReporterBench {
  static final String PATCH = "PATCH /api/v1/namespaces/default/pods/p1/status?limited ";
  static final String GET = "GET /api/v1/namespaces/default/pods/p1";
  static final String POST = "POST /apis/events.k8s.io/v1/namespaces/default/events?limited ";

  final Queue<String> log = new ConcurrentLinkedQueue<>();
  final SchedulerMetrics metrics = new SchedulerMetrics();
  final AtomicLong now = new AtomicLong();
  final TokenBucket updates = new TokenBucket(1, now::get);
  ScriptedServer server;
  Reporter reporter;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer();
    reporter = reporter(100);
  }

  Reporter reporter(int eventsPerSecond) throws IOException {
    Clock wall = Clock.fixed(Instant.parse("2026-11-22T12:00:00.5Z"), ZoneOffset.UTC);
    return new Reporter(
        server.client(Duration.ofSeconds(20)),
        "host_1",
        new TokenBucket(eventsPerSecond, now::get),
        updates,
        metrics,
        new JsonLog(log::add, wall),
        wall,
        (thread, cause) -> log.add(thread + " has ended: " + cause));
  }

  @AfterEach
  void stop() {
    reporter.close();
    server.close();
  }

  static WaitingPod pod() {
    return pod("u1");
  }

  static WaitingPod pod(String uid) {
    return pod(uid, false);
  }

  static WaitingPod pod(String uid, boolean refused) {
    return WaitingPods.of(uid, "p1", refused);
  }

  void told() throws Exception {
    Bench.until(
        () -> server.left() == 0 && reporter.waiting() == 0, () -> "calls: " + server.calls());
  }
}
