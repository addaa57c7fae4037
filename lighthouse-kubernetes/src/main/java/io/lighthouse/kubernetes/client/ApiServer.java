package io.lighthouse.kubernetes.client;

import io.lighthouse.kubernetes.client.ServerConnections.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BufferedHeader;
import org.apache.hc.core5.util.CharArrayBuffer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

/**
 * Calls of an API server: objects as trees, so that fields which this code does not know are there
 * to be seen. A call ends within its time limit, answer and body included, but for a tenth of a
 * second. The server gets what is left of a write's time as a limit, and counts from when the write
 * arrives. So a write may take effect later than the limit, by the time that it was on its way. A
 * call that the server refuses ends with an {@link ApiException}, one without an answer with
 * another {@link IOException}. What follows changes is a {@link ChangeStream}. Thread-safe.
 */
public final class ApiServer implements AutoCloseable {
  /** How the server writes times to the microsecond, for an Instant. */
  public static final DateTimeFormatter MICRO_TIME =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter();

  /** Objects of a page of a list. */
  static final int PAGE = 500;

  private static final String JSON = "application/json";

  private static final Header AGENT = line(HttpHeaders.USER_AGENT, "lighthouse");
  private static final Header ACCEPT = line(HttpHeaders.ACCEPT, JSON);

  /** Limits an answer that is not read to the metadata of what was made. */
  private static final Header ACCEPT_METADATA =
      line(HttpHeaders.ACCEPT, JSON + ";as=PartialObjectMetadata;g=meta.k8s.io;v=1," + JSON);

  private final ClusterAccess access;
  private final Duration limit;
  private final ServerConnections connections;
  private final Header host;

  /**
   * A server that has not been called yet.
   *
   * @param access where it is and as whom it is called
   * @param limit the longest that a call may take
   */
  public ApiServer(ClusterAccess access, Duration limit) {
    this.access = access;
    this.limit = limit;
    this.connections = new ServerConnections(new Dialer(access), limit);
    this.host = line(HttpHeaders.HOST, access.server().getRawAuthority());
  }

  /** A line of a head, written out once for all requests. */
  private static Header line(String name, String value) {
    CharArrayBuffer line = new CharArrayBuffer(name.length() + value.length() + 2);
    line.append(name);
    line.append(": ");
    line.append(value);
    return BufferedHeader.create(line);
  }

  /** The address of the server. */
  public URI uri() {
    return access.server();
  }

  /** Reads the object of a path, such as {@code /api/v1/nodes/n1}. */
  public JsonNode get(String path) throws IOException {
    return asked("GET", path, null, null);
  }

  /** Reads an object that need not be there; a missing node where there is none (404). */
  public JsonNode find(String path) throws IOException {
    try {
      return get(path);
    } catch (ApiException refused) {
      if (refused.code() != 404) {
        throw refused;
      }
      return MissingNode.getInstance();
    }
  }

  /** Creates an object in the collection of a path. */
  public JsonNode post(String path, JsonNode object) throws IOException {
    return asked("POST", path, JSON, object);
  }

  /** The same, and leaves unread what the server answers, where it is no refusal. */
  public void tell(String path, JsonNode object) throws IOException {
    call("POST", path, ACCEPT_METADATA, JSON, object);
  }

  /** Replaces an object by one with the same {@code resourceVersion}. */
  public JsonNode put(String path, JsonNode object) throws IOException {
    return asked("PUT", path, JSON, object);
  }

  /** Changes parts of an object by a strategic merge patch. */
  public JsonNode patch(String path, JsonNode patch) throws IOException {
    return asked("PATCH", path, "application/strategic-merge-patch+json", patch);
  }

  /**
   * Deletes an object with {@code DeleteOptions}; refused with 409 where a precondition does not
   * hold.
   */
  public JsonNode delete(String path, JsonNode options) throws IOException {
    return asked("DELETE", path, JSON, options);
  }

  private JsonNode asked(String method, String path, String type, JsonNode object)
      throws IOException {
    Answer answer = call(method, path, ACCEPT, type, object);
    JsonNode read;
    try {
      read = ObjectTrees.read(answer.body());
    } catch (JacksonException notJson) {
      throw new IOException(method + " " + path + ": the answer is no JSON", notJson);
    }
    if (!read.isObject()) {
      // Such as the empty answer of a proxy.
      String found = read.isMissingNode() ? "empty" : read.getNodeType().toString();
      throw new IOException(
          method + " " + path + ": the answer is " + found + "; allowed: an object");
    }
    return read;
  }

  /** The answer to a call, which is no refusal. */
  private Answer call(String method, String path, Header accept, String type, JsonNode object)
      throws IOException {
    byte[] body = object == null ? null : ObjectTrees.write(object);
    Answer answer =
        authorized(
            method + " " + path,
            credential -> {
              ClassicHttpRequest request = request(method, path, accept, credential);
              if (body != null) {
                request.addHeader(HttpHeaders.CONTENT_TYPE, type);
                request.addHeader(HttpHeaders.CONTENT_LENGTH, body.length);
                request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
              }
              return request;
            },
            call -> connections.call(call, method.equals("GET")));
    return checked(method + " " + path, answer);
  }

  /** Sends a request and reads what the caller wants of the answer. */
  private interface Sending<A> {
    A send(ServerConnections.Call call) throws IOException;
  }

  /**
   * Sends a request with the credential of now. One that is refused for its credential (401) had no
   * effect; it is sent once more if there may be another credential. Both tries, and the waits for
   * credentials, have the time limit of one call.
   */
  private <A extends ServerConnections.Status> A authorized(
      String name, Function<Credential, ClassicHttpRequest> request, Sending<A> sending)
      throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    Credential credential = credential(name, end);
    A answer = sending.send(call(name, request, credential, end));
    if (answer.code() != 401 || !access.credentials().renew(credential)) {
      return answer;
    }
    Credential next = credential(name, end);
    return sending.send(call(name, request, next, end));
  }

  private Credential credential(String name, long end) throws IOException {
    try {
      return access.credentials().current(end);
    } catch (InterruptedIOException stopped) {
      throw stopped;
    } catch (IOException none) {
      throw new IOException(name + ": " + none.getMessage(), none);
    }
  }

  private static ServerConnections.Call call(
      String name,
      Function<Credential, ClassicHttpRequest> request,
      Credential credential,
      long end) {
    return new ServerConnections.Call(
        name, request.apply(credential), credential.certificate(), end);
  }

  private ClassicHttpRequest request(
      String method, String path, Header accept, Credential credential) {
    if (!path.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException("not the path of a call: " + path);
    }
    URI server = access.server();
    ClassicHttpRequest request =
        new BasicClassicHttpRequest(method, null, null, server.getRawPath() + path);
    request.addHeader(host);
    request.addHeader(AGENT);
    if (credential.token() != null) {
      request.addHeader(HttpHeaders.AUTHORIZATION, "Bearer " + credential.token());
    }
    request.addHeader(accept);
    return request;
  }

  private Answer checked(String call, Answer answer) throws IOException {
    if (answer.code() < 300) {
      return answer;
    }
    throw refusal(call, answer.code(), answer.body(), answer.retryAfter());
  }

  /** What a refusal says; its body need not be JSON. */
  private ApiException refusal(String call, int code, InputStream body, int wait)
      throws IOException {
    JsonNode status;
    try {
      status = ObjectTrees.read(body);
    } catch (JacksonException notJson) {
      return new ApiException(call, code, "", "no status", wait);
    }
    return new ApiException(call, code, status.path("reason").asString(""), words(status), wait);
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
   * @throws ApiException 410 if it took too long, then it is to be begun anew
   * @throws IOException also for an answer that is no list; objects may have been handed over
   *     before
   */
  public String list(String path, Consumer<JsonNode> each) throws IOException {
    String next = "";
    String version;
    do {
      String page = path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE + next;
      String call = "GET " + page;
      Answer answer =
          checked(
              call,
              authorized(
                  call,
                  credential -> {
                    ClassicHttpRequest request = request("GET", page, ACCEPT, credential);
                    request.addHeader(HttpHeaders.ACCEPT_ENCODING, "gzip");
                    return request;
                  },
                  sent -> connections.call(sent, true)));
      JsonNode metadata = read(call, answer.body(), each);
      version = metadata.path("resourceVersion").asString("");
      if (version.isEmpty()) {
        throw new IOException(call + ": the list has no resourceVersion");
      }
      String token = metadata.path("continue").asString("");
      next = token.isEmpty() ? "" : "&continue=" + encoded(token);
    } while (!next.isEmpty());
    return version;
  }

  /** The metadata of a list; its items are handed over as they come. */
  private static JsonNode read(String call, InputStream body, Consumer<JsonNode> each)
      throws IOException {
    JsonNode metadata = JsonNodeFactory.instance.objectNode();
    boolean hasItems = false;
    try (JsonParser parser = ObjectTrees.parser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException(call + ": the answer is no list");
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals("metadata")) {
          metadata = ObjectTrees.read(parser);
        } else if (name.equals("items") && value == JsonToken.START_ARRAY) {
          hasItems = true;
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            each.accept(ObjectTrees.read(parser));
          }
        } else if (name.equals("items") && value == JsonToken.VALUE_NULL) {
          hasItems = true;
        } else {
          parser.skipChildren();
        }
      }
    } catch (JacksonException broken) {
      throw new IOException(call + ": the answer is no JSON", broken);
    }
    if (!hasItems) {
      throw new IOException(call + ": the answer has no items; allowed: a list, or null");
    }
    return metadata;
  }

  /**
   * Opens a stream; its head arrives within the limit.
   *
   * @param silence after how long without a byte a read of the body fails
   */
  InputStream open(String path, Duration silence) throws IOException {
    String call = "GET " + path;
    ServerConnections.Opened answer =
        authorized(
            call,
            credential -> request("GET", path, ACCEPT, credential),
            sent -> connections.open(sent, silence));
    if (answer.code() >= 300) {
      throw refusal(call, answer.code(), answer.body(), answer.retryAfter());
    }
    return answer.body();
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** Keeps no connection from now on. Calls under way go on. */
  @Override
  public void close() {
    connections.close();
  }
}
