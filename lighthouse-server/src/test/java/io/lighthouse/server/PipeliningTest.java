package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.server.http.AnsweringThread;
import io.lighthouse.server.http.ByteBudget;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.QueryParameters;
import io.lighthouse.server.http.Route;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Requests that come on one connection before the last one is answered. */
class PipeliningTest {
  private static final int ROUNDS = 20;

  private static String post(String path, String body) {
    return "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(path, body.length(), body);
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  @Test
  void theyAreAnsweredInTheirOrder() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < ROUNDS; i++) {
      String problem =
          "{\"nodes\":[{\"id\":\"n%d\",\"resources\":{}}],".formatted(i)
              + "\"workloads\":[{\"id\":\"w\",\"requirements\":{}}]}";
      all.append(post("/assign-workloads", problem)).append(get("/health/live"));
      all.append(get("/nowhere"));
    }
    try (TestService service = TestService.start();
        RawConnection connection = new RawConnection(service.uri())) {
      connection.send(all.toString());
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(connection.answer()).startsWith("HTTP/1.1 200").contains("\"w\":\"n" + i + "\"");
        assertThat(connection.answer()).startsWith("HTTP/1.1 200").contains("live");
        assertThat(connection.answer()).startsWith("HTTP/1.1 404").contains("not-found");
      }
    }
  }

  /** Else a client that sends such requests without end would keep it from its work. */
  @Test
  void aThreadThatHasAnsweredTakesInBodiesAndAnswersNothingAtOnce() throws Exception {
    Set<Boolean> bodies = ConcurrentHashMap.newKeySet();
    Set<Boolean> others = ConcurrentHashMap.newKeySet();
    Route.Action later =
        (exchange, body) -> {
          bodies.add(Thread.currentThread() instanceof AnsweringThread);
          new AnsweringThread(() -> ok(exchange), "answering").start();
        };
    Route.Action atOnce =
        (exchange, body) -> {
          others.add(Thread.currentThread() instanceof AnsweringThread);
          ok(exchange);
        };
    try (RouterServer server =
        new RouterServer(
            new ByteBudget(1000),
            route("/later", "POST", later),
            route("/at-once", "GET", atOnce))) {
      try (RawConnection connection = new RawConnection(server.uri())) {
        for (int i = 0; i < ROUNDS; i++) {
          connection.send(post("/later", "1") + post("/later", "2") + get("/at-once"));
          for (int answer = 0; answer < 3; answer++) {
            assertThat(connection.answer()).startsWith("HTTP/1.1 200").endsWith("ok");
          }
        }
      }
    }
    assertThat(bodies).contains(true);
    assertThat(others).containsExactly(false);
  }

  private static Route route(String path, String method, Route.Action action) {
    return new Route(path, method, true, List.of("text/plain"), QueryParameters.NONE, action);
  }

  private static void ok(Exchange exchange) {
    exchange.answer("text/plain", ByteBuffer.wrap("ok".getBytes(StandardCharsets.US_ASCII)));
  }
}
