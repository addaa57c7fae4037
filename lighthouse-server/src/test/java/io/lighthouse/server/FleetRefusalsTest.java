package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.server.TestService.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the calls on fleets refuse, to whom, and that it changes nothing. */
class FleetRefusalsTest extends KeptFleet {
  @Test
  void whatIsWrongWithDomainsAndGroupsIsSaid() {
    assertThat(put(ZONE, "{}").at("/pointer")).isEqualTo("/resources");
    assertThat(put(ZONE, "{'level':'x','resources':{}}").at("/pointer")).isEqualTo("/level");
    assertThat(put(ZONE, "{'resources':{'power':-1e99}}").status()).isEqualTo(422);
    assertThat(put(PROD + "/domains/node/a", "{'resources':{}}").status()).isEqualTo(422);
    assertThat(put(PROD + "/domains/fleet/a", "{'resources':{}}").status()).isEqualTo(422);
    assertThat(put(ZONE, "{'resources':{'power':{'total':8,'max':2}}}").status()).isEqualTo(201);
    assertThat(put(ZONE, "{'resources':{'power':8}}").problem()).isEqualTo("stands-otherwise");
    Answer units = put(PROD + "/nodes/n1", "{'resources':{'cpu':{'total':8,'max':2}}}");
    assertThat(units.at("/title")).isEqualTo("The domains or the units are others");
    assertThat(units.at("/detail")).startsWith("node 'n1' has other units, which stay");
    assertThat(put(PROD + "/workloads/w/groups", "{'groups':[7]}").at("/pointer"))
        .isEqualTo("/groups/0");
    assertThat(put(PROD + "/workloads/w/groups", "{}").at("/pointer")).isEqualTo("/groups");
    assertThat(service.get(PROD).at("/generation")).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "assign-workloads; {'workloads':[{'id':'a'}]}; 422; meaning; /workloads/0/requirements",
        "assign-workloads; {'workloads':[],'more':1}; 422; meaning; /more",
        "assign-workloads; {'workloads':[],'nodes':[]}; 422; meaning; /nodes",
        "assign-workloads; {}; 422; meaning; /workloads",
        "assign-workloads; []; 422; meaning; ''",
        "assign-workloads; {'workloads':[],}; 400; syntax; /workloads",
        "assign-workloads; {'workloads':[]} x; 400; syntax; ''",
        "try-assign-workloads; {'workloads':[],'explain':1}; 422; meaning; /explain",
        "release-workloads; {'workloads':[1]}; 422; meaning; /workloads/0",
        "release-workloads; {'workloads':[],'x':1}; 422; meaning; /x",
        "release-workloads; {}; 422; meaning; /workloads",
        "plan-drain; {'nodes':'n1'}; 422; meaning; /nodes",
        "plan-drain; {'nodes':['x']}; 404; no-such-node; ''",
        "move-workloads; {'moves':[{'workload':'a','from':'n1'}]}; 422; meaning; /moves/0/to",
        "move-workloads; {'moves':[],'generation':-1}; 422; meaning; /generation",
        "move-workloads; {'moves':[],'moves':[]}; 422; meaning; /moves",
        "move-workloads; {'moves':[],'cordon':['x']}; 404; no-such-node; ''",
      })
  void badInputIsRefusedAndChangesNothing(
      String call, String body, int status, String type, String pointer) {
    Answer answer = post(call, body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.problem()).isEqualTo(type);
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
    assertThat(service.get(PROD).at("/generation")).isEqualTo("1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/fleets/-x; {'nodes':[]}; 422",
        "/fleets/x; {'nodes':[],'strategy':'bin-pak'}; 422",
        "/fleets/x; {'nodes':[],'strategy':'BinPack'}; 422",
        "/fleets/x; {'nodes':[],'rubric':{'cpu':-1}}; 422",
        "/fleets/x; {'nodes':[],'workloads':[{'id':'a','requirements':{}}]}; 422",
        "/fleets/x; {'workloads':[]}; 422",
        "/fleets/x; {'nodes':[]; 400",
        "/fleets/prod/nodes/n9; {'resources':{'cpu':'six'}}; 422",
        "/fleets/prod/nodes/n9; {'name':'n9','resources':{}}; 422",
        "/fleets/prod/nodes/n9; {}; 422",
        "/fleets/prod/workloads/w; {'requirements':{'cpu':'inf'}}; 422",
        "/fleets/prod/workloads/w; {'requirements':{},'replicas':2}; 422",
        "/fleets/prod/workloads/w; {'requirements':{},'id':'w'}; 422",
        "/fleets/nope/workloads/w; {'requirements':{}}; 404",
      })
  void whatIsPutIsReadAsStrictly(String path, String body, int status) {
    assertThat(put(path, body).status()).isEqualTo(status);
    assertThat(service.get("/fleets").at("/fleets/0/generation")).isEqualTo("1");
  }

  @Test
  void anUnknownStrategyIsAnsweredWithTheOneThatWasMeant() {
    String body = "{'nodes':[],'workloads':[],'strategy':'spred'}".replace('\'', '"');
    assertThat(service.assign(body).at("/detail")).endsWith("; did you mean spread?");
    assertThat(put("/fleets/x", "{'nodes':[],'strategy':'spred'}").at("/detail"))
        .endsWith("; did you mean spread?");
  }

  /** Such a name could not be read again from the log. */
  @ParameterizedTest
  @CsvSource({"nodes/NAME, resources", "workloads/NAME, requirements", "domains/NAME/a, resources"})
  void aNameInThePathIsNoLongerThanOneInABody(String path, String member) {
    Answer answer =
        put(PROD + "/" + path.replace("NAME", "x".repeat(257)), "{'" + member + "':{}}");
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.problem()).isEqualTo("limit");
    assertThat(service.get(PROD).at("/generation")).isEqualTo("1");
    String longest = PROD + "/" + path.replace("NAME", "x".repeat(256));
    assertThat(put(longest, "{'" + member + "':{}}").status()).isEqualTo(201);
  }

  @Test
  void aFleetThatMustBeThereIsNotCreated() {
    for (String tag : List.of("\"g1\"", "\"g7\"", "*")) {
      Answer none = put("/fleets/none", NODES, "If-Match", tag);
      assertThat(none.status()).as(tag).isEqualTo(412);
      assertThat(none.problem()).isEqualTo("generation");
    }
    assertThat(service.get("/fleets/none").status()).isEqualTo(404);
    Answer old = put(PROD, NODES, "If-Match", "\"g7\"");
    assertThat(old.status()).isEqualTo(412);
    assertThat(old.at("/generation")).isEqualTo("1");
    assertThat(put(PROD, NODES, "If-Match", "\"g1\"").status()).isEqualTo(200);
    assertThat(put(PROD, NODES, "If-Match", "*").status()).isEqualTo(200);
    assign("vm-1", 2);
    assertThat(put(PROD, NODES, "If-Match", "\"g1\"").status()).isEqualTo(412);
    assertThat(put(PROD, NODES, "If-Match", "\"g2\"").problem()).isEqualTo("exists");
  }

  @Test
  void aFleetThatMustBeNewIsCreatedOnce() {
    String[] mustBeNew = {"If-None-Match", "*"};
    assertThat(put("/fleets/none?dry_run=true", NODES, mustBeNew).status()).isEqualTo(201);
    assertThat(put("/fleets/none", NODES, mustBeNew).status()).isEqualTo(201);
    String other = NODES.replace("'cpu':4", "'cpu':5");
    for (String path : List.of("/fleets/none", "/fleets/none?dry_run=true")) {
      for (String fleet : List.of(NODES, other)) {
        Answer there = put(path, fleet, mustBeNew);
        assertThat(there.status()).isEqualTo(412);
        assertThat(there.problem()).isEqualTo("generation");
        assertThat(there.at("/detail"))
            .isEqualTo("the call is for a new fleet, and there is one of its name");
        assertThat(there.at("/generation")).isEqualTo("1");
        assertThat(there.header("ETag")).isEqualTo("\"g1\"");
      }
    }
    for (String path : List.of("/fleets/none", "/fleets/never")) {
      Answer never = put(path, NODES, "If-None-Match", "*", "If-Match", "*");
      assertThat(never.status()).isEqualTo(412);
    }
    assertThat(service.get("/fleets/never").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "If-Match, junk",
    "If-Match, ''",
    "Idempotency-Key, a b",
    "Idempotency-Key, ''",
    "Idempotency-Key, k",
    "Lighthouse-Final, true",
    "Lighthouse-Final, false",
    "If-None-Match, ''",
    "If-None-Match, g1"
  })
  void aHeaderThatIsNoneIsRefusedWhereAFleetIsCreated(String header, String value) {
    Answer answer = put("/fleets/none", NODES, header, value);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem()).isEqualTo("header");
    assertThat(service.get("/fleets/none").status()).isEqualTo(404);
    assertThat(put("/fleets/none", NODES).status()).isEqualTo(201);
  }

  @Test
  void aCallThatWritesIsNotCarriedOutWithoutItsCondition() {
    for (String tag : List.of("*", "\"g1\"", "\"g7\"")) {
      for (Answer answer :
          List.of(
              assign("vm-1", 2, "If-None-Match", tag),
              put(PROD + "/nodes/n1", "{'resources':{'cpu':1}}", "If-None-Match", tag),
              service.delete(PROD + "/nodes/n1", "If-None-Match", tag),
              service.delete(PROD, "If-Match", "*", "If-None-Match", tag))) {
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("/detail"))
            .isEqualTo(
                "If-None-Match is '" + tag + "'; allowed: the header with GET; here, If-Match");
      }
    }
    assertThat(service.get(PROD).at("/generation")).isEqualTo("1");
  }

  @Test
  void aFleetIsNotDeletedWithABlankIfMatch() {
    assertThat(service.delete(PROD).problem()).isEqualTo("precondition-required");
    Answer blank = service.delete(PROD, "If-Match", "");
    assertThat(blank.status()).isEqualTo(400);
    assertThat(blank.problem()).isEqualTo("header");
    assertThat(service.get(PROD).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"If-Match", "Idempotency-Key", "Lighthouse-Final"})
  void aLongHeaderIsShortenedInItsError(String header) {
    Answer answer = post("assign-workloads", "{'workloads':[]}", header, "x".repeat(4_000));
    assertThat(answer.problem()).isEqualTo("header");
    assertThat(answer.at("/detail"))
        .startsWith(header + " is 'xxx")
        .doesNotContain("x".repeat(201))
        .contains("; allowed: ");
  }

  @Test
  void aLongNameOrOriginIsShortenedInItsError() {
    String name = "x".repeat(4_000);
    Answer unknown = service.get("/fleets/" + name);
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.at("/detail")).contains("there is no fleet 'xxx").hasSizeLessThan(300);
    Answer foreign = put("/fleets/none", NODES, "Origin", "https://" + name);
    assertThat(foreign.status()).isEqualTo(403);
    assertThat(foreign.at("/detail")).contains("a page of https://xxx").hasSizeLessThan(300);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodes/LONG", "workloads/LONG", "domains/rack/LONG", "domains/LONG/LONG"})
  void aLongNameInAPathIsShortenedInItsError(String path) {
    Answer unknown = service.get(PROD + "/" + path.replace("LONG", "x".repeat(2_000)));
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.at("/detail")).contains("'xxx").hasSizeLessThan(600);
  }

  @Test
  void aNameThatIsTakenIsRefusedWithItsPlace() {
    assign("vm-1", 2);
    Answer again = assign("vm-1", 2);
    assertThat(again.status()).isEqualTo(422);
    assertThat(again.at("/pointer")).isEqualTo("/workloads/0/name");
  }

  @ParameterizedTest
  @CsvSource({"limit=0", "limit=1001", "limit=x", "after=x", "stale=yes"})
  void aParameterThatIsNoneIsRefused(String query) {
    Answer answer = service.get(PROD + "/nodes?" + query);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem()).isEqualTo("query");
    assertThat(service.delete(PROD + "?dry_run=yes", "If-Match", "*").status()).isEqualTo(400);
    assertThat(service.get(PROD).at("/generation")).isEqualTo("1");
  }

  @Test
  void optionsOfTheWholeServiceNameTheMethodsOfFleets() throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      assertThat(raw.send("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n").answer())
          .startsWith("HTTP/1.1 204")
          .contains("Allow: DELETE, GET, HEAD, POST, PUT, OPTIONS\r\n");
    }
  }

  @Test
  void methodsThatAreNotThereAreNamed() {
    Answer answer = service.post(PROD, "{}");
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("Allow")).isEqualTo("GET, HEAD, PUT, DELETE, OPTIONS");
    assertThat(service.get(PROD + "/nothing").problem()).isEqualTo("not-found");
  }

  @ParameterizedTest
  @CsvSource({
    "/fleets/prod/explain,/fleets/{fleet}/explain-workload",
    "/fleets/prod/drain,/fleets/{fleet}/plan-drain",
    "/fleets/prod/nodes/n1/cordon,/fleets/{fleet}/nodes/{node}/cordoned",
    "/fleets/prod/events/,/fleets/{fleet}/events",
    "/fleet/prod,/fleets/{fleet}",
    "/prod/move-workloads,/fleets/{fleet}/move-workloads",
    "/fleets/prod/nothing,/fleets/{fleet}",
    "/nodes,/fleets/{fleet}/nodes"
  })
  void theNearestPathIsNamed(String path, String nearest) {
    String detail = service.get(path).at("/detail");
    assertThat(detail).startsWith("there is nothing at this path; the nearest is " + nearest + ";");
  }

  /** A member of another call is refused with the name of that call. */
  @ParameterizedTest
  @CsvSource({
    "assign-workloads,explain,true,try-assign-workloads",
    "try-assign-workloads,remedies,true,explain-workload",
    "explain-workload,changes,[],what-if",
    "what-if,goal,'\"repair\"',plan",
    "plan,offers,[],size",
    "size,mix,[],headroom"
  })
  void aMemberOfAnotherCallIsRefusedWithItsName(
      String call, String member, String value, String taker) {
    String body = "{\"workloads\":[],\"" + member + "\":" + value + "}";
    for (Answer answer :
        new Answer[] {
          post(call, body), service.post("/" + call, body.replaceFirst("[{]", "{\"nodes\":[],"))
        }) {
      if (answer.status() != 200) { // The stateless try-assign-workloads takes remedies.
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text()).contains("; " + taker + " takes " + member + "\"");
      } else {
        assertThat(member).isEqualTo("remedies");
      }
    }
  }

  @Test
  void withoutAStoreThereAreNoFleets() {
    try (TestService plain = TestService.start()) {
      Answer answer = plain.get("/fleets");
      assertThat(answer.problem()).isEqualTo("not-found");
      assertThat(answer.at("/detail")).doesNotContain("fleets");
      assertThat(plain.get("/metrics").text()).doesNotContain("fleet_turn");
    }
  }

  @Test
  void aStoreThatAnotherHoldsIsRefused() {
    assertThatThrownBy(() -> PlacementService.start(settings().listenOn("127.0.0.1", 0)))
        .isInstanceOf(ServiceStartException.class)
        .hasMessageContaining("another service holds it");
  }

  @Test
  void aPageOfAnotherOriginChangesNothing() throws IOException {
    String body = json("{'workloads':[{'id':'a','requirements':{'cpu':1}}]}");
    for (String origin : new String[] {"https://evil.example", "null", "http://localhost"}) {
      try (RawConnection connection = new RawConnection(service.uri())) {
        connection.post(PROD + "/assign-workloads", body.length(), "Origin: " + origin).send(body);
        boolean ours = origin.equals("http://localhost");
        assertThat(connection.status()).isEqualTo(ours ? 200 : 403);
        assertThat(service.get(PROD).at("/generation")).isEqualTo(ours ? "2" : "1");
      }
    }
  }

  @Test
  void everyNegativeWeightOfAFleetIsNamed() {
    Answer answer =
        service.put("/fleets/x", "{\"nodes\":[],\"rubric\":{\"cpu\":-1,\"mem\":-2,\"'q'\":-3}}");
    assertThat(answer.at("/errors/0/pointer")).isEqualTo("/rubric/'q'");
    assertThat(answer.at("/errors/1/pointer")).isEqualTo("/rubric/cpu");
    assertThat(answer.at("/errors/2/pointer")).isEqualTo("/rubric/mem");
    assertThat(answer.at("/errors/2/column")).isEqualTo("13");
  }

  @Test
  void aPageOfANamedOriginMaySendEveryHeaderOfACall(@TempDir Path folder) throws IOException {
    ServiceSettings named =
        new ServiceSettings()
            .store(folder.resolve("other.db"))
            .origins(List.of("https://a.example"));
    try (TestService other = TestService.start(named)) {
      for (String header :
          List.of("Idempotency-Key", "If-Match", "Last-Event-ID", "Lighthouse-Final")) {
        try (RawConnection connection = new RawConnection(other.uri())) {
          connection.send(
              "OPTIONS /fleets/prod/assign-workloads HTTP/1.1\r\nHost: localhost\r\n"
                  + "Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n"
                  + "Access-Control-Request-Headers: "
                  + header
                  + "\r\n\r\n");
          assertThat(connection.answer())
              .containsPattern("(?i)Access-Control-Allow-Headers: .*" + header);
        }
      }
    }
  }

  /** Browsers send an origin in lower case. */
  @Test
  void aPageOfAnOriginThatIsNamedInUpperCaseMayChangeFleets(@TempDir Path folder) {
    ServiceSettings named =
        new ServiceSettings()
            .store(folder.resolve("other.db"))
            .origins(List.of("HTTPS://A.Example"));
    try (TestService other = TestService.start(named)) {
      assertThat(other.put(PROD, json(NODES), "Origin", "https://a.example").status())
          .isEqualTo(201);
    }
  }

  @Nested
  class Tokens {
    @Test
    void mayDoWhatTheirLinesSay() throws IOException {
      Path tokens = folder.resolve("tokens");
      Files.writeString(tokens, "all\nlook reader\nput placer pr*\nother admin test\n");
      service.close();
      service = TestService.start(settings().tokens(tokens));
      String[] look = {"Authorization", "Bearer look"};
      String[] placer = {"Authorization", "Bearer put"};
      String[] other = {"Authorization", "Bearer other"};
      assertThat(service.get(PROD).status()).isEqualTo(401);
      assertThat(service.get(PROD, look).status()).isEqualTo(200);
      assertThat(assign("a", 1, look).problem()).isEqualTo("forbidden");
      String batch = json("{'workloads':[{'id':'a','requirements':{'cpu':1}}]}");
      assertThat(service.post(PROD + "/assign-workloads?dry_run=true", batch, look).status())
          .isEqualTo(200);
      assertThat(assign("a", 1, placer).status()).isEqualTo(200);
      assertThat(put(PROD + "/nodes/n3", "{'resources':{}}", placer).problem())
          .isEqualTo("forbidden");
      assertThat(service.get(PROD, other).problem()).isEqualTo("no-such-fleet");
      assertThat(service.get("/fleets/" + "x".repeat(2_000), other).at("/detail"))
          .contains("there is no fleet 'xxx")
          .hasSizeLessThan(300);
      assertThat(service.get("/fleets", other).text()).isEqualTo("{\"fleets\":[]}");
      assertThat(put("/fleets/test", NODES, other).status()).isEqualTo(201);
      assertThat(put("/fleets/new", NODES, "Authorization", "Bearer all").status()).isEqualTo(201);
    }
  }

  @Test
  void aDamagedFleetIsDeletedWithoutItsGenerationAndItsNameIsFree() throws IOException {
    assertThat(put("/fleets/sound", NODES).status()).isEqualTo(201);
    assertThat(assign("damaged", 1).status()).isEqualTo(200);
    service.close();
    Path file = folder.resolve("fleets.db");
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    Files.writeString(
        file, bytes.replace("\"damaged\"", "\"altered\""), StandardCharsets.ISO_8859_1);
    service = TestService.start(settings());

    assertThat(assign("w", 1).problem()).isEqualTo("damaged");
    assertThat(put(PROD, NODES).problem()).isEqualTo("damaged");
    assertThat(service.delete(PROD, "If-Match", "\"0\"").status()).isGreaterThanOrEqualTo(400);
    assertThat(service.get(PROD).problem()).isEqualTo("damaged");
    assertThat(service.delete(PROD, "If-Match", "*").status()).isEqualTo(204);
    assertThat(service.get(PROD).status()).isEqualTo(404);
    assertThat(put(PROD, NODES).status()).isEqualTo(201);
    restart();
    assertThat(assign("w", 1).status()).isEqualTo(200);
    assertThat(service.get("/fleets/sound").status()).isEqualTo(200);
  }

  @Nested
  class Limits {
    @Test
    void ofAFleetAreKept() {
      service.close();
      service =
          TestService.start(
              settings()
                  .content(new ServiceSettings().content().withCounts(3, 2, 100))
                  .limit(ServiceLimit.FLEETS, 1));
      assertThat(put("/fleets/more", NODES).problem()).isEqualTo("too-many-fleets");
      put(PROD + "/nodes/n3", "{'resources':{'cpu':1}}");
      assertThat(put(PROD + "/nodes/n4", "{'resources':{'cpu':1}}").status()).isEqualTo(413);
      assign("a", 1);
      assign("b", 1);
      assertThat(assign("c", 1).status()).isEqualTo(413);
      assertThat(put(PROD + "/workloads/c", "{'requirements':{}}").problem()).isEqualTo("limit");
    }
  }
}
