package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The pods of a Job end by themselves, and a Job makes others only until it has ended. */
class EvictionsOfJobsTest extends EvictionBench {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  private static final String CONDITION =
      "{'type':'%s','status':'True','reason':'r','message':'m'}";

  private static void end(String pod, String phase) throws IOException {
    bench.patchStatus(pod, Objects.json("{'status':{'phase':'%s'}}", phase));
  }

  /** A Job makes a pod when another begins to end, and it may be done soon. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aReplacementOfAJobMayHaveFinishedBeforeTheEvictedPod() throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              bench.add(owned(on("two", "n1"), "Job"));
              end("two", "Succeeded");
              bench.deletePod("one");
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told).anyMatch(line -> line.startsWith("default/two was on n1 in its place"));
  }

  /** As where the first of them has failed. */
  @Test
  void theNextReplacementOfAJobIsWaitedFor() throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            () -> {
              bench.add(owned(on("two", "n1"), "Job"));
              bench.deletePod("two");
              addWaiting("three", "Job");
              bench.deletePod("one");
            });
    assertThat(outcome.stopped()).contains(noNodeFor("three"));
  }

  /** The one that finishes had a node before the eviction, and its successor has one. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anotherPodOfAJobThatFinishesMeanwhileReplacesNone() throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    bench.add(owned(on("two", "n1"), "Job"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              end("two", "Succeeded");
              bench.add(owned(on("three", "n1"), "Job"));
              bench.deletePod("one");
              // Time for a plan that does not wait to end before that.
              CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                  .execute(() -> addOfJob("four"));
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told).anyMatch(line -> line.startsWith("default/four is on n1 in its place"));
  }

  /** Whether it failed is read; 403 is the answer where the role is that of an earlier version. */
  @ParameterizedTest
  @CsvSource({"0, three is", "503, three is", "403, two was"})
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPodOfAJobThatFailsReplacesNone(int answer, String replacement) throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    try (FailingGateway gateway = new FailingGateway(planner, 1)) {
      if (answer > 0) {
        gateway.answer("/pods/two", answer);
      }
      KubernetesPlan.Outcome outcome =
          carryOut(
              KubernetesPlan.make(gateway.access(), drain("n0")),
              Duration.ofHours(1),
              "evicted ",
              () -> {
                bench.add(owned(on("two", "n1"), "Job"));
                end("two", "Failed");
                bench.deletePod("one");
                if (answer != 403) {
                  // Time for a plan that does not wait to end before that.
                  CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                      .execute(() -> addOfJob("three"));
                }
              });
      assertThat(outcome).isEqualTo(DONE);
      assertThat(told)
          .anyMatch(line -> line.startsWith("default/" + replacement + " on n1 in its place"));
    }
  }

  /** The status of a Job that is suspended or complete; what a server wants of the second. */
  private static ObjectNode statusOfJob(String end) {
    ObjectNode object = Objects.json("{'status':{'conditions':[" + CONDITION + "]}}", end);
    ObjectNode status = (ObjectNode) object.path("status");
    if (end.equals("Complete")) {
      status.put("startTime", "2026-11-22T12:00:00Z").put("completionTime", "2026-11-22T12:01:00Z");
      status.withArrayProperty("conditions").add(Objects.json(CONDITION, "SuccessCriteriaMet"));
    }
    return object;
  }

  @ParameterizedTest
  @ValueSource(strings = {"Complete", "Suspended", "Deleted"})
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aJobThatMakesNoMorePodsIsNotWaitedFor(String end) throws Exception {
    // The real server keeps one that is being deleted: nothing removes its finalizer there.
    String name = "ends-" + end.toLowerCase(Locale.ROOT);
    String job = JOBS + "/" + name;
    JsonNode made =
        bench
            .admin()
            .post(
                JOBS,
                Objects.json(
                    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'%s'},'spec':{"
                        + "'template':{'spec':{'restartPolicy':'Never','containers':["
                        + "{'name':'c','image':'i'}]}}}}",
                    name));
    bench.add(owned(on("one", "n0"), made));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              bench.deletePod("one");
              if (end.equals("Deleted")) {
                Bench.delete(bench.admin(), job);
              } else {
                bench.admin().patch(job + "/status", statusOfJob(end));
              }
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told)
        .last()
        .isEqualTo("no pod is in the place of default/one: its Job makes no more");
    if (!end.equals("Deleted")) {
      Bench.delete(bench.admin(), job);
    }
  }

  private static void addOfJob(String name) {
    try {
      bench.add(owned(on(name, "n1"), "Job"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
