package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.server.TestService.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calls on fleets that live in the service. Every answer is also held against the OpenAPI. */
class FleetCallsTest extends KeptFleet {
  @Test
  void aLifeOfAFleetIsAsTheDocumentHasIt() {
    Answer created = service.get(PROD);
    assertThat(created.text())
        .isEqualTo(
            json(
                "{'fleet':'prod','strategy':'bin-pack','nodes':2,'workloads':0,'cordoned':0,"
                    + "'capacity':{'cpu':10},'left':{'cpu':10},'generation':1}"));
    assertThat(created.header("ETag")).isEqualTo("\"g1\"");
    Answer node = put(PROD + "/nodes/n3", "{'resources':{'cpu':8}}");
    assertThat(node.status()).isEqualTo(201);
    assertThat(node.text())
        .isEqualTo(
            json(
                "{'id':'n3','capacity':{'cpu':8},'left':{'cpu':8},'cordoned':false,"
                    + "'workloads':[],'generation':2}"));
    assertThat(assign("vm-1", 2).text())
        .isEqualTo(json("{'successful':true,'assignments':{'vm-1':'n1'},'generation':3}"));
    assertThat(service.get(PROD + "/workloads/vm-1").text())
        .isEqualTo(json("{'workload':'vm-1','node':'n1','requirements':{'cpu':2},'generation':3}"));
    assertThat(post("release-workloads", "{'workloads':['vm-1']}").text())
        .isEqualTo(json("{'released':['vm-1'],'generation':4}"));
    assertThat(service.get("/fleets").text())
        .isEqualTo(json("{'fleets':[{'fleet':'prod','generation':4,'nodes':3,'workloads':0}]}"));
    assertThat(service.delete(PROD, "If-Match", "\"g4\"").status()).isEqualTo(204);
    assertThat(service.get(PROD).problem()).isEqualTo("no-such-fleet");
  }

  @Test
  void aDecisionIsOnRecordAsThatOfAProblemIs() {
    assign("vm-1", 2);
    String batch =
        "{'workloads':[{'id':'a','requirements':{'cpu':3}},{'id':'b','requirements':{}}]}";
    String fleet = service.get(PROD + "/problem").text();
    String stateless = fleet.replace("\"workloads\":[]", json(batch).replaceAll("^.|.$", ""));
    assertThat(stateless).contains("\"a\"");
    Answer wanted = service.post("/assign-workloads?hash=true", stateless);
    Answer tried = post("assign-workloads?dry_run=true&hash=true", batch);
    assertThat(tried.at("/decision")).matches("[0-9a-f]{64}").isEqualTo(wanted.at("/decision"));
    assertThat(tried.json().has("record")).isFalse();
    assertThat(tried.header("Lighthouse-Decision")).isEqualTo(tried.at("/decision"));
    Answer done = post("try-assign-workloads?record=true", batch, "Idempotency-Key", "k");
    assertThat(done.at("/record/decision")).isEqualTo(done.at("/decision"));
    assertThat(done.at("/record/problem/workloads/0/name")).isEqualTo("a");
    assertThat(done.at("/record/problem/nodes/0/workloads/0/name")).isEqualTo("vm-1");
    assertThat(done.at("/decision")).as("other options").isNotEqualTo(wanted.at("/decision"));
    assertThat(done.header("Lighthouse-Decision")).isEqualTo(done.at("/decision"));
    Answer again = post("try-assign-workloads?record=true", batch, "Idempotency-Key", "k");
    assertThat(again.text()).isEqualTo(done.text());
    assertThat(again.header("Lighthouse-Decision")).isEqualTo(done.at("/decision"));
    String misleading = "{'workloads':[{'id':'decision','requirements':{}}]}";
    assertThat(post("assign-workloads?dry_run=true", misleading).header("Lighthouse-Decision"))
        .isEmpty();
    Answer named = post("assign-workloads?dry_run=true&hash=true", misleading);
    assertThat(named.header("Lighthouse-Decision")).isEqualTo(named.at("/decision"));
    assertThat(post("assign-workloads?record=yes", batch).at("/detail")).contains("?record=true");
    assertThat(post("assign-workloads?hash=", batch).status()).isEqualTo(400);
  }

  /** In one process nothing is newer than what it knows. */
  @Test
  void aQuestionMayBeAnsweredAsTheServiceKnowsTheFleet() {
    assign("vm-1", 2);
    for (String path :
        new String[] {
          "/fleets",
          PROD,
          PROD + "/problem",
          PROD + "/nodes",
          PROD + "/nodes/n1",
          PROD + "/workloads/vm-1"
        }) {
      assertThat(service.get(path + "?stale=true").text()).isEqualTo(service.get(path).text());
      assertThat(service.get(path + "?stale=false").status()).isEqualTo(200);
      assertThat(service.get(path + "?stale=perhaps").at("/detail")).contains("?stale=true");
    }
  }

  @Test
  void domainsAreDeclaredResizedCordonedAndTakenAway() {
    put(PROD + "/nodes/n3", "{'resources':{'cpu':8},'domains':{'zone':'a'}}");
    assertThat(service.get(ZONE).problem()).isEqualTo("no-such-domain");
    Answer declared = put(ZONE, "{'resources':{'power':9}}");
    assertThat(declared.status()).isEqualTo(201);
    assertThat(declared.text())
        .isEqualTo(
            json(
                "{'level':'zone','id':'a','capacity':{'power':9},'left':{'power':9},"
                    + "'cordoned':false,'generation':3}"));
    String sharing =
        "{'workloads':[{'id':'s','requirements':{'cpu':1},'shared':{'zone':{'power':4}}}]}";
    assertThat(post("assign-workloads", sharing).text()).contains("{\"s\":\"n3\"}");
    assertThat(service.get(ZONE).at("/left/power")).isEqualTo("5");
    assertThat(put(ZONE, "{'resources':{'power':6},'cordoned':true}").text())
        .contains("\"left\":{\"power\":2}", "\"cordoned\":true", "\"generation\":5");
    assertThat(put(ZONE, "{'resources':{'power':6},'cordoned':true}").at("/generation"))
        .as("it is so already")
        .isEqualTo("5");
    assertThat(service.delete(ZONE).problem()).isEqualTo("in-use");
    assertThat(put(ZONE + "?dry_run=true", "{'resources':{'power':8}}").at("/left/power"))
        .isEqualTo("4");
    String before = service.get(PROD + "/problem").text();
    restart();
    assertThat(service.get(PROD + "/problem").text()).isEqualTo(before).contains("\"power\":2");
    post("release-workloads", "{'workloads':['s']}");
    assertThat(service.delete(ZONE).status()).isEqualTo(204);
    assertThat(service.delete(ZONE).problem()).isEqualTo("no-such-domain");
    restart();
    assertThat(service.get(ZONE).problem()).isEqualTo("no-such-domain");
  }

  @Test
  void aPlacedWorkloadGetsOtherGroups() {
    assign("vm-1", 2);
    String groups = PROD + "/workloads/vm-1/groups";
    assertThat(put(groups, "{'groups':['web','db']}").text())
        .isEqualTo(json("{'workload':'vm-1','groups':['db','web'],'generation':3}"));
    assertThat(put(groups, "{'groups':['db','web']}").at("/generation")).isEqualTo("3");
    restart();
    assertThat(service.get(PROD + "/problem").text()).contains("\"db\"", "\"web\"");
    assertThat(put(PROD + "/workloads/none/groups", "{'groups':[]}").problem())
        .isEqualTo("not-placed");
  }

  @Test
  void whatWasAnsweredIsThereAfterARestart() {
    assign("vm-1", 2);
    post("try-assign-workloads", "{'workloads':[{'id':'vm-2','requirements':{'cpu':3}}]}");
    put(PROD + "/nodes/n2", "{'resources':{'cpu':9},'cordoned':true}");
    Answer before = service.get(PROD + "/problem");
    restart();
    Answer after = service.get(PROD + "/problem");
    assertThat(after.text()).isEqualTo(before.text()).contains("vm-1", "vm-2", "cordoned");
    assertThat(after.header("ETag")).isEqualTo("\"g4\"");
  }

  @Test
  void anExportIsAnImport() {
    assign("vm-1", 2);
    String whole = service.get(PROD + "/problem").text();
    assertThat(service.put("/fleets/other", whole).status()).isEqualTo(201);
    assertThat(service.get("/fleets/other/problem").text()).isEqualTo(whole);
    assertThat(service.put("/fleets/other", whole).status()).isEqualTo(200);
    assertThat(put("/fleets/other", NODES).problem()).isEqualTo("exists");
  }

  @Nested
  class Keys {
    private static final String BIG = "{'workloads':[{'id':'big','requirements':{'cpu':7}}]}";
    private final String[] key = {"Idempotency-Key", "5f1c"};

    @Test
    void aCallThatComesAgainHasTheSameBytesAndOneEffect() {
      Answer first = assign("vm-1", 2, key);
      Answer again = assign("vm-1", 2, key);
      assertThat(again.bytes()).isEqualTo(first.bytes());
      assertThat(first.header("Lighthouse-Replayed")).isEmpty();
      assertThat(again.header("Lighthouse-Replayed")).isEqualTo("true");
      restart();
      assertThat(assign("vm-1", 2, key).bytes()).isEqualTo(first.bytes());
      assertThat(service.get(PROD).at("/workloads")).isEqualTo("1");
    }

    @Test
    void anotherCallWithTheSameKeyIsRefused() {
      assign("vm-1", 2, key);
      Answer other = assign("vm-1", 3, key);
      assertThat(other.status()).isEqualTo(422);
      assertThat(other.problem()).isEqualTo("key-reused");
      assertThat(other.at("/generation")).isEqualTo("2");
    }

    @Test
    void aNoIsDecidedAnew() {
      assertThat(assign("big", 7, key).at("/successful")).isEqualTo("false");
      put(PROD + "/nodes/n3", "{'resources':{'cpu':8}}");
      assertThat(assign("big", 7, key).at("/successful")).isEqualTo("true");
    }

    @Test
    void aFinalNoStandsForItsKey() {
      String[] last = {"Idempotency-Key", "5f1c", "Lighthouse-Final", "true"};
      assertThat(post("assign-workloads?dry_run=true", BIG, last).at("/generation")).isEqualTo("1");
      Answer no = post("assign-workloads", BIG, last);
      assertThat(no.text()).isEqualTo(json("{'successful':false,'assignments':{},'generation':2}"));
      put(PROD + "/nodes/n3", "{'resources':{'cpu':8}}");
      Answer late = post("assign-workloads", BIG, key);
      assertThat(late.bytes()).isEqualTo(no.bytes());
      assertThat(late.header("Lighthouse-Replayed")).isEqualTo("true");
      restart();
      assertThat(post("assign-workloads", BIG, key).bytes()).isEqualTo(no.bytes());
      assertThat(service.get(PROD).at("/workloads")).isEqualTo("0");
      assertThat(service.get(PROD + "/events", "Accept", "application/jsonl").text())
          .contains("{\"generation\":2,", "\"kind\":\"unchanged\"}");
    }

    @Test
    void aFinalYesIsOneLikeOthers() {
      String[] last = {"Idempotency-Key", "5f1c", "Lighthouse-Final", "true"};
      Answer first = assign("vm-1", 2, key);
      assertThat(assign("vm-1", 2, last).bytes()).isEqualTo(first.bytes());
      assertThat(service.get(PROD).at("/generation")).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource({
      "Idempotency-Key, a b",
      "Idempotency-Key, ''",
      "If-Match, ''",
      "Lighthouse-Final, yes",
      "Lighthouse-Final, ''",
      "Lighthouse-Final, true"
    })
    void aHeaderThatIsNoneIsRefused(String name, String value) {
      Answer answer = assign("vm-1", 2, name, value);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.problem()).isEqualTo("header");
      assertThat(answer.at("/detail")).startsWith(name + " is '" + value + "'");
    }
  }

  @Nested
  class DryRuns {
    @Test
    void answerAsIfAndChangeNothing() {
      Answer answer =
          post(
              "try-assign-workloads?dry_run=true",
              "{'workloads':[{'id':'a','requirements':{'cpu':2}},"
                  + "{'id':'big','requirements':{'cpu':99}}],'explain':true}");
      assertThat(answer.at("/assignments")).isEqualTo("{\"a\":\"n1\"}");
      assertThat(answer.at("/refusals/0/workload")).isEqualTo("big");
      assertThat(answer.at("/dry_run")).isEqualTo("true");
      assertThat(answer.at("/generation")).isEqualTo("1");
      assertThat(put("/fleets/x?dry_run=true", NODES).status()).isEqualTo(201);
      assertThat(service.delete(PROD + "?dry_run=true").status()).isEqualTo(204);
      assertThat(service.delete(PROD + "/nodes/n1?dry_run=true").status()).isEqualTo(204);
      assertThat(service.get("/fleets").text())
          .isEqualTo(json("{'fleets':[{'fleet':'prod','generation':1,'nodes':2,'workloads':0}]}"));
    }
  }

  @Test
  void aDeletionIsRepeatedWithoutAnEffectOnALaterFleet() {
    String[] deletion = {"If-Match", "\"g1\"", "Idempotency-Key", "k1"};
    Answer first = service.delete(PROD, deletion);
    assertThat(first.status()).isEqualTo(204);
    assertThat(first.header("Lighthouse-Replayed")).isEmpty();
    for (int life = 2; life < 4; life++) {
      Answer again = service.delete(PROD, deletion);
      assertThat(again.status()).isEqualTo(204);
      assertThat(again.header("Lighthouse-Replayed")).isEqualTo("true");
      assertThat(again.header("ETag")).isEqualTo(first.header("ETag")).isEqualTo("\"g2\"");
      assertThat(put(PROD, NODES).status()).isEqualTo(life == 2 ? 201 : 200);
      restart();
    }
    assertThat(service.get(PROD).status()).isEqualTo(200);
  }

  @Test
  void eachFleetOfANameHasTagsOfItsOwn() {
    assertThat(service.get(PROD).header("ETag")).isEqualTo("\"g1\"");
    assertThat(service.delete(PROD, "If-Match", "\"g1\"").status()).isEqualTo(204);
    assertThat(put(PROD, NODES).header("ETag")).isEqualTo("\"g1.2\"");
    for (String path : List.of(PROD, PROD + "/problem", PROD + "/nodes/n1", PROD + "/picture")) {
      assertThat(service.get(path, "If-None-Match", "\"g1\"").status()).isEqualTo(200);
      assertThat(service.get(path).header("ETag")).isEqualTo("\"g1.2\"");
      assertThat(service.get(path, "If-None-Match", "\"g1.2\"").status()).isIn(200, 304);
    }
    assertThat(service.get(PROD, "If-None-Match", "\"g1.2\"").status()).isEqualTo(304);
    Answer refused = assign("w", 1, "If-Match", "\"g1\"");
    assertThat(refused.status()).isEqualTo(412);
    assertThat(refused.header("ETag")).isEqualTo("\"g1.2\"");
    restart();
    assertThat(assign("w", 1, "If-Match", "\"g1.2\"").header("ETag")).isEqualTo("\"g2.2\"");
    assertThat(service.get(PROD + "/events", "Accept", "application/jsonl").header("ETag"))
        .isEqualTo("\"g2.2\"");
    for (String tag : List.of("g2", "g2.1", "g1.2")) {
      assertThat(service.delete(PROD, "If-Match", "\"" + tag + "\"").status()).isEqualTo(412);
    }
    assertThat(service.delete(PROD, "If-Match", "\"g2.2\"").status()).isEqualTo(204);
    // A fleet of another name is the first one of it, whatever its number.
    assertThat(put("/fleets/other", NODES).header("ETag")).isEqualTo("\"g1\"");
    assertThat(put(PROD, NODES).header("ETag")).isEqualTo("\"g1.4\"");
  }

  @Test
  void aPreconditionIsKept() {
    assertThat(assign("vm-1", 2, "If-Match", "\"g7\"").problem()).isEqualTo("generation");
    assertThat(assign("vm-1", 2, "If-Match", "\"g1\"").status()).isEqualTo(200);
    assertThat(assign("vm-2", 2, "If-Match", "*").status()).isEqualTo(200);
    assertThat(service.get(PROD, "If-None-Match", "\"g3\"").status()).isEqualTo(304);
    assertThat(service.get(PROD, "If-None-Match", "\"g2\"").status()).isEqualTo(200);
    assertThat(service.get(PROD, "If-None-Match", "\"g2\", W/\"g3\"").status()).isEqualTo(304);
    assertThat(service.get(PROD, "If-None-Match", "*").status()).isEqualTo(304);
    assertThat(service.get(PROD, "If-None-Match", "\"a, *, b\"").status()).isEqualTo(200);
    assertThat(service.get(PROD, "If-None-Match", "\"g2\" ,, W/\"g3\"").status()).isEqualTo(304);
    assertThat(service.get(PROD + "/workloads/no", "If-None-Match", "*").status()).isEqualTo(404);
    assertThat(service.get(PROD, "If-Match", "W/\"g3\"").status()).isEqualTo(400);
    assertThat(service.get(PROD + "/problem", "If-Match", "\"g2\"").status()).isEqualTo(412);
    assertThat(service.delete(PROD).problem()).isEqualTo("precondition-required");
  }

  /** Clients that accept gzip get tags with a suffix, which mean the same. */
  @Test
  void aTagOfACompressedAnswerIsOneOfTheFleet() throws IOException {
    String[] gzip = {"Accept-Encoding", "gzip"};
    String tag = service.get(PROD, gzip).header("ETag");
    assertThat(tag)
        .isEqualTo("\"g1--gzip\"")
        .matches(
            OpenApi.document()
                .at("/paths/~1fleets~1{fleet}/get/responses/200/headers/ETag/schema/pattern")
                .asText());
    for (String known : List.of("\"g1\"", tag, "W/" + tag, "\"g9\", " + tag, "*")) {
      for (String method : List.of("GET", "HEAD")) {
        String request =
            method
                + " /fleets/prod HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
                + "If-None-Match: "
                + known
                + "\r\n\r\n";
        try (RawConnection connection = new RawConnection(service.uri())) {
          for (int i = 0; i < 2; i++) {
            assertThat(connection.send(request).answer())
                .as("%s %s, time %s", method, known, i)
                .startsWith("HTTP/1.1 304 ")
                .doesNotContainIgnoringCase("Content-Length", "Transfer-Encoding")
                .contains("\r\nETag: " + (method.equals("GET") ? tag : "\"g1\"") + "\r\n");
          }
        }
      }
    }
    assertThat(assign("vm-1", 1, "If-Match", tag).status()).isEqualTo(200);
    assertThat(assign("vm-2", 1, "If-Match", tag).status()).isEqualTo(412);
  }

  @Nested
  class Plans {
    @Test
    void goBackAsTheyCame() {
      assign("vm-1", 2);
      Answer plan = post("plan-drain", "{'nodes':['n1']}");
      assertThat(plan.text())
          .isEqualTo(
              json(
                  "{'cordon':['n1'],'moves':[{'workload':'vm-1','from':'n1','to':'n2'}],"
                      + "'stuck':[],'generation':2}"));
      Answer moved = post("move-workloads", plan.text());
      assertThat(moved.text()).isEqualTo(json("{'generation':3}"));
      assertThat(service.get(PROD + "/nodes/n1").at("/cordoned")).isEqualTo("true");
      assertThat(service.delete(PROD + "/nodes/n1").status()).isEqualTo(204);
      assertThat(post("move-workloads", plan.text()).problem()).isEqualTo("stale");
    }

    @Test
    void aMoveThatDoesNotGoUndoesTheOthers() {
      assign("vm-1", 2);
      Answer answer =
          post(
              "move-workloads",
              "{'moves':[{'workload':'vm-1','from':'n1','to':'n2'},"
                  + "{'workload':'vm-1','from':'n1','to':'n2'}]}");
      assertThat(answer.status()).isEqualTo(409);
      assertThat(answer.problem()).isEqualTo("move-conflict");
      assertThat(answer.at("/conflicts/0/workload")).isEqualTo("vm-1");
      assertThat(service.get(PROD + "/workloads/vm-1").at("/node")).isEqualTo("n1");
    }

    @Test
    void aMoveThatDoesNotFitNamesTheReasonInWords() {
      put(PROD + "/workloads/w", "{'requirements':{'cpu':6},'node':'n2'}");
      put(PROD + "/workloads/vm-1", "{'requirements':{'cpu':4},'node':'n1'}");
      Answer answer =
          post("move-workloads", "{'moves':[{'workload':'vm-1','from':'n1','to':'n2'}]}");
      assertThat(answer.at("/detail"))
          .isEqualTo(
              "change 1 of 1 (move 'vm-1' from 'n1' to 'n2'): workload 'vm-1': to is 'n2', which it"
                  + " does not fit (short cpu); allowed: a node that it fits");
      assertThat(answer.at("/conflicts/0/reasons/0/reason")).isEqualTo("short");
    }
  }

  @Nested
  class Workloads {
    private static final String ONE = "{'requirements':{'cpu':2}}";

    @Test
    void comeOnceHoweverOftenTheyArePut() {
      assertThat(put(PROD + "/workloads/w", ONE).status()).isEqualTo(201);
      assertThat(put(PROD + "/workloads/w", ONE).status()).isEqualTo(200);
      Answer other = put(PROD + "/workloads/w", "{'requirements':{'cpu':3}}");
      assertThat(other.problem()).isEqualTo("placed-otherwise");
      assertThat(service.delete(PROD + "/workloads/w").status()).isEqualTo(204);
      assertThat(service.delete(PROD + "/workloads/w").problem()).isEqualTo("not-placed");
    }

    @Test
    void areTakenInWhereTheyRun() {
      Answer there = put(PROD + "/workloads/w", "{'requirements':{'cpu':2},'node':'n2'}");
      assertThat(there.at("/node")).isEqualTo("n2");
      assertThat(put(PROD + "/workloads/v", "{'requirements':{'cpu':9},'node':'n2'}").problem())
          .isEqualTo("no-room");
      assertThat(put(PROD + "/workloads/v", "{'requirements':{'cpu':9}}").at("/refusal/nodes"))
          .isEqualTo("2");
      assertThat(put(PROD + "/workloads/v", "{'requirements':{'cpu':1},'node':'x'}").problem())
          .isEqualTo("no-such-node");
    }

    @Test
    void ofABatchAreReleasedAllOrNone() {
      assign("a", 1);
      Answer answer = post("release-workloads", "{'workloads':['a','b']}");
      assertThat(answer.status()).isEqualTo(409);
      assertThat(answer.problem()).isEqualTo("not-placed");
      assertThat(service.get(PROD).at("/workloads")).isEqualTo("1");
    }
  }

  @Test
  void aNodeIsResizedAndKeptWhileItHoldsSomebody() {
    assign("vm-1", 2);
    assertThat(put(PROD + "/nodes/n1", "{'resources':{'cpu':5}}").at("/left/cpu")).isEqualTo("3");
    assertThat(put(PROD + "/nodes/n1", "{'resources':{'cpu':5}}").at("/generation")).isEqualTo("3");
    assertThat(service.delete(PROD + "/nodes/n1").problem()).isEqualTo("not-empty");
    assertThat(put(PROD + "/nodes/n1", "{'resources':{'cpu':5},'domains':{'zone':'a'}}").problem())
        .isEqualTo("stands-otherwise");
    assertThat(service.get(PROD + "/nodes/x").problem()).isEqualTo("no-such-node");
  }

  @Test
  void nodesAndDomainsShowTheirUnits() {
    String capacity = "{'resources':{'cpu':{'total':8,'min':1,'max':4},'mem':{'total':2}}}";
    String units = json("'left':{'cpu':8,'mem':2},'units':{'cpu':{'min':1,'max':4}},'cordoned'");
    assertThat(put(PROD + "/nodes/n3", capacity).text()).contains(units);
    assertThat(service.get(PROD + "/nodes/n3").text()).contains(units);
    assertThat(service.get(PROD + "/nodes").text()).containsOnlyOnce("units").contains(units);
    assertThat(put(ZONE, capacity).text()).contains(units);
    assertThat(service.get(ZONE).text()).contains(units);
  }

  @Test
  void pagesFollowOneAnother() {
    for (int i = 3; i < 8; i++) {
      put(PROD + "/nodes/n" + i, "{'resources':{'cpu':1}}");
    }
    Answer first = service.get(PROD + "/nodes?limit=3");
    Answer second = service.get(PROD + "/nodes?limit=3&after=" + first.at("/next"));
    assertThat(second.at("/nodes/0/id")).isEqualTo("n4");
    assertThat(second.at("/changed")).isEmpty();
    assign("vm", 1);
    Answer third = service.get(PROD + "/nodes?limit=3&after=" + second.at("/next"));
    assertThat(third.at("/nodes/0/id")).isEqualTo("n7");
    assertThat(third.at("/next")).isEmpty();
    assertThat(third.at("/changed")).isEqualTo("true");
    put("/fleets/a", NODES);
    Answer fleets = service.get("/fleets?limit=1");
    assertThat(fleets.at("/fleets/0/fleet")).isEqualTo("a");
    assertThat(service.get("/fleets?limit=1&after=" + fleets.at("/next")).at("/fleets/0/fleet"))
        .isEqualTo("prod");
  }

  @Test
  void namesMayBeAnythingThatAPathCanCarry() {
    put(PROD + "/nodes/r%C3%A4ck%201+x", "{'resources':{'cpu':1}}");
    assertThat(service.get(PROD + "/nodes/r%C3%A4ck%201+x").at("/id")).isEqualTo("räck 1+x");
    assertThat(service.get(PROD + "/nodes/%ff").status()).isIn(400, 404);
    put(PROD + "/nodes/%EF%BF%BD", "{'resources':{'cpu':1}}");
    assertThat(service.get(PROD + "/nodes/%EF%BF%BD").at("/id")).isEqualTo("\ufffd");
  }

  @Test
  void metricsTellOfTurns() {
    assign("vm-1", 1, "Idempotency-Key", "k");
    assign("vm-1", 1, "Idempotency-Key", "k");
    assign("vm-2", 1, "If-Match", "\"g9\"");
    assertThat(service.metricsWith("lighthouse_fleet_conflicts_total 1.0"))
        .contains("lighthouse_fleet_replays_total 1.0", "lighthouse_fleet_entries_total 1.0")
        .contains("lighthouse_fleets 1.0", "route=\"/fleets/{fleet}/assign-workloads\"");
  }
}
