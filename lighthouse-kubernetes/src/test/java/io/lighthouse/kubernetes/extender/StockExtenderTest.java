package io.lighthouse.kubernetes.extender;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The real kube-scheduler calls the extender, by its configuration file. A relay between them
 * records the questions. The last ones are left in the module's build folder, such as {@code
 * extender-filter-names.json}: those of {@link ExtenderServerTest} came so.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
class StockExtenderTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static final String SETTINGS =
      """
      strategy: {name: bin-pack, rubric: {cpu: 1}}
      monitor: {port: -1}
      extender: {port: 0}
      """;

  private final Queue<String> log = new ConcurrentLinkedQueue<>();

  /** Passes questions on, and counts and keeps them. */
  private static final class Relay implements AutoCloseable {
    private final Map<String, Integer> counts = new TreeMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server;
    private final URI behind;
    private final String form;

    Relay(URI behind, String form) throws IOException {
      this.behind = behind;
      this.form = form;
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
      server.setExecutor(Executors.newCachedThreadPool());
      server.createContext("/", this::pass);
      server.start();
    }

    private void pass(HttpExchange exchange) throws IOException {
      try (exchange) {
        String path = exchange.getRequestURI().getPath();
        byte[] asked = exchange.getRequestBody().readAllBytes();
        HttpResponse<byte[]> answer;
        try {
          answer =
              client.send(
                  HttpRequest.newBuilder(behind.resolve(path))
                      .header("Content-Type", exchange.getRequestHeaders().getFirst("Content-Type"))
                      .POST(HttpRequest.BodyPublishers.ofByteArray(asked))
                      .build(),
                  HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException stopped) {
          throw new IOException(stopped);
        }
        String name = path.substring(1);
        synchronized (counts) {
          counts.merge(name + " " + answer.statusCode(), 1, Integer::sum);
          Path build = Path.of(System.getProperty("lighthouse.build"));
          Files.write(build.resolve("extender-" + name + "-" + form + ".json"), asked);
        }
        exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
        exchange.getResponseBody().write(answer.body());
      }
    }

    int count(String what) {
      synchronized (counts) {
        return counts.getOrDefault(what, 0);
      }
    }

    String extenders(boolean byName) {
      return "extenders: [{urlPrefix: \"http://127.0.0.1:"
          + server.getAddress().getPort()
          + "\", filterVerb: filter, prioritizeVerb: prioritize, weight: 10, httpTimeout: 5s, "
          + "nodeCacheCapable: "
          + byName
          + "}]";
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private static ObjectNode stock(String name, String cpu) {
    ObjectNode pod = Objects.pod(name, cpu, "1Gi");
    pod.withObjectProperty("spec").put("schedulerName", "default-scheduler");
    return pod;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theStockSchedulerAsksAndDoesAsItIsTold(boolean byName) throws Exception {
    try (RealControlPlane plane = new RealControlPlane()) {
      Bench bench = new Bench(plane.admin());
      for (int i = 0; i < 4; i++) {
        bench.addNode("n" + i, "z" + i % 2, "4", "8Gi", 20);
      }
      try (KubernetesExtender extender =
              KubernetesExtender.start(
                  Optional.of(plane.extender()),
                  Optional.empty(),
                  SettingsFile.read("settings", SETTINGS),
                  log::add);
          Relay relay = new Relay(extender.uri(), byName ? "names" : "nodes")) {
        Bench.until(
            () -> log.stream().anyMatch(line -> line.contains("\"synced\"")), () -> "log: " + log);
        plane.startStockScheduler(relay.extenders(byName));
        // The stock scheduler would spread them over all nodes; bin-pack fills one.
        for (int i = 0; i < 4; i++) {
          bench.add(stock("p" + i, "1"));
          String node = bench.awaitNode("p" + i);
          assertThat(node).as("p" + i + ", " + relay.counts).isEqualTo("n0");
          ExtenderCalls calls = new ExtenderCalls(extender.uri());
          String more = Integer.toString(4 - i);
          Bench.until(
              () -> !calls.filter(Objects.pod("q", more, "1Gi"), "n0").path("NodeNames").has(0),
              () -> "not mirrored: " + log);
        }
        bench.add(stock("big", "5"));
        JsonNode refused =
            bench.await("big", pod -> !Bench.scheduled(pod).path("message").isMissingNode());
        assertThat(Bench.scheduled(refused).path("message").asString()).contains("0/4 nodes");
        assertThat(relay.count("filter 200")).isPositive();
        assertThat(relay.count("prioritize 200")).isPositive();
        assertThat(relay.counts.keySet()).allMatch(what -> what.endsWith(" 200"));
        Path build = Path.of(System.getProperty("lighthouse.build"));
        JsonNode kept =
            MAPPER.readTree(
                build.resolve(
                    byName ? "extender-filter-names.json" : "extender-filter-nodes.json"));
        assertThat(kept.path("NodeNames").isArray()).isEqualTo(byName);
      }
    }
  }
}
