package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.server.TestService.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan of a live fleet is carried out as it came, and only at its generation. */
class FleetPlansTest extends KeptFleet {
  private static final String NEW = "'workloads':[{'id':'new','requirements':{'cpu':4}}]";

  @BeforeEach
  void fill() {
    put(PROD + "/nodes/n3", "{'resources':{'cpu':5},'domains':{'zone':'a'}}");
    for (String[] placed : new String[][] {{"a", "n1"}, {"b", "n2"}, {"c", "n3"}}) {
      put(PROD + "/workloads/" + placed[0], on(placed[1]));
    }
  }

  private static String on(String node) {
    return "{'requirements':{'cpu':2},'aversion_groups':['g'],'node':'" + node + "'}";
  }

  private Answer plan(String members) {
    Answer plan = post("plan", "{" + members + "}");
    assertThat(plan.status()).as(plan.text()).isEqualTo(200);
    assertThat(plan.at("/generation")).isEqualTo("5");
    assertThat(plan.at("/waves")).isNotEqualTo("[]");
    return plan;
  }

  /** The answer of a plan, with new workloads beside it. */
  private static String with(String workloads, Answer plan) {
    return plan.text().replaceFirst("[{]", "{" + workloads + ",");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'goal':'drain n1'",
        "'goal':{'goal':'evacuate','level':'zone','domain':'a'}",
        "'goal':'evacuate n2','limits':{'max_moves':1}",
        "'goal':'drain n3','limits':{'avoid':['n1']}"
      })
  void isCarriedOutAsItCame(String members) {
    Answer plan = plan(members);
    String moved = plan.at("/waves/0/changes/0/workload");
    assertThat(post("apply-plan?dry_run=true", plan.text()).text())
        .isEqualTo(json("{'generation':5,'dry_run':true}"));
    assertThat(service.get(PROD).at("/generation")).isEqualTo("5");

    Answer applied = post("apply-plan", plan.text(), "If-Match", "\"g5\"");

    assertThat(applied.text()).isEqualTo(json("{'generation':6}"));
    assertThat(applied.header("ETag")).isEqualTo("\"g6\"");
    assertThat(service.get(PROD + "/workloads/" + moved).at("/node"))
        .isEqualTo(plan.at("/waves/0/changes/0/to"));
    String used = service.get(PROD + "/nodes").text();
    assertThat(used.split("\"workloads\":\\[\"", -1).length - 1)
        .isEqualTo(plan.json().at("/after/nodes_in_use").asInt());
    Answer again = post("apply-plan", plan.text());
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.problem()).isEqualTo("stale");
    assertThat(again.at("/detail"))
        .isEqualTo("the plan was made at generation 5, the fleet is at 6");
    assertThat(again.at("/generation")).isEqualTo("6");
    restart();
    assertThat(service.get(PROD + "/nodes").text()).isEqualTo(used);
  }

  @Test
  void changesNothingOnceTheFleetHasMovedOn() {
    Answer plan = plan("'goal':'drain n1'");
    service.delete(PROD + "/workloads/c");
    String before = service.get(PROD + "/problem").text();
    assertThat(post("apply-plan", plan.text()).problem()).isEqualTo("stale");
    assertThat(post("apply-plan?dry_run=true", plan.text()).problem()).isEqualTo("stale");
    assertThat(post("apply-plan", plan.text(), "If-Match", "\"g5\"").problem())
        .isEqualTo("generation");
    assertThat(service.get(PROD + "/problem").text()).isEqualTo(before);
  }

  @Test
  void placesNewWorkloadsThatComeWithIt() {
    Answer plan = plan(NEW + ",'goal':'place'");
    assertThat(plan.text()).contains("{\"workload\":\"new\",\"to\":");
    Answer without = post("apply-plan", plan.text());
    assertThat(without.status()).isEqualTo(422);
    assertThat(without.at("/errors/0/found")).isEqualTo("'new'");
    assertThat(without.at("/errors/0/pointer")).matches("/waves/[0-9]/changes/[0-9]/workload");

    String whole = with(NEW, plan);
    Answer applied = post("apply-plan", whole, "Idempotency-Key", "k");

    assertThat(applied.text()).isEqualTo(json("{'generation':6}"));
    assertThat(service.get(PROD + "/workloads/new").status()).isEqualTo(200);
    Answer again = post("apply-plan", whole, "Idempotency-Key", "k");
    assertThat(again.text()).isEqualTo(applied.text());
    assertThat(again.header("Lighthouse-Replayed")).isEqualTo("true");
    assertThat(service.get(PROD + "/events?after=5", "Accept", "application/jsonl").text())
        .contains("plan-applied", "\"new\"");
    Answer taken = post("apply-plan", whole.replace("\"generation\":5", "\"generation\":6"));
    assertThat(taken.status()).as(taken.text()).isIn(409, 422);
    assertThat(service.get(PROD).at("/generation")).isEqualTo("6");
  }

  @Test
  void thatDoesNotGoUndoesAllOfIt() {
    Answer answer =
        post(
            "apply-plan",
            "{'generation':5,'waves':[{'changes':[{'workload':'a','from':'n1','to':'n2'}]},"
                + "{'changes':[{'workload':'b','from':'n2','to':'n1'},"
                + "{'workload':'new','to':'n1'}]}],"
                + NEW
                + "}");
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.problem()).isEqualTo("move-conflict");
    assertThat(answer.at("/conflicts/0/workload")).isEqualTo("new");
    assertThat(answer.at("/conflicts/0/reasons/0/reason")).isEqualTo("short");
    assertThat(service.get(PROD + "/workloads/a").at("/node")).isEqualTo("n1");
    assertThat(service.get(PROD).at("/generation")).isEqualTo("5");
  }

  @ParameterizedTest
  @CsvSource({"z,n1,n2,'z'", "a,n2,n1,'n2'", "a,n1,n9,'n9'", "a,n9,n2,'n9'", "a,n1,n1,'n1'"})
  void aMoveThatTheFleetDoesNotAllowHasOneAnswerInBothCalls(
      String workload, String from, String to, String named) {
    String move = "{'workload':'%s','from':'%s','to':'%s'}".formatted(workload, from, to);
    Answer applied = post("apply-plan", "{'generation':5,'waves':[{'changes':[" + move + "]}]}");
    assertThat(applied.status()).as(applied.text()).isEqualTo(409);
    assertThat(applied.problem()).isEqualTo("move-conflict");
    assertThat(applied.at("/conflicts/0/workload")).isEqualTo(workload);
    assertThat(applied.at("/conflicts/0/reasons")).isEqualTo("[]");
    assertThat(applied.at("/detail")).contains("'" + named + "'");
    assertThat(post("move-workloads", "{'moves':[" + move + "]}").text()).isEqualTo(applied.text());
    assertThat(service.get(PROD).at("/generation")).isEqualTo("5");
  }

  @Test
  void withoutChangesMakesNoEntry() {
    Answer plan = post("plan", "{'goal':'repair'}");
    assertThat(plan.at("/waves")).isEqualTo("[]");
    assertThat(post("apply-plan", plan.text()).text()).isEqualTo(json("{'generation':5}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | /generation | missing",
        "{'generation':5} | /waves | missing",
        "{'generation':5,'waves':{}} | /waves | an array of waves",
        "{'generation':5,'waves':[[]]} | /waves/0 | an object with changes",
        "{'generation':5,'waves':[{}]} | /waves/0/changes | missing",
        "{'generation':5,'waves':[{'changes':[{'to':'n1'}]}]} | /waves/0/changes/0/workload | missing",
        "{'generation':5,'waves':[{'changes':[{'workload':7,'to':'n1'}]}]} | /waves/0/changes/0/workload | a name",
        "{'generation':'5','waves':[]} | /generation | a whole number",
        "{'generation':5,'waves':[],'moves':[]} | /moves | generation, waves"
      })
  void thatIsNoneIsRefusedWithItsPlace(String body, String pointer, String detail) {
    Answer answer = post("apply-plan", body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
    assertThat(answer.at("/detail")).contains(detail);
    assertThat(service.get(PROD).at("/generation")).isEqualTo("5");
  }

  @Test
  void ofMoreWorkloadsThanTheFleetMayHoldIsRefused() {
    Answer plan = plan(NEW + ",'goal':'place'");
    service.close();
    service =
        TestService.start(
            settings().content(new ServiceSettings().content().withCounts(3, 3, 100)));
    assertThat(post("plan", "{" + NEW + ",'goal':'place'}").problem()).isEqualTo("limit");
    assertThat(post("apply-plan", with(NEW, plan)).problem()).isEqualTo("limit");
  }

  @Nested
  class Cordons {
    private static final String CLOSED = "{'cordoned':true}";
    private static final String OPEN = "{'cordoned':false}";

    @Test
    void ofANodeChangeNothingElseOfIt() {
      String node = PROD + "/nodes/n3";
      String before = service.get(node).text();
      assertThat(put(node + "/cordoned?dry_run=true", CLOSED).at("/cordoned")).isEqualTo("true");
      Answer closed = put(node + "/cordoned", CLOSED);
      assertThat(closed.status()).isEqualTo(200);
      assertThat(closed.text())
          .isEqualTo(
              before
                  .replace("\"cordoned\":false", "\"cordoned\":true")
                  .replace("\"generation\":5", "\"generation\":6"));
      assertThat(put(node + "/cordoned", CLOSED).at("/generation"))
          .as("it is so already")
          .isEqualTo("6");
      assertThat(assign("new", 3).at("/assignments/new")).isEqualTo("n2");
      restart();
      assertThat(service.get(node).at("/cordoned")).isEqualTo("true");
      assertThat(put(node + "/cordoned", OPEN, "If-Match", "\"g6\"").problem())
          .isEqualTo("generation");
      assertThat(put(node + "/cordoned", OPEN, "If-Match", "\"g7\"").at("/cordoned"))
          .isEqualTo("false");
      assertThat(service.get(PROD + "/events?after=5", "Accept", "application/jsonl").text())
          .contains("node-cordoned", "node-opened");
    }

    @Test
    void ofADomainChangeNothingElseOfIt() {
      assertThat(put(ZONE + "/cordoned", CLOSED).problem()).isEqualTo("no-such-domain");
      put(ZONE, "{'resources':{'power':9}}");
      String before = service.get(ZONE).text();
      assertThat(put(ZONE + "/cordoned", CLOSED).text())
          .isEqualTo(before.replace("false", "true").replace(":6}", ":7}"));
      assertThat(put(ZONE + "/cordoned", CLOSED).at("/generation")).isEqualTo("7");
      assertThat(put(ZONE + "/cordoned", OPEN).text()).isEqualTo(before.replace(":6}", ":8}"));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "{} | missing",
          "{'cordoned':'yes'} | true or false",
          "[] | an object with cordoned",
          "{'cordoned':true,'resources':{}} | an unknown field"
        })
    void needTheWordAlone(String body, String detail) {
      Answer answer = put(PROD + "/nodes/n3/cordoned", body);
      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.at("/detail")).contains(detail);
      assertThat(put(PROD + "/nodes/n9/cordoned", CLOSED).problem()).isEqualTo("no-such-node");
      assertThat(service.get(PROD + "/nodes/n3/cordoned").status()).isEqualTo(405);
    }
  }

  @Nested
  class Tokens {
    @Test
    void ofAnAdministratorAreNeeded() throws IOException {
      Path tokens = Files.writeString(folder.resolve("t"), "a admin\np placer\nr reader\n");
      service.close();
      service = TestService.start(settings().tokens(tokens));
      String plan = "{\"generation\":5,\"waves\":[]}";
      String[] placer = {"Authorization", "Bearer p"};
      String[] reader = {"Authorization", "Bearer r"};
      String[] admin = {"Authorization", "Bearer a"};
      String node = PROD + "/nodes/n1/cordoned";
      assertThat(post("apply-plan", plan, placer).problem()).isEqualTo("forbidden");
      assertThat(post("apply-plan?dry_run=true", plan, reader).status()).isEqualTo(200);
      assertThat(post("apply-plan", plan, admin).status()).isEqualTo(200);
      assertThat(put(node, "{'cordoned':true}", placer).problem()).isEqualTo("forbidden");
      assertThat(put(node, "{'cordoned':true}", admin).status()).isEqualTo(200);
      assertThat(post("plan", "{'goal':'repair'}", placer).status()).isEqualTo(200);
    }
  }
}
