package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.FaultyProxy;
import io.lighthouse.kubernetes.control.GangKind;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import io.lighthouse.kubernetes.control.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whatever fails while the pods of a gang are bound: no pod is lost or bound twice. The gang is
 * completed, and where the rest of it does not fit, that waits wholly. A gang that is too large
 * never has a bound pod. {@code -Dlighthouse.kubernetes.rounds=50} for many more rounds.
 */
class GangFaultsTest extends OnControlPlane {
  /** One binding at a time, so that there is a moment between two of a gang. */
  private static final String HASTY =
      """
      strategy: {name: spread}
      leaderElection: {duration: 1500ms}
      binding: {timeout: 700ms, volumeTimeout: 500ms, workers: 1}
      queue: {firstPause: 20ms, longestPause: 300ms}
      podGroups: {enabled: true}
      monitor: {port: -1}
      """;

  private static final int NODES = 4;
  private static final int CORES = 10;
  private static final int MEMBERS = 8;

  /** One more than there are nodes, each of more than half a node. */
  private static final int TOO_MANY = NODES + 1;

  private String round;

  @BeforeAll
  static void servePodGroups() throws Exception {
    if (!plane.isFake()) {
      String minor = System.getenv().getOrDefault("KUBE_MINOR", "1.36");
      Assumptions.assumeTrue(minor.equals("1.36"), "PodGroups came with 1.36");
      plane.close();
      plane = ControlPlane.withPodGroups();
      bench = new Bench(plane.admin());
    }
  }

  @BeforeEach
  void addNodes() throws IOException {
    for (int i = 0; i < NODES; i++) {
      bench.addNode("n" + i, "z" + i, CORES + "500m", "64Gi", 20);
    }
  }

  /** The kinds by turns, since a round takes long. */
  static Stream<Arguments> gangs() {
    return rounds().mapToObj(seed -> Arguments.of(seed, GangKind.values()[seed % 2]));
  }

  /** The other kind for each seed, so that every build tries both. */
  static Stream<Arguments> otherGangs() {
    return rounds().mapToObj(seed -> Arguments.of(seed, GangKind.values()[(seed + 1) % 2]));
  }

  private static void addGang(GangKind kind, String gang, List<ObjectNode> pods)
      throws IOException {
    kind.add(bench, gang, pods.size(), pods);
  }

  private static List<ObjectNode> pods(String gang, int count, String cpu) {
    List<ObjectNode> pods = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pods.add(Objects.pod(gang + "-" + i, cpu, "64Mi"));
    }
    return pods;
  }

  /** One gang that fits, and before it one that does not. */
  private void addGangs(GangKind kind, String name) throws IOException {
    round = name + "-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    addGang(kind, round + "-large", pods(round + "-large", TOO_MANY, "6"));
    addGang(kind, round + "-gang", pods(round + "-gang", MEMBERS, "1"));
  }

  private static Map<String, String> bound(String gang) throws IOException {
    return bench.nodesOf(gang + "-");
  }

  private void awaitBound(int least) throws Exception {
    Bench.until(
        () -> bound(round + "-gang").size() >= least, () -> "fewer than " + least + ": " + log);
  }

  private void assertComplete(Auditor auditor) throws Exception {
    awaitBound(MEMBERS);
    assertThat(auditor.findings()).isEmpty();
    assertThat(bound(round + "-large")).isEmpty();
  }

  /** What happens to the first of two processes, and what must be so afterwards. */
  private interface Fault {
    void happen(SchedulerProcess first, SchedulerProcess second, Auditor auditor) throws Exception;
  }

  /** A fault once some pods of a gang are bound. */
  private void betweenBindings(String name, int seed, GangKind kind, Fault fault) throws Exception {
    Random random = new Random(seed);
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench);
        SchedulerProcess first =
            new SchedulerProcess(folder, proxy.kubeconfig(plane, folder), HASTY)) {
      Bench.until(first::hasLed, first::logged);
      try (SchedulerProcess second = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
        proxy.delay(40);
        addGangs(kind, name + seed);
        awaitBound(1 + random.nextInt(MEMBERS / 2));
        fault.happen(first, second, auditor);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("gangs")
  void theProcessIsKilledBetweenTheBindingsOfAGang(int seed, GangKind kind) throws Exception {
    betweenBindings(
        "killed",
        seed,
        kind,
        (first, second, auditor) -> {
          first.kill();
          Bench.until(second::hasLed, second::logged);
          assertComplete(auditor);
        });
  }

  /** After a kill, the nodes are filled by hand but for the room of one pod too few. */
  @ParameterizedTest
  @MethodSource("gangs")
  void theRestOfAGangWaitsWhollyWhereItsRoomHasBeenTaken(int seed, GangKind kind) throws Exception {
    Random random = new Random(seed);
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench)) {
      try (SchedulerProcess first =
          new SchedulerProcess(folder, proxy.kubeconfig(plane, folder), HASTY)) {
        Bench.until(first::hasLed, first::logged);
        proxy.delay(40);
        addGangs(kind, "taken" + seed);
        awaitBound(1 + random.nextInt(MEMBERS / 2));
      }
      proxy.delay(0);
      // What was under way when the process ended has arrived by then.
      TimeUnit.MILLISECONDS.sleep(300);
      Map<String, String> before = bound(round + "-gang");
      int left = MEMBERS - before.size();
      for (int i = 0; i < NODES; i++) {
        String node = "n" + i;
        int used = (int) before.values().stream().filter(node::equals).count();
        int room = CORES - used - (i == 0 ? Math.max(0, left - 1) : 0);
        ObjectNode filler = Objects.pod(round + "-filler-" + i, Integer.toString(room), "64Mi");
        filler.withObjectProperty("spec").put("nodeName", node);
        bench.add(filler);
      }
      try (SchedulerProcess second = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
        Bench.until(second::hasLed, second::logged);
        for (int i = 0; i < MEMBERS; i++) {
          // Those that are bound have the server's condition; those that are left are refused.
          bench.await(round + "-gang-" + i, pod -> !Bench.scheduled(pod).isEmpty());
        }
        assertThat(bound(round + "-gang")).isEqualTo(before);
        bench.deletePod(round + "-filler-1");
        assertComplete(auditor);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("otherGangs")
  void theLeaseIsLostBetweenTheBindingsOfAGang(int seed, GangKind kind) throws Exception {
    betweenBindings(
        "lease",
        seed,
        kind,
        (first, second, auditor) -> {
          first.pause(true);
          Bench.until(second::hasLed, second::logged);
          first.pause(false);
          assertComplete(auditor);
          Bench.until(() -> first.log().contains("leads-no-more"), first::logged);
        });
  }

  @ParameterizedTest
  @MethodSource("otherGangs")
  void theProcessIsKilledBetweenClaimAndBindingOfAGang(int seed, GangKind kind) throws Exception {
    Random random = new Random(seed);
    round = "claims" + seed + "-" + kind.ordinal();
    try (Storage made = new Storage(plane.admin(), round, "example.com/provisioner");
        Auditor auditor = new Auditor(bench);
        SchedulerProcess first = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
      Bench.until(first::hasLed, first::logged);
      try (SchedulerProcess second = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
        List<ObjectNode> pods = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
          made.addClaim(round + "-gang-" + i);
          pods.add(Storage.pod(round + "-gang-" + i, round + "-gang-" + i));
        }
        addGang(kind, round + "-large", pods(round + "-large", TOO_MANY, "6"));
        addGang(kind, round + "-gang", pods);
        // A node is chosen, and the volume is not there yet.
        made.awaitSelected(round + "-gang-0");
        assertThat(bound(round + "-gang")).isEmpty();
        made.run();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
        first.kill();
        Bench.until(second::hasLed, second::logged);
        assertComplete(auditor);
      }
      assertThat(made.findings()).isEmpty();
    }
  }

  @Test
  void aSchedulerThatPlacesMembersOneByOneIsNoticed() throws Exception {
    round = "single";
    for (ObjectNode pod : pods(round + "-large", TOO_MANY, "6")) {
      bench.add(pod);
    }
    for (ObjectNode pod : pods(round + "-gang", MEMBERS, "1")) {
      bench.add(pod);
    }
    try (Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler(HASTY)) {
      Bench.until(() -> bound(round + "-large").size() == NODES, () -> String.join("\n", log));
      assertThatThrownBy(() -> assertComplete(auditor))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(round + "-large-0");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }
}
