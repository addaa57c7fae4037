package io.lighthouse.kubernetes.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.FaultyProxy;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The extender from outside, by questions that the real kube-scheduler 1.36.3 asked ({@link
 * StockExtenderTest} recorded them), and by what is no question. The cluster has the nodes n0 to n3
 * of the recording, n0 with three pods.
 */
class ExtenderServerTest {
  private static final String SETTINGS =
      """
      strategy: {name: bin-pack, rubric: {cpu: 1}}
      monitor: {port: 0}
      binding: {timeout: 2s}
      extender: {port: 0}
      """;

  private static ControlPlane plane;
  private static Bench bench;

  @TempDir private Path folder;
  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private KubernetesExtender extender;
  private ExtenderCalls calls;

  @BeforeAll
  static void cluster() throws Exception {
    plane = ControlPlane.start();
    bench = new Bench(plane.admin());
    for (int i = 0; i < 4; i++) {
      bench.addNode("n" + i, "z" + i % 2, "4", "8Gi", 20);
    }
    for (int i = 0; i < 3; i++) {
      bench.add(on(Objects.pod("p" + i, "1", "1Gi"), "n0"));
    }
  }

  private static ObjectNode on(ObjectNode pod, String node) {
    pod.withObjectProperty("spec").put("nodeName", node);
    return pod;
  }

  @AfterAll
  static void stop() {
    plane.close();
  }

  @BeforeEach
  void start() throws Exception {
    extender =
        new KubernetesExtender(plane.scheduler(), SettingsFile.read("s", SETTINGS), log::add);
    calls = new ExtenderCalls(extender.uri());
    synced();
  }

  @AfterEach
  void end() {
    extender.close();
  }

  private void synced() throws Exception {
    Bench.until(
        () -> log.stream().anyMatch(line -> line.contains("\"synced\"")), () -> "log: " + log);
  }

  private static byte[] recorded(String name) throws IOException {
    try (InputStream in = ExtenderServerTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  private static JsonNode json(String text) {
    return ExtenderCalls.MAPPER.readTree(text);
  }

  @Test
  void answersWhatTheStockSchedulerAskedByName() throws Exception {
    HttpResponse<String> filter = calls.post("/filter", recorded("extender-filter-names.json"));
    assertThat(filter.statusCode()).isEqualTo(200);
    assertThat(filter.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(json(filter.body()).path("Error").asString()).isEmpty();
    assertThat(json(filter.body()).path("FailedNodes")).isEmpty();
    assertThat(json(filter.body()).path("NodeNames"))
        .isEqualTo(json("[\"n3\",\"n0\",\"n1\",\"n2\"]"));
    HttpResponse<String> order = calls.post("/prioritize", recorded("extender-filter-names.json"));
    assertThat(json(order.body()))
        .isEqualTo(
            json(
                "[{\"Host\":\"n3\",\"Score\":2},{\"Host\":\"n0\",\"Score\":10},"
                    + "{\"Host\":\"n1\",\"Score\":7},{\"Host\":\"n2\",\"Score\":5}]"));
  }

  @Test
  void answersWhatTheStockSchedulerAskedWithWholeNodes() throws Exception {
    byte[] question = recorded("extender-filter-nodes.json");
    JsonNode answer = json(calls.post("/filter", question).body());
    JsonNode asked = ExtenderCalls.MAPPER.readTree(question).path("Nodes").path("items");
    assertThat(asked).hasSize(4);
    assertThat(answer.path("Nodes").path("items")).isEqualTo(asked);
    assertThat(answer.path("Error").asString()).isEmpty();
  }

  @Test
  void followsTheCluster() throws Exception {
    assertThat(calls.filter(Objects.pod("q", "2", "1Gi"), "n0", "n1"))
        .isEqualTo(
            json(
                "{\"NodeNames\":[\"n1\"],\"FailedNodes\":{\"n0\":\"Insufficient cpu\"},"
                    + "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}"));
    bench.add(on(Objects.pod("more", "3", "1Gi"), "n1"));
    Bench.until(
        () -> !calls.filter(Objects.pod("q", "2", "1Gi"), "n1").path("NodeNames").has(0),
        () -> "log: " + log);
    bench.deletePod("more");
    Bench.until(
        () -> calls.filter(Objects.pod("q", "2", "1Gi"), "n1").path("NodeNames").has(0),
        () -> "log: " + log);
    JsonNode bound = bench.pod("p0");
    String args = "{\"Pod\":" + bound + ",\"NodeNames\":[\"n1\"]}";
    HttpResponse<String> answer = calls.post("/filter", args.getBytes(StandardCharsets.UTF_8));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("does not wait for a node");
    URI metrics = extender.monitor().orElseThrow().resolve("/metrics");
    assertThat(calls.send(HttpRequest.newBuilder(metrics)).body())
        .contains("lighthouse_kubernetes_extender_questions_total{status=\"200\",verb=\"filter\"}");
    URI ready = extender.monitor().orElseThrow().resolve("/readyz");
    assertThat(calls.send(HttpRequest.newBuilder(ready)).body()).isEqualTo("ok\n");
  }

  @Test
  void prefersTheNodesWithTheImagesOfAPodUnlessTheFirstProfileSaysNo() throws Exception {
    ObjectNode node = Objects.node("n8", "z0", "4", "8Gi", 20);
    node.withObjectProperty("status")
        .set("images", json("[{\"names\":[\"none:latest\"],\"sizeBytes\":2000000000}]"));
    bench.admin().post("/api/v1/nodes", node);
    try {
      bench.admin().patch("/api/v1/nodes/n8", Objects.READY);
      ObjectNode pod = Objects.pod("q", "1", "1Gi");
      String withImages = "[{\"Host\":\"n0\",\"Score\":5},{\"Host\":\"n8\",\"Score\":10}]";
      Bench.until(
          () -> calls.prioritize(pod, "n0", "n8").equals(json(withImages)),
          () -> "no node with images");
      String without = SETTINGS + "imageLocality: {enabled: false}\n";
      try (KubernetesExtender plain =
          new KubernetesExtender(plane.scheduler(), SettingsFile.read("s", without), log::add)) {
        ExtenderCalls asked = new ExtenderCalls(plain.uri());
        Bench.until(
            () -> asked.filter(pod, "n8").at("/NodeNames/0").isString(), () -> "log: " + log);
        assertThat(asked.prioritize(pod, "n0", "n8"))
            .isEqualTo(json("[{\"Host\":\"n0\",\"Score\":10},{\"Host\":\"n8\",\"Score\":5}]"));
      }
    } finally {
      bench.deleteNode("n8");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ | the body is no JSON: ",
        "`` | ExtenderArgs: the text is not there; allowed: an object",
        "{} {} | the body is no JSON: ",
        "{\"Pod\":null,\"Pod\":null} | the body is no JSON: Duplicate",
        "{} | ExtenderArgs: Pod.metadata.uid is not there",
        "{\"Pod\":{},\"Verb\":1} | ExtenderArgs: Verb is not known",
        "{\"Pod\":POD(1k),\"NodeNames\":\"n1\"} | ExtenderArgs: NodeNames is ",
        "{\"Pod\":POD(1x),\"NodeNames\":[]} | pod 'q': spec.containers[0].resources.requests.cpu is '1x'; allowed: a"
      })
  void refusesWhatIsNoQuestion(String body, String words) throws Exception {
    String pod =
        "{\"metadata\":{\"name\":\"q\",\"uid\":\"q\"},\"spec\":{\"containers\":[{\"resources\":"
            + "{\"requests\":{\"cpu\":\"$1\"}}}]}}";
    byte[] sent = body.replaceAll("POD\\((\\w+)\\)", pod).getBytes(StandardCharsets.UTF_8);
    for (String path : new String[] {"/filter", "/prioritize"}) {
      HttpResponse<String> answer = calls.post(path, sent);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(json(answer.body()).path("Error").asString()).contains(words);
    }
    assertThat(calls.filter(Objects.pod("q", "1", "1Gi"), "n1").path("NodeNames")).hasSize(1);
  }

  @Test
  void refusesDepthAndLength() throws Exception {
    byte[] deep = ("[".repeat(70) + "]".repeat(70)).getBytes(StandardCharsets.UTF_8);
    assertThat(calls.post("/filter", deep).statusCode()).isEqualTo(400);
    byte[] blanks = new byte[ExtenderServer.MOST_BYTES + 1];
    Arrays.fill(blanks, (byte) ' ');
    assertThat(calls.post("/filter", blanks).statusCode()).isEqualTo(413);
  }

  @Test
  void theBodiesOfAllQuestionsTogetherAreBounded() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    byte[] body = new byte[20 << 20];
    Arrays.fill(body, (byte) ' ');
    body[0] = '{';
    body[body.length - 1] = '}';
    try (ExtenderServer door =
        new ExtenderServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            (verb, args) -> {
              if (asked.getCount() > 0) {
                asked.countDown();
                answers.await();
              }
              return args;
            },
            new SchedulerMetrics(),
            new JsonLog(log::add, Clock.systemUTC()),
            (thread, cause) -> log.add(thread + " has ended: " + cause))) {
      ExtenderCalls own = new ExtenderCalls(door.uri());
      FutureTask<HttpResponse<String>> first = new FutureTask<>(() -> own.post("/filter", body));
      new Thread(first).start();
      asked.await();
      HttpResponse<String> second = own.post("/filter", body);
      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.headers().firstValue("Retry-After")).contains("1");
      assertThat(second.body()).contains("more than 33554432 bytes together");
      answers.countDown();
      assertThat(first.get().statusCode()).isEqualTo(200);
      assertThat(own.post("/prioritize", body).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void listsAnewWhereAWatchHasFailed() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        KubernetesExtender failing =
            new KubernetesExtender(
                Kubeconfig.access(Optional.of(proxy.kubeconfig(plane, folder)), Optional.empty()),
                SettingsFile.read("s", SETTINGS),
                line -> {
                  log.add(line);
                  if (fails.get() && line.contains("\"watch-ended\"")) {
                    throw new IllegalStateException("injected");
                  }
                })) {
      ExtenderCalls own = new ExtenderCalls(failing.uri());
      Bench.until(
          () -> own.filter(Objects.pod("w", "1", "1Gi"), "n3").at("/NodeNames/0").isString(),
          () -> "log: " + log);
      URI ready = failing.monitor().orElseThrow().resolve("/readyz");
      assertThat(own.send(HttpRequest.newBuilder(ready)).statusCode()).isEqualTo(200);
      fails.set(true);
      // So the loop does not see it yet.
      failing.lock.lock();
      try {
        proxy.cut();
        Bench.until(
            () -> own.send(HttpRequest.newBuilder(ready)).statusCode() == 503,
            () -> "still ready: " + log);
      } finally {
        failing.lock.unlock();
      }
      Bench.until(
          () -> log.stream().anyMatch(line -> line.contains("\"term-failed\"")),
          () -> "log: " + log);
      fails.set(false);
      bench.addNode("n9", "z0", "4", "8Gi", 20);
      Bench.until(
          () -> own.filter(Objects.pod("w", "1", "1Gi"), "n9").at("/NodeNames/0").isString(),
          () -> "log: " + log);
    } finally {
      bench.deleteNode("n9");
    }
  }

  @Test
  void refusesWhatIsNoSuchCall() throws Exception {
    URI filter = extender.uri().resolve("/filter");
    HttpResponse<String> get = calls.send(HttpRequest.newBuilder(filter));
    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(get.headers().firstValue("Allow")).contains("POST");
    HttpResponse<String> plain =
        calls.send(
            HttpRequest.newBuilder(filter)
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}")));
    assertThat(plain.statusCode()).isEqualTo(415);
    assertThat(calls.post("/bind", new byte[0]).statusCode()).isEqualTo(404);
    assertThat(calls.post("/filter/", new byte[0]).statusCode()).isEqualTo(404);
  }

  @Test
  void hasNoAnswerBeforeTheClusterIsKnown() throws Exception {
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri())) {
      Path file = proxy.kubeconfig(plane, folder);
      proxy.holdAnswers(true);
      log.clear();
      try (KubernetesExtender early =
          new KubernetesExtender(
              Kubeconfig.access(Optional.of(file), Optional.empty()),
              SettingsFile.read("s", SETTINGS),
              log::add)) {
        ExtenderCalls asked = new ExtenderCalls(early.uri());
        HttpResponse<String> answer = asked.post("/filter", recorded("extender-filter-names.json"));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.body()).contains("the cluster is being listed");
        URI ready = early.monitor().orElseThrow().resolve("/readyz");
        assertThat(asked.send(HttpRequest.newBuilder(ready)).statusCode()).isEqualTo(503);
        proxy.holdAnswers(false);
        synced();
        assertThat(asked.post("/filter", recorded("extender-filter-names.json")).statusCode())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void aQuestionThatWaitsTooLongForItsTurnIsAnsweredSo() throws Exception {
    String hasty = SETTINGS.replace("extender: {", "extender: {timeout: 200ms, ");
    try (KubernetesExtender busy =
        new KubernetesExtender(plane.scheduler(), SettingsFile.read("s", hasty), log::add)) {
      ExtenderCalls asked = new ExtenderCalls(busy.uri());
      byte[] question = recorded("extender-filter-names.json");
      Bench.until(() -> asked.post("/filter", question).statusCode() == 200, () -> "log: " + log);
      busy.lock.lock();
      HttpResponse<String> late;
      try {
        late = asked.post("/filter", question);
      } finally {
        busy.lock.unlock();
      }
      assertThat(late.statusCode()).isEqualTo(503);
      assertThat(late.headers().firstValue("Retry-After")).contains("1");
      assertThat(json(late.body()).path("Error").asString()).isEqualTo("no turn within 200ms");
      assertThat(asked.post("/filter", question).statusCode()).isEqualTo(200);
    }
  }

  /** In a process of its own, whose limit is five seconds instead of half a minute. */
  @Test
  void clientsThatAreTooSlowAreGivenUpAndKeepNobodyOut() throws Exception {
    try (SchedulerProcess process =
        SchedulerProcess.extender(
            folder, plane.kubeconfig(), SETTINGS, "-Dsun.net.httpserver.maxReqTime=5")) {
      Bench.until(() -> process.log().contains("\"synced\""), process::logged);
      String answers =
          process.log().lines().filter(l -> l.contains("\"answers\"")).findFirst().get();
      URI uri = URI.create(json(answers).path("extender").asString());
      List<Socket> slow = new ArrayList<>();
      try {
        // More than it has threads: some never end their head, some never end their body.
        for (int i = 0; i < 10; i++) {
          Socket socket = new Socket(uri.getHost(), uri.getPort());
          slow.add(socket);
          String head = "POST /filter HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n";
          String rest = i < 5 ? "" : "Content-Length: 1000\r\n\r\n{";
          socket.getOutputStream().write((head + rest).getBytes(StandardCharsets.US_ASCII));
          socket.setSoTimeout(60_000);
        }
        ExtenderCalls asked = new ExtenderCalls(uri);
        assertThat(asked.post("/filter", recorded("extender-filter-names.json")).statusCode())
            .isEqualTo(200);
        for (Socket socket : slow) {
          assertThat(end(socket)).isTrue();
        }
      } finally {
        for (Socket socket : slow) {
          socket.close();
        }
      }
    }
  }

  /** Whether the other side ends the connection, without a good answer. */
  private static boolean end(Socket socket) throws IOException {
    try {
      return !new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .contains(" 200 ");
    } catch (SocketTimeoutException open) {
      return false;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Test
  void namesAnAddressThatIsNotToBeHad() {
    String taken = "{monitor: {port: -1}, extender: {port: " + extender.uri().getPort() + "}}";
    assertThatThrownBy(
            () ->
                new KubernetesExtender(plane.scheduler(), SettingsFile.read("s", taken), log::add))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("extender is 127.0.0.1:" + extender.uri().getPort());
  }
}
