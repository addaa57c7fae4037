package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.FaultyProxy;
import io.lighthouse.kubernetes.control.PriorityPods;
import io.lighthouse.kubernetes.control.PriorityPods.Importance;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Whatever fails while pods are preempted: no victim is evicted twice, and no more than are needed.
 * No pod is bound twice, and all important pods are placed in the end. {@code
 * -Dlighthouse.kubernetes.rounds=50} for many more rounds.
 */
class PreemptionFaultsTest extends OnControlPlane {
  private static final String HASTY =
      """
      leaderElection: {duration: 1500ms}
      binding: {timeout: 700ms}
      queue: {firstPause: 20ms, longestPause: 300ms}
      monitor: {port: -1}
      """;

  private static final int NODES = 4;

  private static PriorityPods pods;

  @BeforeAll
  static void start() throws Exception {
    pods = new PriorityPods(plane, bench);
  }

  private KubernetesScheduler scheduler(ClusterAccess access) {
    return scheduler(access, HASTY);
  }

  /** Each node is full of plain pods, and as many important pods come as half of them. */
  private void fill(String round) throws IOException {
    for (int i = 0; i < NODES; i++) {
      bench.addNode("n" + i, "a", "4", "8Gi", 20);
      for (int k = 0; k < 4; k++) {
        pods.place("small-" + round + "-" + i + k, Importance.PLAIN, "1", "n" + i);
      }
    }
  }

  /** Ends pods that are being deleted, and waits until all important pods have a node. */
  private void endPodsUntilAllArePlaced(String round, int important) throws Exception {
    Map<String, String> left = new TreeMap<>();
    Bench.until(
        () -> {
          left.clear();
          for (JsonNode pod : bench.pods()) {
            String name = Bench.name(pod);
            if (PriorityPods.ends(pod)) {
              bench.deletePod(name);
            } else if (name.startsWith("urgent-" + round + "-") && Bench.nodeOf(pod).isEmpty()) {
              left.put(name, Bench.scheduled(pod).path("message").asString(""));
            }
          }
          return left.isEmpty();
        },
        () -> "without a node: " + left);
    // What was evicted is exactly what had to go.
    TimeUnit.MILLISECONDS.sleep(300);
    List<String> there = new ArrayList<>();
    for (JsonNode pod : bench.pods()) {
      if (!PriorityPods.ends(pod)) {
        there.add(Bench.name(pod));
      }
    }
    assertThat(there).filteredOn(name -> name.startsWith("urgent")).hasSize(important);
    assertThat(there).filteredOn(name -> name.startsWith("small")).hasSize(4 * NODES - important);
    Map<String, Integer> events = new TreeMap<>();
    for (String name : pods.preempted()) {
      if (name.startsWith("small-" + round + "-")) {
        events.merge(name, 1, Integer::sum);
      }
    }
    assertThat(events.values()).allMatch(count -> count == 1);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void evictsNoPodTwiceAndNoneTooManyThoughConnectionsAreCut(int seed) throws Exception {
    Random random = new Random(seed);
    String round = "cut" + seed;
    fill(round);
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler =
            scheduler(
                Kubeconfig.access(
                    Optional.of(proxy.kubeconfig(plane, folder)), Optional.empty()))) {
      for (int i = 0; i < 8; i++) {
        bench.add(pods.pod("urgent-" + round + "-" + i, Importance.NODE, "1"));
        TimeUnit.MILLISECONDS.sleep(random.nextInt(60));
        proxy.cut();
      }
      endPodsUntilAllArePlaced(round, 8);
      assertThat(auditor.findings()).isEmpty();
      assertThat(scheduler.server()).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void evictsNoPodTwiceThoughAnswersFailBeforeAndAfterTheyTookEffect(int seed) throws Exception {
    String round = "gate" + seed;
    fill(round);
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 7 + seed);
        Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler(gateway.access())) {
      gateway.fail(25);
      for (int i = 0; i < 8; i++) {
        bench.add(pods.pod("urgent-" + round + "-" + i, Importance.NODE, "1"));
      }
      endPodsUntilAllArePlaced(round, 8);
      gateway.fail(0);
      assertThat(gateway.failures()).isPositive();
      assertThat(auditor.findings()).isEmpty();
      assertThat(scheduler.server()).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void anotherReplicaGoesOnWhereTheLeaderStopped(int seed) throws Exception {
    String round = "stop" + seed;
    fill(round);
    try (Auditor auditor = new Auditor(bench);
        KubernetesScheduler second = second()) {
      for (int i = 0; i < 8; i++) {
        bench.add(pods.pod("urgent-" + round + "-" + i, Importance.NODE, "1"));
      }
      Bench.until(
          () -> log.stream().anyMatch(line -> line.contains("\"preempts\"")), () -> "" + log);
      first.close();
      endPodsUntilAllArePlaced(round, 8);
      assertThat(auditor.findings()).isEmpty();
      assertThat(second.server()).isNotNull();
    } finally {
      first.close();
    }
  }

  private KubernetesScheduler first;

  private KubernetesScheduler second() throws Exception {
    first = scheduler(plane.scheduler());
    Bench.until(
        () -> log.stream().anyMatch(line -> line.contains("\"event\":\"leads\"")),
        () -> "no leader: " + log);
    return scheduler(plane.scheduler());
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void theProcessIsKilledBetweenNominationAndEviction(int seed) throws Exception {
    Random random = new Random(seed);
    String round = "kill" + seed;
    fill(round);
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench);
        SchedulerProcess leader =
            new SchedulerProcess(folder, proxy.kubeconfig(plane, folder), HASTY)) {
      Bench.until(leader::hasLed, leader::logged);
      try (SchedulerProcess other = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
        proxy.delay(10);
        for (int i = 0; i < 8; i++) {
          bench.add(pods.pod("urgent-" + round + "-" + i, Importance.NODE, "1"));
        }
        Bench.until(() -> nominated(round) > 0, leader::logged);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(100));
        leader.kill();
        Bench.until(other::hasLed, other::logged);
        endPodsUntilAllArePlaced(round, 8);
      }
      assertThat(auditor.findings()).isEmpty();
    }
  }

  private static long nominated(String round) throws IOException {
    long count = 0;
    for (JsonNode pod : bench.pods()) {
      boolean nominated = !pod.path("status").path("nominatedNodeName").asString("").isEmpty();
      count += nominated && Bench.name(pod).startsWith("urgent-" + round + "-") ? 1 : 0;
    }
    return count;
  }
}
