package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.schedule.Preemptor.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The calls of a preemption, each answer that they may get, and what becomes of it. */
class PreemptorTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** How long a call may take effect. */
  private static final Duration CALL = Duration.ofSeconds(1);

  private static final String PODS = "/api/v1/namespaces/default/pods/";
  private static final String RUNS = "{'metadata':{'uid':'%s'},'spec':{'nodeName':'n1'}}";
  private static final String ENDS =
      "{'metadata':{'uid':'%s','deletionTimestamp':'2026-11-22T12:00:00Z'}}";

  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final SchedulerMetrics metrics = new SchedulerMetrics();

  /** Gets the calls about the pod that is nominated, and the events. */
  @AutoClose private final ScriptedServer reports = new ScriptedServer();

  /** Gets the calls about the other pods. */
  @AutoClose private final ScriptedServer server = new ScriptedServer();

  private static WaitingPod pod(String name) {
    return WaitingPods.of("u-" + name, name);
  }

  private static Decision.Preempt decision(List<WaitingPod> displaced, String... victims) {
    List<WaitingPod> pods = List.of(victims).stream().map(PreemptorTest::pod).toList();
    return new Decision.Preempt(
        pod("urgent"), "0/1 nodes are available: 1.", "n1", pods, List.of(), displaced, "why");
  }

  private Message.PreemptionEnded ended(Decision.Preempt decision, BooleanSupplier mayAct)
      throws Exception {
    BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    Clock wall = Clock.fixed(Instant.parse("2026-11-22T12:00:00.5Z"), ZoneOffset.UTC);
    JsonLog lines = new JsonLog(log::add, wall);
    Thread.UncaughtExceptionHandler crashed = (thread, cause) -> log.add("ended: " + cause);
    try (Reporter reporter =
            new Reporter(
                reports.client(LIMIT),
                "host_1",
                new TokenBucket(100, () -> 0),
                new TokenBucket(100, () -> 0),
                metrics,
                lines,
                wall,
                crashed);
        Preemptor preemptor =
            new Preemptor(
                server.client(LIMIT),
                reporter,
                new CallWorkers("test", 1, CALL, inbox, mayAct, crashed),
                metrics,
                lines,
                wall)) {
      preemptor.submit(decision);
      Message.PreemptionEnded ended = (Message.PreemptionEnded) inbox.poll(30, TimeUnit.SECONDS);
      Bench.until(() -> reports.left() == 0 && reporter.waiting() == 0, () -> "" + reports.calls());
      assertThat(server.left()).isZero();
      assertThat(log).noneMatch(line -> line.startsWith("ended"));
      return ended;
    }
  }

  private Message.PreemptionEnded ended(String... victims) throws Exception {
    return ended(decision(List.of(), victims), () -> true);
  }

  /** The pod is nominated, and the events are written. */
  private void nominates(int events) {
    reports.then(200, "{'metadata':{'uid':'u-urgent'}}");
    for (int i = 0; i < events; i++) {
      reports.then(201, "{}");
    }
  }

  /** A victim gets its condition. */
  private ScriptedServer marks(String victim) {
    return server.then(200, RUNS.formatted("u-" + victim));
  }

  @Test
  void nominatesThePodThenMarksAndDeletesEachVictimByItsUid() throws Exception {
    nominates(2);
    marks("v").then(200, ENDS.formatted("u-v"));
    Message.PreemptionEnded ended = ended("v");
    assertThat(ended.outcome()).isEqualTo(Outcome.DONE);
    assertThat(ended.evicted()).containsExactly("u-v");
    assertThat(ended.pods())
        .extracting(pod -> pod.at("/metadata/uid").asString())
        .containsExactly("u-urgent", "u-v");
    assertThat(reports.calls().get(0))
        .isEqualTo(
            "PATCH "
                + PODS
                + "urgent/status?limited"
                + " {\"metadata\":{\"uid\":\"u-urgent\",\"resourceVersion\":\"7\"},"
                + "\"status\":{\"nominatedNodeName\":\"n1\",\"conditions\":[{"
                + "\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":\"Unschedulable\",\"message\":\"0/1"
                + " nodes are available: 1.\",\"observedGeneration\":1,"
                + "\"lastTransitionTime\":\"2026-11-22T12:00:00Z\"}]}}");
    assertThat(server.calls())
        .containsExactly(
            "PATCH "
                + PODS
                + "v/status?limited"
                + " {\"metadata\":{\"uid\":\"u-v\"},\"status\":{\"conditions\":[{"
                + "\"type\":\"DisruptionTarget\",\"status\":\"True\","
                + "\"reason\":\"PreemptionByScheduler\",\"message\":\"lighthouse: preempting to"
                + " accommodate a higher priority pod\","
                + "\"lastTransitionTime\":\"2026-11-22T12:00:00Z\",\"observedGeneration\":1}]}}",
            "DELETE "
                + PODS
                + "v?limited {\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\","
                + "\"preconditions\":{\"uid\":\"u-v\"}}");
    assertThat(reports.calls())
        .anyMatch(call -> call.contains("\"reason\":\"FailedScheduling\""))
        .anyMatch(
            call ->
                call.contains("\"note\":\"Preempted by pod u-urgent on node n1\"")
                    && call.contains("\"reason\":\"Preempted\"")
                    && call.contains("\"action\":\"Preempting\"")
                    && call.contains("\"type\":\"Normal\"")
                    && call.contains("\"related\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\","));
  }

  @Test
  void takesTheNominationBackFromTheLessImportantAndOnlyOfThatNode() throws Exception {
    nominates(2);
    server
        .then(409, "{}")
        .then(200, nominated("n1", 8))
        .then(200, "{}")
        .then(409, "{}")
        .then(200, "{'metadata':{'uid':'u-e'},'status':{'nominatedNodeName':'n2'}}");
    marks("v").then(200, ENDS.formatted("u-v"));
    Message.PreemptionEnded ended = ended(decision(List.of(pod("d"), pod("e")), "v"), () -> true);
    assertThat(ended.outcome()).isEqualTo(Outcome.DONE);
    assertThat(server.calls().get(2))
        .isEqualTo(
            "PATCH "
                + PODS
                + "d/status?limited"
                + " {\"metadata\":{\"uid\":\"u-d\",\"resourceVersion\":\"8\"},"
                + "\"status\":{\"nominatedNodeName\":null}}");
  }

  /** The first call is not carried out, the second is, though its answer is lost. */
  @Test
  void takesTheNominationBackThoughTheServerIsBusyAndFails() throws Exception {
    nominates(2);
    server
        .thenBusy(0)
        .then(200, nominated("n1", 8))
        .then(ScriptedServer.CUT, "")
        .then(200, nominated("", 9));
    marks("v").then(200, ENDS.formatted("u-v"));
    assertThat(ended(decision(List.of(pod("d")), "v"), () -> true).outcome())
        .isEqualTo(Outcome.DONE);
    assertThat(server.calls().stream().limit(4))
        .extracting(call -> call.substring(0, call.indexOf(' ')))
        .containsExactly("PATCH", "GET", "PATCH", "GET");
    assertThat(server.calls().get(2)).contains("\"resourceVersion\":\"8\"");
    assertThat(metrics.failures.labelValues("nomination").get()).isZero();
  }

  @Test
  void leavesANominationWhereTheServerFailsAllTheTime() throws Exception {
    nominates(2);
    for (int i = 0; i < 3; i++) {
      server.then(503, "{}").then(200, nominated("n1", 8));
    }
    server.then(503, "{}");
    marks("v").then(200, ENDS.formatted("u-v"));
    assertThat(ended(decision(List.of(pod("d")), "v"), () -> true).outcome())
        .isEqualTo(Outcome.DONE);
    assertThat(metrics.failures.labelValues("nomination").get()).isEqualTo(1);
  }

  private static String nominated(String node, int version) {
    return "{'metadata':{'uid':'u-d','resourceVersion':'%d'},'status':{'nominatedNodeName':'%s'}}"
        .formatted(version, node);
  }

  @Test
  void aVictimThatHasGoneIsFine() throws Exception {
    nominates(1);
    server.then(404, "{}").then(404, "{}");
    assertThat(ended("v").outcome()).isEqualTo(Outcome.DONE);
    nominates(1);
    marks("v").then(404, "{}").then(404, "{}");
    assertThat(ended("v").outcome()).isEqualTo(Outcome.DONE);
    // A namesake that was made later is left alone.
    nominates(1);
    marks("v").then(409, "{}").then(200, RUNS.formatted("u-other"));
    Message.PreemptionEnded ended = ended("v");
    assertThat(ended.outcome()).isEqualTo(Outcome.DONE);
    assertThat(ended.evicted()).containsExactly("u-v");
    assertThat(metrics.victims.get()).isZero();
  }

  @Test
  void aVictimThatIsEndingByItselfIsNotDeletedAgain() throws Exception {
    nominates(2);
    server.then(200, ENDS.formatted("u-v"));
    assertThat(ended("v").outcome()).isEqualTo(Outcome.DONE);
    assertThat(server.calls()).hasSize(1);
    nominates(2);
    server.then(500, "{}").then(200, ENDS.formatted("u-v"));
    assertThat(ended("v").evicted()).containsExactly("u-v");
    assertThat(server.calls()).noneMatch(call -> call.startsWith("DELETE"));
  }

  @Test
  void aDeletionWithoutAnAnswerIsLookedUpAndNotRepeated() throws Exception {
    nominates(2);
    marks("v")
        .then(ScriptedServer.CUT, "")
        .then(503, "{}")
        .then(ScriptedServer.CUT, "")
        .then(200, ENDS.formatted("u-v"));
    assertThat(ended("v").outcome()).isEqualTo(Outcome.DONE);
    assertThat(server.calls()).filteredOn(call -> call.startsWith("DELETE")).hasSize(1);
    assertThat(metrics.victims.get()).isEqualTo(1);
  }

  @Test
  void aDeletionThatDidNotHappenIsRepeated() throws Exception {
    nominates(2);
    marks("v")
        .then(ScriptedServer.CUT, "")
        .then(200, RUNS.formatted("u-v"))
        .then(200, ENDS.formatted("u-v"));
    assertThat(ended("v").outcome()).isEqualTo(Outcome.DONE);
    assertThat(server.calls()).filteredOn(call -> call.startsWith("DELETE")).hasSize(2);
  }

  @Test
  void anErrorThatStaysLeavesTheRemainingVictims() throws Exception {
    nominates(2);
    marks("v").then(200, ENDS.formatted("u-v"));
    for (int i = 0; i < 4; i++) {
      server.then(500, "{'message':'no'}").then(200, RUNS.formatted("u-w"));
    }
    Message.PreemptionEnded ended = ended("v", "w", "x");
    assertThat(ended.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(ended.evicted()).containsExactly("u-v");
    assertThat(ended.detail()).contains("no");
    assertThat(server.calls()).noneMatch(call -> call.contains("/x"));
    assertThat(metrics.failures.labelValues("preempt").get()).isEqualTo(1);
  }

  @Test
  void evictsNothingWhereThePodIsNotNominated() throws Exception {
    reports.then(404, "{}");
    assertThat(ended("v").outcome()).isEqualTo(Outcome.NEEDLESS);
    reports.then(409, "{}").then(200, "{'metadata':{'uid':'u-urgent'},'spec':{'nodeName':'n9'}}");
    assertThat(ended("v").outcome()).isEqualTo(Outcome.NEEDLESS);
    reports.then(ScriptedServer.CUT, "");
    assertThat(ended("v").outcome()).isEqualTo(Outcome.FAILED);
    reports.then(500, "{}");
    assertThat(ended("v").outcome()).isEqualTo(Outcome.FAILED);
    assertThat(server.calls()).isEmpty();
  }

  /** Another leader must not begin before. */
  @Test
  void closingLastsUntilANominationThatIsUnknownTakesNoEffectAnyMore() throws Exception {
    reports.then(ScriptedServer.CUT, "");
    long began = System.nanoTime();
    assertThat(ended("v").outcome()).isEqualTo(Outcome.FAILED);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(CALL);
  }

  @Test
  void sendsNothingAnyMoreOnceItDoesNotLead() throws Exception {
    assertThat(ended(decision(List.of(), "v"), () -> false).outcome()).isEqualTo(Outcome.WITHDRAWN);
    assertThat(reports.calls()).isEmpty();
    // It leads while the pod is nominated and the first victim is evicted.
    nominates(2);
    marks("v").then(200, ENDS.formatted("u-v"));
    AtomicInteger checks = new AtomicInteger(3);
    Message.PreemptionEnded ended =
        ended(decision(List.of(), "v", "w"), () -> checks.decrementAndGet() >= 0);
    assertThat(ended.outcome()).isEqualTo(Outcome.WITHDRAWN);
    assertThat(ended.evicted()).containsExactly("u-v");
    assertThat(server.calls()).hasSize(2);
  }
}
