package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.DeviceObjects;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Whatever fails while claims get their devices: no device is in two claims, no pod is bound before
 * its claims, and none twice. All pods are placed in the end. {@code
 * -Dlighthouse.kubernetes.rounds=50} for many more rounds.
 */
class DeviceFaultsTest extends OnDevices {
  private static final String HASTY =
      """
      strategy: {name: spread}
      leaderElection: {duration: 1500ms}
      binding: {timeout: 700ms}
      resourceClaims: {enabled: true}
      queue: {firstPause: 20ms, longestPause: 300ms}
      monitor: {port: -1}
      """;

  /** One replica alone that leads long enough to list all, though a third of its calls fail. */
  private static final String LONG_LEASE = HASTY.replace("1500ms", "6s");

  private static final int DEVICES_PER_NODE = 10;

  /**
   * The pods with a claim to two devices, a claim to one, a made claim, a shared claim, and an
   * extended resource.
   */
  private static final int PAIRS = 4;

  private static final int SINGLES = 6;
  private static final int MADE = 6;
  private static final int SHARERS = 4;
  private static final int EXTENDED = HAS_EXTENDED_RESOURCES ? 4 : 0;
  private static final int PODS = PAIRS + SINGLES + MADE + SHARERS + EXTENDED;

  /** The devices that no claim has then. */
  private static final int LEFT = 3 * DEVICES_PER_NODE - 2 * PAIRS - SINGLES - MADE - 1 - EXTENDED;

  @BeforeEach
  void addDevices() throws IOException {
    devices.provideResource();
    for (int i = 0; i < 3; i++) {
      devices.addDevices("n" + i, DEVICES_PER_NODE);
    }
  }

  /** More devices are left than there are nodes, so the pairs fit whatever comes first. */
  private static void add() throws IOException {
    devices.addClaim("shared", 1);
    for (int i = 0; i < PODS; i++) {
      if (i < PAIRS) {
        devices.addClaim("pair-" + i, 2);
        bench.add(DeviceObjects.pod("pair-" + i, "pair-" + i));
      }
      if (i < SINGLES) {
        devices.addClaim("single-" + i, 1);
        bench.add(DeviceObjects.pod("single-" + i, "single-" + i));
      }
      if (i < MADE) {
        bench.add(DeviceObjects.podOfTemplate("made-" + i));
      }
      if (i < SHARERS) {
        bench.add(DeviceObjects.pod("sharer-" + i, "shared"));
      }
      if (i < EXTENDED) {
        bench.add(DeviceObjects.podOfResource("extended-" + i, 1));
      }
    }
  }

  /** Some pods go, and as many come as there are devices then. */
  private static void replaceSome() throws Exception {
    for (int i = 0; i < MADE; i++) {
      bench.deletePod("made-" + i);
    }
    for (int i = 0; i < MADE + LEFT; i++) {
      bench.add(DeviceObjects.podOfTemplate("later-" + i));
    }
    bench.awaitAllBound(PODS + LEFT);
    for (JsonNode pod : bench.pods()) {
      boolean isExtended = Bench.name(pod).startsWith("extended-");
      assertThat(DeviceObjects.extendedClaimOf(pod).isEmpty()).isEqualTo(!isExtended);
    }
    List<JsonNode> claims = new ArrayList<>(devices.claims());
    claims.removeIf(claim -> !Bench.name(claim).contains("extended-"));
    assertThat(claims).hasSize(EXTENDED).allMatch(DeviceObjects::isAllocated);
  }

  private static boolean isSomeAllocated() throws IOException {
    return devices.claims().stream().anyMatch(DeviceObjects::isAllocated);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void callsFail(int seed) throws Exception {
    try (DeviceObjects controller = new DeviceObjects(bench);
        FailingGateway gateway = new FailingGateway(plane.scheduler(), 7 + seed);
        Auditor bindings = new Auditor(bench)) {
      add();
      gateway.fail(35);
      controller.run();
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), LONG_LEASE)) {
        bench.awaitAllBound(PODS);
        replaceSome();
        assertThat(scheduler.monitor()).isEmpty();
      }
      assertThat(auditor.findings()).isEmpty();
      assertThat(bindings.findings()).isEmpty();
      assertThat(gateway.failures()).isGreaterThan(10);
    }
  }

  /** The first process binds no pod: it is killed when some claims have their devices. */
  @ParameterizedTest
  @MethodSource("rounds")
  void theProcessIsKilledBetweenClaimAndBinding(int seed) throws Exception {
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), seed)) {
      gateway.failWrites("/binding", Integer.MAX_VALUE);
      String server = "server: \"" + gateway.access().server() + "\"";
      String text = Files.readString(plane.kubeconfig());
      Path behind = folder.resolve("gateway.conf");
      Files.writeString(behind, text.replaceFirst("server: \"[^\"]*\"", server));
      theProcessIsKilled(behind, new Random(seed));
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void theProcessIsKilledAtSomeMoment(int seed) throws Exception {
    theProcessIsKilled(plane.kubeconfig(), new Random(seed));
  }

  private void theProcessIsKilled(Path kubeconfig, Random random) throws Exception {
    try (DeviceObjects controller = new DeviceObjects(bench);
        Auditor bindings = new Auditor(bench);
        SchedulerProcess first = new SchedulerProcess(folder, kubeconfig, HASTY)) {
      Bench.until(first::hasLed, first::logged);
      try (SchedulerProcess second = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
        controller.run();
        add();
        Bench.until(DeviceFaultsTest::isSomeAllocated, first::logged);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(120));
        first.kill();
        Bench.until(second::hasLed, second::logged);
        bench.awaitAllBound(PODS);
        replaceSome();
      }
      assertThat(auditor.findings()).isEmpty();
      assertThat(bindings.findings()).isEmpty();
    }
  }
}
