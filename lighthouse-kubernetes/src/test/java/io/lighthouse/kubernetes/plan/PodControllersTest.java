package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
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
