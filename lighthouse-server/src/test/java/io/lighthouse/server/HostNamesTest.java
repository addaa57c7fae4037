package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.server.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A page of another site reaches a service without tokens by no name of its own. */
class HostNamesTest extends KeptFleet {
  @Override
  ServiceSettings settings() {
    return super.settings().hosts(List.of("Lighthouse.example", "2001:db8::7"));
  }

  private String answer(String head, String body) throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      return raw.send(head + "Content-Length: " + body.length() + "\r\n\r\n" + body).answer();
    }
  }

  private String get(String target, String version, String headers) throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      return raw.send("GET " + target + " HTTP/" + version + "\r\n" + headers + "\r\n").answer();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8087",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.evil.example",
        "evil.localhost",
        "lighthouse.example.evil.example",
        "192.0.2.1",
        "192.0.2.1:8087",
        "[2001:db8::8]:8087",
        "256.0.0.1"
      })
  void anotherHostIsMisdirected(String host) throws IOException {
    assertThat(get("/strategies", "1.1", "Host: " + host + "\r\n"))
        .startsWith("HTTP/1.1 421 ")
        .contains("application/problem+json", "urn:lighthouse:problem:host", "see --host")
        .contains("the host is '" + host.replaceFirst(":8087$", "") + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:8087",
        "localhost.",
        "127.0.0.1:8087",
        "127.45.6.7",
        "[::1]",
        "[::1]:9000",
        "[0:0:0:0:0:0:0:1]:8087",
        "lighthouse.example:80",
        "LIGHTHOUSE.example.",
        "[2001:0db8::7]"
      })
  void ourOwnNamesAreAnswered(String host) throws IOException {
    assertThat(get("/strategies", "1.1", "Host: " + host + "\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void everyRouteIsGuarded() throws IOException {
    List<Route> routes = service.service().routes();
    assertThat(routes).hasSizeGreaterThanOrEqualTo(34);
    for (Route route : routes) {
      String path = route.path().replace("{fleet}", "prod").replaceAll("[{][a-z]+}", "x");
      String head = route.method() + " " + path + " HTTP/1.1\r\nHost: evil.example\r\n";
      assertThat(answer(head, "{}")).as(head).startsWith("HTTP/1.1 421 ");
    }
    for (String other : List.of("OPTIONS *", "OPTIONS /fleets", "GET /nowhere", "PUT /plan")) {
      String head = other + " HTTP/1.1\r\nHost: evil.example\r\n";
      assertThat(answer(head, "")).as(head).startsWith("HTTP/1.1 421 ");
    }
  }

  @Test
  void aPageWhoseNameLeadsToUsChangesNothing() throws IOException {
    String origin = "Host: evil.example:8087\r\nOrigin: http://evil.example:8087\r\n";
    assertThat(answer("PUT /fleets/theirs HTTP/1.1\r\n" + origin, json(NODES)))
        .startsWith("HTTP/1.1 421 ");
    assertThat(service.get("/fleets/theirs").status()).isEqualTo(404);
  }

  @Test
  void theHostOfAnAbsoluteTargetIsCheckedAsWell() throws IOException {
    String ours = "Host: localhost\r\n";
    String theirs = "Host: evil.example\r\n";
    assertThat(get("http://evil.example/strategies", "1.1", ours)).startsWith("HTTP/1.1 421 ");
    assertThat(get("http://localhost/strategies", "1.1", theirs)).startsWith("HTTP/1.1 421 ");
    assertThat(get("http://localhost/strategies", "1.1", ours)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void onlyTheOldProtocolNeedsNoHost() throws IOException {
    assertThat(get("/strategies", "1.0", "")).startsWith("HTTP/1.1 200 ");
    assertThat(get("/strategies", "1.0", "Host: evil.example\r\n")).startsWith("HTTP/1.1 421 ");
    assertThat(get("/strategies", "1.1", "")).startsWith("HTTP/1.1 400 ");
    assertThat(get("/strategies", "1.1", "Host: \r\n")).startsWith("HTTP/1.1 400 ");
  }

  /** Which the page does not have. */
  @Test
  void withTokensAnyHostWillDoForThoseWhoHaveOne() throws IOException {
    service.close();
    service =
        TestService.start(
            super.settings().tokens(Files.writeString(folder.resolve("tokens"), "boss admin\n")));
    String theirs = "Host: evil.example\r\n";
    assertThat(get("/strategies", "1.1", theirs)).startsWith("HTTP/1.1 401 ");
    assertThat(get("/strategies", "1.1", theirs + "Authorization: Bearer boss\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  /** As in a URL, and as {@code --host} takes it. */
  @ParameterizedTest
  @CsvSource({
    "[::1], ::1",
    "::1, ::1",
    "[fe80::1%lo], fe80::1%lo",
    "localhost, localhost",
    "[a], [a]"
  })
  void aBoundAddressMayBeInBrackets(String given, String bound) {
    assertThat(new ServiceSettings().listenOn(given, 0).bind()).isEqualTo(bound);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "http://a.example", "a.example:8087", "a..b", "*", "a b", "[::1]:80"})
  void whatIsNoNameCannotBePermitted(String name) {
    assertThatThrownBy(() -> new ServiceSettings().hosts(List.of(name)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("host is '" + name + "'")
        .hasMessageContaining("without scheme and port");
  }
}
