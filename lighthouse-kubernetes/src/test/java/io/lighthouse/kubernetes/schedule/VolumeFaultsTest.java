package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import io.lighthouse.kubernetes.control.Storage;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever fails while claims get their volumes: no pod is bound before its claims, and none twice.
 * No volume is for two claims, and all pods are placed in the end. {@code
 * -Dlighthouse.kubernetes.rounds=50} for many more rounds.
 */
class VolumeFaultsTest extends OnControlPlane {
  private static final String HASTY =
      """
      strategy: {name: spread}
      leaderElection: {duration: 1500ms}
      binding: {timeout: 700ms, volumeTimeout: 500ms}
      queue: {firstPause: 20ms, longestPause: 300ms}
      monitor: {port: -1}
      """;

  /** One replica alone that leads long enough to list all, though a third of its calls fail. */
  private static final String LONG_LEASE = HASTY.replace("1500ms", "6s");

  private static final String NONE = "kubernetes.io/no-provisioner";
  private static final String MAKES = "example.com/provisioner";

  /** As many with a volume that is made for them, and with one that is there. */
  private static final int PODS = 8;

  @BeforeEach
  void addNodes() throws IOException {
    for (int i = 0; i < 3; i++) {
      bench.addNode("n" + i, "z" + i, "4", "8Gi", 20);
    }
  }

  private static void add(String round, Storage made, Storage local) throws IOException {
    for (int i = 0; i < PODS; i++) {
      made.addClaim(round + "-made-" + i);
      bench.add(Storage.pod(round + "-made-" + i, round + "-made-" + i));
      local.addVolume(round + "-volume-" + i, "n" + i % 3);
      local.addClaim(round + "-local-" + i);
      bench.add(Storage.pod(round + "-local-" + i, round + "-local-" + i));
    }
  }

  /** Each volume that was there is for one pod, which is on its node. */
  private static void assertVolumesInUse(String round, Storage local) throws IOException {
    for (int i = 0; i < PODS; i++) {
      String pod = local.reference(round + "-volume-" + i).path("name").asString();
      assertThat(pod).startsWith(round + "-local-");
      assertThat(Bench.nodeOf(bench.pod(pod))).isEqualTo("n" + i % 3);
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void callsFail(int seed) throws Exception {
    String round = "calls" + seed;
    try (Storage made = new Storage(plane.admin(), round, MAKES);
        Storage local = new Storage(plane.admin(), round + "-local", NONE);
        FailingGateway gateway = new FailingGateway(plane.scheduler(), 7 + seed);
        Auditor auditor = new Auditor(bench)) {
      add(round, made, local);
      gateway.fail(35);
      made.run();
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), LONG_LEASE)) {
        bench.awaitAllBound(2 * PODS);
        assertThat(scheduler.monitor()).isEmpty();
      }
      assertThat(made.findings()).isEmpty();
      assertThat(auditor.findings()).isEmpty();
      assertThat(gateway.failures()).isGreaterThan(10);
      assertVolumesInUse(round, local);
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void theProcessIsKilledBetweenClaimAndBinding(int seed) throws Exception {
    String round = "killed" + seed;
    Random random = new Random(seed);
    try (Storage made = new Storage(plane.admin(), round, MAKES);
        Storage local = new Storage(plane.admin(), round + "-local", NONE);
        Auditor auditor = new Auditor(bench);
        SchedulerProcess first = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
      Bench.until(first::hasLed, first::logged);
      try (SchedulerProcess second = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
        add(round, made, local);
        // A node is chosen, and the volume is not there yet.
        made.awaitSelected(round + "-made-0");
        assertThat(Bench.nodeOf(bench.pod(round + "-made-0"))).isEmpty();
        made.run();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(120));
        first.kill();
        Bench.until(second::hasLed, second::logged);
        bench.awaitAllBound(2 * PODS);
      }
      assertThat(made.findings()).isEmpty();
      assertThat(auditor.findings()).isEmpty();
      assertVolumesInUse(round, local);
    }
  }
}
