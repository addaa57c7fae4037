package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is written on a pod, and when it is not. */
class ReporterTest {
  private static final String PATCH = "PATCH /api/v1/namespaces/default/pods/p1/status?limited ";
  private static final String GET = "GET /api/v1/namespaces/default/pods/p1";
  private static final String POST =
      "POST /apis/events.k8s.io/v1/namespaces/default/events?limited ";

  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final SchedulerMetrics metrics = new SchedulerMetrics();
  private final AtomicLong now = new AtomicLong();
  private final TokenBucket updates = new TokenBucket(1, now::get);
  private ScriptedServer server;
  private Reporter reporter;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer();
    reporter = reporter(100);
  }

  private Reporter reporter(int eventsPerSecond) throws IOException {
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

  private static WaitingPod pod() {
    return pod("u1");
  }

  private static WaitingPod pod(String uid) {
    return pod(uid, false);
  }

  private static WaitingPod pod(String uid, boolean refused) {
    return WaitingPods.of(uid, "p1", refused);
  }

  private void told() throws Exception {
    Bench.until(
        () -> server.left() == 0 && reporter.waiting() == 0, () -> "calls: " + server.calls());
  }

  @Test
  void aRefusalIsAConditionAndAnEvent() throws Exception {
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "0/1 nodes are available: 1 Too many pods.", "");
    told();
    assertThat(server.calls().get(0))
        .isEqualTo(
            PATCH
                + "{\"metadata\":{\"uid\":\"u1\",\"resourceVersion\":\"7\"},\"status\":"
                + "{\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\","
                + "\"reason\":\"Unschedulable\","
                + "\"message\":\"0/1 nodes are available: 1 Too many pods.\","
                + "\"observedGeneration\":1,"
                + "\"lastTransitionTime\":\"2026-11-22T12:00:00Z\"}]}}");
    assertThat(server.calls().get(1))
        .startsWith(POST)
        .contains(
            "\"eventTime\":\"2026-11-22T12:00:00.500000Z\"",
            "\"reason\":\"FailedScheduling\"",
            "\"type\":\"Warning\"",
            "\"reportingInstance\":\"host_1\"",
            "\"uid\":\"u1\"");
  }

  @Test
  void theSameWordsAreNotRepeatedAndOthersKeepTheTimeOfTheCondition() throws Exception {
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    Bench.until(() -> server.calls().size() == 2, () -> "calls");
    reporter.refused(pod(), "Unschedulable", "a", "");
    assertThat(reporter.waiting()).isZero();
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "b", "");
    told();
    assertThat(server.calls()).hasSize(4);
    assertThat(server.calls().get(2)).contains("\"message\":\"b\"").doesNotContain("lastTrans");
    reporter.forget("u1");
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "b", "");
    told();
    assertThat(server.calls().get(4)).contains("lastTransitionTime");
  }

  /** Its reader sees by it whether the condition is about the pod as it is now. */
  @Test
  void theConditionOfAPodWhoseSpecHasChangedIsWrittenWithTheSameWords() throws Exception {
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    server.then(200, "{}");
    reporter.refused(WaitingPods.changed(pod()), "Unschedulable", "a", "");
    told();
    assertThat(server.calls()).hasSize(3);
    assertThat(server.calls().get(2)).startsWith(PATCH).contains("\"observedGeneration\":2");
  }

  /** The server keeps each event for an hour, and the numbers change with each pod that ends. */
  @Test
  void anEventIsNotRepeatedForOtherNumbersAlone() throws Exception {
    refuses("0/2 nodes are available: 2 Insufficient cpu. Nearest: n1, with 5m more cpu.", true);
    refuses("0/3 nodes are available: 3 Insufficient cpu. Nearest: n2, with 1m more cpu.", false);
    refuses("0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu. Nearest: n2.", true);
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    refuses("0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods.", false);
    assertThat(server.calls())
        .extracting(call -> call.replaceAll(" .*\"(message|note)\":\"([^.]*).*", " $2"))
        .containsExactly(
            "PATCH 0/2 nodes are available: 2 Insufficient cpu",
            "POST 0/2 nodes are available: 2 Insufficient cpu",
            "PATCH 0/3 nodes are available: 3 Insufficient cpu",
            "PATCH 0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu",
            "POST 0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu",
            "PATCH 0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods");
  }

  @Test
  void anotherNameWithANumberIsAnotherReason() throws Exception {
    refuses("0/2 nodes are available: 2 Insufficient nvidia.com/mig-1g.5gb.", true);
    refuses("0/2 nodes are available: 2 Insufficient nvidia.com/mig-2g.10gb.", true);
    assertThat(server.calls()).hasSize(4);
  }

  @Test
  void anEventThatWasWrittenAtASecondTryIsNotRepeatedForOtherNumbersAlone() throws Exception {
    server.then(503, "{}");
    refuses("0/2 nodes are available: 2 Insufficient cpu.", true);
    refuses("0/3 nodes are available: 3 Insufficient cpu.", false);
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    server.then(503, "{}");
    refuses("0/4 nodes are available: 4 Insufficient cpu.", false);
    refuses("0/4 nodes are available: 4 Too many pods.", true);
    assertThat(server.calls())
        .extracting(call -> call.replaceAll(" .*", ""))
        .containsExactly("PATCH", "PATCH", "POST", "PATCH", "PATCH", "PATCH", "PATCH", "POST");
  }

  @Test
  void anEventThatWasNotWrittenIsWrittenWithOtherNumbers() throws Exception {
    server.then(200, "{}").then(403, "{}");
    reporter.refused(pod(), "Unschedulable", "0/2 nodes are available: 2 Insufficient cpu.", "");
    Bench.until(() -> metrics.unwritten.labelValues("event").get() == 1, () -> "all is written");
    refuses("0/3 nodes are available: 3 Insufficient cpu.", true);
    assertThat(server.calls()).hasSize(4);
  }

  private void refuses(String message, boolean hasEvent) throws Exception {
    server.then(200, "{}");
    if (hasEvent) {
      server.then(201, "{}");
    }
    reporter.refused(pod(), "Unschedulable", message, "");
    told();
  }

  @Test
  void conditionsWithOtherNumbersAloneHaveALimitedRate() throws Exception {
    refuses("0/1 nodes are available: 1 Insufficient cpu.", true);
    assertThat(updates.take()).as("the only one of this second").isZero();
    reporter.refused(pod(), "Unschedulable", "0/2 nodes are available: 2 Insufficient cpu.", "");
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    refuses("0/3 nodes are available: 3 Insufficient cpu.", false);
    assertThat(server.calls())
        .hasSize(3)
        .noneMatch(call -> call.contains("0/2 nodes"))
        .last()
        .asString()
        .contains("0/3 nodes");
  }

  /** Of the leader before, or of the server while the pod had scheduling gates. */
  @Test
  void theConditionOfAPodThatIsRefusedAlreadyKeepsItsTime() throws Exception {
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod("u1", true), "Unschedulable", "a", "");
    told();
    assertThat(server.calls().get(0)).contains("\"message\":\"a\"").doesNotContain("lastTrans");
  }

  @Test
  void aBoundPodIsNotCalledUnschedulable() throws Exception {
    server
        .then(409, "{'reason':'Conflict'}")
        .then(200, "{'metadata':{'uid':'u1','resourceVersion':'8'},'spec':{'nodeName':'n2'}}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    // The next report is the first call after those two: there is no other report of p1.
    server.then(201, "{}");
    reporter.scheduled(new Decision.Bind(pod(), "n1", "spread", "f00"));
    told();
    assertThat(server.calls()).hasSize(3);
    assertThat(server.calls().get(1)).isEqualTo(GET);
    assertThat(server.calls().get(2))
        .startsWith(POST)
        .contains("Successfully assigned default/p1 to n1 (strategy spread, decision f00)")
        .contains("\"reason\":\"Scheduled\"", "\"type\":\"Normal\"");
  }

  @Test
  void aStaleVersionIsWrittenAgainOnTheNewOne() throws Exception {
    server
        .then(409, "{'reason':'Conflict'}")
        .then(200, "{'metadata':{'uid':'u1','resourceVersion':'8'},'spec':{}}")
        .then(200, "{}")
        .then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    assertThat(server.calls().get(2)).startsWith(PATCH).contains("\"resourceVersion\":\"8\"");
  }

  /** The leader before may write it last. */
  @Test
  void aConditionThatCameBetweenKeepsItsTime() throws Exception {
    server
        .then(409, "{'reason':'Conflict'}")
        .then(
            200,
            "{'metadata':{'uid':'u1','resourceVersion':'8'},'spec':{},'status':{'conditions':["
                + "{'type':'PodScheduled','status':'False'}]}}")
        .then(200, "{}")
        .then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    assertThat(server.calls().get(0)).contains("lastTransitionTime");
    assertThat(server.calls().get(2)).startsWith(PATCH).doesNotContain("lastTransitionTime");
  }

  @Test
  void aNamesakeOrAPodThatHasGoneIsLeftAlone() throws Exception {
    server
        .then(422, "{'reason':'Invalid'}")
        .then(200, "{'metadata':{'uid':'u2','resourceVersion':'8'},'spec':{}}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    server.then(404, "{'reason':'NotFound'}");
    reporter.refused(pod(), "Unschedulable", "b", "");
    told();
    assertThat(server.calls()).hasSize(3).noneMatch(call -> call.startsWith("POST"));
    assertThat(log).isEmpty();
  }

  @Test
  void eventsAboveTheRateWaitAndConditionsDoNot() throws Exception {
    reporter.close();
    reporter = reporter(1);
    server.then(200, "{}").then(201, "{}").then(200, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    Bench.until(() -> server.calls().size() == 2, () -> "calls: " + server.calls());
    reporter.refused(pod(), "Unschedulable", "b", "");
    told();
    assertThat(server.calls()).hasSize(3);
    server.then(201, "{}");
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    Bench.until(() -> server.calls().size() == 4, () -> "calls: " + server.calls());
    assertThat(server.calls().get(3)).startsWith(POST).contains("\"note\":\"b\"");
  }

  @Test
  void theEventsOfBoundPodsWaitBehindRefusalsAndAreDroppedWhereTooManyDo() throws Exception {
    reporter.close();
    reporter = reporter(1);
    server.then(201, "{}");
    for (int i = 0; i <= Reporter.MOST_WAITING; i++) {
      reporter.scheduled(new Decision.Bind(pod("u" + i), "n1", "spread", "f00"));
    }
    for (int i = 0; i < 5; i++) { // One is written, and each of four threads holds one.
      reporter.scheduled(new Decision.Bind(pod("late" + i), "n1", "spread", "f00"));
    }
    double dropped = metrics.unwritten.labelValues("event").get();
    assertThat(dropped).isBetween(1.0, 6.0);
    for (int i = 0; i < 30; i++) {
      server.then(201, "{}");
    }
    reporter.refused(pod("refused"), "Unschedulable", "a", "");
    Bench.until(
        () -> {
          now.addAndGet(TimeUnit.SECONDS.toNanos(1));
          return server.calls().stream().anyMatch(call -> call.contains("FailedScheduling"));
        },
        () -> "calls: " + server.calls().size());
    // The threads that held an event write it, and may take the next tokens.
    assertThat(server.calls()).hasSizeLessThan(30);
  }

  @Test
  void aReportIsTriedAgainWhereTheServerFailsOrIsBusy() throws Exception {
    server.then(500, "{}").then(200, "{}").then(429, "{}").then(ScriptedServer.CUT, "");
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    assertThat(server.calls().get(5)).startsWith(POST).contains("\"note\":\"a\"");
    assertThat(metrics.unwritten.labelValues("condition").get()).isZero();
  }

  private void preempted() {
    WaitingPod by =
        new WaitingPod(
            "u2",
            "default",
            "p2",
            "7",
            1,
            "lighthouse",
            9,
            Instant.EPOCH,
            false,
            false,
            Optional.empty());
    reporter.preempted(pod(), by, "n1");
  }

  @Test
  void anEventThatWasWrittenThoughItsAnswerWasLostIsNotWrittenTwice() throws Exception {
    server.then(ScriptedServer.CUT, "").then(409, "{'reason':'AlreadyExists'}");
    preempted();
    told();
    assertThat(server.calls()).hasSize(2);
    assertThat(server.calls().get(0)).startsWith(POST).contains("\"reason\":\"Preempted\"");
    assertThat(server.calls().get(1)).isEqualTo(server.calls().get(0));
    assertThat(metrics.unwritten.labelValues("event").get()).isZero();
  }

  @Test
  void anotherConflictIsNoProofThatAnEventIsThere() throws Exception {
    server.then(ScriptedServer.CUT, "").then(409, "{'reason':'Conflict'}");
    preempted();
    Bench.until(() -> metrics.unwritten.labelValues("event").get() == 1, () -> "" + server.calls());
  }

  @Test
  void aReportThatFailedDoesNotComeAfterANewerOne() throws Exception {
    server.then(200, "{}").thenBusy(1);
    reporter.refused(pod(), "Unschedulable", "a", "");
    Bench.until(() -> !log.isEmpty(), () -> "nothing logged");
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "b", "");
    told();
    // The thread of the first one waits for a second before it takes another report.
    ended();
    assertThat(server.calls()).filteredOn(call -> call.startsWith(PATCH)).hasSize(2);
    assertThat(server.calls())
        .filteredOn(call -> call.contains("FailedScheduling"))
        .hasSize(2)
        .last()
        .asString()
        .contains("\"note\":\"b\"");
  }

  /** Waits until each thread has ended what it did before: all of them hold an event then. */
  private void ended() throws Exception {
    int before = server.calls().size();
    for (int i = 0; i < Reporter.THREADS; i++) {
      server.thenFrom(new CountDownLatch(1), 201, "{}");
      reporter.scheduled(new Decision.Bind(pod("later" + i), "n1", "spread", "f00"));
    }
    Bench.until(
        () -> server.calls().size() >= before + Reporter.THREADS, () -> "calls: " + server.calls());
  }

  /** The older one is to take a nomination back that the newer one writes. */
  @Test
  void aReportThatIsTriedAgainDoesNotComeAfterANewerOne() throws Exception {
    CountDownLatch isWritten = new CountDownLatch(1);
    server.thenFrom(isWritten, 429, "{'reason':'TooManyRequests'}");
    reporter.refused(pod(), "Unschedulable", "a", "n1");
    Bench.until(() -> server.calls().size() == 1, () -> "calls: " + server.calls());
    String nominated =
        "{'metadata':{'uid':'u1','resourceVersion':'8'},'spec':{},'status':{"
            + "'nominatedNodeName':'n1'}}";
    server.then(200, nominated).then(201, "{}");
    assertThat(
            reporter.nominate(
                pod(), reporter.nomination(pod(), "n1", "b"), CallWorkers.Write::send))
        .isNotNull();
    told();
    server.then(200, nominated);
    isWritten.countDown();
    told();
    // The older one has looked at the pod, and writes nothing more.
    ended();
    assertThat(server.calls()).filteredOn(call -> call.startsWith(PATCH)).hasSize(2);
    assertThat(server.calls()).filteredOn(call -> call.contains("FailedScheduling")).hasSize(1);
    assertThat(log).isEmpty();
  }

  @Test
  void anOlderReportIsNotWrittenAfterANewerOneWithTheWordsLastWritten() throws Exception {
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    CountDownLatch isWritten = new CountDownLatch(1);
    server.thenFrom(isWritten, 429, "{'reason':'TooManyRequests'}");
    reporter.refused(pod(), "Unschedulable", "b", "");
    told();
    server.then(200, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    told();
    server.then(200, "{'metadata':{'uid':'u1','resourceVersion':'8'},'spec':{}}");
    isWritten.countDown();
    told();
    ended();
    assertThat(server.calls())
        .filteredOn(call -> call.startsWith(PATCH))
        .hasSize(3)
        .last()
        .asString()
        .contains("\"message\":\"a\"");
    assertThat(log).isEmpty();
  }

  @Test
  void nothingIsRememberedOfAPodThatGoesWhileItsReportIsWritten() throws Exception {
    CountDownLatch isWritten = new CountDownLatch(1);
    server.thenFrom(isWritten, 200, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    Bench.until(() -> server.calls().size() == 1, () -> "calls: " + server.calls());
    reporter.forget("u1");
    server.then(201, "{}");
    isWritten.countDown();
    Bench.until(() -> server.calls().size() == 2, () -> "calls: " + server.calls());
    // Otherwise these words would not be written again.
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    Bench.until(() -> server.calls().size() == 4, () -> "calls: " + server.calls());
    PodCondition nomination = reporter.nomination(pod(), "n1", "b");
    reporter.forget("u1");
    assertThat(reporter.nominate(pod(), nomination, CallWorkers.Write::send)).isNull();
    assertThat(server.calls()).hasSize(4);
  }

  /** The server counts the bytes of a note. */
  @Test
  void theNoteOfAnEventIsCut() throws Exception {
    server.then(200, "{}").then(201, "{}");
    reporter.refused(pod(), "SchedulerError", "部屋".repeat(400), "");
    told();
    assertThat(server.calls().get(0)).contains("部屋".repeat(400));
    String note = server.calls().get(1).replaceAll(".*\"note\":\"|\".*", "");
    assertThat(note).startsWith("部屋").endsWith("...");
    assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_000, 1_024);
  }

  @Test
  void aReportThatTheServerRefusesIsDroppedAndCounted() throws Exception {
    server.then(200, "{}").then(403, "{'reason':'Forbidden'}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    Bench.until(
        () -> metrics.unwritten.labelValues("event").get() == 1, () -> "not counted: " + log);
    assertThat(server.calls()).hasSize(2);
    server.then(403, "{'reason':'Forbidden'}");
    reporter.refused(pod("u2"), "Unschedulable", "a", "");
    Bench.until(
        () -> metrics.unwritten.labelValues("condition").get() == 1, () -> "not counted: " + log);
    assertThat(metrics.unwritten.labelValues("event").get()).isOne();
    assertThat(server.calls()).hasSize(3);
  }

  @Test
  void aServerThatFailsIsLogged() throws Exception {
    server.then(500, "{'message':'no'}");
    reporter.refused(pod(), "Unschedulable", "a", "");
    Bench.until(() -> !log.isEmpty(), () -> "nothing logged");
    assertThat(log.peek()).contains("report-failed", "default/p1");
  }
}
