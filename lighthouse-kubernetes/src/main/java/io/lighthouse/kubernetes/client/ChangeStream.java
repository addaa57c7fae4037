package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
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
  /** How long the server keeps a stream open: a dead connection gives no other sign. */
  static final Duration OPEN = Duration.ofSeconds(240);

  /** How much longer than that nothing may come before the stream is given up. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final ApiServer server;
  private final String path;
  private final Duration open;
  private final Duration silence;
  private volatile String version;
  private volatile InputStream stream;
  private volatile boolean closed;
  private volatile boolean silent;

  /** Takes changes. */
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
   * @param server the server
   * @param path the path of the collection, with its selectors
   * @param version the version of the list that is known
   * @param longest how long a stream is kept open at most; four minutes where that is less
   */
  public ChangeStream(ApiServer server, String path, String version, Duration longest) {
    this(
        server,
        path,
        version,
        longest.compareTo(OPEN) < 0 ? longest : OPEN,
        (longest.compareTo(OPEN) < 0 ? longest : OPEN).plus(GRACE));
  }

  /**
   * The same, kept open for as long as is usual.
   *
   * @param server the server
   * @param path the path of the collection, with its selectors
   * @param version the version of the list that is known
   */
  public ChangeStream(ApiServer server, String path, String version) {
    this(server, path, version, OPEN);
  }

  ChangeStream(ApiServer server, String path, String version, Duration open, Duration silence) {
    this.server = server;
    this.path = path;
    this.version = version;
    this.open = open;
    this.silence = silence;
  }

  /**
   * The version up to which all changes were taken.
   *
   * @return to go on from
   */
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
    silent = false;
    try (InputStream body = server.open(query)) {
      stream = body;
      if (closed) {
        return;
      }
      read(body, changes);
    } catch (IOException broken) {
      if (silent) {
        throw new IOException("GET " + path + ": nothing came for " + silence, broken);
      }
      throw broken;
    } finally {
      stream = null;
    }
  }

  private void read(InputStream body, Changes changes) throws IOException {
    long[] last = {System.nanoTime()};
    long limit = silence.toNanos();
    ScheduledFuture<?> alarm =
        ServerConnections.ALARMS.scheduleWithFixedDelay(
            () -> {
              if (System.nanoTime() - last[0] > limit) {
                silent = true;
                quietly(body);
              }
            },
            limit / 4,
            limit / 4,
            TimeUnit.NANOSECONDS);
    try (JsonParser parser = ObjectTrees.parser(body)) {
      JsonToken token;
      while ((token = parser.nextToken()) != null) {
        if (token != JsonToken.START_OBJECT) {
          throw new IOException("GET " + path + ": the stream holds no object");
        }
        last[0] = System.nanoTime();
        JsonNode line = ObjectTrees.read(parser);
        take(line, changes);
        last[0] = System.nanoTime();
      }
    } catch (JacksonException broken) {
      throw new IOException(
          "GET " + path + ": the stream broke: " + broken.getOriginalMessage(), broken);
    } finally {
      alarm.cancel(false);
    }
    if (silent) {
      throw new IOException("GET " + path + ": nothing came for " + silence);
    }
  }

  private void take(JsonNode line, Changes changes) throws IOException {
    String type = line.path("type").asString("");
    JsonNode object = line.path("object");
    switch (type) {
      case "ADDED", "MODIFIED", "DELETED" -> changes.take(type, object);
      case "BOOKMARK" -> {}
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

  /** Ends the stream, if there is one, and any that is opened from now on. */
  @Override
  public void close() {
    closed = true;
    InputStream open = stream;
    if (open != null) {
      quietly(open);
    }
  }

  private static void quietly(InputStream stream) {
    try {
      stream.close();
    } catch (IOException alreadyBroken) {
      // That is what was wanted.
    }
  }
}
