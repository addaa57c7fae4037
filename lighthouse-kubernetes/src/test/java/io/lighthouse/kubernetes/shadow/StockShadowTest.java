package io.lighthouse.kubernetes.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.node.ObjectNode;

/**
 * The shadow of a real kube-scheduler, with the rights of {@code deploy/kubernetes/shadow}. The
 * report is left in the module's build folder as {@code stock-shadow.html}.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
class StockShadowTest {
  private static final int NODES = 30;
  private static final int PODS = 300;
  private static final String SETTINGS =
      "{strategy: {name: spread}, monitor: {port: -1}, binding: {timeout: 5s}}";
  private static final String POD = "/api/v1/namespaces/default/pods";

  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final Random random = new Random(27);

  /** A pod of the stock scheduler, with constraints that meet. */
  private ObjectNode stock(int number) {
    String app = "a" + random.nextInt(6);
    String cpu = 100 * (1 + random.nextInt(6)) + "m";
    ObjectNode pod = Objects.pod("p" + number, cpu, 128 * (1 + random.nextInt(6)) + "Mi");
    pod.withObjectProperty("metadata").withObjectProperty("labels").put("app", app);
    ObjectNode spec = pod.withObjectProperty("spec").put("schedulerName", "default-scheduler");
    String of = "'labelSelector':{'matchLabels':{'app':'" + app + "'}}";
    switch (random.nextInt(8)) {
      case 0 ->
          spec.setAll(
              Objects.json(
                  "{'topologySpreadConstraints':[{'maxSkew':1,'whenUnsatisfiable':'DoNotSchedule',"
                      + "'topologyKey':'topology.kubernetes.io/zone',"
                      + of
                      + "}]}"));
      case 1 ->
          spec.setAll(
              Objects.json(
                  "{'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                      + "[{'topologyKey':'kubernetes.io/hostname',"
                      + of
                      + "}]}}}"));
      case 2 ->
          spec.setAll(
              Objects.json(
                  "{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                      + "[{'topologyKey':'topology.kubernetes.io/zone',"
                      + of
                      + "}]}}}"));
      case 3 ->
          spec.setAll(Objects.json("{'tolerations':[{'key':'special','operator':'Exists'}]}"));
      case 4 ->
          spec.setAll(
              Objects.json(
                  "{'nodeSelector':{'topology.kubernetes.io/zone':'z%d'}}", random.nextInt(3)));
      case 5 ->
          ((ObjectNode) spec.path("containers").path(0))
              .putArray("ports")
              .addObject()
              .put("containerPort", 80)
              .put("hostPort", 8000 + random.nextInt(3));
      default -> {
        // Resources alone.
      }
    }
    return pod;
  }

  @Test
  void findsNoDifferenceOfVerdictAndAReasonForEachOther() throws Exception {
    try (RealControlPlane plane = new RealControlPlane()) {
      Bench bench = new Bench(plane.admin());
      for (int i = 0; i < NODES; i++) {
        bench.addNode("n" + i, "z" + i % 3, "4", "8Gi", 110);
      }
      for (int i = 0; i < 3; i++) {
        bench
            .admin()
            .patch(
                "/api/v1/nodes/n" + i,
                Objects.json("{'spec':{'taints':[{'key':'special','effect':'NoSchedule'}]}}"));
      }
      Path file = Path.of(System.getProperty("lighthouse.build"), "stock-shadow.html");
      Path reader = plane.reader();
      try (KubernetesShadow shadow =
          new KubernetesShadow(
              Kubeconfig.access(Optional.of(reader), Optional.empty()),
              SettingsFile.read("s", SETTINGS),
              new KubernetesShadow.Watched("default-scheduler", Optional.of(file)),
              new Comparisons.Limits(Duration.ofSeconds(5), Duration.ofSeconds(60)),
              log::add)) {
        Bench.until(
            () -> log.stream().anyMatch(line -> line.contains("\"synced\"")), () -> "log: " + log);
        plane.startStockScheduler();
        for (int i = 0; i < PODS; i++) {
          bench.add(stock(i));
        }
        // Each is bound, or refused by both.
        Bench.until(
            () -> {
              long bound =
                  bench.pods().stream().filter(pod -> !Bench.nodeOf(pod).isEmpty()).count();
              long refused =
                  bench.pods().stream()
                      .filter(pod -> Bench.nodeOf(pod).isEmpty())
                      .filter(
                          pod ->
                              Bench.scheduled(pod)
                                  .path("reason")
                                  .asString("")
                                  .equals("Unschedulable"))
                      .count();
              return bound + refused == PODS && settled(shadow.report()) >= bound;
            },
            () -> shadow.report().counts() + " " + log);
        ShadowReport report = shadow.report();
        assertThat(report.count(ComparisonOutcome.Group.VERDICT)).as("%s", report.last()).isZero();
        assertThat(report.compared()).isGreaterThan(PODS * 9 / 10);
        assertThat(report.last())
            .allSatisfy(one -> assertThat(one.reason()).isNotBlank())
            .allSatisfy(one -> assertThat(one.by()).isNotBlank());
      }
      assertThat(Files.readString(file)).contains("decisions agree");
    }
  }

  /** The number of bindings that were compared to the end. */
  private static long settled(ShadowReport report) {
    return report.counts().entrySet().stream()
        .filter(entry -> entry.getKey() != ComparisonOutcome.BOTH_WAIT)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Test
  void theReaderMayReadAndNothingElse() throws Exception {
    try (RealControlPlane plane = new RealControlPlane()) {
      Bench bench = new Bench(plane.admin());
      bench.addNode("n1", "z", "4", "8Gi", 110);
      bench.add(stock(1));
      try (ApiServer reader =
          new ApiServer(
              Kubeconfig.access(Optional.of(plane.reader()), Optional.empty()),
              Duration.ofSeconds(30))) {
        Bench.until(
            () -> {
              try {
                reader.get("/api/v1/pods?limit=1");
                return true;
              } catch (ApiException notYet) {
                return false;
              }
            },
            () -> "the role is not known yet");
        forbidden(() -> reader.post(POD, stock(2)));
        forbidden(
            () ->
                reader.post(
                    POD + "/p1/binding",
                    Objects.json(
                        "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p1'},"
                            + "'target':{'kind':'Node','name':'n1'}}")));
        forbidden(() -> reader.patch(POD + "/p1/status", Objects.json("{'status':{}}")));
        forbidden(() -> reader.patch(POD + "/p1", Objects.json("{'metadata':{'labels':{}}}")));
        forbidden(
            () -> reader.post(POD + "/p1/eviction", Objects.json("{'metadata':{'name':'p1'}}")));
        forbidden(() -> Bench.delete(reader, POD + "/p1"));
        forbidden(() -> Bench.delete(reader, "/api/v1/nodes/n1"));
        forbidden(() -> reader.patch("/api/v1/nodes/n1", Objects.READY));
        forbidden(
            () ->
                reader.post(
                    "/apis/events.k8s.io/v1/namespaces/default/events", Objects.json("{}")));
        forbidden(
            () ->
                reader.post(
                    "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
                    Objects.json("{'metadata':{'name':'l'}}")));
        forbidden(() -> reader.get("/api/v1/namespaces/kube-system/secrets"));
      }
    }
  }

  private interface Call {
    Object make() throws Exception;
  }

  private static void forbidden(Call call) {
    assertThatThrownBy(call::make)
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.code()).isEqualTo(403));
  }
}
