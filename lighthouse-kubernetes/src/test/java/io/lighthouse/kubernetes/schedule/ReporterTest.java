package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is written on a pod, and when it is not. */
class ReporterTest extends ReporterBench {
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
