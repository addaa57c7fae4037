package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every route of a service with a heap of 256 MB, called by clients that hardly read their answers.
 * For ten seconds; {@code -Dlighthouse.slow.seconds=60} makes it a minute.
 */
class SlowReadersIT {
  private static final int SECONDS = Integer.getInteger("lighthouse.slow.seconds", 10);
  private static final int CLIENTS = 160;
  private static final int NODES = 30_000;
  private static final int WATCHERS = 256;
  private static final String BIG = "/fleets/big";

  private static final String SMALL =
      "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":4}}],"
          + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]";

  private static final String BATCH =
      "{\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}";

  /** Method, path and body of a call on every route. */
  private static final List<String[]> CALLS =
      List.of(
          call("GET", BIG + "/problem", ""),
          call("GET", BIG + "/problem", ""),
          call("GET", BIG + "/problem?stale=true", ""),
          call("GET", BIG + "/events", ""),
          call("GET", BIG + "/events", ""),
          call("GET", BIG + "/events?after=1", ""),
          call("GET", BIG + "/nodes?limit=1000", ""),
          call("POST", BIG + "/assign-workloads?dry_run=true&record=true", BATCH),
          call("POST", BIG + "/try-assign-workloads?dry_run=true", BATCH),
          call("POST", BIG + "/plan-drain", "{\"nodes\":[\"node-1\"]}"),
          call("POST", BIG + "/move-workloads?dry_run=true", "{\"moves\":[]}"),
          call("POST", BIG + "/release-workloads?dry_run=true", "{\"workloads\":[]}"),
          call("GET", BIG, ""),
          call("GET", BIG + "/nodes/node-7", ""),
          call("PUT", BIG + "/nodes/node-7", "{\"resources\":{\"cpu\":7}}"),
          call("PUT", BIG + "/nodes/node-7", "{\"resources\":{\"cpu\":8}}"),
          call("DELETE", BIG + "/nodes/node-8?dry_run=true", ""),
          call("PUT", BIG + "/workloads/v", "{\"requirements\":{\"cpu\":1}}"),
          call("GET", BIG + "/workloads/v", ""),
          call("PUT", BIG + "/workloads/v/groups", "{\"groups\":[\"g\"]}"),
          call("DELETE", BIG + "/workloads/v", ""),
          call("PUT", BIG + "/domains/zone/a", "{\"resources\":{\"power\":9}}"),
          call("GET", BIG + "/domains/zone/a", ""),
          call("DELETE", BIG + "/domains/zone/a?dry_run=true", ""),
          call("GET", "/fleets", ""),
          call("PUT", "/fleets/big", "{\"nodes\":[]}"),
          call("DELETE", "/fleets/big", ""),
          call("POST", "/assign-workloads?record=true", SMALL + "}"),
          call("POST", "/try-assign-workloads", SMALL + ",\"explain\":true}"),
          call("POST", "/explain-workload?workload=w", SMALL + "}"),
          call("POST", "/what-if", SMALL + ",\"changes\":[\"remove-node n\"]}"),
          call("POST", "/plan", SMALL + ",\"goal\":\"place\"}"),
          call("POST", "/size", SMALL + ",\"offers\":[\"small: cpu=2,price=3\"]}"),
          call("POST", "/headroom", SMALL + ",\"mix\":[\"1 x cpu=1\"]}"),
          call("POST", "/picture", SMALL + "}"),
          call("GET", "/strategies", ""),
          call("GET", "/openapi.json", ""),
          call("GET", "/metrics", ""),
          call("GET", "/health/ready", ""),
          call("GET", "/", ""));

  @TempDir private Path folder;

  private final Map<String, AtomicLong> answers = new ConcurrentSkipListMap<>();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  private static String[] call(String method, String path, String body) {
    return new String[] {method, path, body};
  }

  @Test
  void leaveTheServiceItsMemoryItsFollowersAndItsLimits() throws Exception {
    Path errors = folder.resolve("errors");
    try (ServiceProcess process =
        ServiceProcess.startLogging(
            errors, "-Xmx256m", "-Dlighthouse.store=" + folder.resolve("fleets.db"))) {
      TestService service = TestService.at(process.uri());
      assertThat(service.put(BIG, fleet()).status()).isEqualTo(201);
      hammer(process.uri());
      assertThat(process.isAlive()).isTrue();
      assertThat(wrong).isEmpty();
      awaitNoFollower(service);
      assertThat(service.metricsWith("lighthouse_bytes_in_flight 0.0"))
          .contains(
              "lighthouse_bytes_in_flight 0.0",
              "lighthouse_fleet_calls_waiting 0.0",
              "lighthouse_decisions_running 0.0",
              "lighthouse_decisions_waiting 0.0",
              "lighthouse_threads_abandoned 0.0",
              "lighthouse_threads_stuck 0.0",
              "lighthouse_decision_failures_total{type=\"internal\"} 0.0");
      assertThat(service.get(BIG + "/problem").json().path("nodes")).hasSize(NODES);
      limitsAreKept(process.uri(), service);
      awaitNoFollower(service);
    }
    assertThat(Files.readString(errors)).doesNotContain("OutOfMemoryError", "out of memory");
    // It came to something: the answers went beyond what may be in memory.
    assertThat(answers.keySet())
        .contains("/problem 200", "/problem 503", "/events 200", "/assign-workloads 200");
  }

  /** A client that has gone is noticed when its stream is to show that it lives. */
  private static void awaitNoFollower(TestService service) {
    long end = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    String none = "lighthouse_fleet_followers 0.0";
    while (!service.get("/metrics").text().contains(none) && System.nanoTime() < end) {
      LockSupport.parkNanos(100_000_000);
    }
    assertThat(service.get("/metrics").text()).contains(none);
  }

  /** A fleet whose answer is a large part of what all answers together may have in memory. */
  private static String fleet() {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < NODES; i++) {
      nodes.append(i == 0 ? "" : ",").append("{\"id\":\"node-").append(i);
      nodes.append("\",\"resources\":{\"cpu\":8,\"mem\":32,\"disk\":500}}");
    }
    return "{\"strategy\":\"Prioritized\",\"nodes\":[" + nodes + "]}";
  }

  private void hammer(URI uri) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Random dice = new Random(i);
      Thread client =
          new Thread(
              () -> {
                while (System.nanoTime() < end) {
                  one(uri, CALLS.get(dice.nextInt(CALLS.size())), end);
                }
              });
      client.start();
      clients.add(client);
    }
    for (Thread client : clients) {
      client.join();
    }
  }

  /** One call, whose answer is read in pieces for some seconds, and then no more. */
  private void one(URI uri, String[] call, long end) {
    try (Socket socket = open(uri)) {
      send(socket, call[0], call[1], call[2]);
      InputStream in = socket.getInputStream();
      byte[] head = in.readNBytes("HTTP/1.1 200".length());
      count(call, new String(head, StandardCharsets.ISO_8859_1));
      long enough = Math.min(end, System.nanoTime() + Duration.ofSeconds(4).toNanos());
      byte[] piece = new byte[512];
      while (System.nanoTime() < enough && in.read(piece) >= 0) {
        LockSupport.parkNanos(100_000_000);
      }
    } catch (IOException closed) {
      // A client that is too slow loses its connection.
    }
  }

  private static Socket open(URI uri) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(2_048);
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
    return socket;
  }

  private static void send(Socket socket, String method, String path, String body)
      throws IOException {
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: "
            + socket.getInetAddress().getHostAddress()
            + ":"
            + socket.getPort()
            + "\r\nConnection: close\r\n"
            + (method.startsWith("P") ? "Content-Length: " + body.length() + "\r\n" : "")
            + "\r\n";
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  private void count(String[] call, String head) {
    if (head.length() < 12) {
      return; // The connection was closed.
    }
    int status = Integer.parseInt(head.substring(9, 12));
    String route = call[1].replaceFirst("[?].*", "").replaceFirst("^" + BIG + "(?=/)", "");
    answers.computeIfAbsent(route + " " + status, key -> new AtomicLong()).incrementAndGet();
    if (status >= 500 && status != 503) {
      wrong.add(call[0] + " " + call[1] + " was answered " + status);
    }
  }

  /** After all that, what is beyond a limit is refused, and what is within it is served. */
  private static void limitsAreKept(URI uri, TestService service) throws Exception {
    try (RawConnection large = new RawConnection(uri)) {
      large.post("/assign-workloads", (8 << 20) + 1, "Expect: 100-continue");
      assertThat(large.status()).isEqualTo(413);
    }
    List<Socket> followers = new ArrayList<>();
    try {
      for (int i = 0; i < WATCHERS; i++) {
        Socket one = open(uri);
        followers.add(one);
        send(one, "GET", BIG + "/events?after=1", "");
        assertThat(new String(one.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
            .isEqualTo("HTTP/1.1 200");
      }
      assertThat(service.get(BIG + "/events?after=1").problem()).isEqualTo("overload");
    } finally {
      for (Socket one : followers) {
        one.close();
      }
    }
    assertThat(service.get("/health/ready").status()).isEqualTo(200);
    assertThat(service.assign(SMALL + "}").at("/successful")).isEqualTo("true");
    assertThat(service.post(BIG + "/assign-workloads", BATCH).at("/successful")).isEqualTo("true");
  }
}
