package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.json.log.RecordDocument;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Questions beside where: what if, and whether it is the same decision. */
class AnswersTest {
  private static final String FLEET =
      "\"nodes\":[{\"id\":\"n1\",\"resources\":{\"cpu\":2}},{\"id\":\"n2\",\"resources\":{\"cpu\":1}}],"
          + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]";

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
  void saysWhatWouldBe() {
    var answer = service.post("/what-if", "{" + FLEET + ",\"changes\":[\"remove-node n1\"]}");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/workloads/0/then")).isEqualTo("n2");
    assertThat(answer.at("/then/nodes")).isEqualTo("1");
  }

  @Test
  void decidesAfreshWhereItIsAskedTo() {
    String changes = ",\"changes\":[\"cordon n1\"]";

    assertThat(service.post("/what-if", "{" + FLEET + changes + "}").at("/workloads"))
        .isEqualTo("[]");
    assertThat(
            service
                .post("/what-if", "{" + FLEET + changes + ",\"afresh\":true}")
                .at("/workloads/0/what"))
        .isEqualTo("moved");
  }

  @Test
  void namesTheChangeThatDoesNotGo() {
    var unknown =
        service.post("/what-if", "{" + FLEET + ",\"changes\":[\"release w\",\"cordon n9\"]}");
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(unknown.at("/detail")).contains("change 2 of 2 (cordon n9)", "'n9'");

    var word = service.post("/what-if", "{" + FLEET + ",\"changes\":[\"vanish n1\"]}");
    assertThat(word.status()).isEqualTo(422);
    assertThat(word.at("/pointer")).isEqualTo("/changes/0");
    assertThat(word.at("/detail")).contains("'vanish'", "remove-node");

    var many = service.post("/what-if", "{" + FLEET + ",\"changes\":[\"add 9999999 x cpu=1\"]}");
    assertThat(many.status()).isEqualTo(413);
    assertThat(many.at("/detail")).contains("too many in all");
  }

  @Test
  void saysHowManyNodesItTakes() {
    String offers =
        ",\"offers\":[\"small: cpu=2,price=3\","
            + "{\"name\":\"large\",\"resources\":{\"cpu\":8},\"price\":10,\"limit\":1}]}";
    String problem =
        "{\"nodes\":[],\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":2},\"replicas\":5}]";

    var answer = service.post("/size", problem + offers);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/nodes"))
        .isEqualTo("[{\"offer\":\"small\",\"nodes\":1},{\"offer\":\"large\",\"nodes\":1}]");
    assertThat(answer.at("/price")).isEqualTo("13");
    assertThat(answer.at("/optimal")).isEqualTo("true");
    assertThat(answer.at("/unplaced")).isEqualTo("[]");
  }

  @Test
  void refusesOffersThatAreNone() {
    var missing = service.post("/size", "{" + FLEET + "}");
    assertThat(missing.status()).isEqualTo(422);
    assertThat(missing.at("/pointer")).isEqualTo("/offers");

    var wrong = service.post("/size", "{" + FLEET + ",\"offers\":[\"cpu=2\",{\"name\":\"a\"}]}");
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.at("/errors/0/pointer")).isEqualTo("/offers/0");
    assertThat(wrong.at("/errors/1/pointer")).isEqualTo("/offers/1/resources");

    var elsewhere = service.post("/what-if", "{" + FLEET + ",\"offers\":[]}");
    assertThat(elsewhere.status()).isEqualTo(422);
    assertThat(elsewhere.at("/pointer")).isEqualTo("/offers");
  }

  @Test
  void namesTheOfferThatTheFleetCannotHold() {
    for (String workloads : List.of(FLEET, FLEET.replace("{\"cpu\":1}}]", "{\"cpu\":9}}]"))) {
      var answer =
          service.post("/size", "{" + workloads + ",\n\"offers\":[\"a: cpu=1\",\"b: cpu=1e400\"]}");

      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.at("/detail")).startsWith("offer 'b': resources.cpu is 1E+400; allowed: ");
      assertThat(answer.at("/pointer")).isEqualTo("/offers/1");
      assertThat(answer.at("/errors/0/line")).isEqualTo("2");
      assertThat(answer.at("/errors/0/column")).isEqualTo("22");
    }
  }

  @Test
  void placesWhatTheFleetRefuses() {
    String change = "{\"change\":\"resize\",\"node\":\"n1\",\"resources\":{\"cpu\":1e400}}";
    var changes =
        service.post("/what-if", "{" + FLEET + ",\n\"changes\":[\"cordon n2\"," + change + "]}");
    assertThat(changes.at("/detail")).startsWith("change 2 of 2 (");
    assertThat(changes.at("/pointer")).isEqualTo("/changes/1");
    assertThat(changes.at("/errors/0/line")).isEqualTo("2");
    assertThat(changes.at("/errors/0/column")).isEqualTo("24");

    var mix = service.post("/headroom", "{" + FLEET + ",\n\"mix\":[\"cpu=1\",\"2 x cpu=1e400\"]}");
    assertThat(mix.at("/detail")).startsWith("shape 'cpu=1e400': ");
    assertThat(mix.at("/pointer")).isEqualTo("/mix/1");
    assertThat(mix.at("/errors/0/line")).isEqualTo("2");

    var none = service.post("/headroom", "{" + FLEET + ",\n\"mix\":[]}");
    assertThat(none.status()).isEqualTo(422);
    assertThat(none.at("/pointer")).isEqualTo("/mix");
    assertThat(none.at("/errors/0/line")).isEqualTo("2");
  }

  @Test
  void saysHowMuchMoreFits() {
    var answer = service.post("/headroom", "{" + FLEET + ",\"mix\":[\"2 x cpu=0.5\"]}");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/rounds")).isEqualTo("2");
    assertThat(answer.at("/at_most")).isEqualTo("2");
    assertThat(answer.at("/first")).isEqualTo("cpu");
    assertThat(answer.at("/refusal/counts/0/reason")).isEqualTo("short");
  }

  @Test
  void refusesAMixThatIsNone() {
    for (String mix :
        List.of("", ",\"mix\":[]", ",\"mix\":{}", ",\"mix\":[3]", ",\"mix\":[\"cpu\"]")) {
      var answer = service.post("/headroom", "{" + FLEET + mix + "}");
      assertThat(answer.status()).as(mix).isEqualTo(422);
    }
    var twice = service.post("/headroom", "{" + FLEET + ",\"mix\":[\"cpu=1\",\"2 x cpu=1\"]}");
    assertThat(twice.at("/pointer")).isEqualTo("/mix/1");
    assertThat(twice.at("/detail")).contains("given before", "each shape once");
  }

  @Test
  void saysWhyThisOne() {
    String problem = "{\"strategy\":\"BinPack\",\"rubric\":{\"cpu\":1}," + FLEET + "}";
    String call = "/explain-workload?workload=w";

    var answer = service.post(call + "&scores=true", problem);

    assertThat(answer.at("/chosen")).isEqualTo("n2");
    assertThat(answer.at("/choice/candidates/0/node")).isEqualTo("n2");
    assertThat(answer.at("/choice/candidates/0/score")).isEqualTo("1");
    assertThat(answer.at("/choice/decider")).isEqualTo("score");
    assertThat(service.post(call, problem).text()).doesNotContain("choice");
    assertThat(service.post(call + "&scores=yes", problem).status()).isEqualTo(400);
    assertThat(service.post(call + "&scores=false&words=false&fitting=false", problem).text())
        .isEqualTo(service.post(call, problem).text());
  }

  @Test
  void givesReasonsAsTextsWhereAskedFor() {
    String problem =
        "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":1},\"domains\":{\"zone\":\"b\"}}],"
            + "\"domains\":[{\"level\":\"zone\",\"name\":\"b\",\"resources\":{\"power\":1}}],"
            + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":3},"
            + "\"shared\":{\"zone\":{\"power\":2}}}]}";
    String call = "/explain-workload?workload=w";

    var worded = service.post(call + "&words=true", problem);

    assertThat(worded.text())
        .contains("{\"reason\":\"short\",\"resource\":\"cpu\",\"nodes\":1,\"words\":\"cpu short\"}")
        .contains("\"lacking\":2,\"words\":\"lacks 2 cpu (1 left, 3 required)\"}")
        .contains("\"words\":\"power short at zone\"")
        .contains("\"words\":\"zone b: lacks 1 power (1 left, 2 required)\"");
    assertThat(worded.text().replaceAll(",\"words\":\"[^\"]*\"", ""))
        .isEqualTo(service.post(call, problem).text());
    assertThat(service.post(call + "&words=yes", problem).status()).isEqualTo(400);
  }

  @Test
  void noRemedyMovesOrReleasesWhoIsProtected() {
    String problem =
        "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":0},\"workloads\":["
            + "{\"id\":\"small\",\"requirements\":{\"cpu\":1}},"
            + "{\"id\":\"old\",\"requirements\":{\"cpu\":2}}]}],"
            + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}],\"remedies\":true}";
    String call = "/explain-workload?workload=w";

    assertThat(service.post(call, problem).text()).contains("\"release\"", "\"small\"");
    assertThat(service.post(call + "&protect=small", problem).text())
        .contains("\"release\"", "\"old\"")
        .doesNotContain("\"small\"");
    assertThat(service.post(call + "&protect=small&protect=old", problem).text())
        .doesNotContain("\"release\"");
    var unknown = service.post(call + "&protect=samll", problem);
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.problem()).isEqualTo("query");
    assertThat(unknown.at("/detail"))
        .contains("protect", "'samll'", "a workload of the problem; did you mean small?");
    assertThat(service.post("/explain-workload?workload=smal", problem).at("/detail"))
        .isEqualTo(
            "query: workload is 'smal'; allowed: ?workload=NAME, the name of a workload of the"
                + " batch, or of one on a node; did you mean small?");
    for (String none :
        List.of(problem.replace("true", "false"), "{\"nodes\":[],\"workloads\":[]}")) {
      var without = service.post(call + "&protect=small", none);
      assertThat(without.status()).isEqualTo(400);
      assertThat(without.at("/detail"))
          .isEqualTo(
              "query: protect is 'small'; allowed: the parameter with \"remedies\": true in the"
                  + " body, without which it has no effect");
    }
  }

  @Test
  void saysTheRemediesOfARefusal() {
    String problem =
        "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":2,\"dmz\":\"-inf\"}}],"
            + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]";
    var plain = service.post("/explain-workload?workload=w", problem + "}");
    assertThat(plain.text()).doesNotContain("remedies");

    var asked = service.post("/explain-workload?workload=w", problem + ",\"remedies\":true}");
    assertThat(asked.status()).isEqualTo(200);
    assertThat(asked.at("/remedies/prospect")).isEqualTo("never");
    assertThat(asked.at("/remedies/remedies/0/kind")).isEqualTo("tolerate");
    assertThat(asked.at("/remedies/remedies/0/immunities/0")).isEqualTo("dmz");

    assertThat(asked.text()).doesNotContain("\"words\"");
    var worded =
        service.post("/explain-workload?workload=w&words=true", problem + ",\"remedies\":true}");
    assertThat(worded.at("/remedies/words")).startsWith("never: it fits no node");
    assertThat(worded.at("/remedies/remedies/0/words"))
        .isEqualTo("be immune to dmz; then it fits n");

    var placed = service.post("/explain-workload?workload=w", "{" + FLEET + ",\"remedies\":true}");
    assertThat(placed.at("/chosen")).isEqualTo("n1");
    assertThat(placed.at("/remedies")).isEmpty();
    assertThat(service.post("/assign-workloads", "{" + FLEET + ",\"remedies\":true}").status())
        .isEqualTo(422);
  }

  @Test
  void otherCallsKnowNoChanges() {
    assertThat(service.post("/try-assign-workloads", "{" + FLEET + ",\"changes\":[]}").status())
        .isEqualTo(422);
  }

  @Test
  void givesTheHashOfADecisionWhereItIsAskedFor() {
    var plain = service.post("/assign-workloads", "{" + FLEET + "}");
    assertThat(plain.header("Lighthouse-Decision")).isEmpty();
    assertThat(plain.text()).doesNotContain("decision");
    var without = service.post("/assign-workloads?hash=false&record=false", "{" + FLEET + "}");
    assertThat(without.text()).isEqualTo(plain.text());
    assertThat(without.header("Lighthouse-Decision")).isEmpty();

    var hashed = service.post("/assign-workloads?hash=true", "{" + FLEET + "}");
    assertThat(hashed.header("Lighthouse-Decision")).matches("[0-9a-f]{64}");
    assertThat(hashed.at("/decision")).isEqualTo(hashed.header("Lighthouse-Decision"));

    var spelled =
        service.post(
            "/assign-workloads?hash=true",
            "{\"strategy\":\"Prioritized\"," + FLEET.replace("\"cpu\":2", "\"cpu\":2.0") + "}");
    assertThat(spelled.at("/decision")).isEqualTo(hashed.at("/decision"));

    var other = service.post("/try-assign-workloads?hash=true", "{" + FLEET + "}");
    assertThat(other.at("/decision")).matches("[0-9a-f]{64}").isNotEqualTo(hashed.at("/decision"));
  }

  @Test
  void givesNoHashWhereNothingWasDecidedAndRefusesAnotherWord() {
    String strict = "{\"strategy\":\"BinPack\",\"rubric\":{\"mem\":1}," + FLEET + "}";
    assertThat(service.post("/assign-workloads?hash=true", strict).header("Lighthouse-Decision"))
        .isEmpty();

    var wrong = service.post("/assign-workloads?hash=yes", "{" + FLEET + "}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.problem()).isEqualTo("query");
    assertThat(wrong.at("/detail")).contains("hash", "'yes'", "?hash=true, or =false");
  }

  @Test
  void givesARecordOfADecisionThatReadsAsWhatWasDecided() throws IOException {
    for (String call : List.of("/assign-workloads", "/try-assign-workloads")) {
      var recorded = service.post(call + "?record=true", "{" + FLEET + "}");
      assertThat(recorded.status()).isEqualTo(200);
      String record = recorded.text().substring(recorded.text().indexOf("{\"lighthouse_record\""));
      RecordDocument read =
          RecordDocument.read(
              new ByteArrayInputStream(
                  record.substring(0, record.length() - 1).getBytes(StandardCharsets.UTF_8)));
      assertThat(read.alterations()).isEmpty();
      assertThat(read.record().allOrNothing()).isEqualTo(call.equals("/assign-workloads"));
      assertThat(read.record().madeBy()).containsOnlyKeys("lighthouse", "java", "strategy");
      assertThat(read.record().problem().strategy()).contains("prioritized");
      assertThat(read.record().answer().asMap()).isEqualTo(Map.of("w", Optional.of("n1")));
      assertThat(recorded.at("/decision"))
          .isEqualTo(read.record().hash())
          .isEqualTo(recorded.header("Lighthouse-Decision"));
    }
    assertThat(service.post("/assign-workloads?record=1", "{" + FLEET + "}").at("/detail"))
        .contains("record", "'1'", "?record=true");
  }

  @Test
  void saysWhatTheRefusedLackTogether() {
    String batch =
        "{\"nodes\":[{\"name\":\"a\",\"resources\":{\"cpu\":4,\"gpu\":1}}],"
            + "\"workloads\":[{\"name\":\"t\",\"replicas\":3,\"requirements\":{\"gpu\":1}}]";
    var asked = service.post("/try-assign-workloads", batch + ",\"remedies\":true}");
    assertThat(asked.text())
        .endsWith(
            "\"shortages\":[{\"resources\":[\"gpu\"],\"workloads\":[\"t-2\",\"t-3\"],"
                + "\"more\":{\"gpu\":2}}]}");
    assertThat(service.post("/try-assign-workloads", batch + "}").text())
        .doesNotContain("shortages");
  }
}
