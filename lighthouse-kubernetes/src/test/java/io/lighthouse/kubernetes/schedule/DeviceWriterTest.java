package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.device.Allocation;
import io.lighthouse.kubernetes.cluster.device.DeviceWork;
import io.lighthouse.kubernetes.cluster.device.ResourceClaim;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is sent to delete a claim that a failed attempt has left; and writes whose outcome is not
 * known.
 */
class DeviceWriterTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** For writes that are waited for until they take no effect any more. */
  private static final Duration SHORT = Duration.ofMillis(100);

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

  private CallWorkers workers(Duration limit) {
    return new CallWorkers(
        "test", 1, limit, inbox, () -> true, (thread, thrown) -> thrown.printStackTrace());
  }

  private DeviceWriter writer(CallWorkers workers) throws IOException {
    ObjectWrites writes =
        new ObjectWrites(server.client(LIMIT), workers, new SchedulerMetrics(), "device");
    return new DeviceWriter(writes, workers, Clock.systemUTC());
  }

  private Message.DevicesFreed delete() throws Exception {
    CallWorkers workers = workers(LIMIT);
    try (DeviceWriter writer = writer(workers)) {
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

  private static ResourceClaim claim(String version, boolean isAllocated) {
    ObjectNode claim = withFinalizers(version);
    if (isAllocated) {
      claim.set(
          "status",
          Objects.json(
              "{'allocation':{'devices':{'results':[{'request':'r','driver':'d','pool':'n1',"
                  + "'device':'d0'}]}},'reservedFor':[{'resource':'pods','uid':'p'}]}"));
    }
    return ResourceClaim.of(claim);
  }

  private static Binding binding(String name) {
    return binding(name, 0);
  }

  private static Binding binding(String name, int priority) {
    WaitingPod pod = WaitingPods.of(name, name, priority);
    Decision.Bind decision = new Decision.Bind(pod, "n1", "spread", "hash");
    return new Binding(decision, name, 0);
  }

  private static DeviceWork work() {
    Allocation devices = claim("9", true).allocation();
    return new DeviceWork(List.of(new DeviceWork.Write(claim("7", false), devices, true)), null);
  }

  private static String text(ResourceClaim claim) {
    return claim.json().toString();
  }

  /** A write whose outcome cannot be looked up before the server's limit of it has passed. */
  private void loseAWrite(CountDownLatch from) {
    server.thenFrom(from, ScriptedServer.CUT, "").then(403, "{'message':'not now'}");
  }

  /** The write of one pod may take effect until its limit; that of the other is sent meanwhile. */
  private List<Message.DevicesWritten> writeOfTwo(ResourceClaim later) throws Exception {
    CallWorkers workers = workers(SHORT);
    CountDownLatch areSubmitted = new CountDownLatch(1);
    try (DeviceWriter writer = writer(workers)) {
      loseAWrite(areSubmitted);
      server.then(200, text(claim("9", true))).then(200, text(later));
      writer.submit(binding("lost"), work());
      writer.submit(binding("p"), work());
      areSubmitted.countDown();
      List<Message.DevicesWritten> written = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        written.add((Message.DevicesWritten) inbox.poll(1, TimeUnit.MINUTES));
      }
      assertThat(server.left()).isZero();
      return written;
    }
  }

  @Test
  void aWriteThatMayTakeEffectHoldsNoThread() throws Exception {
    List<Message.DevicesWritten> written = writeOfTwo(claim("10", true));
    assertThat(written.get(0).binding().uid()).isEqualTo("p");
    assertThat(written.get(0).failure()).isEmpty();
    Message.DevicesWritten lost = written.get(1);
    assertThat(lost.failure()).contains("not now");
    assertThat(lost.isUnknown()).isFalse();
    assertThat(lost.found())
        .as("the claim as it is once no write of it takes effect")
        .extracting(found -> found.object().at("/metadata/resourceVersion").asString())
        .containsExactly("10");
  }

  /** After what gives devices back, for which other pods wait. */
  @Test
  void theClaimsOfTheMostUrgentPodAreWrittenFirst() throws Exception {
    CallWorkers workers = workers(LIMIT);
    CountDownLatch first = new CountDownLatch(1);
    List<String> ended = new ArrayList<>();
    try (DeviceWriter writer = writer(workers)) {
      server.thenFrom(first, 200, text(claim("9", true))).then(200, text(claim("9", false)));
      writer.submit(binding("p"), work());
      Bench.until(() -> !server.calls().isEmpty(), () -> "nothing was sent");
      for (int priority = 1; priority <= 2; priority++) {
        server.then(200, text(claim("9", true)));
        writer.submit(binding("of " + priority, priority), work());
      }
      writer.free("freed", claim("7", true));
      first.countDown();
      for (int i = 0; i < 4; i++) {
        Message end = inbox.poll(1, TimeUnit.MINUTES);
        ended.add(
            end instanceof Message.DevicesFreed freed
                ? freed.podUid()
                : ((Message.DevicesWritten) end).binding().uid());
      }
    }
    assertThat(ended).containsExactly("p", "freed", "of 2", "of 1");
  }

  @Test
  void aClaimThatMayGiveItsDevicesBackIsLookedUpLater() throws Exception {
    for (boolean hasHappened : List.of(true, false)) {
      CallWorkers workers = workers(SHORT);
      try (DeviceWriter writer = writer(workers)) {
        loseAWrite(new CountDownLatch(0));
        server.then(200, text(claim("9", !hasHappened)));
        writer.free("p", claim("7", true));
        Message.DevicesFreed freed = (Message.DevicesFreed) inbox.poll(1, TimeUnit.MINUTES);
        assertThat(freed.failure().isEmpty()).isEqualTo(hasHappened);
        assertThat(freed.now() != null).isEqualTo(hasHappened);
        assertThat(server.left()).isZero();
      }
    }
  }

  /** Until then, its pod gets no node with it. */
  @Test
  void aDeletionThatMayTakeEffectEndsOnceItDoesNot() throws Exception {
    CallWorkers workers = workers(SHORT);
    CountDownLatch areSubmitted = new CountDownLatch(1);
    try (DeviceWriter writer = writer(workers)) {
      loseAWrite(areSubmitted);
      server.then(200, text(claim("9", false)));
      writer.delete("lost", ResourceClaim.of(claim("7", "")));
      writer.free("p", claim("7", true));
      areSubmitted.countDown();
      Message.DevicesFreed freed = (Message.DevicesFreed) inbox.poll(1, TimeUnit.MINUTES);
      assertThat(freed.podUid()).isEqualTo("p");
      Message.DevicesFreed lost = (Message.DevicesFreed) inbox.poll(1, TimeUnit.MINUTES);
      assertThat(lost.podUid()).isEqualTo("lost");
      assertThat(lost.failure()).contains("not now");
      assertThat(server.left()).isZero();
    }
  }
}
