package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.server.TestService.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions about a live fleet have the answers that its export has, and name its generation. */
class FleetAnswersTest extends KeptFleet {
  private static final String WANTED =
      "'workloads':[{'id':'new','requirements':{'cpu':3}},{'id':'big','requirements':{'cpu':9}}]";

  @BeforeEach
  void fill() {
    put(PROD + "/nodes/n3", "{'resources':{'cpu':5,'mem':2},'domains':{'zone':'a'}}");
    put(ZONE, "{'resources':{'power':9}}");
    assign("vm-1", 2);
    post(
        "assign-workloads",
        "{'workloads':[{'id':'vm-2','requirements':{'cpu':4},'groups':['g']}]}");
  }

  /** What the stateless call answers about the export of the fleet. */
  private Answer stateless(String call, String members) {
    String fleet = service.get(PROD + "/problem").text();
    String batch = members.contains("'workloads'") ? "" : "'workloads':[],";
    assertThat(fleet).contains("\"workloads\":[],");
    return service.post(
        "/" + call, fleet.replace("\"workloads\":[],", json(batch + members) + ","));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "explain-workload?workload=big | WANTED",
        "explain-workload?workload=new&scores=true&fitting=true | WANTED",
        "explain-workload?workload=big&words=true&protect=vm-1 | WANTED,'remedies':true",
        "explain-workload?workload=vm-2&scores=true&words=true | WANTED",
        "what-if | 'changes':['remove-node n1','scale vm=3']",
        "what-if | WANTED,'changes':['cordon n2',{'change':'release','workload':'vm-2'}],'afresh':true",
        "plan | 'goal':'drain n2'",
        "plan | WANTED,'goal':'place','limits':{'max_moves':3,'pin':['vm-1'],'avoid':['n3']}",
        "plan | 'goal':{'goal':'evacuate','level':'zone','domain':'a'}",
        "plan | 'goal':'consolidate'",
        "size | WANTED,'offers':['large: cpu=16,price=3']",
        "size | 'offers':[]",
        "headroom | 'mix':['cpu=1','2 x cpu=0.5']",
        "headroom | WANTED,'mix':['cpu=1']"
      })
  void aQuestionHasTheAnswerThatTheExportHas(String call, String members) {
    String rest = members.replace("WANTED", WANTED);
    Answer wanted = stateless(call, rest);
    assertThat(wanted.status()).as(wanted.text()).isEqualTo(200);

    Answer live = post(call, "{" + rest + "}");

    assertThat(live.status()).as(live.text()).isEqualTo(200);
    assertThat(live.text()).isEqualTo(wanted.text().replaceAll("}$", ",\"generation\":5}"));
    assertThat(live.header("ETag")).isEqualTo("\"g5\"");
    assertThat(service.get(PROD).at("/generation")).as("nothing has changed").isEqualTo("5");
  }

  @Test
  void aWorkloadOnANodeIsExplainedAsIfItWerePlacedAnew() {
    assertThat(service.get(PROD + "/workloads/vm-2").at("/node")).isEqualTo("n2");
    Answer same = post("explain-workload?workload=vm-2&fitting=true", "{}");
    assertThat(same.at("/placed") + same.at("/chosen")).isEqualTo("n2n2");
    assertThat(same.at("/fitting")).as("with the room that it takes").contains("n2");
    put(PROD + "/nodes/n3", "{'resources':{'cpu':4,'mem':2},'domains':{'zone':'a'}}");
    put(PROD + "/nodes/n1/cordoned", "{'cordoned':true}");
    put(PROD + "/nodes/n2/cordoned", "{'cordoned':true}");
    Answer other = post("explain-workload?workload=vm-2", "{}");
    assertThat(other.at("/placed") + other.at("/chosen")).isEqualTo("n2n3");
    put(PROD + "/nodes/n3/cordoned", "{'cordoned':true}");
    Answer none = post("explain-workload?workload=vm-2&words=true", "{}");
    assertThat(none.at("/placed") + none.at("/chosen")).isEqualTo("n2null");
    assertThat(none.at("/refusal/counts/0/reason")).isEqualTo("cordoned");
    assertThat(service.get(PROD + "/workloads/vm-2").at("/node")).isEqualTo("n2");
    assertThat(post("explain-workload?workload=vm-9", "{}").at("/detail"))
        .contains("a workload of the batch, or of one on a node");
  }

  @Test
  void aDrawingIsThatOfTheExportUnderTheNameOfTheFleet() {
    Answer wanted = stateless("picture?level=zone", WANTED);
    assertThat(wanted.text()).contains(">fleet<");

    Answer live = post("picture?level=zone", "{" + WANTED + "}");

    assertThat(live.status()).isEqualTo(200);
    assertThat(live.text()).isEqualTo(wanted.text().replaceAll("\\bfleet\\b", "prod"));
    assertThat(live.header("ETag")).isEqualTo("\"g5\"");
    assertThat(live.header("Content-Security-Policy")).startsWith("default-src 'none'");
    Answer plain = service.get(PROD + "/picture");
    assertThat(plain.text()).isEqualTo(post("picture", "{}").text()).contains("vm-1");
    assertThat(plain.header("ETag")).isEqualTo("\"g5\"");
    Answer unknown = service.get(PROD + "/picture?level=room");
    assertThat(unknown.at("/detail")).contains("'room'", "zone");
    assertThat(unknown.problem()).isEqualTo("query");
    String remedies = "{" + WANTED + ",'remedies':true}";
    assertThat(post("explain-workload?workload=new&protect=x", remedies).problem())
        .isEqualTo("query");
    assertThat(service.get(PROD + "/picture", "If-None-Match", "\"g5\"").status()).isEqualTo(304);
    assertThat(service.get(PROD + "/picture", "If-None-Match", "\"g4\"").status()).isEqualTo(200);
  }

  @Test
  void theNextAnswerIsOfTheNextGeneration() {
    String call = "explain-workload?workload=new&fitting=true";
    assertThat(post(call, "{" + WANTED + "}").at("/fitting")).isEqualTo("[\"n3\"]");
    put(PROD + "/nodes/n1", "{'resources':{'cpu':40}}");
    Answer later = post(call, "{" + WANTED + "}");
    assertThat(later.at("/fitting")).isEqualTo("[\"n1\",\"n3\"]");
    assertThat(later.at("/generation")).isEqualTo("6");
    assertThat(post(call, "{" + WANTED + "}", "If-Match", "\"g5\"").problem())
        .isEqualTo("generation");
    assertThat(post(call, "{" + WANTED + "}", "If-Match", "\"g6\"").status()).isEqualTo(200);
    assertThat(post(call + "&stale=true", "{" + WANTED + "}").text()).isEqualTo(later.text());
    assertThat(post(call + "&stale=yes", "{" + WANTED + "}").at("/detail")).contains("?stale=true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "explain-workload?workload=new | {'nodes':[]} | /nodes | workloads, explain, remedies",
        "explain-workload?workload=vm-1 | {'workloads':[{'id':'vm-1','requirements':{}}]} | /workloads/0/name | vm-1",
        "what-if | {'changes':['cordon n9']} | /changes/0 | change 1 of 1 (cordon n9): node is 'n9'",
        "plan | {} | /goal | missing",
        "plan | {'goal':'drain n9'} | /goal | the name of a node",
        "plan | {'goal':'place','limits':{'pin':['vm-9']}} | /limits/pin/0 | the name of a workload on a node",
        "plan | {'goal':'place','limits':{'max_moved':{'CPU':1}}} | /limits/max_moved/CPU | did you mean cpu?",
        "size | {} | /offers | missing",
        "headroom | {'mix':[]} | /mix | shape",
        "headroom | {'mix':['cpu=1'],'strategy':'pack'} | /strategy | workloads, mix",
        "picture | {'domains':[]} | /domains | workloads"
      })
  void whatIsWrongIsNamed(String call, String body, String pointer, String detail) {
    Answer answer = post(call, body.replace("WANTED", WANTED));
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
    assertThat(answer.at("/detail")).contains(detail);
  }

  @Test
  void theWorkloadToExplainIsNamedInTheQuery() {
    Answer answer = post("explain-workload", "{}");
    assertThat(answer.problem()).isEqualTo("query");
    assertThat(answer.at("/detail")).contains("workload is missing", "?workload=NAME");
  }

  @Test
  void aFleetThatIsNotThereHasNoAnswers() {
    for (String call : new String[] {"explain-workload", "what-if", "plan", "size", "headroom"}) {
      assertThat(service.post("/fleets/none/" + call, "{}").problem()).isEqualTo("no-such-fleet");
    }
    assertThat(service.get("/fleets/none/picture").problem()).isEqualTo("no-such-fleet");
  }

  @Nested
  class Tokens {
    @Test
    void aReaderMayAskAndSeesNoOtherFleet() throws IOException {
      Path tokens = Files.writeString(folder.resolve("tokens"), "r reader prod\nx reader other\n");
      service.close();
      service = TestService.start(settings().tokens(tokens));
      assertThat(post("headroom", "{'mix':['cpu=1']}", "Authorization", "Bearer r").status())
          .isEqualTo(200);
      assertThat(post("plan", "{'goal':'repair'}", "Authorization", "Bearer r").status())
          .isEqualTo(200);
      assertThat(service.get(PROD + "/picture", "Authorization", "Bearer r").status())
          .isEqualTo(200);
      assertThat(post("headroom", "{'mix':['cpu=1']}", "Authorization", "Bearer x").problem())
          .isEqualTo("no-such-fleet");
      assertThat(post("headroom", "{'mix':['cpu=1']}").status()).isEqualTo(401);
    }
  }

  /** The strategy loops for the workload w until the engine ends it. */
  @Nested
  class SlowQuestions {
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void keepNoChangeWaitingAndRefuseNoStrategy() {
      service.close();
      String[] plugins = PluginJar.misbehaving().toArray(String[]::new);
      service =
          TestService.start(
              settings()
                  .plugins(PluginJar.directory(folder, plugins))
                  .limit(ServiceLimit.DECISIONS, 1)
                  .limit(ServiceLimit.DECISION_TIMEOUT, Duration.ofSeconds(5)));
      String slow = "/fleets/slow";
      put(slow, NODES.replace("'BinPack','rubric':{'cpu':1,'mem':0.5}", "'asking'"));
      String w = json("{'workloads':[{'id':'w','requirements':{'cpu':1}}]}");
      CompletableFuture<Answer> asked =
          CompletableFuture.supplyAsync(
              () -> service.post(slow + "/explain-workload?workload=w", w));
      service.metricsWith("lighthouse_decisions_running 1.0");

      Answer changed = service.post(slow + "/assign-workloads", w.replace("\"w\"", "\"x\""));

      assertThat(asked).as("the question still runs").isNotDone();
      assertThat(changed.text()).contains("{\"x\":\"n1\"}", "\"generation\":2");
      Answer late = asked.join();
      assertThat(late.problem()).isEqualTo("decision-timeout");
      assertThat(late.header("ETag"))
          .as("nothing was sent that could be asked for again")
          .isEmpty();
      assertThat(late.at("/detail")).contains("'asking'");
      assertThat(service.get("/strategies").text()).doesNotContain("\"refused\":true");
    }
  }
}
