package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.server.TestService.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calls on fleets that live in the service. Every answer is also held against the OpenAPI. */
class FleetCallsTest {
  private static final String PROD = "/fleets/prod";
  private static final String NODES =
      "{'strategy':'BinPack','rubric':{'cpu':1,'mem':0.5},"
          + "'nodes':[{'id':'n1','resources':{'cpu':4}},{'id':'n2','resources':{'cpu':6}}]}";

  @TempDir private Path folder;
  private TestService service;

  @BeforeEach
  void start() {
    service = TestService.start(settings());
    assertThat(put(PROD, NODES).status()).isEqualTo(201);
  }

  private ServiceSettings settings() {
    return new ServiceSettings().store(folder.resolve("fleets.db"));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private Answer put(String path, String body, String... headers) {
    return service.put(path, json(body), headers);
  }

  private Answer post(String call, String body, String... headers) {
    return service.post(PROD + "/" + call, json(body), headers);
  }

  private Answer assign(String name, int cpu, String... headers) {
    return post(
        "assign-workloads",
        "{'workloads':[{'id':'" + name + "','requirements':{'cpu':" + cpu + "}}]}",
        headers);
  }

  private void restart() {
    service.close();
    service = TestService.start(settings());
  }

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
    assertThat(post("assign-workloads?hash=", batch).status()).isEqualTo(422);
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

  private static final String ZONE = PROD + "/domains/zone/a";

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
  void whatIsWrongWithDomainsAndGroupsIsSaid() {
    assertThat(put(ZONE, "{}").at("/pointer")).isEqualTo("/resources");
    assertThat(put(ZONE, "{'level':'x','resources':{}}").at("/pointer")).isEqualTo("/level");
    assertThat(put(ZONE, "{'resources':{'power':-1e99}}").status()).isEqualTo(422);
    assertThat(put(PROD + "/domains/node/a", "{'resources':{}}").status()).isEqualTo(422);
    assertThat(put(PROD + "/domains/fleet/a", "{'resources':{}}").status()).isEqualTo(422);
    assertThat(put(ZONE, "{'resources':{'power':{'total':8,'max':2}}}").status()).isEqualTo(201);
    assertThat(put(ZONE, "{'resources':{'power':8}}").problem()).isEqualTo("stands-otherwise");
    assertThat(put(PROD + "/workloads/w/groups", "{'groups':[7]}").at("/pointer"))
        .isEqualTo("/groups/0");
    assertThat(put(PROD + "/workloads/w/groups", "{}").at("/pointer")).isEqualTo("/groups");
    assertThat(service.get(PROD).at("/generation")).isEqualTo("2");
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
    @CsvSource({"Idempotency-Key, a b", "Lighthouse-Final, yes", "Lighthouse-Final, true"})
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
  void aPreconditionIsKept() {
    assertThat(assign("vm-1", 2, "If-Match", "\"g7\"").problem()).isEqualTo("generation");
    assertThat(assign("vm-1", 2, "If-Match", "\"g1\"").status()).isEqualTo(200);
    assertThat(assign("vm-2", 2, "If-Match", "*").status()).isEqualTo(200);
    assertThat(service.get(PROD, "If-None-Match", "\"g3\"").status()).isEqualTo(304);
    assertThat(service.get(PROD, "If-None-Match", "\"g2\"").status()).isEqualTo(200);
    assertThat(service.delete(PROD).problem()).isEqualTo("precondition-required");
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
  void aNameThatIsTakenIsRefusedWithItsPlace() {
    assign("vm-1", 2);
    Answer again = assign("vm-1", 2);
    assertThat(again.status()).isEqualTo(422);
    assertThat(again.at("/pointer")).isEqualTo("/workloads/0/name");
  }

  @ParameterizedTest
  @CsvSource({"limit=0", "limit=1001", "limit=x", "after=x", "dry_run=yes"})
  void aParameterThatIsNoneIsRefused(String query) {
    assertThat(service.get(PROD + "/nodes?" + query).status()).isEqualTo(422);
  }

  @Test
  void methodsThatAreNotThereAreNamed() {
    Answer answer = service.post(PROD, "{}");
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("Allow")).isEqualTo("GET, HEAD, PUT, DELETE, OPTIONS");
    assertThat(service.get(PROD + "/nothing").problem()).isEqualTo("not-found");
  }

  @Test
  void namesMayBeAnythingThatAPathCanCarry() {
    put(PROD + "/nodes/r%C3%A4ck%201+x", "{'resources':{'cpu':1}}");
    assertThat(service.get(PROD + "/nodes/r%C3%A4ck%201+x").at("/id")).isEqualTo("räck 1+x");
    assertThat(service.get(PROD + "/nodes/%ff").status()).isIn(400, 404);
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
  void metricsTellOfTurns() {
    assign("vm-1", 1, "Idempotency-Key", "k");
    assign("vm-1", 1, "Idempotency-Key", "k");
    assign("vm-2", 1, "If-Match", "\"g9\"");
    assertThat(service.metricsWith("lighthouse_fleet_conflicts_total 1.0"))
        .contains("lighthouse_fleet_replays_total 1.0", "lighthouse_fleet_entries_total 1.0")
        .contains("lighthouse_fleets 1.0", "route=\"/fleets/{fleet}/assign-workloads\"");
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
    for (String origin : new String[] {"https://evil.example", "null", "http://test"}) {
      try (RawConnection connection = new RawConnection(service.uri())) {
        connection.post(PROD + "/assign-workloads", body.length(), "Origin: " + origin).send(body);
        boolean ours = origin.equals("http://test");
        assertThat(connection.status()).isEqualTo(ours ? 200 : 403);
        assertThat(service.get(PROD).at("/generation")).isEqualTo(ours ? "2" : "1");
      }
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
      assertThat(service.get("/fleets", other).text()).isEqualTo("{\"fleets\":[]}");
      assertThat(put("/fleets/test", NODES, other).status()).isEqualTo(201);
      assertThat(put("/fleets/new", NODES, "Authorization", "Bearer all").status()).isEqualTo(201);
    }
  }

  @Nested
  class Limits {
    @Test
    void ofAFleetAreKept() {
      service.close();
      service =
          TestService.start(
              settings()
                  .content(ServiceSettings.DEFAULT_CONTENT.withCounts(3, 2, 100))
                  .maxFleets(1));
      assertThat(put("/fleets/more", NODES).problem()).isEqualTo("too-many-fleets");
      put(PROD + "/nodes/n3", "{'resources':{'cpu':1}}");
      assertThat(put(PROD + "/nodes/n4", "{'resources':{'cpu':1}}").status()).isEqualTo(413);
      assign("a", 1);
      assign("b", 1);
      assertThat(assign("c", 1).status()).isEqualTo(413);
      assertThat(put(PROD + "/workloads/c", "{'requirements':{}}").problem()).isEqualTo("limit");
    }
  }

  @Nested
  class Events {
    private String stream(String query, String... headers)
        throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(service.uri().resolve(PROD + "/events" + query));
      if (headers.length > 0) {
        request.headers(headers);
      }
      HttpResponse<InputStream> answer =
          HttpClient.newHttpClient()
              .send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream in = answer.body()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }

    @Test
    void areEveryEntryOnceInOrderAsLines() throws IOException, InterruptedException {
      assign("vm-1", 2);
      post("release-workloads", "{'workloads':['vm-1']}");
      String text = stream("?after=1", "Accept", "application/jsonl");
      assertThat(text.lines()).hasSize(2);
      assertThat(text)
          .startsWith("{\"generation\":2,\"at\":\"20")
          .contains(
              json(
                  "'kind':'placed','changes':[{'change':'assign','assigned':{'name':'vm-1',"
                      + "'requirements':{'cpu':2}},'node':'n1'}]}"))
          .contains(json("'changes':[{'change':'release','workload':'vm-1'}]}"));
    }

    @Test
    void followTheFleetToItsEnd() throws Exception {
      Thread later =
          new Thread(
              () -> {
                assign("vm-1", 2);
                assign("vm-2", 2);
                service.delete(PROD, "If-Match", "*");
              });
      later.start();
      String text = stream("", "Last-Event-ID", "1");
      later.join();
      assertThat(text.lines().filter(line -> line.startsWith("id: ")))
          .containsExactly("id: 2", "id: 3", "id: 4");
      assertThat(text).contains("event: placed\n", "event: deleted\n");
    }

    @Test
    void endWhenTheServiceStops() throws Exception {
      Thread later =
          new Thread(
              () -> {
                while (!service.get("/metrics").text().contains("lighthouse_fleet_followers 1.0")) {
                  Thread.onSpinWait();
                }
                service.close();
              });
      later.start();
      assertThat(stream("?after=1")).startsWith(": at 1");
      later.join();
    }

    @Test
    void thatAreNotThereAreRefusedBeforeTheStreamBegins() {
      assertThat(service.get(PROD + "/events?after=9").problem()).isEqualTo("stale");
      assertThat(service.get(PROD + "/events?after=x").problem()).isEqualTo("header");
      assertThat(service.get("/fleets/nope/events").problem()).isEqualTo("no-such-fleet");
    }
  }
}
