package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What is sent to delete a claim that a failed attempt has left. */
class DeviceWriterTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String PATH = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c";
  private static final String LIMITED = "?limited ";

  private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
  @AutoClose private final ScriptedServer server = new ScriptedServer();

  private static ObjectNode claim(String version, String finalizers) {
    return Objects.json(
        "{'metadata':{'name':'c','namespace':'default','uid':'u','resourceVersion':'%s',"
            + "'labels':{'by':'somebody'},'finalizers':[%s]},'spec':{'devices':{}}}",
        version, finalizers);
  }

  private static ObjectNode withFinalizers(String version) {
    return claim(version, "'example.com/other','" + ResourceClaim.FINALIZER + "'");
  }

  private Message.DevicesFreed delete() throws Exception {
    CallWorkers workers =
        new CallWorkers(
            "test", 1, LIMIT, inbox, () -> true, (thread, thrown) -> thrown.printStackTrace());
    ObjectWrites writes =
        new ObjectWrites(server.client(LIMIT), workers, new SchedulerMetrics(), "device", true);
    try (DeviceWriter writer = new DeviceWriter(writes, workers, Clock.systemUTC())) {
      writer.delete("p", ResourceClaim.of(withFinalizers("7")));
      return (Message.DevicesFreed) inbox.poll(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void onlyOurFinalizerIsTakenAwayFromTheVersionThatWasRead() throws Exception {
    server.then(200, claim("8", "'example.com/other'").toString()).then(200, "{}");
    assertThat(delete().failure()).isEmpty();
    assertThat(server.calls())
        .containsExactly(
            "PUT " + PATH + LIMITED + claim("7", "'example.com/other'"),
            "DELETE "
                + PATH
                + LIMITED
                + "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":"
                + "{\"uid\":\"u\"}}");
  }

  @Test
  void whatSomebodyHasChangedMeanwhileStays() throws Exception {
    server.then(409, "{'reason':'Conflict','message':'the object has been modified'}");
    server.then(200, withFinalizers("9").toString());
    assertThat(delete().failure()).contains("the object has been modified");
    assertThat(server.calls()).hasSize(2).noneMatch(call -> call.startsWith("DELETE"));
  }
}
