package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import io.lighthouse.kubernetes.monitor.ClusterService;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What goes wrong once, and must not be remembered for ever. */
class RecoveryTest extends OnControlPlane {
  private static final String QUICK =
      """
      strategy: {name: spread}
      leaderElection: {duration: 3s}
      binding: {timeout: 1s}
      queue: {firstPause: 20ms, longestPause: 100ms}
      monitor: {port: 0}
      """;

  private static final String PATIENT =
      """
      strategy: {name: spread}
      leaderElection: {duration: 5m}
      binding: {timeout: 1m}
      """;

  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/lighthouse";

  private FailingGateway gateway;

  @BeforeEach
  void startGateway() throws IOException {
    gateway = new FailingGateway(plane.scheduler(), 1);
    bench.addNode("n0", "a", "4", "8Gi", 20);
  }

  @AfterEach
  void stopGateway() {
    gateway.close();
  }

  private KubernetesScheduler behindGateway() {
    return scheduler(gateway.access(), QUICK);
  }

  private void await(String part) throws Exception {
    Bench.until(
        () -> log.stream().anyMatch(line -> line.contains(part)), () -> "no " + part + ": " + log);
  }

  /** What is queued was decided on a cluster in memory that may be wrong. */
  @Test
  void aTermThatEndsBindsNothingMoreWhileItWaitsForAnEviction() throws Exception {
    CountDownLatch preempts = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    BooleanSupplier mayAct =
        () -> {
          if (!Thread.currentThread().getName().startsWith("lighthouse-preempt")) {
            return true;
          }
          preempts.countDown();
          try {
            goesOn.await();
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
          return false;
        };
    WaitingPod pod = WaitingPods.of("u", "p");
    SchedulerSettings settings = SettingsFile.read("settings", PATIENT);
    Clock wall = Clock.systemUTC();
    try (ClusterService service =
        new ClusterService(gateway.access(), settings, log::add, wall, new NoWork())) {
      Term term = new Term(service, settings, "test", mayAct, wall);
      FutureTask<Void> loop =
          new FutureTask<>(
              () -> {
                term.run();
                return null;
              });
      new Thread(loop).start();
      Bench.until(term::isSynced, () -> "not synced: " + log);
      term.preemptor.submit(
          new Decision.Preempt(pod, "full", "n0", List.of(pod), List.of(), List.of(), "why"));
      preempts.await();
      Thread closing = new Thread(term::close);
      closing.start();
      Bench.until(
          () -> closing.getState() == Thread.State.TIMED_WAITING, () -> "" + closing.getState());
      loop.get();
      term.binder.submit(
          new Binding(new Decision.Bind(pod, "n0", "spread", "hash"), "u", System.nanoTime()));
      Bench.until(() -> term.binder.inFlight() == 0, () -> "binds: " + gateway.writes());
      assertThat(term.preemptor.inFlight()).isEqualTo(1);
      goesOn.countDown();
      closing.join();
      assertThat(gateway.writes()).isEmpty();
    }
  }

  private static final class NoWork implements ClusterService.Work {
    @Override
    public String health() {
      return "";
    }

    @Override
    public String ready() {
      return "";
    }

    @Override
    public void stop() {}
  }

  /** As a load balancer does whose servers are away for a moment. */
  @Test
  void aPodThatTheServerDeniesOnceIsNotLost() throws Exception {
    try (KubernetesScheduler scheduler = behindGateway()) {
      await("synced");
      gateway.answer("/pods/p", 404);
      bench.add(Objects.pod("p", "1", "1Gi"));
      await("not-bound");
      gateway.answer("", 0);
      bench.awaitAllBound(1);
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  @Test
  void aPodThatGoesWhileItIsBoundLeavesTheQueue() throws Exception {
    try (KubernetesScheduler scheduler = behindGateway()) {
      await("synced");
      gateway.answer("/binding", 500);
      bench.add(Objects.pod("p", "1", "1Gi"));
      Bench.until(() -> gateway.failures() > 0, () -> "no call fails: " + log);
      bench.deletePod("p");
      await("not-bound");
      Bench.until(() -> scheduler.term().queue().size() == 0, () -> "still queued: " + log);
    }
  }

  @Test
  void aBindingThatTheServerRefusesIsToldOnThePod() throws Exception {
    gateway.answer("/binding", 403);
    try (KubernetesScheduler scheduler = behindGateway()) {
      bench.add(Objects.pod("p", "1", "1Gi"));
      JsonNode pod =
          bench.await("p", now -> now.toString().contains("\"reason\":\"SchedulerError\""));
      assertThat(pod.path("status").toString()).contains("binding: ", "403", "the gateway fails");
      gateway.answer("", 0);
      bench.awaitAllBound(1);
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  /** As by kube-scheduler: its next node may be another. */
  @Test
  void aPodWhoseBindingFailsLosesItsNomination() throws Exception {
    gateway.answer("/binding", 403);
    bench.add(Objects.pod("p", "1", "1Gi"));
    nominate("p", "n0");
    try (KubernetesScheduler scheduler = behindGateway()) {
      bench.await("p", RecoveryTest::hasFailedAndIsNotNominated);
      gateway.answer("", 0);
      bench.awaitAllBound(1);
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  private static void nominate(String pod, String node) throws IOException {
    bench.patchStatus(pod, Objects.json("{'status':{'nominatedNodeName':'%s'}}", node));
    assertThat(isNominated(bench.pod(pod))).isTrue();
  }

  private static boolean isNominated(JsonNode pod) {
    return pod.path("status").has("nominatedNodeName");
  }

  private static boolean hasFailedAndIsNotNominated(JsonNode pod) {
    return pod.toString().contains("\"reason\":\"SchedulerError\"") && !isNominated(pod);
  }

  /** The lease was not renewed for a moment, which only the thread that binds has seen. */
  @Test
  void aBindingWhoseOutcomeStaysUnknownEndsTheTerm() throws Exception {
    try (KubernetesScheduler scheduler = behindGateway()) {
      await("synced");
      ObjectNode unknown = Objects.pod("p", "1", "1Gi");
      bench.add(unknown);
      bench.awaitAllBound(1);
      LoopReader.read(
          scheduler.term(),
          cluster -> {
            Decision.Bind decision =
                new Decision.Bind(
                    cluster.pods().iterator().next().facts.pod, "n0", "spread", "hash");
            Binding binding = new Binding(decision, "g", System.nanoTime());
            scheduler
                .term()
                .inbox
                .add(
                    new Message.BindingEnded(
                        binding, Binder.Outcome.UNKNOWN, null, "cut in between"));
          });
      await("a binding may have happened: cut in between");
      bench.add(Objects.pod("q", "1", "1Gi"));
      bench.awaitAllBound(2);
    }
  }

  @Test
  void theLeaseIsGivenUpAlsoWhereTheLoopIsBusy() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (KubernetesScheduler scheduler = behindGateway()) {
      await("synced");
      assertThat(holder()).isNotEmpty();
      LoopReader.read(
          scheduler.term(),
          cluster -> {
            begun.countDown();
            while (!Thread.currentThread().isInterrupted()) {
              Thread.onSpinWait();
            }
          });
      begun.await();
    }
    assertThat(holder()).isEmpty();
  }

  private static String holder() throws IOException {
    return plane.admin().get(LEASE).path("spec").path("holderIdentity").asString("");
  }

  /** The next leader would give the room of the pod to another, and the binding take effect. */
  @Test
  void theLeaseIsKeptWhileABindingMayTakeEffect() throws Exception {
    try (KubernetesScheduler scheduler = behindGateway()) {
      await("synced");
      gateway.answer("/binding", 504);
      bench.add(Objects.pod("p", "1", "1Gi"));
      Bench.until(() -> gateway.failures() > 0, () -> "no call fails: " + log);
      // The next call may be on its way, but the one after it is sent later than this.
      int failures = gateway.failures();
      long beforeACall = System.nanoTime();
      Bench.until(() -> gateway.failures() >= failures + 2, () -> "no more calls: " + log);
      Thread closing = new Thread(scheduler::close);
      closing.start();
      Bench.until(() -> holder().isEmpty(), () -> "the lease is not given up: " + log);
      assertThat(Duration.ofNanos(System.nanoTime() - beforeACall))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
      closing.join();
    }
  }

  @Test
  void aReplicaThatWaitsForTheLeaseIsNotReadyWhileTheServerDoesNotAnswer() throws Exception {
    gateway.answer("/leases/", 503);
    try (KubernetesScheduler scheduler = behindGateway()) {
      URI ready = scheduler.monitor().orElseThrow().resolve("/readyz");
      assertThat(code(ready)).isEqualTo(200);
      Bench.until(() -> code(ready) == 503, () -> "still ready: " + log);
      gateway.answer("", 0);
      Bench.until(() -> code(ready) == 200, () -> "not ready: " + log);
    }
  }

  private static int code(URI uri) throws IOException {
    HttpURLConnection call = (HttpURLConnection) uri.toURL().openConnection();
    try {
      return call.getResponseCode();
    } finally {
      call.disconnect();
    }
  }

  @Test
  void podsAreNotRefusedForAnotherForWhichAPlugInFails() throws Exception {
    for (int i = 0; i < 4; i++) {
      ObjectNode pod = Objects.pod("p" + i, "100m", "1Mi");
      if (i == 2) {
        ((ObjectNode) pod.at("/spec/containers/0/resources/requests")).remove("memory");
      }
      bench.add(pod);
    }
    // With a nomination to n0 it would go there without a question to the strategy.
    nominate("p2", "gone");
    String settings = QUICK.replace("spread", FussyStrategy.NAME);
    try (SchedulerProcess scheduler = new SchedulerProcess(folder, plane.kubeconfig(), settings)) {
      for (String name : new String[] {"p0", "p1", "p3"}) {
        JsonNode pod = bench.await(name, now -> !Bench.nodeOf(now).isEmpty());
        assertThat(pod.toString()).doesNotContain("SchedulerError");
      }
      JsonNode bad = bench.await("p2", RecoveryTest::hasFailedAndIsNotNominated);
      assertThat(Bench.nodeOf(bad)).isEmpty();
      assertThat(bad.path("status").toString()).contains(FussyStrategy.NAME);
      TimeUnit.MILLISECONDS.sleep(200);
      assertThat(scheduler.log()).contains("decision-failed");
    }
  }
}
