package io.lighthouse.json.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProblemWriterTest {

  private static String written(Problem problem) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProblemWriter.write(problem, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void writesEveryPartInOneOrder() throws IOException {
    Problem problem =
        Problem.of(
                List.of(
                    Node.of("n1", Resources.of("mem", "12.50", "cpu", 6, "spiders", "-inf")),
                    Node.of("n2", Resources.of("cpu", "inf", "x", 0))
                        .withWorkloads(
                            Workload.of("p", Resources.of("cpu", "1e3")), workload("q", "b", "a"))
                        .asCordoned()),
                List.of(
                    workload("w").withAversionGroups("io", "db"),
                    Workload.of("\u00e9\"\n", none())))
            .withStrategy("bin-pack")
            .withRubric(Rubric.of("mem", "0.5", "cpu", 1))
            .withSettings(Map.of("mode", "fast", "depth", "3"))
            .withLastPlaced("n2");

    assertThat(written(problem))
        .isEqualTo(
            """
            {"strategy":"bin-pack",
            "rubric":{"cpu":1,"mem":0.5},
            "settings":{"depth":"3","mode":"fast"},
            "nodes":[
            {"name":"n1","resources":{"cpu":6,"mem":12.5,"spiders":"-inf"}},
            {"name":"n2","resources":{"cpu":"inf","x":0},"workloads":[{"name":"p","requirements":{"cpu":1000}},{"name":"q","requirements":{"x":-1},"immunities":["a","b"]}],"cordoned":true}
            ],
            "workloads":[
            {"name":"w","requirements":{"x":-1},"aversion_groups":["db","io"]},
            {"name":"\u00e9\\"\\n","requirements":{}}
            ],
            "last_placed":"n2"}
            """);
  }

  @Test
  void writesDomainsRulesAndTermsBehindTheOldWords() throws IOException {
    Terms terms =
        Terms.NONE
            .sharing("rack", Resources.of("power", "0.40"))
            .sharing("fleet", Resources.of("licence", 1))
            .inGroups("web")
            .where(
                new Condition.In("arch", Set.of("x86", "arm64")),
                new Condition.Has("cpu", Quantity.of(64), Quantity.INFINITY),
                new Condition.Any(List.of(List.of(new Condition.Nowhere("zone")), List.of())))
            .rules(
                new Rule.Most(1, "web", "node"),
                new Rule.Skew(1, "web", "zone", 3),
                new Rule.Least(1, "cache", "rack"),
                new Rule.Named("near-data", Map.of("set", "x", "deep", "true")))
            .preferring(
                new Rule.Where(List.of(new Condition.Somewhere("zone"))),
                new Rule.Skew(0, "web", "rack", 1))
            .inGang(Gang.of("shop").within("zone"));
    Unit unit = new Unit(Quantity.of(1), Quantity.of(16), Quantity.of("0.5"));
    Problem problem =
        Problem.of(
                List.of(
                    Node.of("n1", Resources.of("cpu", 6, "mem", 1))
                        .withUnits(Map.of("cpu", unit))
                        .in("zone", "a")
                        .in("rack", "r1")
                        .asCordoned()),
                List.of(workload("w", "spiders").withAversionGroups("io").withTerms(terms)))
            .withRubric(Rubric.of())
            .withDomains(
                List.of(
                    Domain.of("rack", "r1", Resources.of("power", "inf")).asCordoned(),
                    Domain.of("zone", "a", none())))
            .withRules(
                List.of(new Rule.Most(10, "tenant", "fleet"), new Rule.Named("near", Map.of())));

    assertThat(written(problem))
        .isEqualTo(
            """
            {"rubric":{},
            "rules":[
            {"most":10,"group":"tenant","level":"fleet"},
            {"rule":"near"}
            ],
            "domains":[
            {"level":"rack","name":"r1","resources":{"power":"inf"},"cordoned":true},
            {"level":"zone","name":"a"}
            ],
            "nodes":[
            {"name":"n1","resources":{"cpu":{"left":6,"min":1,"max":16,"step":0.5},"mem":1},"cordoned":true,"domains":{"rack":"r1","zone":"a"}}
            ],
            "workloads":[
            {"name":"w","requirements":{"x":-1},"immunities":["spiders"],"aversion_groups":["io"],\
            "shared":{"fleet":{"licence":1},"rack":{"power":0.4}},"groups":["web"],\
            "where":[{"level":"arch","in":["arm64","x86"]},{"resource":"cpu","least":64},{"any":[[{"level":"zone","absent":true}],[]]}],\
            "rules":[{"most":1,"group":"web"},{"skew":1,"group":"web","level":"zone","min_domains":3},{"least":1,"group":"cache","level":"rack"},{"rule":"near-data","with":{"deep":"true","set":"x"}}],\
            "preferences":[{"where":[{"level":"zone"}]},{"skew":0,"group":"web","level":"rack"}],\
            "gang":{"name":"shop","within":"zone"}}
            ]}
            """);
  }

  @Test
  void isGivenNoRulesOfTheFleetThatOnlyPreferencesMayBe() {
    Problem problem = Problem.of(List.of(), List.of());

    assertThatThrownBy(() -> problem.withRules(List.of(new Rule.Where(List.of()))))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> problem.withRules(List.of(new Rule.Skew(0, "g", "zone", 1))))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void leavesOutWhatIsEmpty() throws IOException {
    assertThat(written(Problem.of(List.of(), List.of())))
        .isEqualTo("{\"nodes\":[],\n\"workloads\":[]}\n");
  }

  @Test
  void keepsAnEmptyRubric() throws IOException {
    assertThat(written(Problem.of(List.of(), List.of()).withRubric(Rubric.of())))
        .startsWith("{\"rubric\":{},");
  }

  @Test
  void passesOnThatItCannotWrite() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };

    assertThatThrownBy(() -> ProblemWriter.write(Problem.of(List.of(), List.of()), full))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("no space left");
  }

  @Test
  void leavesItsTargetOpen() throws IOException {
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void close() throws IOException {
            throw new IOException("closed");
          }
        };
    ProblemWriter.write(Problem.of(List.of(), List.of()), out);

    assertThat(out.size()).isPositive();
  }

  @Test
  void isGivenNothingThatCannotBeWritten() {
    Problem problem = Problem.of(List.of(), List.of());

    assertThatThrownBy(() -> problem.withStrategy("\ud800"))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> problem.withLastPlaced("")).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> problem.withSettings(Map.of("a", "\udc00")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("settings: a is a text with the lone surrogate");
    assertThat(problem.withSettings(Map.of("a", "")).settings()).containsEntry("a", "");
  }

  @Test
  void refusesWhatIsTooDeepToBeReadAgain() throws IOException {
    byte[] deep = written(nested(360)).getBytes(StandardCharsets.UTF_8);
    assertThat(ProblemReader.standard().withLimits(Limits.WRITTEN).read(deep).problem())
        .isEqualTo(nested(360));
    assertThatThrownBy(() -> written(nested(400)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("problem: depth is more than 1099 levels of objects and arrays;");
  }

  private static Problem nested(int levels) {
    Condition condition = new Condition.Somewhere("zone");
    for (int i = 0; i < levels; i++) {
      condition = new Condition.Any(List.of(List.of(condition)));
    }
    return Problem.of(
        List.of(), List.of(Workload.of("w", none()).withTerms(Terms.NONE.where(condition))));
  }

  private static Resources none() {
    return Resources.none();
  }

  private static Workload workload(String name, String... immunities) {
    return Workload.of(name, Resources.of("x", -1)).withImmunities(immunities);
  }
}
