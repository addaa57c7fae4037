package io.lighthouse.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ChangeStream;
import io.lighthouse.kubernetes.client.LeaderElection;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls and what they answer: on the fake in every build, on a real server under the profile
 * kubernetes. What passes on both is what the fake may be believed.
 */
class ProtocolTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/lighthouse";

  private static ControlPlane plane;
  private static ApiServer scheduler;
  private static Bench bench;

  @BeforeAll
  static void start() throws Exception {
    plane = ControlPlane.start();
    scheduler = new ApiServer(plane.scheduler(), Duration.ofSeconds(30));
    bench = new Bench(plane.admin());
  }

  @AfterAll
  static void stop() {
    plane.close();
  }

  @BeforeEach
  void clear() throws IOException {
    bench.clear();
  }

  private static JsonNode binding(String pod, String uid, String node) {
    return Objects.json(
        "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'%s','uid':'%s'},"
            + "'target':{'apiVersion':'v1','kind':'Node','name':'%s'}}",
        pod, uid, node);
  }

  private static String uid(JsonNode object) {
    return object.path("metadata").path("uid").asString("");
  }

  private static int code(ThrowingCall call) {
    try {
      call.call();
      return 0;
    } catch (ApiException refused) {
      return refused.code();
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private interface ThrowingCall {
    void call() throws IOException;
  }

  @Test
  void bindsOnceAndSaysWhyNotAgain() throws IOException {
    bench.addNode("n1", "a", "4", "8Gi", 10);
    JsonNode pod = bench.add(Objects.pod("p1", "1", "1Gi"));
    String path = PODS + "/p1/binding";
    assertThat(code(() -> scheduler.post(path, binding("p1", "another", "n1")))).isEqualTo(409);
    scheduler.post(path, binding("p1", uid(pod), "n1"));
    JsonNode bound = bench.pod("p1");
    assertThat(Bench.nodeOf(bound)).isEqualTo("n1");
    assertThat(Bench.scheduled(bound).path("status").asString()).isEqualTo("True");
    assertThat(code(() -> scheduler.post(path, binding("p1", uid(pod), "n1")))).isEqualTo(409);
    assertThat(code(() -> scheduler.post(path, binding("p1", uid(pod), "n2")))).isEqualTo(409);
    assertThat(code(() -> scheduler.post(PODS + "/none/binding", binding("none", uid(pod), "n1"))))
        .isEqualTo(404);
  }

  @Test
  void doesNotBindWhatIsGated() throws IOException {
    ObjectNode gated = Objects.pod("gated", "1", "1Gi");
    gated
        .withObjectProperty("spec")
        .putArray("schedulingGates")
        .addObject()
        .put("name", "example.com/wait");
    JsonNode pod = bench.add(gated);
    assertThat(Bench.scheduled(pod).path("reason").asString()).isEqualTo("SchedulingGated");
    JsonNode binding = binding("gated", uid(pod), "n1");
    assertThat(code(() -> scheduler.post(PODS + "/gated/binding", binding))).isEqualTo(409);
  }

  @Test
  void refusesAStatusOfAnotherVersionOrUid() throws IOException {
    JsonNode pod = bench.add(Objects.pod("p2", "1", "1Gi"));
    String version = pod.path("metadata").path("resourceVersion").asString("");
    String patch =
        "{'metadata':{'uid':'%s','resourceVersion':'%s'},'status':{'conditions':[{"
            + "'type':'PodScheduled','status':'False','reason':'Unschedulable','message':'%s'}]}}";
    String status = PODS + "/p2/status";
    JsonNode written = scheduler.patch(status, Objects.json(patch, uid(pod), version, "no room"));
    assertThat(Bench.scheduled(written).path("message").asString()).isEqualTo("no room");
    assertThat(code(() -> scheduler.patch(status, Objects.json(patch, uid(pod), version, "x"))))
        .isEqualTo(409);
    String now = written.path("metadata").path("resourceVersion").asString("");
    assertThat(code(() -> scheduler.patch(status, Objects.json(patch, "other", now, "x"))))
        .isIn(409, 422);
  }

  @Test
  void listsInPagesWithOneVersion() throws IOException {
    for (int i = 0; i < 7; i++) {
      bench.add(Objects.pod("page-" + i, "1", "1Gi"));
    }
    List<String> names = new ArrayList<>();
    String version = scheduler.list("/api/v1/pods?limit=3", pod -> names.add(Bench.name(pod)));
    assertThat(names).hasSize(7).doesNotHaveDuplicates();
    assertThat(version).matches("[0-9]+");
    List<String> none = new ArrayList<>();
    scheduler.list(
        "/api/v1/pods?fieldSelector=spec.nodeName%21%3D", pod -> none.add(Bench.name(pod)));
    assertThat(none).isEmpty();
  }

  @Test
  void followsChangesAndGoesOnWhereItWasCut() throws Exception {
    bench.add(Objects.pod("before", "1", "1Gi"));
    String version = scheduler.list(Resource.PODS.path(), pod -> {});
    List<String> seen = new CopyOnWriteArrayList<>();
    ChangeStream watch =
        new ChangeStream(scheduler, Resource.PODS.path(), version, Duration.ofMinutes(1));
    Thread following = follow(watch, seen);
    JsonNode pod = bench.add(Objects.pod("w1", "1", "1Gi"));
    bench.admin().post(PODS + "/w1/binding", binding("w1", uid(pod), "n1"));
    bench.deletePod("before");
    Bench.until(() -> seen.contains("DELETED before"), seen::toString);
    assertThat(seen.subList(0, 2)).containsExactly("ADDED w1", "MODIFIED w1");
    watch.close();
    following.join(10_000);
    assertThat(following.isAlive()).isFalse();

    bench.add(Objects.pod("w2", "1", "1Gi"));
    List<String> more = new CopyOnWriteArrayList<>();
    ChangeStream again =
        new ChangeStream(scheduler, Resource.PODS.path(), watch.version(), Duration.ofMinutes(1));
    Thread on = follow(again, more);
    Bench.until(() -> more.contains("ADDED w2"), more::toString);
    again.close();
    on.join(10_000);
    assertThat(more).doesNotContain("ADDED w1", "ADDED before");
  }

  private static Thread follow(ChangeStream watch, List<String> seen) {
    Thread thread =
        new Thread(
            () -> {
              try {
                watch.run((type, object) -> seen.add(type + " " + Bench.name(object)));
              } catch (IOException ended) {
                // By the test.
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void listsAgainNowAndThenThoughNothingIsWrong() throws Exception {
    BlockingQueue<WatchEvent> inbox = new LinkedBlockingQueue<>();
    Reflector reflector =
        new Reflector(
            scheduler,
            Resource.NODES,
            inbox::put,
            Duration.ofSeconds(1),
            new SchedulerMetrics(),
            new JsonLog(line -> {}, Clock.systemUTC()));
    Thread thread = new Thread(reflector);
    thread.start();
    try {
      Bench.until(
          () -> inbox.stream().filter(WatchEvent.ListEnded.class::isInstance).count() >= 3,
          inbox::toString);
    } finally {
      reflector.close();
      thread.interrupt();
      thread.join(10_000);
    }
  }

  @Test
  void tellsThatAVersionIsForgotten() throws Exception {
    String version = scheduler.list(Resource.PODS.path(), pod -> {});
    bench.add(Objects.pod("later", "1", "1Gi"));
    plane.restart();
    List<String> busy = new ArrayList<>();
    Bench.until(() -> isForgotten("1", busy), busy::toString);
    assertThat(version).isNotEqualTo("1");
  }

  /** A server that has just begun may first say for a while that it is not ready to watch. */
  private static boolean isForgotten(String version, List<String> busy) throws IOException {
    try {
      new ChangeStream(scheduler, Resource.PODS.path(), version, Duration.ofMinutes(1))
          .run((type, object) -> {});
    } catch (ApiException refused) {
      if (refused.isExpired()) {
        return true;
      }
      assertThat(refused.code()).as(refused.getMessage()).isIn(429, 503);
      busy.add(refused.getMessage());
      return false;
    }
    throw new AssertionError("the server went on from version " + version);
  }

  @Test
  void oneOfTwoLeadsAndTheOtherTakesOver() throws IOException {
    Duration lease = Duration.ofSeconds(60);
    Duration call = Duration.ofSeconds(1);
    LeaderElection one =
        new LeaderElection(
            scheduler, "kube-system", "lighthouse", "one", lease, call, Clock.systemUTC());
    LeaderElection two =
        new LeaderElection(
            scheduler, "kube-system", "lighthouse", "two", lease, call, Clock.systemUTC());
    assertThat(one.attempt()).isTrue();
    assertThat(one.mayAct()).isTrue();
    assertThat(two.attempt()).isFalse();
    assertThat(one.attempt()).isTrue();
    assertThat(two.attempt()).isFalse();
    assertThat(two.mayAct()).isFalse();
    one.release();
    assertThat(one.mayAct()).isFalse();
    assertThat(two.attempt()).isTrue();
    assertThat(one.attempt()).isFalse();
    two.release();
    // A renewal that was about to begin does not take the lease again.
    assertThat(two.attempt()).isFalse();
    LeaderElection three =
        new LeaderElection(
            scheduler, "kube-system", "lighthouse", "three", lease, call, Clock.systemUTC());
    assertThat(three.attempt()).isTrue();
    three.release();
  }

  private static LeaderElection one(ApiServer server) {
    return new LeaderElection(
        server,
        "kube-system",
        "lighthouse",
        "one",
        Duration.ofSeconds(60),
        Duration.ofSeconds(1),
        Clock.systemUTC());
  }

  @Test
  void aTenureEndsForGoodWhereAnotherHasLedInBetween() throws IOException {
    LeaderElection one = one(scheduler);
    assertThat(one.tenure().getAsBoolean()).isFalse();
    assertThat(one.attempt()).isTrue();
    BooleanSupplier tenure = one.tenure();
    assertThat(one.attempt()).isTrue();
    assertThat(tenure.getAsBoolean()).isTrue();
    hold("two");
    assertThat(one.attempt()).isFalse();
    hold("");
    assertThat(one.attempt()).isTrue();
    assertThat(one.mayAct()).isTrue();
    assertThat(tenure.getAsBoolean()).isFalse();
    assertThat(one.tenure().getAsBoolean()).isTrue();
    one.release();
  }

  /** As where the process stood still, and saw nothing of the other one. */
  @Test
  void aTenureEndsWhereTheLeaseIsFreeAgainOrMissing() throws IOException {
    LeaderElection one = one(scheduler);
    assertThat(one.attempt()).isTrue();
    BooleanSupplier first = one.tenure();
    hold("two");
    hold("");
    assertThat(one.attempt()).isTrue();
    assertThat(first.getAsBoolean()).isFalse();
    BooleanSupplier second = one.tenure();
    assertThat(second.getAsBoolean()).isTrue();
    ObjectNode lease = (ObjectNode) scheduler.get(LEASE);
    Bench.delete(bench.admin(), LEASE);
    if (!plane.isFake()) { // The role of the scheduler may not create one.
      assertThat(code(one::attempt)).isEqualTo(403);
      assertThat(second.getAsBoolean()).isFalse();
      ((ObjectNode) lease.path("metadata")).retain("name", "namespace");
      ((ObjectNode) lease.path("spec")).put("holderIdentity", "");
      bench.admin().post(LEASE.substring(0, LEASE.lastIndexOf('/')), lease);
    }
    assertThat(one.attempt()).isTrue();
    assertThat(second.getAsBoolean()).isFalse();
    assertThat(one.tenure().getAsBoolean()).isTrue();
    one.release();
  }

  @Test
  void aTenureEndsAlsoWhereTheAnswerThatGivesTheLeaseBackIsLost() throws IOException {
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      LeaderElection one = one(new ApiServer(gateway.access(), Duration.ofSeconds(30)));
      assertThat(one.attempt()).isTrue();
      BooleanSupplier tenure = one.tenure();
      hold("");
      gateway.loseAnswers("/lighthouse", 1);
      assertThat(code(one::attempt)).isEqualTo(500);
      assertThat(one.attempt()).isTrue();
      assertThat(tenure.getAsBoolean()).isFalse();
      one.release();
    }
  }

  private static void hold(String identity) throws IOException {
    JsonNode lease = scheduler.get(LEASE);
    ((ObjectNode) lease.path("spec")).put("holderIdentity", identity);
    scheduler.put(LEASE, lease);
  }

  @Test
  void mayDoNoMoreThanItsRole() throws IOException {
    if (plane.isFake()) {
      assertThat(scheduler.uri().getScheme()).isEqualTo("http"); // It knows no roles.
      return;
    }
    bench.add(Objects.pod("p3", "1", "1Gi"));
    // It may delete pods, which preemption needs, but change nothing of a pod but its status.
    JsonNode label = Objects.json("{'metadata':{'labels':{'a':'b'}}}");
    assertThat(code(() -> scheduler.patch(PODS + "/p3", label))).isEqualTo(403);
    assertThat(code(() -> Bench.delete(scheduler, "/api/v1/nodes/none"))).isEqualTo(403);
    assertThat(code(() -> Bench.delete(scheduler, "/api/v1/persistentvolumes/none")))
        .isEqualTo(403);
    assertThat(code(() -> scheduler.post(PODS, Objects.pod("p4", "1", "1Gi")))).isEqualTo(403);
    assertThat(code(() -> scheduler.get("/api/v1/namespaces/kube-system/secrets"))).isEqualTo(403);
    assertThat(
            code(
                () ->
                    scheduler.get(
                        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/other")))
        .isEqualTo(403);
  }
}
