package io.lighthouse.kubernetes.control;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lighthouse.kubernetes.client.ApiServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An API server in this process, with the calls that the scheduler needs. There are lists in pages,
 * watches with bookmarks, 410 and field selectors. There are bindings, patches of a pod's status,
 * events, leases, and evictions within budgets. It knows one token, no roles, and no admission.
 */
final class FakeControlPlane implements ControlPlane {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String TOKEN = "a-token-of-the-fake";

  static {
    // Else head and body wait for each other, 40 ms a call.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final FakeStore store = new FakeStore();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "fake-api-server");
            thread.setDaemon(true);
            return thread;
          });
  private final Path kubeconfig;
  private final int port;
  private volatile HttpServer server;
  private volatile boolean closed;
  private volatile boolean storeIsAway;
  private volatile int run;

  FakeControlPlane() throws IOException {
    server = listen(0);
    port = server.getAddress().getPort();
    kubeconfig = Files.createTempFile("fake", ".conf");
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: fake, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: lighthouse, user: {token: %s}}]
        contexts: [{name: fake, context: {cluster: fake, user: lighthouse}}]
        current-context: fake
        """
            .formatted(port, TOKEN));
    try {
      for (String name : List.of("default", "kube-system")) {
        ObjectNode namespace = MAPPER.createObjectNode();
        ObjectNode metadata = namespace.putObject("metadata").put("name", name);
        metadata.putObject("labels").put("kubernetes.io/metadata.name", name);
        store.create("namespaces", name, namespace);
      }
    } catch (FakeStore.Refused impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private HttpServer listen(int at) throws IOException {
    HttpServer fresh =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 64);
    fresh.setExecutor(threads);
    fresh.createContext("/", this::answer);
    fresh.start();
    return fresh;
  }

  @Override
  public ApiServer admin() {
    return new ApiServer(scheduler(), Duration.ofSeconds(10));
  }

  @Override
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public Path planner() {
    return kubeconfig;
  }

  @Override
  public boolean isFake() {
    return true;
  }

  /** A real one is away for longer. */
  @Override
  public void restart() throws IOException, InterruptedException {
    run++;
    server.stop(0);
    store.forgetChanges();
    TimeUnit.MILLISECONDS.sleep(100);
    server = listen(port);
  }

  /** Until the store is back nothing is answered but 500, and all watches end. */
  @Override
  public void restartStore() throws InterruptedException {
    run++;
    storeIsAway = true;
    TimeUnit.MILLISECONDS.sleep(300);
    storeIsAway = false;
  }

  @Override
  public void close() {
    closed = true;
    server.stop(0);
    threads.shutdownNow();
    try {
      Files.deleteIfExists(kubeconfig);
    } catch (IOException left) {
      throw new UncheckedIOException(left);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String authorization = exchange.getRequestHeaders().getFirst("Authorization");
      try {
        if (!("Bearer " + TOKEN).equals(authorization)) {
          throw new FakeStore.Refused(401, "Unauthorized", "Unauthorized");
        }
        if (storeIsAway) {
          throw new FakeStore.Refused(500, "InternalError", "the store does not answer");
        }
        Call call = new Call(exchange);
        if (call.query.containsKey("watch")) {
          watch(exchange, call);
          return;
        }
        ObjectNode object =
            body.length == 0 ? MAPPER.createObjectNode() : (ObjectNode) MAPPER.readTree(body);
        JsonNode answer = call.carryOut(object);
        boolean made = exchange.getRequestMethod().equals("POST");
        send(exchange, made ? 201 : 200, answer);
      } catch (FakeStore.Refused refused) {
        send(exchange, refused.code, status(refused));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static ObjectNode status(FakeStore.Refused refused) {
    return MAPPER
        .createObjectNode()
        .put("kind", "Status")
        .put("status", "Failure")
        .put("code", refused.code)
        .put("reason", refused.reason)
        .put("message", refused.getMessage());
  }

  private static void send(HttpExchange exchange, int code, JsonNode answer) throws IOException {
    byte[] bytes = MAPPER.writeValueAsBytes(answer);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void watch(HttpExchange exchange, Call call) throws IOException, InterruptedException {
    long after = Long.parseLong(call.query.getOrDefault("resourceVersion", "0"));
    long end =
        System.currentTimeMillis()
            + 1_000 * Long.parseLong(call.query.getOrDefault("timeoutSeconds", "60"));
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    out.flush();
    int mine = run;
    Predicate<ObjectNode> wanted = call.wanted();
    while (!closed && mine == run && System.currentTimeMillis() < end) {
      List<FakeStore.Change> changes = store.changesAfter(call.kind, after, 200);
      if (changes == null) {
        ObjectNode gone =
            status(new FakeStore.Refused(410, "Expired", "too old resource version: " + after));
        line(out, "ERROR", gone);
        return;
      }
      for (FakeStore.Change change : changes) {
        after = change.version();
        boolean was = change.before() != null && wanted.test(change.before());
        boolean is = change.after() != null && wanted.test(change.after());
        if (was || is) {
          String type = !was ? "ADDED" : is ? "MODIFIED" : "DELETED";
          line(out, type, change.after() == null ? change.before() : change.after());
        }
      }
      if (changes.isEmpty() && call.query.containsKey("allowWatchBookmarks")) {
        ObjectNode bookmark = MAPPER.createObjectNode();
        bookmark.putObject("metadata").put("resourceVersion", Long.toString(after));
        line(out, "BOOKMARK", bookmark);
      }
    }
  }

  private static void line(OutputStream out, String type, JsonNode object) throws IOException {
    ObjectNode line = MAPPER.createObjectNode().put("type", type);
    line.set("object", object);
    out.write(MAPPER.writeValueAsBytes(line));
    out.write('\n');
    out.flush();
  }

  /** What a request is about. */
  private final class Call {
    private final String method;
    private final Map<String, String> query = new HashMap<>();
    private final String namespace;
    private final String kind;
    private final String name;
    private final String part;

    Call(HttpExchange exchange) throws FakeStore.Refused {
      method = exchange.getRequestMethod();
      String raw = exchange.getRequestURI().getRawQuery();
      for (String pair : raw == null ? new String[0] : raw.split("&")) {
        int equals = pair.indexOf('=');
        query.put(
            pair.substring(0, equals),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
      List<String> words =
          new ArrayList<>(List.of(exchange.getRequestURI().getPath().substring(1).split("/")));
      // api/v1/... or apis/GROUP/VERSION/...
      words.subList(0, words.get(0).equals("api") ? 2 : 3).clear();
      boolean within = words.size() > 2 && words.get(0).equals("namespaces");
      namespace = within ? words.get(1) : "";
      if (within) {
        words.subList(0, 2).clear();
      }
      if (words.isEmpty() || words.size() > 3) {
        throw new FakeStore.Refused(404, "NotFound", "the server could not find the resource");
      }
      kind = words.get(0);
      name = words.size() > 1 ? words.get(1) : "";
      part = words.size() > 2 ? words.get(2) : "";
    }

    private String key(String of) {
      return namespace.isEmpty() ? of : namespace + "/" + of;
    }

    JsonNode carryOut(ObjectNode body) throws FakeStore.Refused {
      switch (method) {
        case "GET" -> {
          return name.isEmpty() ? page() : store.get(kind, key(name));
        }
        case "POST" -> {
          if (part.equals("binding")) {
            store.bind(key(name), body);
            return MAPPER.createObjectNode().put("kind", "Status").put("status", "Success");
          }
          if (part.equals("eviction")) {
            store.evict(namespace, key(name), body);
            return MAPPER.createObjectNode().put("kind", "Status").put("status", "Success");
          }
          if (!namespace.isEmpty()) {
            body.withObjectProperty("metadata").put("namespace", namespace);
          }
          return store.create(kind, key(body.path("metadata").path("name").asString("")), body);
        }
        case "PUT" -> {
          return store.replace(kind, key(name), body);
        }
        case "PATCH" -> {
          return store.change(kind, key(name), body.path("metadata"), now -> patched(now, body));
        }
        case "DELETE" -> {
          boolean atOnce = body.path("gracePeriodSeconds").asInt(-1) == 0;
          return store.delete(kind, key(name), body.path("preconditions"), atOnce);
        }
        default -> throw new FakeStore.Refused(405, "MethodNotAllowed", method);
      }
    }

    /** Members are merged, null takes one away; conditions are merged by their type. */
    private ObjectNode patched(ObjectNode now, JsonNode patch) {
      for (Map.Entry<String, JsonNode> member : patch.properties()) {
        if (member.getKey().equals("conditions")) {
          for (JsonNode condition : member.getValue()) {
            ObjectNode pod = MAPPER.createObjectNode();
            pod.set("status", now);
            FakeStore.condition(
                pod,
                condition.path("type").asString(""),
                condition.path("status").asString(""),
                condition.path("reason").asString(null),
                condition.path("message").asString(""));
          }
        } else if (member.getKey().equals("resourceVersion")) {
          continue;
        } else if (member.getValue().isNull()) {
          now.remove(member.getKey());
        } else if (member.getValue().isObject()) {
          patched(now.withObjectProperty(member.getKey()), member.getValue());
        } else {
          now.set(member.getKey(), member.getValue());
        }
      }
      return now;
    }

    private JsonNode page() {
      // As the real one does it: the version of the first page holds for all.
      String[] token = query.getOrDefault("continue", ":").split(":", 2);
      int limit = Integer.parseInt(query.getOrDefault("limit", "1000000"));
      FakeStore.Page page = store.list(kind, wanted(), token[1], limit);
      String version = token[0].isEmpty() ? Long.toString(page.version()) : token[0];
      ObjectNode list = MAPPER.createObjectNode().put("kind", "List").put("apiVersion", "v1");
      ObjectNode metadata = list.putObject("metadata").put("resourceVersion", version);
      if (page.last() != null) {
        metadata.put("continue", version + ":" + page.last());
      }
      ArrayNode items = list.putArray("items");
      page.items().forEach(items::add);
      return list;
    }

    /** The field selector, of terms with = and !=. */
    Predicate<ObjectNode> wanted() {
      Predicate<ObjectNode> wanted =
          object ->
              namespace.isEmpty()
                  || object.path("metadata").path("namespace").asString("").equals(namespace);
      for (String term : query.getOrDefault("fieldSelector", "").split(",")) {
        if (!term.isEmpty()) {
          boolean not = term.contains("!=");
          String[] sides = term.split("!?==?", 2);
          wanted = wanted.and(object -> at(object, sides[0]).equals(sides[1]) != not);
        }
      }
      return wanted;
    }

    private static String at(JsonNode object, String path) {
      JsonNode found = object;
      for (String word : path.split("\\.")) {
        found = found.path(word);
      }
      return found.asString("");
    }
  }
}
