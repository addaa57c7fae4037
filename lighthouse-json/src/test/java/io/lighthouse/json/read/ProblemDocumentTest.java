package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.ProblemDistributor;
import io.lighthouse.json.Rounding;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProblemDocumentTest {
  private final ProblemDocument document =
      Reading.document(
          """
          {"rubric": {"x": 1}, "settings": {"depth": 3}, "strategy": "own",
           "nodes": [
             {"name": "a", "resources": {"x": 1.00000000001}},
             {"name": "b", "resources": {"x": -1.00000000001, "y": 1.000000001},
              "loads": [{"id": "p", "requirements": {"x": 0.00000000009}}]}],
           "loads": [
             {"name": "v", "requirements": {"x": 1}},
             {"name": "w/1", "requirements": {"x": -0.00000000009, "z.z": 0.00000000001}}]}
          """);

  private String located(String subject, String field) {
    return located(new InvalidInputException(subject, field, "7", "less"));
  }

  private String located(Thing thing, String field) {
    return located(new InvalidInputException(thing, field, "7", "less"));
  }

  private String located(InvalidInputException mistake) {
    return document
        .locate(mistake)
        .map(fault -> fault.message() + " at " + fault.place().pointer())
        .orElse("nowhere");
  }

  @Nested
  class Locating {
    @Test
    void findsNodesAndWhatIsInThem() {
      assertThat(located(Thing.node("b"), "resources.x"))
          .isEqualTo(
              "line 4, column 4: nodes[1].resources.x is 7; allowed: less at /nodes/1/resources/x");
      assertThat(located(Thing.node("a"), "name")).endsWith("at /nodes/0/name");
    }

    @Test
    void findsWorkloadsAndWhatIsInThem() {
      assertThat(located(Thing.workload("w/1"), "requirements.z.z"))
          .isEqualTo(
              "line 8, column 4: loads[1].requirements['z.z'] is 7; allowed: less"
                  + " at /loads/1/requirements/z.z");
    }

    @Test
    void findsWorkloadsOnNodes() {
      assertThat(located(Thing.workload("p"), "requirements.x"))
          .startsWith("line 4, column 4: nodes[1].loads[0].requirements.x is 7")
          .endsWith("at /nodes/1/loads/0/requirements/x");
    }

    @Test
    void findsTheMembersAtTheTop() {
      assertThat(located("rubric", "x")).startsWith("line 1, column 2: rubric.x is 7");
      assertThat(located("settings", "depth"))
          .startsWith("line 1, column 22: settings.depth is 7")
          .endsWith("at /settings/depth");
      assertThat(located("settings", "'dept/h'")).endsWith("at /settings/dept~1h");
      assertThat(located("distributor", "strategy"))
          .startsWith("line 1, column 60: strategy is 7")
          .endsWith("at /strategy");
      assertThat(located("strategy 'bin-pack'", "rubric")).endsWith("at /rubric");
    }

    @Test
    void saysWhereThereIsNothing() {
      assertThat(located(Thing.node("c"), "name")).isEqualTo("nowhere");
      assertThat(located(Thing.workload("c"), "name")).isEqualTo("nowhere");
      assertThat(located("plug-ins", "directory")).isEqualTo("nowhere");
      assertThat(located("distributor", "node")).isEqualTo("nowhere");
    }
  }

  @Test
  void listsWhatALedgerRoundsAndWhichWay() {
    assertThat(document.roundings())
        .extracting(rounding -> rounding.place().path() + " " + rounding.used())
        .containsExactly(
            "nodes[0].resources.x 1",
            "nodes[1].resources.x -1.000000001",
            "nodes[1].loads[0].requirements.x 0.000000001",
            "loads[1].requirements.x 0",
            "loads[1].requirements['z.z'] 0.000000001");
    assertThat(document.roundings().get(1))
        .isEqualTo(
            new Rounding(
                new Place(4, 4, "nodes[1].resources.x", "/nodes/1/resources/x"),
                Quantity.of("-1.00000000001"),
                Quantity.of("-1.000000001")));
  }

  @Test
  void whatRoundsUpToTooManyDigitsIsListedAndFoundByTheDistributor() {
    String nines = "9".repeat(Quantity.MAX_DIGITS);
    ProblemDocument large =
        Reading.document(
            "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"x\":1}}],"
                + "\"loads\":[{\"id\":\"w\",\"requirements\":{\"x\":"
                + nines
                + ".9999999999}}]}");
    Distributor fleet =
        ProblemDistributor.of(
            Distributors.of("first", (workload, candidates) -> candidates.first()),
            large.problem());

    assertThat(large.roundings())
        .extracting(rounding -> rounding.used().toString())
        .containsExactly("1" + "0".repeat(Quantity.MAX_DIGITS));
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> fleet.assign(large.problem().workloads()))
        .satisfies(
            mistake ->
                assertThat(large.locate(mistake).orElseThrow().place().pointer())
                    .isEqualTo("/loads/0/requirements/x"));
  }

  @Test
  void tellsTheFlagsThatAreTrue() {
    ProblemReader reader = ProblemReader.standard().withFlags("explain", "dry_run");

    assertThat(read(reader, "\"explain\":true,\"dry_run\":false").flags())
        .containsExactly("explain");
    assertThat(read(reader, "\"explain\":false").flags()).isEmpty();
    assertThat(Reading.document("{\"nodes\":[],\"loads\":[]}").flags()).isEmpty();
  }

  @Test
  void refusesFlagsThatAreNone() {
    ProblemReader reader = ProblemReader.standard().withFlags("explain");
    byte[] number = "{\"nodes\":[],\"loads\":[],\"explain\":1}".getBytes(StandardCharsets.UTF_8);
    byte[] other = "{\"nodes\":[],\"loads\":[],\"dry\":true}".getBytes(StandardCharsets.UTF_8);

    assertThat(Reading.faults(reader, number))
        .extracting(Fault::message)
        .containsExactly("line 1, column 34: explain is 1; allowed: true or false");
    assertThat(Reading.faults(reader, other).get(0).allowed()).endsWith("domains, rules, explain");
  }

  private static ProblemDocument read(ProblemReader reader, String members) {
    String text = "{\"nodes\":[],\"loads\":[]," + members + "}";
    return reader.read(text.getBytes(StandardCharsets.UTF_8));
  }
}
