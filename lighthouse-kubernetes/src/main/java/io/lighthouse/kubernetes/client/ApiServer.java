package io.lighthouse.kubernetes.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls of an API server: over the JDK's HTTP client, objects as trees, so that fields which this
 * code does not know are there to be seen. A call ends within its time limit, answer and body
 * included; what follows changes is a {@link ChangeStream}. Thread-safe.
 */
public final class ApiServer implements AutoCloseable {
  /** Objects of a page of a list. */
  static final int PAGE = 500;

  /** How many calls in a row may run out of time before the connection is taken for dead. */
  private static final int SILENT_CALLS = 3;

  private static final String JSON = "application/json";

  /** The answer to a call whose answer nobody reads: no more than the name of what was made. */
  private static final String METADATA =
      JSON + ";as=PartialObjectMetadata;g=meta.k8s.io;v=1," + JSON;

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final ClusterAccess access;
  private final Duration limit;
  private final AtomicInteger silent = new AtomicInteger();
  private volatile HttpClient client;

  /**
   * A server that nobody has called yet.
   *
   * @param access where it is and as whom it is asked
   * @param limit the longest that a call may take
   */
  public ApiServer(ClusterAccess access, Duration limit) {
    this.access = access;
    this.limit = limit;
    this.client = newClient();
  }

  private HttpClient newClient() {
    // One connection of HTTP/2 serves all; over plain HTTP an upgrade would be asked for in vain.
    boolean secure = "https".equals(access.server().getScheme());
    return HttpClient.newBuilder()
        .version(secure ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
        .sslContext(access.tls())
        .connectTimeout(limit)
        .followRedirects(HttpClient.Redirect.NEVER)
        .build();
  }

  /**
   * Where the server is.
   *
   * @return its address
   */
  public URI uri() {
    return access.server();
  }

  /**
   * Reads an object.
   *
   * @param path its path, such as {@code /api/v1/nodes/n1}
   * @return the object
   * @throws ApiException if the server refuses
   * @throws IOException if it does not answer
   */
  public JsonNode get(String path) throws IOException {
    return call("GET", path, null, null);
  }

  /**
   * Creates an object.
   *
   * @param path the path of its collection
   * @param object the object
   * @return the answer
   * @throws ApiException if the server refuses
   * @throws IOException if it does not answer
   */
  public JsonNode post(String path, JsonNode object) throws IOException {
    return call("POST", path, JSON, object);
  }

  /**
   * Creates an object, and leaves unread what the server answers, where it is no refusal.
   *
   * @param path the path of its collection
   * @param object the object
   * @throws ApiException if the server refuses
   * @throws IOException if it does not answer
   */
  public void tell(String path, JsonNode object) throws IOException {
    String call = "POST " + path;
    HttpRequest.Builder request = request(path).setHeader("Accept", METADATA);
    accepted(call, with(request, "POST", JSON, object));
  }

  /**
   * Replaces an object.
   *
   * @param path its path
   * @param object the object, with its resourceVersion
   * @return the answer
   * @throws ApiException if the server refuses
   * @throws IOException if it does not answer
   */
  public JsonNode put(String path, JsonNode object) throws IOException {
    return call("PUT", path, JSON, object);
  }

  /**
   * Changes parts of an object by a strategic merge patch.
   *
   * @param path its path
   * @param patch the parts
   * @return the answer
   * @throws ApiException if the server refuses
   * @throws IOException if it does not answer
   */
  public JsonNode patch(String path, JsonNode patch) throws IOException {
    return call("PATCH", path, "application/strategic-merge-patch+json", patch);
  }

  /**
   * Deletes an object.
   *
   * @param path its path, with a query where one is wanted
   * @return the answer
   * @throws ApiException if the server refuses
   * @throws IOException if it does not answer
   */
  public JsonNode delete(String path) throws IOException {
    return call("DELETE", path, null, null);
  }

  private JsonNode call(String method, String path, String type, JsonNode body) throws IOException {
    HttpResponse<byte[]> answer =
        send(method + " " + path, with(request(path), method, type, body));
    return checked(method + " " + path, answer);
  }

  private static HttpRequest with(
      HttpRequest.Builder request, String method, String type, JsonNode body) {
    if (body == null) {
      return request.method(method, BodyPublishers.noBody()).build();
    }
    request.header("Content-Type", type);
    return request
        .method(method, BodyPublishers.ofByteArray(MAPPER.writeValueAsBytes(body)))
        .build();
  }

  HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(access.server() + path)).header("Accept", JSON);
    access.token().value().ifPresent(token -> request.header("Authorization", "Bearer " + token));
    return request;
  }

  /** The answer with its body, within the limit: the client's own timeout ends with the head. */
  private HttpResponse<byte[]> send(String call, HttpRequest request) throws IOException {
    HttpClient used = client;
    CompletableFuture<HttpResponse<byte[]>> answer =
        used.sendAsync(request, BodyHandlers.ofByteArray());
    try {
      HttpResponse<byte[]> got = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      silent.set(0);
      if (got.statusCode() == 401) {
        access.token().readAgain();
      }
      return got;
    } catch (TimeoutException silence) {
      answer.cancel(true);
      if (silent.incrementAndGet() >= SILENT_CALLS) {
        reconnect(used);
      }
      throw new IOException(call + ": no answer within " + limit, silence);
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      throw new IOException(call + ": " + cause, cause);
    } catch (InterruptedException interrupted) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(call + ": interrupted");
    }
  }

  /**
   * A connection that died without a word swallows every call until the system gives it up, a
   * quarter of an hour later: calls go over a new one from now on.
   */
  private synchronized void reconnect(HttpClient used) {
    if (client == used) {
      client = newClient();
      silent.set(0);
    }
  }

  /** The answer where it is no refusal, its body unread. */
  private HttpResponse<byte[]> accepted(String call, HttpRequest request) throws IOException {
    HttpResponse<byte[]> answer = send(call, request);
    if (answer.statusCode() >= 300) {
      checked(call, answer);
    }
    return answer;
  }

  private static JsonNode checked(String call, HttpResponse<byte[]> answer) throws IOException {
    JsonNode body = null;
    try {
      body = MAPPER.readTree(answer.body());
    } catch (JacksonException notJson) {
      if (answer.statusCode() < 300) {
        throw new IOException(call + ": the answer is no JSON", notJson);
      }
    }
    if (answer.statusCode() >= 300) {
      throw refusal(call, answer.statusCode(), body, answer);
    }
    return body;
  }

  private static ApiException refusal(
      String call, int code, JsonNode status, HttpResponse<?> answer) {
    int wait = 0;
    try {
      wait = answer.headers().firstValue("Retry-After").map(Integer::parseInt).orElse(0);
    } catch (NumberFormatException aDate) {
      // Not from an API server.
    }
    return status == null
        ? new ApiException(call, code, "", "no status", wait)
        : new ApiException(call, code, status.path("reason").asString(""), words(status), wait);
  }

  /** The message, and the first cause where there is one: which disruption budget it is, say. */
  private static String words(JsonNode status) {
    String message = status.path("message").asString("");
    String cause = status.path("details").path("causes").path(0).path("message").asString("");
    return cause.isEmpty() || message.contains(cause) ? message : message + " " + cause;
  }

  /**
   * Reads all objects of a collection, page by page, one version for all. Each is handed over as it
   * is read, so no more than one tree is in memory besides the page.
   *
   * @param path the path of the collection, with its selectors
   * @param each takes the objects, in the order of the server
   * @return the resourceVersion of the list, to watch from
   * @throws ApiException if the server refuses; 410 if it took too long, then it is to be begun
   *     anew
   * @throws IOException if the server does not answer
   */
  public String list(String path, Consumer<JsonNode> each) throws IOException {
    String next = "";
    String version;
    do {
      String page = path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE + next;
      HttpRequest request = request(page).header("Accept-Encoding", "gzip").build();
      HttpResponse<byte[]> answer = accepted("GET " + page, request);
      JsonNode metadata = read(page, unzipped(answer), each);
      version = metadata.path("resourceVersion").asString("");
      String token = metadata.path("continue").asString("");
      next = token.isEmpty() ? "" : "&continue=" + encoded(token);
    } while (!next.isEmpty());
    return version;
  }

  /** The server zips what is long, a list; never a refusal, which is short. */
  private static InputStream unzipped(HttpResponse<byte[]> answer) throws IOException {
    InputStream body = new ByteArrayInputStream(answer.body());
    boolean zipped = answer.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
    return zipped ? new GZIPInputStream(body) : body;
  }

  /** The metadata of a list; its items are handed over as they come. */
  private static JsonNode read(String call, InputStream body, Consumer<JsonNode> each)
      throws IOException {
    JsonNode metadata = MAPPER.createObjectNode();
    try (JsonParser parser = MAPPER.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("GET " + call + ": the answer is no list");
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals("metadata")) {
          metadata = parser.readValueAsTree();
        } else if (name.equals("items") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            each.accept(ObjectTrees.read(parser));
          }
        } else {
          parser.skipChildren();
        }
      }
    } catch (JacksonException broken) {
      throw new IOException("GET " + call + ": the answer is no JSON", broken);
    }
    return metadata;
  }

  /** Opens a stream; its head arrives within the limit. */
  HttpResponse<InputStream> open(String path) throws IOException {
    CompletableFuture<HttpResponse<InputStream>> answer =
        client.sendAsync(request(path).build(), BodyHandlers.ofInputStream());
    try {
      HttpResponse<InputStream> got = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (got.statusCode() >= 300) {
        try (InputStream body = got.body()) {
          JsonNode status = null;
          try {
            status = MAPPER.readTree(body);
          } catch (JacksonException notJson) {
            // The code says enough.
          }
          if (got.statusCode() == 401) {
            access.token().readAgain();
          }
          throw refusal("GET " + path, got.statusCode(), status, got);
        }
      }
      return got;
    } catch (TimeoutException silence) {
      answer.cancel(true);
      throw new IOException("GET " + path + ": no answer within " + limit, silence);
    } catch (ExecutionException failed) {
      throw new IOException("GET " + path + ": " + failed.getCause(), failed.getCause());
    } catch (InterruptedException interrupted) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("GET " + path + ": interrupted");
    }
  }

  static JsonMapper mapper() {
    return MAPPER;
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** Frees nothing: a client of the JDK ends its threads when nobody holds it any more. */
  @Override
  public void close() {
    client = null;
  }
}
