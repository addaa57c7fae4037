package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.control.Bench;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An older report of a pod is not written after a newer one. */
class ReportOrderTest extends ReporterBench {
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
}
