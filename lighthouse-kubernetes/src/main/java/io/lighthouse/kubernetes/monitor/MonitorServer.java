package io.lighthouse.kubernetes.monitor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Answers {@code /healthz} (the loop turns), {@code /readyz} (it knows the cluster) and {@code
 * /metrics}, for probes and Prometheus: 200 with a word, or 503 with what is wrong; and the pages
 * of the service. Without tokens and TLS, so it listens on loopback unless told otherwise.
 */
public final class MonitorServer implements AutoCloseable {
  private final HttpServer server;

  /** One thread for each connection: a client that never ends its request delays no probe. */
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "lighthouse-monitor");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * A page of the service.
   *
   * @param path where it is served
   * @param type its media type
   * @param body makes it, for each request; called from several threads
   */
  public record Page(String path, String type, Supplier<byte[]> body) {}

  /**
   * Listens.
   *
   * @param pages more pages
   * @param health what is wrong with the loop; empty for nothing
   * @param ready why it is not ready; empty if it is
   */
  MonitorServer(
      InetSocketAddress address,
      SchedulerMetrics metrics,
      List<Page> pages,
      Supplier<String> health,
      Supplier<String> ready)
      throws IOException {
    server = listen(address);
    server.setExecutor(threads);
    server.createContext("/healthz", exchange -> state(exchange, "/healthz", health.get()));
    server.createContext("/readyz", exchange -> state(exchange, "/readyz", ready.get()));
    server.createContext(
        "/metrics",
        exchange ->
            answer(exchange, "/metrics", 200, "text/plain; version=0.0.4", metrics.toText()));
    for (Page page : pages) {
      server.createContext(
          page.path, exchange -> answer(exchange, page.path, 200, page.type, page.body.get()));
    }
    server.start();
  }

  /** As the settings say; nothing for the port -1. */
  static Optional<MonitorServer> of(
      SchedulerSettings.Monitor settings,
      SchedulerMetrics metrics,
      List<Page> pages,
      Supplier<String> health,
      Supplier<String> ready) {
    if (settings.port() < 0) {
      return Optional.empty();
    }
    try {
      InetSocketAddress address = new InetSocketAddress(settings.address(), settings.port());
      return Optional.of(new MonitorServer(address, metrics, pages, health, ready));
    } catch (IOException | IllegalArgumentException busy) {
      throw cannotListen("monitor", settings.address(), settings.port(), busy);
    }
  }

  /** That a section's address cannot be listened on. */
  public static InvalidInputException cannotListen(
      String section, String address, int port, Exception cause) {
    return new InvalidInputException(
        "scheduler settings",
        section,
        address + ":" + port,
        "an address and a free port (" + cause.getMessage() + ")");
  }

  /**
   * Listens, in no thread yet. The server closes a connection whose request or answer takes longer
   * than half a minute, and connections above 256. The JDK's server reads these limits from system
   * properties, which an operator may have set otherwise.
   */
  public static HttpServer listen(InetSocketAddress address) throws IOException {
    // Else head and body of an answer wait for each other, 40 ms.
    propertyUnlessSet("sun.net.httpserver.nodelay", "true");
    propertyUnlessSet("sun.net.httpserver.maxReqTime", "30");
    propertyUnlessSet("sun.net.httpserver.maxRspTime", "30");
    propertyUnlessSet("jdk.httpserver.maxConnections", "256");
    return HttpServer.create(address, 16);
  }

  private static void propertyUnlessSet(String name, String value) {
    if (System.getProperty(name) == null) {
      System.setProperty(name, value);
    }
  }

  URI uri() {
    return uri(server);
  }

  public static URI uri(HttpServer server) {
    InetSocketAddress bound = server.getAddress();
    String host = bound.getAddress().getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort());
  }

  private static void state(HttpExchange exchange, String path, String wrong) throws IOException {
    String words = wrong.isEmpty() ? "ok\n" : wrong + "\n";
    answer(
        exchange,
        path,
        wrong.isEmpty() ? 200 : 503,
        "text/plain; charset=utf-8",
        words.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(
      HttpExchange exchange, String path, int status, String type, byte[] body) throws IOException {
    try (exchange) {
      boolean there = exchange.getRequestURI().getPath().equals(path);
      boolean head = exchange.getRequestMethod().equals("HEAD");
      int code = !there ? 404 : head || exchange.getRequestMethod().equals("GET") ? status : 405;
      byte[] sent = code == status ? body : new byte[0];
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(code, head || sent.length == 0 ? -1 : sent.length);
      if (!head && sent.length > 0) {
        exchange.getResponseBody().write(sent);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
