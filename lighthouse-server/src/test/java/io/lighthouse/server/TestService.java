package io.lighthouse.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A real service on loopback, and a client whose every answer is held against the OpenAPI. */
final class TestService implements AutoCloseable {
  /** Paths that the OpenAPI does not know: what they answer is not held against it. */
  private static final Set<String> DOCUMENTED = paths();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI uri;
  private final PlacementService service;

  private TestService(URI uri, PlacementService service) {
    this.uri = uri;
    this.service = service;
  }

  /** One in this JVM. */
  static TestService start(ServiceSettings settings) {
    return start(settings, 0);
  }

  /** One in this JVM, on this port. */
  static TestService start(ServiceSettings settings, int port) {
    try {
      PlacementService service = PlacementService.start(settings.listenOn("127.0.0.1", port));
      return new TestService(service.uri(), service);
    } catch (ServiceStartException failed) {
      throw new AssertionError(failed);
    }
  }

  static TestService start() {
    return start(new ServiceSettings());
  }

  /** A client of one elsewhere. */
  static TestService at(URI uri) {
    return new TestService(uri, null);
  }

  URI uri() {
    return uri;
  }

  PlacementService service() {
    return service;
  }

  Answer assign(String problem, String... headers) {
    return post("/assign-workloads", problem, headers);
  }

  Answer tryAssign(String problem, String... headers) {
    return post("/try-assign-workloads", problem, headers);
  }

  Answer post(String path, String body, String... headers) {
    return post(path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  Answer post(String path, byte[] body, String... headers) {
    return send("POST", path, HttpRequest.BodyPublishers.ofByteArray(body), headers);
  }

  /**
   * The metrics once they have a line, or as they are after ten seconds: what is counted when an
   * answer has left may lag behind it.
   */
  String metricsWith(String line, String... headers) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    String metrics = get("/metrics", headers).text();
    while (!metrics.contains(line) && System.nanoTime() < end) {
      LockSupport.parkNanos(10_000_000);
      metrics = get("/metrics", headers).text();
    }
    return metrics;
  }

  Answer put(String path, String body, String... headers) {
    return send("PUT", path, HttpRequest.BodyPublishers.ofString(body), headers);
  }

  Answer delete(String path, String... headers) {
    return send("DELETE", path, HttpRequest.BodyPublishers.noBody(), headers);
  }

  Answer get(String path, String... headers) {
    return send("GET", path, HttpRequest.BodyPublishers.noBody(), headers);
  }

  Answer send(String method, String path, HttpRequest.BodyPublisher body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri.resolve(path)).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<byte[]> response = sendOnOpenConnection(request.build());
      Answer answer = new Answer(response);
      String documented = documented(path);
      if (documented != null
          && !method.equals("HEAD")
          && answer.status() != 204
          && answer.status() != 304
          && answer.status() != 405
          && !answer.header("Content-Encoding").equals("gzip")) {
        OpenApi.check(method, documented, answer.status(), answer.mediaType(), answer.text());
      }
      return answer;
    } catch (IOException broken) {
      throw new AssertionError(method + " " + path + " was not answered", broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }

  /**
   * Sends a request, and again if the pooled connection had just been closed for idling. The
   * timeouts of these tests are short, and the client does not repeat a POST by itself.
   */
  private HttpResponse<byte[]> sendOnOpenConnection(HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException broken) {
      if (!String.valueOf(broken.getMessage()).contains("received no bytes")) {
        throw broken;
      }
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  @Override
  public void close() {
    if (service != null) {
      service.stop();
    }
  }

  /** The path as the document has it, where its segments in braces stand for any; or null. */
  private static String documented(String target) {
    String path = target.replaceFirst("[?].*", "");
    if (DOCUMENTED.contains(path)) {
      return path;
    }
    for (String shape : DOCUMENTED) {
      if (shape.startsWith("/fleets") && path.matches(shape.replaceAll("[{][a-z]+[}]", "[^/]+"))) {
        return shape;
      }
    }
    return null;
  }

  private static Set<String> paths() {
    Set<String> paths = new java.util.TreeSet<>();
    OpenApi.document().path("paths").fieldNames().forEachRemaining(paths::add);
    return paths;
  }

  /** An answer, read whole. */
  static final class Answer {
    private final HttpResponse<byte[]> response;

    Answer(HttpResponse<byte[]> response) {
      this.response = response;
    }

    int status() {
      return response.statusCode();
    }

    byte[] bytes() {
      return response.body();
    }

    String text() {
      return new String(response.body(), StandardCharsets.UTF_8);
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    String mediaType() {
      return header("Content-Type");
    }

    JsonNode json() {
      try {
        return OpenApi.JSON.readTree(response.body());
      } catch (IOException noJson) {
        throw new AssertionError("no JSON: " + text(), noJson);
      }
    }

    /** The value at a JSON pointer, as text; empty where there is none. */
    String at(String pointer) {
      JsonNode node = json().at(pointer);
      return node.isValueNode() ? node.asText() : node.isMissingNode() ? "" : node.toString();
    }

    /** The last part of the problem type. */
    String problem() {
      return at("/type").replaceFirst("^urn:lighthouse:problem:", "");
    }
  }
}
