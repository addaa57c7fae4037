package io.lighthouse.kubernetes.control;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Credential;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between the scheduler and the server, and fails as overloaded servers and gateways do. It
 * answers 500, 503 or 429, before a call took effect or after it, or it answers too late. Watches
 * pass, unless they are refused.
 */
public final class FailingGateway implements AutoCloseable {
  private static final int[] CODES = {500, 503, 429};

  private final ClusterAccess behind;
  private final HttpClient client;
  private final HttpServer server;
  private final Random random;
  private final AtomicInteger failures = new AtomicInteger();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "failing-gateway");
            thread.setDaemon(true);
            return thread;
          });
  private final Queue<String> writes = new ConcurrentLinkedQueue<>();
  private final Set<String> bindings = new HashSet<>();
  private int failingBinding;
  private int failuresLeft;
  private String failing = "";
  private volatile boolean refusesWrites;
  private volatile String answered = "";
  private volatile int answer;
  private String failingEnd = "";
  private int failuresOfEnd;
  private String lostEnd = "";
  private int lossesOfEnd;
  private volatile int percent;

  /** Before the server that is reached so. */
  public FailingGateway(ClusterAccess behind, int seed) throws IOException {
    this.behind = behind;
    random = new Random(seed);
    Credential identity = behind.credentials().current(System.nanoTime());
    client =
        HttpClient.newBuilder()
            .sslContext(behind.trust().context(identity.certificate()))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(threads);
    server.createContext("/", this::pass);
    server.start();
  }

  /** How the server is reached through it. */
  public ClusterAccess access() {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new ClusterAccess(uri, behind.trust(), behind.credentials(), Optional.empty());
  }

  /** Sets the share of calls that fail from now on, in percent. */
  public void fail(int ofHundred) {
    percent = ofHundred;
  }

  /** From now on every call but GET fails. */
  public void refuseWrites() {
    refusesWrites = true;
  }

  /** From now on, calls whose path has this part are answered by a code; for none, it is empty. */
  public void answer(String part, int code) {
    answer = code;
    answered = part;
  }

  /**
   * Calls but GET whose path ends so fail before they take effect, and succeed later.
   *
   * @param times the number of calls that fail
   */
  public synchronized void failWrites(String end, int times) {
    failingEnd = end;
    failuresOfEnd = times;
  }

  /**
   * Calls but GET whose path ends so take effect, and are answered by 500.
   *
   * @param times the number of answers that are lost
   */
  public synchronized void loseAnswers(String end, int times) {
    lostEnd = end;
    lossesOfEnd = times;
  }

  private synchronized boolean losesAnswer(HttpExchange exchange) {
    return !lostEnd.isEmpty()
        && !exchange.getRequestMethod().equals("GET")
        && exchange.getRequestURI().getPath().endsWith(lostEnd)
        && lossesOfEnd-- > 0;
  }

  /**
   * The binding of one pod fails before it takes effect, and succeeds later.
   *
   * @param number which pod: the first one that is bound is 1
   * @param times the number of calls that fail
   */
  public synchronized void failBinding(int number, int times) {
    failingBinding = number;
    failuresLeft = times;
  }

  private synchronized boolean failsWrite(String path) {
    if (!failingEnd.isEmpty() && path.endsWith(failingEnd) && failuresOfEnd-- > 0) {
      return true;
    }
    if (path.endsWith("/binding") && bindings.add(path) && bindings.size() == failingBinding) {
      failing = path;
    }
    return path.equals(failing) && failuresLeft-- > 0;
  }

  /** Every call so far but GET: its method and path. */
  public List<String> writes() {
    return List.copyOf(writes);
  }

  /** Calls that failed so far. */
  public int failures() {
    return failures.get();
  }

  private synchronized int dice(int sides) {
    return random.nextInt(sides);
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (!answered.isEmpty() && exchange.getRequestURI().getPath().contains(answered)) {
        failures.incrementAndGet();
        refuse(exchange, answer);
        return;
      }
      if (!exchange.getRequestMethod().equals("GET")) {
        writes.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
        if (refusesWrites) {
          refuse(exchange, 405);
          return;
        }
        if (failsWrite(exchange.getRequestURI().getPath())) {
          failures.incrementAndGet();
          refuse(exchange, 500);
          return;
        }
      }
      boolean fails = dice(100) < percent;
      int way = dice(3);
      int code = CODES[dice(CODES.length)];
      if (fails) {
        failures.incrementAndGet();
      }
      if (fails && way == 0) {
        refuse(exchange, code);
        return;
      }
      HttpRequest.Builder request =
          HttpRequest.newBuilder(behind.server().resolve(exchange.getRequestURI().toString()))
              .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
      for (String name : new String[] {"Authorization", "Content-Type", "Accept"}) {
        String value = exchange.getRequestHeaders().getFirst(name);
        if (value != null) {
          request.header(name, value);
        }
      }
      HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
      try (InputStream in = answer.body()) {
        if (losesAnswer(exchange) || fails && way == 1) {
          // 429 and 503 come from a server that has done nothing; 500 may come from anywhere.
          refuse(exchange, 500);
          return;
        }
        if (fails) {
          TimeUnit.MILLISECONDS.sleep(dice(1_500));
        }
        String type = answer.headers().firstValue("Content-Type").orElse("application/json");
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(answer.statusCode(), 0);
        OutputStream out = exchange.getResponseBody();
        byte[] piece = new byte[1 << 14];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
          out.write(piece, 0, count);
          out.flush();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void refuse(HttpExchange exchange, int code) throws IOException {
    byte[] status =
        ("{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"InternalError\",\"code\":"
                + code
                + ",\"message\":\"the gateway fails\"}")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, status.length);
    exchange.getResponseBody().write(status);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
