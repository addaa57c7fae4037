package io.lighthouse.kubernetes.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.Objects;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The shadow from outside. The test is the other scheduler: it binds and refuses. */
class KubernetesShadowTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String SETTINGS =
      """
      strategy: {name: spread}
      monitor: {port: 0}
      binding: {timeout: 2s}
      """;

  @TempDir private Path folder;
  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private ControlPlane plane;
  private FailingGateway gateway;
  private Bench bench;
  private KubernetesShadow shadow;

  @BeforeEach
  void cluster() throws Exception {
    plane = ControlPlane.start();
    gateway = new FailingGateway(plane.scheduler(), 1);
    gateway.refuseWrites();
    bench = new Bench(plane.admin());
    for (int i = 0; i < 3; i++) {
      bench.addNode("n" + i, "z", "4", "8Gi", 20);
    }
  }

  @AfterEach
  void end() {
    if (shadow != null) {
      shadow.close();
    }
    gateway.close();
    plane.close();
  }

  private void start(Optional<Path> report) throws Exception {
    ClusterAccess access = gateway.access();
    shadow =
        new KubernetesShadow(
            access,
            SettingsFile.read("s", SETTINGS),
            new KubernetesShadow.Watched("default-scheduler", report),
            new Comparisons.Limits(Duration.ofMillis(500), Duration.ofSeconds(1)),
            log::add);
    Bench.until(
        () -> log.stream().anyMatch(line -> line.contains("\"synced\"")), () -> "log: " + log);
  }

  private static ObjectNode stock(String name, String cpu) {
    ObjectNode pod = Objects.pod(name, cpu, "1Gi");
    pod.withObjectProperty("spec").put("schedulerName", "default-scheduler");
    return pod;
  }

  private void bind(String name, String node) throws Exception {
    bench
        .admin()
        .post(
            "/api/v1/namespaces/default/pods/" + name + "/binding",
            Objects.json(
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'%s'},"
                    + "'target':{'apiVersion':'v1','kind':'Node','name':'%s'}}",
                name, node));
  }

  private void refuse(String name) throws Exception {
    bench
        .admin()
        .patch(
            "/api/v1/namespaces/default/pods/" + name + "/status",
            Objects.json(
                "{'status':{'conditions':[{'type':'PodScheduled','status':'False',"
                    + "'reason':'Unschedulable','message':'no way'}]}}"));
  }

  private void until(ComparisonOutcome outcome, long count) throws Exception {
    Bench.until(
        () -> shadow.report().counts().get(outcome) == count,
        () -> outcome + ": " + shadow.report().counts() + log);
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = shadow.monitor().orElseThrow().resolve(path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void followsAndReportsAndWritesNothing() throws Exception {
    Path file = folder.resolve("report.html");
    start(Optional.of(file));
    bench.add(stock("same", "1"));
    bind("same", "n0");
    until(ComparisonOutcome.SAME_NODE, 1);
    bench.add(stock("ranked", "1"));
    bind("ranked", "n0");
    until(ComparisonOutcome.RANKED, 1);
    bench.add(stock("big", "5"));
    bind("big", "n1");
    until(ComparisonOutcome.NO_NODE, 1);
    bench.add(stock("left", "1"));
    refuse("left");
    until(ComparisonOutcome.LEFT_WAITING, 1);

    HttpResponse<String> json = get("/report.json");
    assertThat(json.headers().firstValue("Content-Type")).contains("application/json");
    JsonNode report = MAPPER.readTree(json.body());
    assertThat(report.path("compared").asInt()).isEqualTo(4);
    assertThat(report.path("verdict").asInt()).isEqualTo(2);
    assertThat(report.at("/causes/no-node/NodeResourcesFit").asInt()).isEqualTo(1);
    assertThat(report.at("/differences/0/pod").asString()).isEqualTo("default/left");
    assertThat(report.at("/differences/0/reason").asString()).isEqualTo("no way");

    HttpResponse<String> page = get("/report");
    assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(page.body())
        .contains("<b>1</b> of 4 decisions agree", "default/ranked", "fullest resource in use")
        .doesNotContain("<script", "<link", "src=", "@import");
    assertThat(get("/metrics").body())
        .contains(
            "lighthouse_kubernetes_shadow_decisions_total{outcome=\"same-node\"} 1.0",
            "lighthouse_kubernetes_shadow_decisions_total{outcome=\"left-waiting\"} 1.0",
            "lighthouse_kubernetes_shadow_nodes_used{cluster=\"ours\"}",
            "lighthouse_kubernetes_shadow_nodes_used{cluster=\"there\"}");
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    assertThat(log).filteredOn(line -> line.contains("\"difference\"")).hasSize(3);

    shadow.close();
    assertThat(Files.readString(file)).contains("default/left", "no way");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(gateway.writes()).isEmpty();
  }

  @Test
  void writesJsonWhereTheNameSaysSo() throws Exception {
    Path file = folder.resolve("report.json");
    start(Optional.of(file));
    Bench.until(() -> Files.exists(file), () -> "log: " + log);
    assertThat(MAPPER.readTree(file).path("scheduler").asString()).isEqualTo("default-scheduler");
  }

  @Test
  void goesOnAfterARestartOfTheServer() throws Exception {
    start(Optional.empty());
    bench.add(stock("before", "1"));
    bench.add(stock("after", "1"));
    bind("before", "n0");
    until(ComparisonOutcome.SAME_NODE, 1);
    plane.restart();
    Bench.until(
        () -> {
          try {
            bind("after", "n1");
            return true;
          } catch (java.io.IOException notYet) {
            return !Bench.nodeOf(bench.pod("after")).isEmpty();
          }
        },
        () -> "log: " + log);
    until(ComparisonOutcome.SAME_NODE, 2);
    bench.add(stock("later", "1"));
    bind("later", "n2");
    until(ComparisonOutcome.SAME_NODE, 3);
    assertThat(log).noneMatch(line -> line.contains("term-failed"));
    assertThat(gateway.writes()).isEmpty();
  }
}
