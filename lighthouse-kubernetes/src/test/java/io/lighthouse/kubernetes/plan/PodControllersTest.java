package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is read of controllers and their pods, and how often. */
class PodControllersTest {
  @AutoClose private final ScriptedServer server = new ScriptedServer();

  private static ObjectNode pod(int ordinal) {
    ObjectNode pod = Objects.pod("db-" + ordinal, "1", "1Gi");
    pod.withObjectProperty("metadata").put("namespace", "default");
    return PlanBench.owned(
        pod,
        Objects.json(
            "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'db','uid':'s'}}"));
  }

  private static ObjectNode podOfJob() {
    ObjectNode pod = Objects.pod("p", "1", "1Gi");
    pod.withObjectProperty("metadata").put("namespace", "default");
    return PlanBench.owned(
        pod,
        Objects.json("{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','uid':'j'}}"));
  }

  /** Its pods beyond its range do not count, and are not made again. */
  @ParameterizedTest
  @CsvSource({
    // evicted, start, replicas, placed
    "0, 0, 2, 0 1, true",
    "0, 0, 2, 1 2, false",
    "0, 1, 2, 1 3, true",
    "2, 0, 2, 0, true",
    "3, 1, 3, 1 2, false",
  })
  void aStatefulSetNeedsThePodsOfItsRange(
      int evicted, int start, int replicas, String placed, boolean makesNoMore) throws Exception {
    server.then(
        200,
        "{'metadata':{'uid':'s'},'spec':{'replicas':%d,'ordinals':{'start':%d}}}"
            .formatted(replicas, start));
    List<JsonNode> pods = new ArrayList<>();
    for (String ordinal : placed.split(" ")) {
      pods.add(pod(Integer.parseInt(ordinal)));
    }
    PodControllers controllers = new PodControllers(server.client(Duration.ofMinutes(1)));
    assertThat(controllers.makesNoMorePods(pod(evicted), pods)).isEqualTo(makesNoMore);
    assertThat(server.calls()).hasSize(1);
  }

  /** As the Job controller of Kubernetes 1.36 counts (manageJob). */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        // spec, succeeded, placed, makesNoMore
        "\"'parallelism':3,'completions':9\", 0, 2, false",
        "\"'parallelism':2,'completions':9\", 0, 2, true",
        "\"'parallelism':3,'completions':9\", 6, 2, false",
        "\"'parallelism':3,'completions':9\", 7, 2, true",
        "\"'parallelism':3,'completions':9\", 7, 1, false",
        "\"'parallelism':0,'completions':9\", 0, 0, true",
        "\"'parallelism':3\", 0, 2, false",
        "\"'parallelism':3\", 0, 3, true",
        "\"'parallelism':3\", 1, 0, true",
        "\"'parallelism':2,'completions':9,'managedBy':'example.com/other'\", 0, 2, false",
        "\"'parallelism':2,'completions':9,'managedBy':'kubernetes.io/job-controller'\", 0, 2, true",
      })
  void aJobNeedsWhatIsStillToSucceed(String spec, int succeeded, int placed, boolean makesNoMore)
      throws Exception {
    ObjectNode pod = podOfJob();
    server.then(
        200,
        "{'metadata':{'uid':'j'},'spec':{%s},'status':{'succeeded':%d}}"
            .formatted(spec, succeeded));
    PodControllers controllers = new PodControllers(server.client(Duration.ofMinutes(1)));
    assertThat(controllers.makesNoMorePods(pod, Collections.nCopies(placed, pod)))
        .isEqualTo(makesNoMore);
  }

  /**
   * It ends its other pods first, and has the condition {@code Failed} or {@code Complete} then.
   */
  @ParameterizedTest
  @ValueSource(strings = {"FailureTarget", "SuccessCriteriaMet"})
  void aJobThatIsToEndMakesNoMorePods(String condition) throws Exception {
    ObjectNode pod = podOfJob();
    server.then(
        200,
        "{'metadata':{'uid':'j'},'spec':{'completions':9,'parallelism':9},'status':{'conditions':["
            + "{'type':'%s','status':'True'}]}}".formatted(condition));
    PodControllers controllers = new PodControllers(server.client(Duration.ofMinutes(1)));
    assertThat(controllers.makesNoMorePods(pod, List.of())).isTrue();
  }

  /** Nothing is read of it. */
  @ParameterizedTest
  @ValueSource(strings = {"apps.kruise.io/v1", "example.com/v1", "v1"})
  void aStatefulSetOfAnotherApiIsNotKnown(String version) throws Exception {
    ObjectNode pod = Objects.pod("db-0", "1", "1Gi");
    PlanBench.owned(
        pod,
        Objects.json(
            "{'apiVersion':'%s','kind':'StatefulSet','metadata':{'name':'db','uid':'s'}}",
            version));
    assertThat(PodControllers.isOf(PodControllers.STATEFUL_SET, pod)).isFalse();
    assertThat(PodControllers.isOf(PodControllers.STATEFUL_SET, pod(0))).isTrue();
    PodControllers controllers = new PodControllers(server.client(Duration.ofMinutes(1)));
    assertThat(controllers.makesNoMorePods(pod, List.of())).isFalse();
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void aServerThatFailsIsNotAskedAgainAtOnce() throws Exception {
    ObjectNode pod = Objects.pod("p", "1", "1Gi");
    pod.withObjectProperty("metadata").put("uid", "u").put("namespace", "default");
    server.then(503, "{}").then(200, "{'metadata':{'uid':'u'},'status':{'phase':'Succeeded'}}");
    PodControllers controllers = new PodControllers(server.client(Duration.ofMinutes(1)));
    long begun = System.nanoTime();
    assertThat(controllers.hasSucceeded(pod)).isFalse();
    while (!controllers.hasSucceeded(pod)) {
      Thread.onSpinWait();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(server.calls()).hasSize(2);
  }
}
