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
import org.junit.jupiter.api.BeforeAll;
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

  /** It needs more pods than there are in any of the tests. */
  private static JsonNode job;

  @BeforeAll
  static void addJob() throws IOException {
    job = addJob("goes-on", 9);
  }

  /** Creates a Job; the real server keeps it: nothing removes its finalizer there. */
  private static JsonNode addJob(String name, int pods) throws IOException {
    return bench
        .admin()
        .post(
            JOBS,
            Objects.json(
                "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'%s'},'spec':{"
                    + "'parallelism':%d,'completions':%d,'template':{'spec':{"
                    + "'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}",
                name, pods, pods));
  }

  private static void end(String pod, String phase) throws IOException {
    bench.patchStatus(pod, Objects.json("{'status':{'phase':'%s'}}", phase));
  }

  /** A Job makes a pod when another begins to end, and it may be done soon. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aReplacementOfAJobMayHaveFinishedBeforeTheEvictedPod() throws Exception {
    bench.add(owned(on("one", "n0"), job));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              bench.add(owned(on("two", "n1"), job));
              end("two", "Succeeded");
              bench.deletePod("one");
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told).anyMatch(line -> line.startsWith("default/two was on n1 in its place"));
  }

  /** As where the first of them has failed. */
  @Test
  void theNextReplacementOfAJobIsWaitedFor() throws Exception {
    bench.add(owned(on("one", "n0"), job));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            () -> {
              bench.add(owned(on("two", "n1"), job));
              bench.deletePod("two");
              bench.add(owned(Objects.pod("three", "1", "1Gi"), job));
              bench.deletePod("one");
            });
    assertThat(outcome.stopped()).contains(noNodeFor("three"));
  }

  /** The one that finishes had a node before the eviction, and its successor has one. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anotherPodOfAJobThatFinishesMeanwhileReplacesNone() throws Exception {
    bench.add(owned(on("one", "n0"), job));
    bench.add(owned(on("two", "n1"), job));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              end("two", "Succeeded");
              bench.add(owned(on("three", "n1"), job));
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
    bench.add(owned(on("one", "n0"), job));
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
                bench.add(owned(on("two", "n1"), job));
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
    String name = "ends-" + end.toLowerCase(Locale.ROOT);
    String path = JOBS + "/" + name;
    bench.add(owned(on("one", "n0"), addJob(name, 1)));
    assertIsNotReplaced(
        "one",
        "Job",
        () -> {
          if (end.equals("Deleted")) {
            Bench.delete(bench.admin(), path);
          } else {
            bench.admin().patch(path + "/status", statusOfJob(end));
          }
        });
    if (!end.equals("Deleted")) {
      Bench.delete(bench.admin(), path);
    }
  }

  /** It has one other pod, and needs only that: by its parallelism, or for its completions. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "narrows, \"\", \"{'spec':{'parallelism':1}}\"",
        "succeeds, /status, \"{'status':{'succeeded':1}}\""
      })
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aJobThatNeedsFewerPodsIsNotWaitedFor(String name, String part, String patch)
      throws Exception {
    JsonNode fewer = addJob(name, 2);
    bench.add(owned(on("one", "n0"), fewer));
    bench.add(owned(on("two", "n1"), fewer));
    assertIsNotReplaced(
        "one", "Job", () -> bench.admin().patch(JOBS + "/" + name + part, Objects.json(patch)));
  }

  /** What becomes of the pods of a Job of another API is not known. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aSucceededPodOfAnotherKindOfJobReplacesNone() throws Exception {
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
              // Time for a plan that does not wait to end before that.
              CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                  .execute(() -> add(owned(on("three", "n1"), "Job")));
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told).anyMatch(line -> line.startsWith("default/three is on n1 in its place"));
  }

  private static void addOfJob(String name) {
    add(owned(on(name, "n1"), job));
  }

  private static void add(ObjectNode pod) {
    try {
      bench.add(pod);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
