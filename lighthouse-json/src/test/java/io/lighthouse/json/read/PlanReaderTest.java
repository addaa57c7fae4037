package io.lighthouse.json.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Limits;
import io.lighthouse.json.PlanRequest;
import io.lighthouse.json.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a plan adds to a problem. The service's tests have the faults. */
class PlanReaderTest {
  private static final String FLEET =
      "{\"nodes\":[{\"name\":\"n 1\",\"resources\":{\"cpu\":1,\"mem\":1},\"domains\":{\"zone\":\"b\"},"
          + "\"workloads\":[{\"name\":\"w\",\"requirements\":{}}]},"
          + "{\"name\":\"n2\",\"resources\":{},\"domains\":{\"zone\":\"b\"}},"
          + "{\"name\":\"zone=b\",\"resources\":{}}],"
          + "\"workloads\":[{\"name\":\"new\",\"requirements\":{}}],";

  private static byte[] bytes(String members) {
    return (FLEET + members + "}").getBytes(StandardCharsets.UTF_8);
  }

  private static PlanRequest read(String members) {
    return ProblemReader.standard().withPlan().read(bytes(members)).plan().orElseThrow();
  }

  /** A text about a known fleet holds the question alone, and is held against that fleet. */
  @Test
  void readsAQuestionAboutAKnownFleet() {
    Problem fleet = ProblemReader.standard().withPlan().read(bytes("\"goal\":\"place\"")).problem();
    ProblemReader reader = ProblemReader.standard().withPlan().on(fleet);

    ProblemDocument drain = reader.read("{\"goal\":\"drain n2\"}".getBytes(UTF_8));
    assertThat(drain.problem()).isEqualTo(fleet.withWorkloads(List.of()));
    assertThat(drain.plan().orElseThrow().goal()).isEqualTo(new PlanGoal.Drain(List.of("n2")));
    assertThat(drain.locate(mistakeIn(Thing.node("n2"), "resources.cpu"))).isEmpty();
    assertThat(drain.roundings()).isEmpty();

    ProblemDocument place =
        reader.read(
            ("{\"goal\":\"place\",\"workloads\":[{\"name\":\"w\",\"requirements\":"
                    + "{\"cpu\":0.00000000001}}]}")
                .getBytes(UTF_8));
    assertThat(place.problem().nodes()).isEqualTo(fleet.nodes());
    assertThat(place.problem().workloads()).extracting(Workload::name).containsExactly("w");
    assertThat(place.locate(mistakeIn(Thing.workload("w"), "name")).orElseThrow().place().pointer())
        .isEqualTo("/workloads/0/name");
    assertThat(place.roundings()).hasSize(1);

    assertThat(Reading.faults(reader, "{\"goal\":\"drain n9\",\"nodes\":[]}".getBytes(UTF_8)))
        .extracting(fault -> fault.place().pointer())
        .containsExactly("/nodes");
    assertThat(Reading.faults(reader, "{\"goal\":\"drain n9\"}".getBytes(UTF_8)))
        .extracting(fault -> fault.place().pointer())
        .containsExactly("/goal");
  }

  @Test
  void theWorkloadsOfAKnownFleetCountForTheLimit() {
    Problem fleet = ProblemReader.standard().withPlan().read(bytes("\"goal\":\"place\"")).problem();
    String text = "{\"goal\":\"place\",\"workloads\":[{\"id\":\"x\",\"requirements\":{}%s}]}";
    ProblemReader one = atMost(1).on(fleet);

    assertThat(Reading.faults(one, text.formatted("").getBytes(UTF_8)))
        .singleElement()
        .satisfies(fault -> assertThat(fault.kind()).isEqualTo(Fault.Kind.LIMIT))
        .satisfies(
            fault ->
                assertThat(fault.message())
                    .endsWith(
                        "one too many; allowed: at most 1 workload, with the 1 on the fleet's nodes"));
    assertThat(one.read("{\"goal\":\"repair\"}".getBytes(UTF_8)).plan()).isPresent();
    assertThat(atMost(2).on(fleet).read(text.formatted("").getBytes(UTF_8)).plan()).isPresent();
    assertThat(
            Reading.faults(atMost(2).on(fleet), text.formatted(",\"replicas\":3").getBytes(UTF_8)))
        .singleElement()
        .satisfies(fault -> assertThat(fault.message()).contains("which makes 4 in all"));
  }

  private static ProblemReader atMost(int workloads) {
    Limits standard = Limits.STANDARD;
    return ProblemReader.standard()
        .withPlan()
        .withLimits(standard.withCounts(standard.nodes(), workloads, standard.entries()));
  }

  private static InvalidInputException mistakeIn(Thing thing, String field) {
    return new InvalidInputException(thing, field, "7", "less");
  }

  @Test
  void readsGoalsAsTextsAndAsObjects() {
    assertThat(read("\"goal\":\" consolidate \"").goal()).isEqualTo(new PlanGoal.Consolidate());
    assertThat(read("\"goal\":{\"goal\":\"repair\"}").goal()).isEqualTo(new PlanGoal.Repair());
    assertThat(read("\"goal\":\"place\"").goal())
        .isInstanceOfSatisfying(
            PlanGoal.Place.class, place -> assertThat(place.workloads()).hasSize(1));
    assertThat(read("\"goal\":\"drain n2 n2\"").goal())
        .isEqualTo(new PlanGoal.Drain(List.of("n2")));
    assertThat(read("\"goal\":{\"nodes\":[\"n 1\",\"n2\"],\"goal\":\"evacuate\"}").goal())
        .isEqualTo(new PlanGoal.Evacuate(List.of("n 1", "n2")));
  }

  @Test
  void aNodeComesBeforeADomainOfItsName() {
    assertThat(read("\"goal\":\"drain zone=b\"").goal())
        .isEqualTo(new PlanGoal.Drain(List.of("zone=b")));
    assertThat(read("\"goal\":{\"goal\":\"drain\",\"level\":\"zone\",\"domain\":\"b\"}").goal())
        .isEqualTo(new PlanGoal.Drain(List.of("n 1", "n2")));
  }

  /** Of the built-in levels, too: each node is a domain, and the fleet is one. */
  @Test
  void everyLevelHasDomains() {
    List<String> all = List.of("n 1", "n2", "zone=b");
    assertThat(read("\"goal\":\"drain node=n2 node=zone=b\"").goal())
        .isEqualTo(new PlanGoal.Drain(List.of("n2", "zone=b")));
    assertThat(read("\"goal\":\"evacuate fleet=fleet\"").goal())
        .isEqualTo(new PlanGoal.Evacuate(all));
    assertThat(read("\"goal\":{\"goal\":\"drain\",\"level\":\"node\",\"domain\":\"n 1\"}").goal())
        .isEqualTo(new PlanGoal.Drain(List.of("n 1")));
    assertThat(
            read("\"goal\":{\"goal\":\"drain\",\"level\":\"fleet\",\"domain\":\"fleet\"}").goal())
        .isEqualTo(new PlanGoal.Drain(all));
  }

  /** A node and a domain whose level begins with node can have the same text. */
  @Test
  void aPlaceThatNamesANodeAndADomainIsRefused() {
    String fleet =
        "{\"nodes\":[{\"name\":\"a=b\",\"resources\":{}},"
            + "{\"name\":\"n\",\"resources\":{},\"domains\":{\"node=%s\":\"b\"}}],"
            + "\"workloads\":[],\"goal\":\"drain node=a=b\"}";
    ProblemReader reader = ProblemReader.standard().withPlan();
    assertThat(Reading.faults(reader, fleet.formatted("a").getBytes(UTF_8)))
        .extracting(Fault::found)
        .containsExactly("'node=a=b', which names two domains");
    assertThat(reader.read(fleet.formatted("c").getBytes(UTF_8)).plan().orElseThrow().goal())
        .isEqualTo(new PlanGoal.Drain(List.of("a=b")));
  }

  /** A fleet without nodes has no domain, whatever the form of the goal. */
  @Test
  void aGoalOfNoNodesIsRefused() {
    for (String goal :
        List.of(
            "\"drain fleet=fleet\"",
            "{\"goal\":\"drain\",\"level\":\"fleet\",\"domain\":\"fleet\"}")) {
      String text = "{\"nodes\":[],\"workloads\":[],\"goal\":%s}".formatted(goal);
      assertThat(Reading.faults(ProblemReader.standard().withPlan(), text.getBytes(UTF_8)))
          .singleElement()
          .extracting(Fault::message)
          .asString()
          .contains("that has nodes");
    }
  }

  @Test
  void aDomainThatWasProbablyMeantIsNamed() {
    for (List<String> typed :
        List.of(
            List.of("node=n22", "node=n2"),
            List.of("fleet=flet", "fleet=fleet"),
            List.of("zoen=b", "zone=b"))) {
      String text = "\"goal\":\"evacuate %s\"".formatted(typed.get(0));
      assertThat(Reading.faults(ProblemReader.standard().withPlan(), bytes(text)))
          .singleElement()
          .extracting(Fault::allowed)
          .isEqualTo(
              "the name of a node, or a domain that has nodes; did you mean " + typed.get(1) + "?");
    }
  }

  @Test
  void readsLimitsBeforeTheGoalAndAnywhere() {
    assertThat(read("\"goal\":\"repair\"").limits()).isEqualTo(PlanLimits.NONE);
    assertThat(
            read("\"limits\":{\"pin\":[\"w\"],\"avoid\":[\"n2\",\"n2\"],\"max_moves\":3,"
                    + "\"max_moved\":{\"cpu\":1.5,\"mem\":\"inf\"},\"max_of_group\":2},"
                    + "\"goal\":\"repair\"")
                .limits())
        .isEqualTo(
            new PlanLimits(
                3, Resources.of("cpu", "1.5", "mem", "inf"), Set.of("w"), Set.of("n2"), 2));
  }

  @Test
  void eachNameInAGoalHasTheLimitOfNames() {
    ProblemReader small =
        ProblemReader.standard().withPlan().withLimits(Limits.STANDARD.withLengths(9, 9));

    assertThat(small.read(bytes("\"goal\":\"drain n2 zone=b n2\"")).plan()).isPresent();
    assertThat(Reading.faults(small, bytes("\"goal\":\"drain n2 n234567890\"")))
        .singleElement()
        .extracting(Fault::message)
        .asString()
        .endsWith("goal is 10 characters long; allowed: at most 9 characters");
  }

  @Test
  void otherReadersKnowNeither() {
    for (String member : new String[] {"goal", "limits"}) {
      List<Fault> faults =
          Reading.faults(ProblemReader.standard(), bytes("\"" + member + "\":\"repair\""));
      assertThat(faults).singleElement().extracting(Fault::found).isEqualTo("an unknown field");
    }
    assertThat(ProblemReader.standard().read(bytes("\"rules\":[]")).plan()).isEmpty();
    assertThat(
            Reading.faults(
                ProblemReader.standard().withPlan(), bytes("\"goal\":\"repair\",\"changes\":[]")))
        .singleElement()
        .extracting(Fault::allowed)
        .asString()
        .endsWith("domains, rules, goal, limits");
  }

  /** To compare each unknown name with each node would take long. */
  @Test
  void onlyTheFirstUnknownNamesAreComparedWithTheFleet() {
    String most = "n".repeat(200);
    StringBuilder nodes = new StringBuilder();
    StringBuilder avoided = new StringBuilder();
    for (int i = 10_000; i < 15_000; i++) {
      String comma = i == 10_000 ? "" : ",";
      nodes.append(comma + "{\"name\":\"" + most + i + "\",\"resources\":{}}");
      avoided.append(comma + "\"" + most + i + "x\"");
    }
    String text =
        "{\"nodes\":[%s],\"workloads\":[],\"goal\":\"repair\",\"limits\":{\"avoid\":[%s]}}"
            .formatted(nodes, avoided);
    ProblemReader reader =
        ProblemReader.standard()
            .withPlan()
            .withLimits(Limits.STANDARD.withFaults(Integer.MAX_VALUE));

    List<Fault> faults = Reading.faults(reader, text.getBytes(UTF_8));

    assertThat(faults).hasSize(5_000);
    assertThat(faults.get(0).allowed())
        .isEqualTo("the name of a node; did you mean " + most + "10000?");
    assertThat(faults).filteredOn(fault -> fault.allowed().contains("did you mean")).hasSize(5);
  }
}
