package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What is read of controllers and their pods, and how often. */
class PodControllersTest {
  @AutoClose private final ScriptedServer server = new ScriptedServer();

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
