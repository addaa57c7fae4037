package io.lighthouse.kubernetes.control;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Answers calls as a test has written it down, one answer after the other, and keeps the calls. */
public final class ScriptedServer implements AutoCloseable {
  /** In place of a status: no answer, the connection is closed. */
  public static final int CUT = 0;

  /** In place of a status: the body comes with 200, and then nothing, until the test ends. */
  public static final int HANGS = 1;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();

  private record Answer(int status, String body, int retryAfter, CountDownLatch from) {}

  /** Listens. */
  public ScriptedServer() {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      server = HttpServer.create(any, 16);
    } catch (IOException busy) {
      throw new UncheckedIOException(busy);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** The next call without an answer gets this one; single quotes stand for double ones. */
  public ScriptedServer then(int status, String body) {
    return thenFrom(new CountDownLatch(0), status, body);
  }

  /** The same, but the answer is not given before the latch is open. */
  public ScriptedServer thenFrom(CountDownLatch from, int status, String body) {
    answers.add(new Answer(status, body.replace('\'', '"'), 0, from));
    return this;
  }

  /** The next call without an answer gets 429, with the seconds to wait. */
  public ScriptedServer thenBusy(int seconds) {
    answers.add(
        new Answer(429, "{\"reason\":\"TooManyRequests\"}", seconds, new CountDownLatch(0)));
    return this;
  }

  /** Method, path and body of the calls so far; the limit of a write is {@code limited}. */
  public List<String> calls() {
    return calls;
  }

  /** How many answers have not been given. */
  public int left() {
    return answers.size();
  }

  /** How it is called. */
  public ApiServer client(Duration limit) throws IOException {
    return new ApiServer(access(), limit);
  }

  /** The same, without a client. */
  public ClusterAccess access() throws IOException {
    Path file = Files.createTempFile("scripted", ".conf");
    try {
      Files.writeString(
          file,
          """
          clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
          users: [{name: u, user: {token: t}}]
          contexts: [{name: x, context: {cluster: c, user: u}}]
          current-context: x
          """
              .formatted(server.getAddress().getPort()));
      return Kubeconfig.access(Optional.of(file), Optional.empty());
    } finally {
      Files.delete(file);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path =
          exchange.getRequestURI().toString().replaceFirst("timeout=[1-9][0-9]*ms$", "limited");
      calls.add((exchange.getRequestMethod() + " " + path + " " + body).strip());
      Answer next = answers.poll();
      if (next == null) {
        return;
      }
      next.from.await();
      if (next.status == CUT) {
        return;
      }
      byte[] bytes = next.body.getBytes(StandardCharsets.UTF_8);
      if (next.retryAfter > 0) {
        exchange.getResponseHeaders().set("Retry-After", Integer.toString(next.retryAfter));
      }
      boolean hangs = next.status == HANGS;
      exchange.sendResponseHeaders(hangs ? 200 : next.status, hangs ? 0 : bytes.length);
      OutputStream out = exchange.getResponseBody();
      out.write(bytes);
      out.flush();
      if (hangs) {
        TimeUnit.MINUTES.sleep(1);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}
