package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.device.Allocation;
import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What is sent for a claim, and how it ends. */
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

  private DeviceWriter writer(Duration limit) throws Exception {
    CallWorkers workers =
        new CallWorkers(
            "test", 1, limit, inbox, () -> true, (thread, thrown) -> thrown.printStackTrace());
    ObjectWrites writes =
        new ObjectWrites(server.client(LIMIT), workers, new SchedulerMetrics(), "device");
    return new DeviceWriter(writes, workers, Clock.systemUTC());
  }

  private Message.DevicesFreed delete() throws Exception {
    try (DeviceWriter writer = writer(LIMIT)) {
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

  /** A claim with devices; the version says in which state it is. */
  private static String allocated(String version) {
    ObjectNode claim = withFinalizers(version);
    claim.putObject("status").putObject("allocation").putObject("devices").putArray("results");
    return claim.toString();
  }

  private static String ending(String version) {
    ObjectNode claim = withFinalizers(version);
    claim.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-22T12:00:00Z");
    return claim.toString();
  }

  private static void submit(DeviceWriter writer, String pod) {
    WaitingPod waiting =
        new WaitingPod(
            pod, "default", pod, "7", "lighthouse", 0, Instant.EPOCH, false, Optional.empty());
    ObjectNode none = Objects.json("{'devices':{'results':[]}}");
    Allocation allocation = new Allocation(List.of(), NodeSelection.ALL, none);
    ResourceClaim claim = ResourceClaim.of(withFinalizers("7"));
    writer.submit(
        new Binding(new Decision.Bind(waiting, "n1", "spread", "hash"), pod, System.nanoTime()),
        new DeviceWork(List.of(new DeviceWork.Write(claim, allocation, true)), null));
  }

  /** The devices must not be free before. */
  @Test
  void aCutWriteMayTakeEffectUntilTheServersLimitHasPassedAndNoThreadWaitsForThat()
      throws Exception {
    try (DeviceWriter writer = writer(Duration.ofSeconds(3))) {
      server.then(ScriptedServer.CUT, "").then(200, withFinalizers("7").toString());
      server.then(409, "{'reason':'Conflict','message':'modified'}");
      server.then(200, withFinalizers("8").toString()).then(200, ending("9"));
      submit(writer, "p");
      server.then(200, allocated("10"));
      submit(writer, "q");
      server.then(200, allocated("11")).then(404, "{}");
      Message.DevicesWritten first = (Message.DevicesWritten) inbox.poll(1, TimeUnit.MINUTES);
      assertThat(first.binding().uid()).isEqualTo("q");
      assertThat(first.failure()).isEmpty();
      Message.DevicesWritten second = (Message.DevicesWritten) inbox.poll(1, TimeUnit.MINUTES);
      assertThat(second.binding().uid()).isEqualTo("p");
      assertThat(second.failure()).contains("has gone");
      assertThat(second.isUnknown()).isFalse();
      assertThat(second.found())
          .extracting(found -> found.object().toString())
          .containsExactly(allocated("11"));
      assertThat(server.left()).isZero();
    }
  }
}
