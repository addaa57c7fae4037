package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Bench;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which reports of a pod are not written again, and how often others are. */
class RepeatedReportsTest extends ReporterBench {
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
}
