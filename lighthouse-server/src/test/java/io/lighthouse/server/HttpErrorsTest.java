package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every error that HTTP knows for a bad request, as problem details. */
class HttpErrorsTest {
  private static final String SOUND = "{\"nodes\":[],\"workloads\":[]}";
  private static TestService service;

  @BeforeAll
  static void start() {
    service = TestService.start();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void anUnknownPathIsNotFoundAndNamesTheNearest() {
    var answer = service.get("/assign");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.mediaType()).isEqualTo("application/problem+json");
    assertThat(answer.problem()).isEqualTo("not-found");
    assertThat(answer.at("/detail"))
        .isEqualTo(
            "there is nothing at this path; the nearest is /assign-workloads;"
                + " GET /openapi.json describes all calls");
  }

  @ParameterizedTest
  @CsvSource({
    "/explain,/explain-workload",
    "/explain-worklaod,/explain-workload",
    "/Plan,/plan",
    "/v1/try-assign-workloads,/try-assign-workloads",
    "/health,/health/live",
    "/plan/,/plan",
    "/xyz,",
    "/a/b/c,",
    "/%2e%2e/x,",
    "/%zz,"
  })
  void theNearestPathIsNamedAloneWhereOneIsNear(String path, String nearest) throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      String answer = raw.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").answer();
      String detail = answer.replaceAll("(?s).*\"detail\":\"([^\"]*)\".*", "$1");
      if (nearest == null) {
        assertThat(detail).doesNotContain("nearest");
      } else {
        assertThat(answer).startsWith("HTTP/1.1 404");
        assertThat(detail).contains("; the nearest is " + nearest + ";").hasSizeLessThan(150);
      }
    }
  }

  /** The search for a near path is bounded, whatever a client sends. */
  @Test
  void aLongPathIsNearToNothing() {
    assertThat(service.get("/plan".repeat(2000)).at("/detail")).doesNotContain("nearest");
    assertThat(service.get("/" + "plan".repeat(2000)).at("/detail")).doesNotContain("nearest");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/assign-workloads,'POST, OPTIONS'",
    "PUT,/try-assign-workloads,'POST, OPTIONS'",
    "POST,/strategies,'GET, HEAD, OPTIONS'",
    "DELETE,/metrics,'GET, HEAD, OPTIONS'"
  })
  void anotherMethodIsRefusedWithAllow(String method, String path, String allow) {
    var answer = service.send(method, path, HttpRequest.BodyPublishers.noBody());
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("Allow")).isEqualTo(allow);
    assertThat(answer.problem()).isEqualTo("method");
  }

  @Test
  void headAnswersAsGetWithoutABody() {
    var answer = service.send("HEAD", "/strategies", HttpRequest.BodyPublishers.noBody());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEmpty();
    assertThat(answer.header("Content-Length"))
        .isEqualTo(Integer.toString(service.get("/strategies").bytes().length));
  }

  @Test
  void optionsNamesTheMethods() {
    var answer = service.send("OPTIONS", "/assign-workloads", HttpRequest.BodyPublishers.noBody());
    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.header("Allow")).isEqualTo("POST, OPTIONS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "image/*;q=0.9, text/plain",
        "application/json;q=0",
        "application/json; Q=0.000, */*",
        "*/*, application/*;q=0",
        "application/*, application/json;q=none",
        "application/json;q=7",
        "application/json;q=-1",
        "application/json;q=Infinity"
      })
  void anAcceptThatLeavesJsonOutIsNotAcceptable(String accept) {
    assertThat(service.assign(SOUND, "Accept", accept).status()).isEqualTo(406);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/*",
        "application/*",
        "application/json; charset=utf-8",
        "text/html, application/json;q=0.1",
        "*/*;q=0, application/json",
        "application/json;version=2;q=0, application/json",
        ";, ;;q=1, application/json;;",
        "application/*;q=0, APPLICATION/JSON;q=0.001",
        "application/json;q=NaN, application/json",
        "text/html, *; q=.2, */*; q=.2"
      })
  void anAcceptThatHasJsonIsServed(String accept) {
    assertThat(service.assign(SOUND, "Accept", accept).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "br, identity;q=0",
        "identity;q=0",
        "*;q=0",
        "br, *;q=0.000",
        "*;q=0, GZIP;q=0",
        "*, gzip;q=0, identity;q=0"
      })
  void anAcceptEncodingThatLeavesAllOutIsNotAcceptable(String encodings) {
    var answer = service.get("/strategies", "Accept-Encoding", encodings);
    assertThat(answer.status()).isEqualTo(406);
    assertThat(answer.problem()).isEqualTo("not-acceptable");
    assertThat(answer.at("/detail")).contains("Accept-Encoding", "gzip", "identity");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|",
        "br|",
        "*;q=0, identity|",
        "*;q=0, Identity;q=0.001|",
        "*, gzip;q=0|",
        "gzip;q=0|",
        "identity;q=0, *|gzip",
        "*;q=0, gzip;q=0.1|gzip",
        "br, *;q=0.5|gzip",
        "identity;q=0, gzip|gzip",
        "deflate, GZip|gzip",
        "x-gzip|gzip",
        "identity;q=0, X-Gzip|gzip",
        "*, x-gzip;q=0|"
      })
  void anAnswerHasOneOfTheEncodingsThatAreAccepted(String accepted, String encoding) {
    var answer = service.get("/strategies", "Accept-Encoding", accepted);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Encoding")).isEqualTo(encoding == null ? "" : encoding);
    assertThat(answer.header("Vary")).contains("Accept-Encoding");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/xml", "multipart/form-data", "application/json; charset=utf-16"})
  void aBodyOfAnotherKindIsUnsupported(String type) {
    assertThat(service.assign(SOUND, "Content-Type", type).status()).isEqualTo(415);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json; charset=UTF-8",
        "application/vnd.lighthouse+json",
        "application/x-www-form-urlencoded"
      })
  void jsonByAnyOfItsNamesIsRead(String type) {
    assertThat(service.assign(SOUND, "Content-Type", type).status()).isEqualTo(200);
  }

  @Test
  void anUnknownEncodingIsUnsupported() {
    var answer = service.assign(SOUND, "Content-Encoding", "br");
    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.at("/detail")).contains("gzip");
  }

  @Test
  void aPostWithoutABodyNeedsALength() throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      raw.send("POST /assign-workloads HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(raw.status()).isEqualTo(411);
    }
  }

  @Test
  void whatIsNoHttpIsAnsweredAsAProblem() throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      String answer = raw.send("GARBAGE\r\n\r\n").answer();
      assertThat(answer).startsWith("HTTP/1.1 400").contains("application/problem+json");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/strategies%2Fx,HTTP/1.1,400,'is understood here: Ambiguous URI path separator\"'",
    "/strategies,HTTP/1.1|Host: b,400,'is understood here: Duplicate Host Header\"'",
    "/%zz,HTTP/1.1,400,'is understood here\"'",
    "/strategies,HTTP/1.1|Expect: x,417,100-continue",
    "/strategies,HTTP/3.0,505,HTTP/1.1 and"
  })
  void aHeadThatIsRefusedSaysWhy(String path, String rest, int status, String why)
      throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      String head = "GET " + path + " " + rest.replace("|", "\r\n") + "\r\nHost: localhost\r\n\r\n";
      String answer = raw.send(head).answer();
      assertThat(answer).startsWith("HTTP/1.1 " + status).contains(why);
    }
  }

  @Test
  void aHeadTooLargeIsRefused() throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      raw.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 431").contains("application/problem+json");
    }
  }

  @Test
  void aBodyThatEndsTooEarlyLeavesTheServiceWell() throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      raw.post("/assign-workloads", 100).send("{\"nodes\":");
    }
    assertThat(service.assign(SOUND).status()).isEqualTo(200);
  }

  /** An error names the value that it found, but not all of a long one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /assign-workloads HTTP/1.1\r\nContent-Type: LONG",
        "POST /assign-workloads HTTP/1.1\r\nContent-Type: application/json; charset=LONG",
        "POST /assign-workloads HTTP/1.1\r\nContent-Encoding: LONG",
        "POST /assign-workloads HTTP/1.1\r\nTransfer-Encoding: LONG, chunked",
        "GET http://LONG/strategies HTTP/1.1",
        "GET /strategies?LONG HTTP/1.1",
        "LONG /strategies HTTP/1.1"
      })
  void aLongValueIsShortenedInItsError(String head) throws IOException {
    String text = head.replace("LONG", "X".repeat(4_000)) + "\r\nHost: localhost\r\n";
    String length = head.contains("Transfer-Encoding") ? "" : "Content-Length: 0\r\n";
    try (RawConnection raw = new RawConnection(service.uri())) {
      assertThat(raw.send(text + length + "\r\n").answer().toUpperCase(Locale.ROOT))
          .contains("X".repeat(100))
          .doesNotContain("X".repeat(201));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "414, GET /LONG HTTP/1.1",
    "431, 'GET / HTTP/1.1|X: LONG'",
    "400, GET /strategies HTTP/1.1|Content-Length: x",
    "505, GET /strategies HTTP/3.0"
  })
  void noErrorOfTheProtocolIsStored(int status, String head) throws IOException {
    String text = head.replace("LONG", "x".repeat(20_000)).replace("|", "\r\n");
    try (RawConnection raw = new RawConnection(service.uri())) {
      assertThat(raw.send(text + "\r\nHost: localhost\r\n\r\n").answer())
          .startsWith("HTTP/1.1 " + status)
          .contains("Cache-Control: no-store\r\n", "X-Content-Type-Options: nosniff\r\n");
    }
  }

  @Test
  void everyAnswerForbidsSniffingAndStoring() {
    for (var answer : new TestService.Answer[] {service.assign("{"), service.get("/strategies")}) {
      assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
      assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
    }
  }

  @Test
  void jsonThatIsNoneIsABadRequestWithItsPlace() {
    var answer = service.assign("{\"nodes\": [}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem()).isEqualTo("syntax");
    assertThat(answer.at("/errors/0/line")).isEqualTo("1");
    assertThat(answer.at("/errors/0/column")).isNotEmpty();
  }

  @Test
  void allFaultsOfASoundTextAreListedWithPointers() {
    var answer =
        service.assign(
            "{\"nodes\":[{\"id\":\"a\",\"resources\":{\"cpu\":\"six\"}},{\"resources\":{}}],"
                + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"m~/x\":true}}],\"extra\":1}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json().at("/errors"))
        .extracting(fault -> fault.path("pointer").asText())
        .containsExactly(
            "/nodes/0/resources/cpu",
            "/nodes/1/name",
            "/workloads/0/requirements/m~0~1x",
            "/extra");
    assertThat(answer.at("/pointer")).isEqualTo("/nodes/0/resources/cpu");
    assertThat(answer.at("/errors/0/found")).isEqualTo("'six'");
  }

  @Test
  void aMistakeFoundByTheEngineHasItsPlaceToo() {
    var answer =
        service.assign(
            "{\"nodes\":[{\"id\":\"a\",\"resources\":{\"cpu\":1e30}}],\"workloads\":[]}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.at("/pointer")).isEqualTo("/nodes/0/resources/cpu");
  }

  @Test
  void anUnknownStrategyIsRefusedWithTheWordsThatAreKnown() {
    var answer = service.assign("{\"strategy\":\"BinPak\",\"nodes\":[],\"workloads\":[]}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.at("/pointer")).isEqualTo("/strategy");
    assertThat(answer.at("/errors/0/column")).isEqualTo("13");
    assertThat(answer.at("/detail"))
        .contains("'BinPak'", "Prioritized, RoundRobin, BinPack", "round-robin");
  }

  @Test
  void anUnknownSettingIsRefusedWithItsPlace() {
    var answer = service.assign("{\"settings\":{\"speed\":\"9\"},\"nodes\":[],\"workloads\":[]}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.at("/detail")).contains("speed");
  }

  @Test
  void aMissingRubricIsAskedForInJson() {
    var answer = service.assign("{\"strategy\":\"BinPack\",\"nodes\":[],\"workloads\":[]}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.at("/pointer")).isEqualTo("/rubric");
    assertThat(answer.at("/detail")).contains("{\"cpu\": 1, \"mem\": 0.5}").doesNotContain("cpu=1");
    assertThat(answer.at("/errors/0/line")).isEqualTo("1");
    assertThat(answer.at("/errors/0/column")).isEqualTo("13");
  }

  @Test
  void theReasonsOfOneWorkloadAreThoseAtItsTurn() {
    String problem =
        "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":4}}],\"workloads\":["
            + "{\"id\":\"a b\",\"requirements\":{\"cpu\":3}},"
            + "{\"id\":\"late\",\"requirements\":{\"cpu\":2}}],\"explain\":true}";
    var all = service.tryAssign(problem);
    var late = service.post("/explain-workload?workload=late", problem);
    assertThat(late.status()).isEqualTo(200);
    assertThat(late.json().path("refusal")).isEqualTo(all.json().path("refusals").path(0));
    assertThat(late.json().path("chosen").isNull()).isTrue();
    assertThat(service.post("/explain-workload?workload=a%20b", problem).at("/chosen"))
        .isEqualTo("n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?workload=", "?workload=other"})
  void aWorkloadThatIsNotThereCannotBeExplained(String query) {
    var answer = service.post("/explain-workload" + query, SOUND);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem()).isEqualTo("query");
    assertThat(answer.at("/detail")).contains("?workload=NAME");
  }

  @ParameterizedTest
  @ValueSource(strings = {"?workload=%ff", "?work=a"})
  void aQueryThatIsNotUnderstoodIsRefusedWithWhatIsAllowed(String query) {
    var answer = service.post("/explain-workload" + query, SOUND);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem()).isEqualTo("query");
    assertThat(answer.at("/detail")).contains("work").contains("allowed");
  }

  @Test
  void nothingOfARequestComesBackAsHtml() {
    var answer = service.assign("{\"<script>alert(1)</script>\":1}");
    assertThat(answer.mediaType()).isEqualTo("application/problem+json");
  }
}
