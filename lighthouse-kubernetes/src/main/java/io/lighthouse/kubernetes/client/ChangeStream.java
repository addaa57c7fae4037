package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/**
 * Follows the changes of a collection from a version on, until the server ends the stream, it
 * breaks, or it is silent for longer than it may be. Remembers the version of the last change and
 * bookmark, from which the next watch goes on. For one thread; {@link #close()} may come from any.
 */
public final class ChangeStream implements AutoCloseable {
  /**
   * How long the server keeps a stream open. Its end is the only sign that the server promises:
   * bookmarks come about each minute, or not at all while a collection does not change.
   */
  static final Duration OPEN = Duration.ofSeconds(60);

  private final ApiServer server;
  private final String path;
  private final Duration open;
  private final Duration silence;
  private volatile String version;
  private volatile InputStream stream;
  private volatile boolean closed;

  @FunctionalInterface
  public interface Changes {
    /**
     * Takes one.
     *
     * @param type ADDED, MODIFIED or DELETED
     * @param object the object; of one that was deleted, its last state
     */
    void take(String type, JsonNode object);
  }

  /**
   * A watch that has not begun.
   *
   * @param path the path of the collection, with its selectors
   * @param version the version of the list that is known
   * @param longest how long a stream is kept open at most; one minute where that is less. A stream
   *     on which nothing comes for a quarter longer than it is kept open is given up
   */
  public ChangeStream(ApiServer server, String path, String version, Duration longest) {
    this(server, path, version, shorter(longest), shorter(longest).multipliedBy(5).dividedBy(4));
  }

  private static Duration shorter(Duration longest) {
    return longest.compareTo(OPEN) < 0 ? longest : OPEN;
  }

  ChangeStream(ApiServer server, String path, String version, Duration open, Duration silence) {
    this.server = server;
    this.path = path;
    this.version = version;
    this.open = open;
    this.silence = silence;
  }

  /** The version up to which all changes were taken, to go on from. */
  public String version() {
    return version;
  }

  /**
   * Opens the stream and hands over changes until it ends in order. May be called again, to go on.
   *
   * @param changes takes the changes, in the order of their versions
   * @throws ApiException if the server refuses, also in the stream; 410 means that a list is needed
   * @throws IOException if the stream breaks or is silent for too long
   */
  public void run(Changes changes) throws IOException {
    String query =
        path
            + (path.contains("?") ? "&" : "?")
            + "watch=true&allowWatchBookmarks=true&timeoutSeconds="
            + open.toSeconds()
            + "&resourceVersion="
            + ApiServer.encoded(version);
    try (InputStream body = server.open(query, silence)) {
      stream = body;
      if (closed) {
        return;
      }
      read(body, changes);
    } finally {
      stream = null;
    }
  }

  private void read(InputStream body, Changes changes) throws IOException {
    try (JsonParser parser = ObjectTrees.parser(body)) {
      JsonToken token;
      while ((token = parser.nextToken()) != null) {
        if (token != JsonToken.START_OBJECT) {
          throw new IOException("GET " + path + ": the stream holds no object");
        }
        take(ObjectTrees.read(parser), changes);
      }
    } catch (JacksonException broken) {
      boolean silent = broken.getCause() instanceof SocketTimeoutException;
      throw new IOException(
          "GET "
              + path
              + (silent
                  ? ": nothing came for " + silence
                  : ": the stream broke: " + broken.getOriginalMessage()),
          broken);
    }
  }

  private void take(JsonNode line, Changes changes) throws IOException {
    String type = line.path("type").asString("");
    JsonNode object = line.path("object");
    switch (type) {
      case "ADDED", "MODIFIED", "DELETED" -> changes.take(type, object);
      case "BOOKMARK" -> checkNotBefore(object.path("metadata").path("resourceVersion"));
      case "ERROR" ->
          throw new ApiException(
              "GET " + path,
              object.path("code").asInt(500),
              object.path("reason").asString(""),
              object.path("message").asString(""),
              0);
      default ->
          throw new IOException("GET " + path + ": the stream holds the type '" + type + "'");
    }
    String reached = object.path("metadata").path("resourceVersion").asString("");
    if (!reached.isEmpty()) {
      version = reached;
    }
  }

  /**
   * A bookmark of before the version that the stream began from comes from a store that was put
   * back. Such a server sends no changes until it has counted up to that version again.
   */
  private void checkNotBefore(JsonNode bookmark) throws ApiException {
    String reached = bookmark.asString("");
    if (!reached.isEmpty() && isOlder(reached, version)) {
      String words = "the server is at " + reached + ", and was at " + version;
      throw new ApiException("GET " + path, 410, "Expired", words, 0);
    }
  }

  /** Whether one version of a server's objects comes before another: the server counts up. */
  public static boolean isOlder(String version, String other) {
    return version.length() < other.length()
        || version.length() == other.length() && version.compareTo(other) < 0;
  }

  /** Ends the stream, if there is one, and any that is opened from now on. */
  @Override
  public void close() {
    closed = true;
    InputStream open = stream;
    if (open != null) {
      try {
        open.close();
      } catch (IOException alreadyBroken) {
        // That is what was wanted.
      }
    }
  }
}
