package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lighthouse.server.TestService.Answer;
import io.lighthouse.server.http.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A query that its route does not understand is refused, on every route, and changes nothing. */
class QueriesTest extends KeptFleet {
  private static final String BATCH = "{'workloads':[{'id':'vm-1','requirements':{'cpu':1}}]}";

  private List<Route> routes() {
    List<Route> routes = service.service().routes();
    assertThat(routes).hasSizeGreaterThanOrEqualTo(34);
    return routes;
  }

  /** Sends a query as it is, which java.net.URI would not; returns the answer's head and body. */
  private String call(String method, String path, String query, String body) throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      String head = method + " " + path + "?" + query + " HTTP/1.1\r\nHost: localhost\r\n";
      boolean sends = method.equals("POST") || method.equals("PUT");
      String rest = sends ? "Content-Length: " + body.length() + "\r\n\r\n" + body : "\r\n";
      return raw.send(head + rest).answer();
    }
  }

  private String call(Route route, String query) throws IOException {
    String path = route.path().replace("{fleet}", "prod").replaceAll("[{][a-z]+}", "x");
    return call(route.method(), path, query, "{}");
  }

  private void assertRefused(Route route, String query, String... details) throws IOException {
    String answer = call(route, query);
    assertThat(answer)
        .as("%s?%s", route.path(), query)
        .startsWith("HTTP/1.1 400 ")
        .contains("urn:lighthouse:problem:query")
        .contains(details);
    String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
    OpenApi.check(route.method(), route.path(), 400, "application/problem+json", body);
  }

  @Test
  void anUnknownParameterIsRefusedOnEveryRoute() throws IOException {
    for (Route route : routes()) {
      List<String> known = route.parameters().names();
      String allowed = known.isEmpty() ? "none" : String.join(", ", known);
      assertRefused(
          route, "dry-run=true", "no query parameter 'dry-run'", "allowed here: " + allowed);
      assertRefused(route, "n%6Fte", "'note'");
      assertRefused(route, "note%zz=1", "'note%zz'");
      assertRefused(route, "=", "''");
    }
  }

  @Test
  void aNameMayBeTheReplacementCharacter() throws IOException {
    String batch = "{\"workloads\":[{\"id\":\"\\ufffd\",\"requirements\":{}}]}";
    String explain = PROD + "/explain-workload";
    assertThat(call("POST", explain, "workload=%EF%BF%BD", batch)).startsWith("HTTP/1.1 200 ");
    assertThat(call("POST", explain, "workload=%ff", batch)).startsWith("HTTP/1.1 400 ");
  }

  @Test
  void anUnreadableParameterIsRefusedOnEveryRoute() throws IOException {
    int parameters = 0;
    for (Route route : routes()) {
      for (String name : route.parameters().names()) {
        for (String broken : List.of("%zz", "%", "%C3%28", "true%ff")) {
          assertRefused(route, name + "=" + broken, "'" + name + "' is '" + broken + "'", "UTF-8");
        }
        parameters++;
      }
    }
    assertThat(parameters).isGreaterThanOrEqualTo(35);
  }

  @Test
  void aRepeatedParameterIsRefusedOnEveryRouteButWhereItMayBe() throws IOException {
    for (Route route : routes()) {
      for (String name : route.parameters().once()) {
        assertRefused(route, name + "=true&" + name + "=false", "'" + name + "'", "more than once");
      }
      for (String name : route.parameters().repeatable()) {
        // A live fleet refuses the unknown names, and a call with a problem its empty body.
        String status = route.path().startsWith("/fleets/") ? "400 " : "422 ";
        assertThat(call(route, name + "=a&" + name + "=b"))
            .startsWith("HTTP/1.1 " + status)
            .doesNotContain("more than once");
      }
    }
  }

  @Test
  void everyRouteTakesTheParametersThatItsDescriptionHas() {
    for (Route route : routes()) {
      JsonNode path = OpenApi.document().path("paths").path(route.path());
      List<String> described = new ArrayList<>();
      for (JsonNode here : List.of(path, path.path(route.method().toLowerCase(Locale.ROOT)))) {
        for (JsonNode parameter : here.path("parameters")) {
          if (parameter.path("in").asText().equals("query")) {
            described.add(parameter.path("name").asText());
          }
        }
      }
      assertThat(route.parameters().names())
          .as("%s %s", route.method(), route.path())
          .containsExactlyInAnyOrderElementsOf(described);
    }
  }

  /** A dry run whose query cannot be understood must not become a real one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dry_run=true&note=%zz",
        "dry-run=true",
        "dryrun=true",
        "DRY_RUN=true",
        "%zz&dry_run=true",
        "dry_run=false&dry_run=true",
        "dry_run=tr%ue",
        "dry_run=true;"
      })
  void aDryRunIsNeverSilentlyReal(String query) throws IOException {
    assertThat(call("POST", PROD + "/assign-workloads", query, json(BATCH)))
        .startsWith("HTTP/1.1 4");
    assertThat(service.get(PROD).at("/generation")).isEqualTo("1");
  }

  @ParameterizedTest
  @CsvSource({"?dry_run=true,1", "?&dry_run=true&,1", "?dry%5Frun=tru%65,1", "?,2", "?hash=true,2"})
  void whatIsUnderstoodIsDone(String query, String generation) {
    assertThat(post("assign-workloads" + query, BATCH).status()).isEqualTo(200);
    assertThat(service.get(PROD).at("/generation")).isEqualTo(generation);
  }

  @Test
  void anErrorRepeatsNoMoreThanTheBeginningOfAName() {
    Answer answer = service.get("/strategies?" + "x".repeat(5000));
    assertThat(answer.problem()).isEqualTo("query");
    assertThat(answer.at("/detail")).hasSizeLessThan(300).contains("xxx... (");
  }
}
