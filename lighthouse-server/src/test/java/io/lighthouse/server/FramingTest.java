package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a request begins and ends (RFC 9112): what is not clear is refused, and nothing behind. */
class FramingTest {
  private static final String BODY = "{\"nodes\":[],\"workloads\":[]}";
  private static final String CHUNKS =
      Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n";
  private static final String SMUGGLED = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static TestService service;

  @BeforeAll
  static void start() {
    service = TestService.start(new ServiceSettings().hosts(List.of("t", "other")));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** The first answer to a text, and whether the connection ends behind it. */
  private record Reply(String first, boolean ends) {
    static Reply to(String text) throws IOException {
      try (RawConnection raw = new RawConnection(service.uri())) {
        raw.send(text);
        String first = raw.answer();
        return new Reply(first, first.contains("Connection: close") && raw.ends());
      }
    }

    int status() {
      return first.isEmpty() ? 0 : Integer.parseInt(first.substring(9, 12));
    }
  }

  private static String post(String version, String headers, String body) {
    return "POST /assign-workloads HTTP/"
        + version
        + "\r\nHost: localhost\r\n"
        + headers
        + "\r\n"
        + body;
  }

  @ParameterizedTest
  @ValueSource(strings = {"chunked", "CHUNKED", ", chunked"})
  void chunksAreRead(String coding) throws IOException {
    String text = post("1.1", "Transfer-Encoding: " + coding + "\r\n", CHUNKS);
    assertThat(Reply.to(text).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip, chunked", "x, chunked", "gzip,deflate,chunked"})
  void aCodingThatIsNotKnownIsNotImplemented(String coding) throws IOException {
    String text = post("1.1", "Transfer-Encoding: " + coding + "\r\n", CHUNKS);
    Reply reply = Reply.to(text + SMUGGLED);
    assertThat(reply.status()).isEqualTo(501);
    assertThat(reply.first()).contains("problem:transfer", "allowed: chunked");
    assertThat(reply.ends()).isTrue();
  }

  @Test
  void twoFieldsOfCodingsAreOneList() throws IOException {
    String text = post("1.1", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", CHUNKS);
    Reply reply = Reply.to(text + SMUGGLED);
    assertThat(reply.status()).isIn(400, 501);
    assertThat(reply.ends()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: chunked, gzip\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: +27\r\n",
        "Content-Length: 0x1b\r\n"
      })
  void anEndThatIsNotClearIsABadRequest(String headers) throws IOException {
    Reply reply = Reply.to(post("1.1", headers, CHUNKS + SMUGGLED));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.ends()).isTrue();
  }

  @Test
  void aTransferCodingInAnOldRequestIsABadRequest() throws IOException {
    Reply reply = Reply.to(post("1.0", "Transfer-Encoding: chunked\r\n", CHUNKS + SMUGGLED));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.first()).contains("problem:transfer", "HTTP/1.0");
    assertThat(reply.ends()).isTrue();
  }

  @Test
  void anOldRequestWithALengthIsServed() throws IOException {
    String text = post("1.0", "Content-Length: " + BODY.length() + "\r\n", BODY);
    assertThat(Reply.to(text).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /health/live HTTP/1.1\nHost: localhost\n\n",
        "GET /health/live HTTP/1.1\r\nHost: localhost\n\r\n",
        "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\n"
      })
  void aLineEndsWithCrLfAndNothingElse(String text) throws IOException {
    assertThat(Reply.to(text).status()).isEqualTo(400);
  }

  @Test
  void aChunkEndsWithCrLfAndNothingElse() throws IOException {
    String text = post("1.1", "Transfer-Encoding: chunked\r\n", CHUNKS.replace("\r\n", "\n"));
    assertThat(Reply.to(text + SMUGGLED).status()).isEqualTo(400);
  }

  /** Jetty answers it, before the body is read as far as that. */
  @ParameterizedTest
  @ValueSource(strings = {"x\r\n", "5\r\nabcdefg\r\n", "-1\r\n", "\r\n"})
  void aBrokenChunkIsNotHttp(String broken) throws IOException {
    Reply reply =
        Reply.to(post("1.1", "Transfer-Encoding: chunked\r\n", "1\r\n{\r\n" + broken) + SMUGGLED);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.first()).contains("problem:http");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://t/health/live", "http://other:99/health/live", "HTTP://t/health/live"})
  void aTargetInAbsoluteFormIsTaken(String target) throws IOException {
    assertThat(Reply.to("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.2\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/3.0\r\n\r\n",
        "GET /\r\n\r\n"
      })
  void anotherVersionIsRefusedAndNoBugOfOurs(String text) throws IOException {
    Reply reply = Reply.to(text);
    assertThat(reply.status()).isEqualTo(505);
    assertThat(reply.first()).doesNotContain("bug").contains("HTTP/1.1 and HTTP/1.0");
  }

  @Test
  void aTargetThatIsTooLongIsNamed() throws IOException {
    Reply reply = Reply.to("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(reply.status()).isEqualTo(414);
    assertThat(reply.first()).contains("longer than 16384 bytes");
  }

  @Test
  void anExpectationThatIsNotKnownFails() throws IOException {
    String text = post("1.1", "Expect: magic\r\nContent-Length: 0\r\n", "");
    assertThat(Reply.to(text).status()).isEqualTo(417);
  }

  @Test
  void theOptionsOfTheWholeServiceAreThere() throws IOException {
    Reply reply = Reply.to("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.first()).contains("Allow: GET, HEAD, POST, OPTIONS");
  }

  @Test
  void theNextVersionIsNotSpokenWithoutItsHandshake() throws IOException {
    Reply reply = Reply.to("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assertThat(reply.status()).isIn(426, 505);
    assertThat(reply.first()).doesNotContain("bug");
  }
}
