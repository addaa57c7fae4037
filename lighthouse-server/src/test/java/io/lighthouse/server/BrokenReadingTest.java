package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.server.http.ByteBudget;
import io.lighthouse.server.http.QueryParameters;
import io.lighthouse.server.http.Route;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose reading or answer breaks off, as for lack of memory. */
class BrokenReadingTest {
  private static final byte[] BODY = "0123456789".getBytes();

  private static byte[] gzip(byte[] plain) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areAnsweredAndGiveTheirBytesBack(boolean gzip) throws Exception {
    ByteBudget budget = new ByteBudget(1000);
    long[] held = new long[1];
    Route.Action breaking =
        (exchange, body) -> {
          held[0] = budget.used();
          throw new Error("as for lack of memory");
        };
    Route route =
        new Route("/breaks", "POST", true, List.of("text/plain"), QueryParameters.NONE, breaking);
    byte[] body = gzip ? gzip(BODY) : BODY;
    try (RouterServer server = new RouterServer(budget, route)) {
      for (int i = 0; i < 3; i++) {
        try (RawConnection raw = new RawConnection(server.uri())) {
          raw.post("/breaks", body.length, "Content-Encoding: " + (gzip ? "gzip" : "identity"));
          raw.out().write(body);
          assertThat(raw.status()).isEqualTo(500);
          assertThat(held[0]).isEqualTo(BODY.length);
          assertThat(budget.used()).isZero();
        }
      }
    }
  }

  /** The answer of a thread of ours, which no server catches. */
  @Test
  void areAnsweredAlsoWhereTheAnswerBreaksOff() throws Exception {
    Route.Action breaking =
        (exchange, body) -> new Thread(() -> exchange.answer("text/plain", null)).start();
    Route route =
        new Route("/breaks", "POST", true, List.of("text/plain"), QueryParameters.NONE, breaking);
    try (RouterServer server =
            new RouterServer(Duration.ofSeconds(5), new ByteBudget(1000), route);
        RawConnection raw = new RawConnection(server.uri())) {
      raw.post("/breaks", BODY.length);
      raw.out().write(BODY);
      assertThat(raw.status()).isEqualTo(500);
      assertThat(raw.ends()).as("it has a deadline, as after any answer").isTrue();
    }
  }
}
