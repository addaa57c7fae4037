package io.lighthouse.kubernetes.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The shadow of a real kube-scheduler through the life of a cluster whose kubelets are KWOK's. Each
 * difference has a reason, and none is one of verdict, but where a node had just changed. {@code
 * -Dlighthouse.kubernetes.life=300}: the steps. The report is left in the module's build folder as
 * {@code shadow-life.html}.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes.life", matches = "[0-9]+")
class ShadowLifeTest {
  private static final int STEPS = Integer.getInteger("lighthouse.kubernetes.life", 0);
  private static final int NODES = Integer.getInteger("lighthouse.kubernetes.nodes", 1_000);
  private static final long SEED = Long.getLong("lighthouse.kubernetes.seed", 27);
  private static final String SETTINGS =
      "{strategy: {name: spread}, monitor: {port: -1}, binding: {timeout: 10s}}";
  private static final String TOLERATIONS =
      "--default-not-ready-toleration-seconds 15 --default-unreachable-toleration-seconds 15";

  private final Queue<String> log = new ConcurrentLinkedQueue<>();

  @Test
  void hasAReasonForEachDifference() throws Exception {
    try (RealControlPlane plane =
        new RealControlPlane(Map.of("KUBE_APISERVER_FLAGS", TOLERATIONS))) {
      plane.startKubelets();
      ApiServer admin = plane.admin();
      ClusterLife life = new ClusterLife(admin, NODES, NODES / 12, SEED);
      life.addNodes();
      Path report = Path.of(System.getProperty("lighthouse.build"), "shadow-life.html");
      try (KubernetesShadow shadow =
          new KubernetesShadow(
              Kubeconfig.access(Optional.of(plane.reader()), Optional.empty()),
              SettingsFile.read("s", SETTINGS),
              new KubernetesShadow.Watched("default-scheduler", Optional.of(report)),
              new Comparisons.Limits(Duration.ofSeconds(5), Duration.ofSeconds(60)),
              log::add)) {
        Bench.until(
            () -> log.stream().anyMatch(line -> line.contains("\"synced\"")), () -> "log: " + log);
        plane.startStockScheduler();
        life.addDeployments();
        plane.startControllers();
        awaitDecided(admin);
        for (int i = 0; i < STEPS; i++) {
          life.step();
          TimeUnit.MILLISECONDS.sleep(500);
          if (i % 50 == 49) {
            awaitDecided(admin);
            System.out.println("ShadowLifeTest: " + life.steps() + " " + shadow.report().counts());
          }
        }
        life.endAllAway();
        awaitDecided(admin);
        // Longer than the shadow waits for bindings that were under way.
        TimeUnit.SECONDS.sleep(8);
        ShadowReport found = shadow.report();
        System.out.println("ShadowLifeTest: " + life.steps() + " " + found.counts());
        assertThat(found.last())
            .allSatisfy(one -> assertThat(one.reason()).as("%s", one).isNotBlank());
        assertThat(found.last())
            .filteredOn(one -> one.outcome() == ComparisonOutcome.BINDINGS_UNDER_WAY)
            .allSatisfy(one -> assertThat(one.reason()).as("%s", one).contains("(the node fits "));
        // The report keeps the last differences, the log all of verdict.
        List<String> verdicts =
            log.stream()
                .filter(
                    line ->
                        line.contains("\"event\":\"difference\"") && line.contains("\"warning\""))
                .toList();
        verdicts.forEach(line -> System.out.println("ShadowLifeTest: " + line));
        assertThat(verdicts)
            .hasSize((int) found.count(ComparisonOutcome.Group.VERDICT))
            .allSatisfy(line -> assertThat(line).contains("had just"));
        assertThat(found.compared()).isGreaterThan(STEPS);
      }
    }
  }

  private static void awaitDecided(ApiServer admin) throws Exception {
    Bench.until(
        () -> ClusterLife.undecided(admin).isEmpty(),
        () -> "neither placed nor refused: some pods of the cluster");
  }
}
