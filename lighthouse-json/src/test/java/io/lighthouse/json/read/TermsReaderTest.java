package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TermsReaderTest {
  private static Quantity number(String text) {
    return Quantity.of(text);
  }

  @Test
  void domainsAndRulesAtTheTop() {
    Problem problem =
        Reading.problem(
            """
            {"domains": [{"level": "rack", "name": "r1", "resources": {"power": 12}, "cordoned": true},
                         {"name": "fleet", "level": "fleet", "resources": {"licence": {"left": 5, "max": 2}}},
                         {"level": "zone", "id": "r1"}],
             "rules": [{"most": 10, "group": "tenant-7", "level": "fleet"}, {"rule": "near-data"}],
             "nodes": [], "workloads": []}""");

    assertThat(problem.domains())
        .containsExactly(
            Domain.of("rack", "r1", Resources.of("power", 12)).asCordoned(),
            new Domain(
                "fleet",
                "fleet",
                Resources.of("licence", 5),
                Map.of("licence", new Unit(Quantity.ZERO, number("2"), Quantity.ZERO)),
                false),
            Domain.of("zone", "r1", Resources.none()));
    assertThat(problem.rules())
        .containsExactly(
            new Rule.Most(10, "tenant-7", "fleet"), new Rule.Named("near-data", Map.of()));
  }

  @Test
  void aWorkloadWithEverything() {
    Workload read =
        Reading.workload(
                """
                "name": "web", "requirements": {"cpu": 2},
                "shared": {"rack": {"power": 0.4}, "fleet": {"licence": 1}}, "groups": ["web", "a", "web"],
                "where": [{"level": "arch", "in": ["arm64"]}, {"resource": "cpu", "least": 64},
                          {"any": [[{"resource": "ssd"}], [{"level": "zone", "not_in": ["b"]}], []]},
                          {"level": "zone"}, {"level": "pool", "absent": true},
                          {"resource": "gpu", "absent": true}, {"resource": "mem", "most": "inf"},
                          {"level": "zone", "absent": false}],
                "rules": [{"most": 1, "group": "web"},
                          {"skew": 1, "group": "web", "level": "zone", "min_domains": 3},
                          {"least": 1.0, "group": "cache", "level": "rack"},
                          {"rule": "near-data", "with": {"set": "x", "deep": true, "n": 2}}],
                "preferences": [{"where": [{"level": "zone", "in": ["a"]}]},
                                {"skew": 0, "group": "web", "level": "rack"}],
                "gang": {"name": "shop", "within": "zone"}""")
            .workloads()
            .get(0);

    assertThat(read)
        .isEqualTo(
            Workload.of("web", Map.of("cpu", 2))
                .withTerms(
                    Terms.NONE
                        .sharing("rack", Resources.of("power", "0.4"))
                        .sharing("fleet", Resources.of("licence", 1))
                        .inGroups("a", "web")
                        .where(
                            new Condition.In("arch", Set.of("arm64")),
                            new Condition.Has("cpu", number("64"), Quantity.INFINITY),
                            new Condition.Any(
                                List.of(
                                    List.of(Condition.Has.of("ssd")),
                                    List.of(new Condition.NotIn("zone", Set.of("b"))),
                                    List.of())),
                            new Condition.Somewhere("zone"),
                            new Condition.Nowhere("pool"),
                            new Condition.Lacks("gpu"),
                            Condition.Has.of("mem"),
                            new Condition.Somewhere("zone"))
                        .rules(
                            new Rule.Most(1, "web", "node"),
                            new Rule.Skew(1, "web", "zone", 3),
                            new Rule.Least(1, "cache", "rack"),
                            new Rule.Named(
                                "near-data", Map.of("set", "x", "deep", "true", "n", "2")))
                        .preferring(
                            new Rule.Where(List.of(new Condition.In("zone", Set.of("a")))),
                            new Rule.Skew(0, "web", "rack", 1))
                        .inGang(Gang.of("shop").within("zone"))));
  }

  @Test
  void whatIsEmptyIsNothing() {
    Workload read =
        Reading.workload(
                """
                "name":"w","requirements":{},"shared":{"rack":{}},"groups":[],"where":[],"rules":[],
                "preferences":[]""")
            .workloads()
            .get(0);

    assertThat(read.terms()).isSameAs(Terms.NONE);
  }

  @Test
  void equalTermsAreOneObject() {
    String terms =
        ",\"requirements\":{},\"groups\":[\"g\"],\"rules\":[{\"most\":1,\"group\":\"g\"}]}";
    List<Workload> read =
        Reading.problem(
                "{\"nodes\":[],\"workloads\":[{\"name\":\"a\""
                    + terms
                    + ",{\"name\":\"b\""
                    + terms
                    + "]}")
            .workloads();

    assertThat(read.get(0).terms()).isSameAs(read.get(1).terms());
  }

  @Test
  void replicasStandInThePlaceOfTheirWorkload() {
    Problem problem =
        Reading.problem(
            """
            {"nodes":[],"workloads":[
            {"name":"a","requirements":{}},
            {"replicas":2,"name":"web","requirements":{"cpu":1},"groups":["g"]},
            {"name":"none","requirements":{},"replicas":0},
            {"name":"none","requirements":{},"replicas":0},
            {"name":"web","requirements":{}},
            {"name":"z","requirements":{},"replicas":1}]}""");

    assertThat(problem.workloads())
        .extracting(Workload::name)
        .containsExactly("a", "web-1", "web-2", "web", "z-1");
    assertThat(problem.workloads().get(2))
        .isEqualTo(Workload.of("web-2", Map.of("cpu", 1)).withTerms(Terms.NONE.inGroups("g")));
  }

  @Test
  void placesBehindReplicasAreThoseOfTheText() {
    ProblemDocument document =
        Reading.document(
            """
            {"nodes":[],"workloads":[
            {"name":"web","requirements":{},"replicas":3},
            {"name":"z","requirements":{"cpu":1.0000000001},"replicas":2}]}""");

    assertThat(document.roundings())
        .extracting(rounding -> rounding.place().path(), rounding -> rounding.place().line())
        .containsExactly(org.assertj.core.groups.Tuple.tuple("workloads[1].requirements.cpu", 3));
    assertThat(
            document.locate(new InvalidInputException(Thing.workload("web-3"), "name", "x", "y")))
        .hasValueSatisfying(
            fault -> assertThat(fault.place().path()).isEqualTo("workloads[0].name"));
  }

  @Test
  void anInventoryIsACapacityLessWhatIsThere() {
    Problem problem =
        Reading.problem(
            """
            {"nodes":[{"name":"n","workloads":[
               {"name":"v","requirements":{"cpu":10,"mem":0.0000000001},"shared":{"rack":{"power":2}}}],
               "resources":{"cpu":{"total":32,"reserved":2,"ratio":4,"min":1,"max":16,"step":0.5},
                            "mem":{"total":"inf"},"disk":{"left":3},"io":{"left":-1,"min":2}},
               "domains":{"rack":"r"}}],
             "domains":[{"level":"rack","name":"r","resources":{"power":{"total":10,"ratio":"0.5"}}}],
             "workloads":[]}""");

    Node node = problem.nodes().get(0);
    assertThat(node.resources())
        .isEqualTo(Resources.of("cpu", 110, "mem", "inf", "disk", 3, "io", -1));
    assertThat(node.units())
        .isEqualTo(
            Map.of(
                "cpu", new Unit(number("1"), number("16"), number("0.5")),
                "io", new Unit(number("2"), Quantity.INFINITY, Quantity.ZERO)));
    assertThat(node.domains()).isEqualTo(Map.of("rack", "r"));
    assertThat(problem.domains().get(0).resources()).isEqualTo(Resources.of("power", 3));
  }

  @Test
  void anInventoryIsRoundedDownAndSaysSo() {
    ProblemDocument document =
        Reading.document(
            """
            {"nodes":[{"name":"n","resources":{"cpu":{"total":1,"ratio":"0.33333333333"}}}],
             "domains":[{"level":"rack","name":"r","resources":{"power":{"total":-1,"ratio":"0.0000000001"}}}],
             "workloads":[{"name":"w","requirements":{},"shared":{"rack":{"power":"0.0000000001"}}}]}""");

    assertThat(document.problem().nodes().get(0).resources())
        .isEqualTo(Resources.of("cpu", "0.333333333"));
    assertThat(document.problem().domains().get(0).resources())
        .isEqualTo(Resources.of("power", "-0.000000001"));
    assertThat(document.roundings())
        .extracting(
            rounding -> rounding.place().path() + " " + rounding.given() + " " + rounding.used())
        .containsExactly(
            "workloads[0].shared.rack.power 0.0000000001 0.000000001",
            "nodes[0].resources.cpu.total 0.33333333333 0.333333333",
            "domains[0].resources.power.total -0.0000000001 -0.000000001");
  }

  @Test
  void mistakesOfDomainsAndRulesHaveTheirPlaces() {
    ProblemDocument document =
        Reading.document(
            """
            {"nodes":[],
            "domains":[
            {"level":"rack","name":"r","resources":{"power":1}}],
            "rules":[{"rule":"far"}],
            "workloads":[
            {"name":"w","requirements":{},"preferences":[{"rule":"near"}]}]}""");

    assertThat(
            document.locate(
                new InvalidInputException(
                    Thing.domain("rack", "r"), "resources.power", "1", "less")))
        .hasValueSatisfying(
            fault ->
                assertThat(fault.message())
                    .isEqualTo("line 3, column 1: domains[0].resources.power is 1; allowed: less"));
    assertThat(document.locate(new InvalidInputException(Thing.domain("z", "r"), "a", "1", "2")))
        .isEmpty();
    assertThat(
            document.locate(new InvalidInputException(Thing.rule("near"), "name", "near", "known")))
        .hasValueSatisfying(
            fault ->
                assertThat(fault.place().pointer()).isEqualTo("/workloads/0/preferences/0/rule"));
    assertThat(
            document.locate(new InvalidInputException(Thing.rule("far"), "name", "far", "known")))
        .hasValueSatisfying(
            fault -> assertThat(fault.place().pointer()).isEqualTo("/rules/0/rule"));
  }

  @Test
  void aRuleOfAWorkloadOnANodeIsFoundToo() {
    ProblemDocument document =
        Reading.document(
            """
            {"nodes":[{"name":"n","resources":{},"loads":[{"name":"v","requirements":{}},
              {"name":"w","requirements":{},"rules":[{"rule":"near"}]}]}],
            "workloads":[{"name":"x","requirements":{}}]}""");

    assertThat(
            document.locate(new InvalidInputException(Thing.rule("near"), "name", "near", "known")))
        .hasValueSatisfying(
            fault ->
                assertThat(fault.place().pointer()).isEqualTo("/nodes/0/loads/1/rules/0/rule"));
  }

  @Test
  void aWrongSettingOfARuleHasThePlaceWhereItIsGiven() {
    ProblemDocument document =
        Reading.document(
            """
            {"nodes":[],
            "rules":[{"rule":"far","with":{"most":"9"}}],
            "workloads":[
            {"name":"good","requirements":{},"rules":[{"rule":"near","with":{"most":"2"}}]},
            {"name":"v","requirements":{},"preferences":[{"most":1,"group":"g"},
              {"rule":"near"},{"rule":"near","with":{"most":"x/y"}}]},
            {"name":"bad","requirements":{},"rules":[
              {"most":1,"group":"g"},{"rule":"near","with":{"m/t":"near"}}]}]}""");

    assertThat(setting(document, "near", Map.of("m/t", "near"), "m/t"))
        .isEqualTo(
            "line 7, column 1: workloads[2].rules[1].with['m/t'] at"
                + " /workloads/2/rules/1/with/m~1t");
    assertThat(setting(document, "near", Map.of("most", "x/y"), "most"))
        .endsWith("workloads[1].preferences[2].with.most at /workloads/1/preferences/2/with/most");
    assertThat(setting(document, "far", Map.of("most", "9"), "most"))
        .endsWith(" at /rules/0/with/most");
    assertThat(setting(document, "near", Map.of(), "most"))
        .as("its default is wrong")
        .endsWith(" at /workloads/1/preferences/1/with/most");
    assertThat(setting(document, "other", Map.of("most", "2"), "most")).endsWith(" at /rules");
    assertThat(setting(document, "near", Map.of("most", "3"), "most")).endsWith(" at /rules");
  }

  @Test
  void aLongSettingOfARuleIsFoundToo() {
    String value = "x".repeat(999);
    ProblemDocument document =
        Reading.document(
            """
            {"nodes":[],"workloads":[
            {"name":"v","requirements":{},"rules":[{"rule":"near","with":{"a":"2"}}]},
            {"name":"w","requirements":{},"rules":[{"rule":"near","with":{"a":"%s"}}]}]}"""
                .formatted(value));

    assertThat(setting(document, "near", Map.of("a", value), "a"))
        .endsWith(" at /workloads/1/rules/0/with/a");
  }

  /** Asks for two numbers in order, and has words of its own for what is none. */
  private static final class Near implements PlacementRule {
    @Override
    public String name() {
      return "near";
    }

    @Override
    public List<Setting> settings() {
      return List.of(new Setting("most", "how many", "1"), new Setting("least", "how many", "No"));
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.NODE);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      for (Setting setting : settings()) {
        String text = with.text(setting.name());
        if (!text.matches("[0-9]")) {
          String shown = "'" + text.toLowerCase(Locale.ROOT) + "'";
          throw new InvalidInputException("settings", setting.name(), shown, "a digit");
        }
      }
      with.integer("least", 0, with.integer("most", 0, 9));
      return (workload, node) -> Judgement.KEPT;
    }
  }

  /** Where the first mistake is that a distributor finds in the settings of these workloads. */
  private static String place(String... settings) {
    String workloads = "";
    for (int i = 0; i < settings.length; i++) {
      String rule = "{\"rule\":\"near\",\"with\":{" + settings[i] + "}}";
      workloads +=
          (i == 0 ? "" : ",")
              + "{\"name\":\"w%d\",\"requirements\":{},\"rules\":[%s]}".formatted(i, rule);
    }
    ProblemDocument document = Reading.document("{\"nodes\":[],\"workloads\":[" + workloads + "]}");
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .rule(new Near())
            .build();
    InvalidInputException mistake =
        catchThrowableOfType(
            InvalidInputException.class, () -> fleet.assign(document.problem().workloads()));
    return document.locate(mistake).map(fault -> fault.place().path()).orElse("nowhere");
  }

  @Test
  void aRuleThatIsSoundIsNotBlamedForTheSettingOfAnother() {
    assertThat(place("\"least\":0", "\"least\":0,\"most\":\"NINE\""))
        .as("the other gives the setting")
        .isEqualTo("workloads[1].rules[0].with.most");
    assertThat(place("\"least\":0", "\"most\":3"))
        .as("the other lacks it, and the default is wrong")
        .isEqualTo("workloads[1].rules[0].with.least");
    assertThat(place("\"least\":0,\"most\":3", "\"least\":0,\"most\":\"NINE\""))
        .as("both give it, and the rule has words of its own for the value")
        .isEqualTo("workloads[1].rules[0].with.most");
    assertThat(place("\"least\":5,\"most\":9", "\"least\":5,\"most\":3"))
        .as("both give it, and it is wrong beside another setting")
        .isEqualTo("workloads[1].rules[0].with.least");
    assertThat(place("\"least\":0,\"most\":\"NINE\"", "\"least\":0,\"most\":\"NINE\""))
        .as("both are alike")
        .isEqualTo("workloads[0].rules[0].with.most");
  }

  @Test
  void aRuleOfAWorkloadOnANodeIsNotBlamedForAnotherOfIts() {
    ProblemDocument document =
        Reading.document(
            """
            {"nodes":[{"name":"n","resources":{},"workloads":[{"name":"w","requirements":{},
              "rules":[{"rule":"near","with":{"least":5,"most":9}},
                {"rule":"near","with":{"least":5,"most":3}}]}]}],"workloads":[]}""");
    Distributors.Builder fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .rule(new Near())
            .nodes(document.problem().nodes());

    InvalidInputException mistake = catchThrowableOfType(InvalidInputException.class, fleet::build);

    assertThat(document.locate(mistake).orElseThrow().place().pointer())
        .isEqualTo("/nodes/0/workloads/0/rules/1");
  }

  private static String setting(
      ProblemDocument document, String rule, Map<String, String> with, String setting) {
    Thing wrong = Thing.rule(rule, with);
    var mistake = new InvalidInputException(wrong, "with." + setting, "so", "a number");
    return document
        .locate(mistake)
        .map(fault -> fault.message().replaceFirst(" is .*", "") + " at " + fault.place().pointer())
        .orElseThrow();
  }
}
