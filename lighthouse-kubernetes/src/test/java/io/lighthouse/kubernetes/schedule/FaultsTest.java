package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.client.LeaderElection;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.FaultyProxy;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Whatever fails: no pod is lost, none is bound twice, no node is overbooked, and all are placed in
 * the end. On the fake in every build, on a real server under the profile kubernetes; {@code
 * -Dlighthouse.kubernetes.rounds=50} for many more rounds of each fault.
 */
class FaultsTest extends OnControlPlane {
  private static final int PODS = 40;

  /** Calls give up early and leases are short, so that many faults fit into a test. */
  private static final String HASTY =
      """
      leaderElection: {duration: 1500ms}
      binding: {timeout: 700ms, workers: 8}
      queue: {firstPause: 20ms, longestPause: 300ms, listAgain: 5s}
      monitor: {port: -1}
      """;

  /** Four nodes that hold all pods and two more. */
  @BeforeEach
  void addNodes() throws IOException {
    for (int i = 0; i < 4; i++) {
      bench.addNode("n" + i, "z" + i % 2, "10500m", "64Gi", 11);
    }
  }

  private KubernetesScheduler scheduler(Path kubeconfig) {
    return KubernetesScheduler.start(
        Optional.of(kubeconfig), Optional.empty(), SettingsFile.read("settings", HASTY), log::add);
  }

  private static void addPods(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      bench.add(Objects.pod("p" + i, "1", "1Gi"));
    }
  }

  /** What goes wrong between the scheduler and the server. */
  private interface Trouble {
    void make(FaultyProxy proxy) throws Exception;
  }

  /** One scheduler behind a proxy: in the end this number of pods is placed. */
  private void allArePlacedThrough(Trouble trouble, int pods) throws Exception {
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler(proxy.kubeconfig(plane, folder))) {
      trouble.make(proxy);
      allPlaced(auditor, pods);
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  /** Something of the server's ends and starts again. */
  private interface Restart {
    void now() throws IOException, InterruptedException;
  }

  /** One scheduler, and a restart while it works. */
  private void allArePlacedThough(Random random, Restart restart) throws Exception {
    try (Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler(plane.kubeconfig())) {
      addPods(0, 20);
      rest(random.nextInt(300));
      restart.now();
      addPods(20, PODS);
      allPlaced(auditor, PODS);
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  private void allPlaced(Auditor auditor, int pods) throws Exception {
    try {
      bench.awaitAllBound(pods);
    } catch (AssertionError late) {
      throw new AssertionError(late.getMessage() + "; the log: " + String.join("\n", log), late);
    }
    assertThat(auditor.findings()).isEmpty();
  }

  private static void rest(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void connectionsAreCut(int seed) throws Exception {
    Random random = new Random(seed);
    allArePlacedThrough(
        proxy -> {
          for (int i = 0; i < PODS; i += 5) {
            addPods(i, i + 5);
            rest(random.nextInt(100));
            proxy.cut();
          }
        },
        PODS);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void answersDoNotComeAndComeLate(int seed) throws Exception {
    Random random = new Random(seed);
    allArePlacedThrough(
        proxy -> {
          addPods(0, 5);
          bench.awaitAllBound(5);
          for (int i = 5; i < PODS; i += 7) {
            // Calls arrive from now on, but their answers do not: outcomes are unknown.
            proxy.holdAnswers(true);
            addPods(i, i + 7);
            rest(random.nextInt(900));
            if (random.nextBoolean()) {
              proxy.cut();
            }
            proxy.holdAnswers(false);
            proxy.delay(random.nextInt(60));
          }
          proxy.delay(0);
        },
        PODS);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void theServerIsKilledAndStartsAgain(int seed) throws Exception {
    Random random = new Random(seed);
    allArePlacedThough(random, plane::restart);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void podsAreDeletedWhileTheyWaitAndMadeAnew(int seed) throws Exception {
    Random random = new Random(seed);
    allArePlacedThrough(
        proxy -> {
          addPods(0, PODS);
          for (int i = 0; i < 20; i++) {
            int chosen = random.nextInt(PODS);
            proxy.delay(random.nextInt(20));
            bench.deletePod("p" + chosen);
            // The same name and another uid: a binding of the first must not reach it.
            bench.add(Objects.pod("p" + chosen, "1", "1Gi"));
          }
          proxy.delay(0);
        },
        PODS);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void nodesAreDeletedBetweenDecisionAndBinding(int seed) throws Exception {
    Random random = new Random(seed);
    allArePlacedThrough(
        proxy -> {
          for (int i = 0; i < 3; i++) {
            addPods(i * 10, i * 10 + 10);
            proxy.holdAnswers(true);
            rest(random.nextInt(200));
            bench.deleteNode("n" + i);
            bench.addNode("m" + i, "z0", "10500m", "64Gi", 11);
            proxy.holdAnswers(false);
          }
          // What Kubernetes' pod garbage collector does with pods of nodes that are gone, and a
          // controller after it.
          Bench.until(
              () -> {
                Set<String> nodes = new HashSet<>();
                bench.nodes().forEach(node -> nodes.add(Bench.name(node)));
                boolean all = true;
                for (JsonNode pod : bench.pods()) {
                  String node = Bench.nodeOf(pod);
                  all &= nodes.contains(node);
                  if (!node.isEmpty() && !nodes.contains(node)) {
                    bench.deletePod(Bench.name(pod));
                    bench.add(Objects.pod(Bench.name(pod), "1", "1Gi"));
                  }
                }
                return all;
              },
              () -> String.join("\n", log));
        },
        30);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void theProcessIsKilledBetweenDecisionAndBinding(int seed) throws Exception {
    Random random = new Random(seed);
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench);
        SchedulerProcess first =
            new SchedulerProcess(folder, proxy.kubeconfig(plane, folder), HASTY);
        SchedulerProcess second = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
      Bench.until(() -> first.hasLed() || second.hasLed(), () -> "nobody leads");
      SchedulerProcess leader = first.hasLed() ? first : second;
      SchedulerProcess other = leader == first ? second : first;
      proxy.delay(10);
      addPods(0, 20);
      rest(random.nextInt(150));
      leader.kill();
      proxy.delay(0);
      addPods(20, PODS);
      allPlaced(auditor, PODS);
      assertThat(other.hasLed()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void aLeaderStandsStillAndWakesWhenAnotherLeads(int seed) throws Exception {
    Random random = new Random(seed);
    try (Auditor auditor = new Auditor(bench);
        SchedulerProcess first = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
      Bench.until(first::hasLed, () -> "nobody leads");
      try (SchedulerProcess second = new SchedulerProcess(folder, plane.kubeconfig(), HASTY)) {
        addPods(0, 20);
        rest(random.nextInt(150));
        first.pause(true);
        Bench.until(second::hasLed, () -> "the other does not lead");
        first.pause(false);
        addPods(20, PODS);
        allPlaced(auditor, PODS);
        assertThat(first.log()).contains("leads-no-more");
      }
    }
  }

  /** Each of the three watches fails once, in the log; the lists are long before and long after. */
  @ParameterizedTest
  @MethodSource("rounds")
  void aThreadThatFailsEndsTheTermAndAnotherBegins(int seed) throws Exception {
    AtomicInteger thrown = new AtomicInteger();
    AtomicBoolean fails = new AtomicBoolean();
    Consumer<String> sink =
        line -> {
          log.add(line);
          if (fails.get()
              && line.contains("\"event\":\"watch-ended\"")
              && thrown.incrementAndGet() <= 3) {
            throw new IllegalStateException("injected");
          }
        };
    String settings = HASTY.replace("listAgain: 5s", "listAgain: 30m");
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler =
            KubernetesScheduler.start(
                Kubeconfig.access(Optional.of(proxy.kubeconfig(plane, folder)), Optional.empty()),
                SettingsFile.read("settings", settings),
                sink)) {
      addPods(0, 5);
      bench.awaitAllBound(5);
      fails.set(true);
      proxy.cut();
      Bench.until(() -> thrown.get() > 0, () -> String.join("\n", log));
      addPods(5, PODS);
      allPlaced(auditor, PODS);
      assertThat(new String(scheduler.metrics().toText(), StandardCharsets.UTF_8))
          .containsPattern("call_failures_total\\{call=\"term\"} [1-9]");
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void connectionsFallSilentAndStayOpen(int seed) throws Exception {
    Random random = new Random(seed);
    // Without a lease, which would end the term before.
    String settings =
        HASTY
            .replace("listAgain: 5s", "listAgain: 2s")
            .replace("duration: 1500ms", "enabled: false");
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler =
            KubernetesScheduler.start(
                Kubeconfig.access(Optional.of(proxy.kubeconfig(plane, folder)), Optional.empty()),
                SettingsFile.read("settings", settings),
                log::add)) {
      addPods(0, 5);
      bench.awaitAllBound(5);
      rest(random.nextInt(500));
      proxy.silence();
      addPods(5, PODS);
      allPlaced(auditor, PODS);
      // A watch that is kept open for two seconds at most is given up after a quarter more.
      assertThat(log)
          .anyMatch(line -> line.contains("watch-ended") && line.contains("came for PT2.5S"));
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  /** The fresh list of each five seconds does not repair it: the versions are known. */
  @ParameterizedTest
  @MethodSource("rounds")
  void aMirrorThatIsHalfAppliedIsThrownAway(int seed) throws Exception {
    try (Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler(plane.kubeconfig())) {
      addPods(0, 5);
      bench.awaitAllBound(5);
      LoopReader.read(
          scheduler.term(),
          cluster -> {
            for (int i = 0; i < 4; i++) {
              cluster.nodeGone("n" + i);
            }
            throw new IllegalStateException("injected, after " + seed);
          });
      addPods(5, PODS);
      allPlaced(auditor, PODS);
      assertThat(log).anyMatch(line -> line.contains("term-failed") && line.contains("injected"));
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void theStoreIsKilledAndStartsAgain(int seed) throws Exception {
    Random random = new Random(seed);
    allArePlacedThough(random, plane::restartStore);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void answersFailBeforeAndAfterTheyTookEffect(int seed) throws Exception {
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), seed);
        Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler(gateway.access(), HASTY)) {
      addPods(0, 5);
      bench.awaitAllBound(5);
      gateway.fail(40);
      for (int i = 5; i < PODS; i += 7) {
        addPods(i, i + 7);
        rest(100);
      }
      gateway.fail(0);
      allPlaced(auditor, PODS);
      assertThat(gateway.failures()).isPositive();
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void wallClocksJumpAndStandStill(int seed) throws Exception {
    try (Auditor auditor = new Auditor(bench);
        KubernetesScheduler second = withJumpingClocks(seed)) {
      for (int i = 0; i < PODS; i += 10) {
        addPods(i, i + 10);
        rest(500);
      }
      allPlaced(auditor, PODS);
      // No replica took the lease from one whose clock jumps.
      assertThat(leaders()).isEqualTo(1);
      leading.close();
      Bench.until(() -> leaders() == 2, () -> "nobody follows: " + log);
      assertThat(second.monitor()).isEmpty();
    } finally {
      leading.close();
    }
  }

  private KubernetesScheduler leading;

  /** The second of two; the first leads. */
  private KubernetesScheduler withJumpingClocks(int seed) throws Exception {
    // On a busy machine, a leader may fail to renew a short lease in time, whatever its clock says.
    String lasting =
        HASTY.replace("duration: 1500ms", "duration: 15s").replace("timeout: 700ms", "timeout: 5s");
    SchedulerSettings settings = SettingsFile.read("settings", lasting);
    leading =
        KubernetesScheduler.start(plane.scheduler(), settings, log::add, new JumpingClock(seed));
    Bench.until(() -> leaders() == 1, () -> "nobody leads: " + log);
    return KubernetesScheduler.start(
        plane.scheduler(), settings, log::add, new JumpingClock(seed + 1_000));
  }

  private long leaders() {
    return log.stream().filter(line -> line.contains("\"event\":\"leads\"")).count();
  }

  /** Days forth and back, or where it stood, at each look. */
  private static final class JumpingClock extends Clock {
    private final Random random;
    private Instant now = Instant.parse("2026-11-22T12:00:00Z");

    JumpingClock(int seed) {
      random = new Random(seed);
    }

    @Override
    public synchronized Instant instant() {
      if (random.nextInt(3) == 0) {
        now = now.plus(Duration.ofSeconds(random.nextInt(200_000) - 100_000));
      }
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  static Stream<Arguments> wallClocks() {
    Clock still = Clock.fixed(Instant.parse("2026-11-22T12:00:00Z"), ZoneOffset.UTC);
    return Stream.of(
        Arguments.of("both stand still", still, still),
        Arguments.of("both jump", new JumpingClock(1), new JumpingClock(2)),
        Arguments.of("both jump, the other way", new JumpingClock(2), new JumpingClock(1)));
  }

  /** The other looks at the lease after each renewal, for longer than the lease lasts. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("wallClocks")
  void aLeaseThatIsRenewedIsKeptWhateverWallClocksSay(String name, Clock ofOne, Clock ofTwo)
      throws Exception {
    ApiServer server = bench.admin();
    Duration lease = Duration.ofMillis(1_000);
    Duration call = Duration.ofMillis(200);
    LeaderElection one =
        new LeaderElection(server, "kube-system", "lighthouse", "one", lease, call, ofOne);
    LeaderElection two =
        new LeaderElection(server, "kube-system", "lighthouse", "two", lease, call, ofTwo);
    // An earlier leader in this class may have left a lease that lasts.
    Bench.until(one::attempt, () -> "one does not lead");
    for (int i = 0; i < 15; i++) {
      assertThat(one.attempt()).isTrue();
      assertThat(two.attempt()).as("the other leads as well, after " + i).isFalse();
      rest(100);
    }
    one.release();
    Bench.until(two::attempt, () -> "two does not follow");
    two.release();
  }

  @Test
  void theAuditorSeesAnOverbookedNode() throws Exception {
    bench.addNode("tiny", "z0", "1", "1Gi", 1);
    for (String name : new String[] {"a", "b"}) {
      JsonNode pod = bench.add(Objects.pod(name, "1", "1Gi"));
      bench
          .admin()
          .post(
              "/api/v1/namespaces/default/pods/" + name + "/binding",
              Objects.json(
                  "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'%s','uid':'%s'},"
                      + "'target':{'apiVersion':'v1','kind':'Node','name':'tiny'}}",
                  name, pod.path("metadata").path("uid").asString("")));
    }
    assertThat(Auditor.overbooked(bench)).hasSize(2).allMatch(line -> line.contains("tiny"));
  }
}
