package io.lighthouse.kubernetes.extender;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.monitor.DaemonThreads;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.MonitorServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.Thread.UncaughtExceptionHandler;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The door of the extender: {@code POST /filter} and {@code POST /prioritize}, with {@code
 * ExtenderArgs} of the protocol {@code k8s.io/kube-scheduler/extender/v1} as JSON. Other calls get
 * an error status, with the reason as {@code {"Error": "..."}}:
 *
 * <ul>
 *   <li>400 for a malformed question, 404, 405, 415.
 *   <li>413 for a body above {@value #MOST_BYTES} bytes.
 *   <li>503 while the cluster is being listed, or where the answer would come too late. Also where
 *       the bodies of all questions under way are above {@value #MOST_BYTES_OF_ALL} bytes.
 *   <li>500 where a plug-in failed.
 * </ul>
 *
 * <p>The stock scheduler takes every status but 200 for a failure of the extender. Without tokens
 * and TLS, so it listens on loopback unless told otherwise.
 */
final class ExtenderServer implements AutoCloseable {
  /** The longest body, as of the HTTP service. */
  static final int MOST_BYTES = 32 << 20;

  /** How many bytes the bodies of all questions under way may have together. */
  static final int MOST_BYTES_OF_ALL = MOST_BYTES;

  /** The status where there is no answer now, but may be later. */
  static final int NOT_NOW = 503;

  /** Bodies are read, and charged, in pieces of this many bytes. */
  private static final int PIECE = 1 << 16;

  /** The deepest levels and the longest number, as of the HTTP service. */
  private static final int MOST_LEVELS = 64;

  private static final int LONGEST_NUMBER = 1_100;

  /**
   * Questions at a time. The stock scheduler sends one after the other; with more threads, slow
   * clients do not block it.
   */
  private static final int THREADS = 32;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MOST_LEVELS)
                          .maxNumberLength(LONGEST_NUMBER)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final HttpServer server;
  private final Questions questions;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final UncaughtExceptionHandler crashed;
  private final ExecutorService threads;

  /** Pieces of bodies that may still be taken. */
  private final Semaphore pieces = new Semaphore(MOST_BYTES_OF_ALL / PIECE + 1);

  /** The body of a question, which is charged until this is closed. */
  private final class Body implements AutoCloseable {
    private int charged;

    /**
     * Reads it to its end, as a client that is still sending reads no answer. What is too long, or
     * too much beside the other bodies, is not kept.
     */
    byte[] read(InputStream in) throws IOException, RefusedException {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      byte[] piece = new byte[PIECE];
      boolean tooMuch = false;
      int length = 0;
      int read;
      while (length <= MOST_BYTES && (read = in.readNBytes(piece, 0, PIECE)) > 0) {
        length += read;
        if (tooMuch || !pieces.tryAcquire()) {
          tooMuch = true;
          free();
          body = new ByteArrayOutputStream();
        } else {
          charged++;
          body.write(piece, 0, read);
        }
      }
      if (length > MOST_BYTES) {
        throw new RefusedException(413, "the body is longer than " + MOST_BYTES + " bytes");
      }
      if (tooMuch) {
        throw new RefusedException(
            NOT_NOW,
            "the bodies of the questions under way have more than "
                + MOST_BYTES_OF_ALL
                + " bytes together");
      }
      return body.toByteArray();
    }

    private void free() {
      pieces.release(charged);
      charged = 0;
    }

    @Override
    public void close() {
      free();
    }
  }

  /** The questions of the stock scheduler. */
  enum Verb {
    /** Which nodes will do. */
    FILTER,
    /** Which are better. */
    PRIORITIZE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Answers questions about the cluster. */
  interface Questions {
    /**
     * Answers one.
     *
     * @throws InvalidInputException if it is no such question
     * @throws RefusedException if there is no answer yet, or not in time
     */
    JsonNode ask(Verb verb, JsonNode args) throws RefusedException, InterruptedException;
  }

  /** A call that gets an error status. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int status;

    RefusedException(int status, String why) {
      super(why);
      this.status = status;
    }
  }

  /**
   * Listens.
   *
   * @param crashed takes Errors that a question ends by
   */
  ExtenderServer(
      InetSocketAddress address,
      Questions questions,
      SchedulerMetrics metrics,
      JsonLog log,
      UncaughtExceptionHandler crashed)
      throws IOException {
    this.crashed = crashed;
    threads =
        Executors.newFixedThreadPool(THREADS, new DaemonThreads("lighthouse-extender", crashed));
    this.questions = questions;
    this.metrics = metrics;
    this.log = log;
    server = MonitorServer.listen(address);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI uri() {
    return MonitorServer.uri(server);
  }

  private void handle(HttpExchange exchange) throws IOException {
    long began = System.nanoTime();
    try (exchange;
        Body body = new Body()) {
      int status;
      JsonNode answer;
      Verb verb = verb(exchange);
      try {
        answer = questions.ask(checked(exchange, verb), args(exchange, body));
        status = 200;
      } catch (RefusedException refused) {
        status = refused.status;
        answer = error(refused.getMessage());
      } catch (InvalidInputException wrong) {
        status = 400;
        answer = error(wrong.getMessage());
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException broken) {
        log.error("extender-failed", broken);
        status = 500;
        answer = error(broken.getMessage());
      } catch (Error broken) {
        // The JDK's server may keep what a handler throws to itself.
        crashed.uncaughtException(Thread.currentThread(), broken);
        throw broken;
      }
      metrics.asked(verb == null ? "other" : verb.word(), status, System.nanoTime() - began);
      if (status == NOT_NOW) {
        exchange.getResponseHeaders().set("Retry-After", "1");
      }
      byte[] text = MAPPER.writeValueAsBytes(answer);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(status, head ? -1 : text.length);
      if (!head) {
        exchange.getResponseBody().write(text);
      }
    }
  }

  /** Null for a path that is not there. */
  private static Verb verb(HttpExchange exchange) {
    for (Verb verb : Verb.values()) {
      if (exchange.getRequestURI().getRawPath().equals("/" + verb.word())) {
        return verb;
      }
    }
    return null;
  }

  private static Verb checked(HttpExchange exchange, Verb verb) throws RefusedException {
    if (verb == null) {
      throw new RefusedException(
          404,
          exchange.getRequestURI().getRawPath() + " is not there; /filter and /prioritize are");
    }
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      throw new RefusedException(405, exchange.getRequestMethod() + " is not allowed; POST is");
    }
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    String plain = type == null ? "" : type.split(";", 2)[0].strip();
    if (!plain.equalsIgnoreCase("application/json")) {
      throw new RefusedException(415, "the body is '" + type + "'; allowed: application/json");
    }
    return verb;
  }

  private static JsonNode args(HttpExchange exchange, Body body)
      throws IOException, RefusedException {
    byte[] text;
    try (InputStream in = exchange.getRequestBody()) {
      text = body.read(in);
    }
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException broken) {
      throw new RefusedException(400, "the body is no JSON: " + broken.getOriginalMessage());
    }
  }

  private static JsonNode error(String words) {
    return JsonNodeFactory.instance.objectNode().put("Error", String.valueOf(words));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
