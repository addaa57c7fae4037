package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Problem;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemReaderTest {
  private static final String WHOLE =
      """
      {
        "strategy": "bin-pack",
        "rubric": {"cpu": 1, "mem": 0.5},
        "settings": {"depth": 3, "greedy": true, "mode": "fast"},
        "nodes": [
          {"name": "n1", "resources": {"cpu": 6, "mem": 12, "spiders": "-inf"}, "workloads": []},
          {"name": "n2", "resources": {"cpu": 4, "ssd": 0}, "cordoned": true,
           "workloads": [{"name": "old", "requirements": {"cpu": 1}}]}
        ],
        "workloads": [
          {"name": "vm-1", "requirements": {"cpu": 0.2}, "immunities": ["spiders"],
           "aversion_groups": ["io-bound"]}
        ],
        "last_placed": "n2"
      }
      """;

  @Test
  void readsEveryPartOfAProblem() {
    Problem problem = Reading.problem(WHOLE);

    assertThat(problem.strategy()).contains("bin-pack");
    assertThat(problem.rubric()).contains(Rubric.of("cpu", 1, "mem", "0.5"));
    assertThat(problem.settings())
        .containsExactly(
            Map.entry("depth", "3"), Map.entry("greedy", "true"), Map.entry("mode", "fast"));
    assertThat(problem.nodes())
        .containsExactly(
            Node.of("n1", Resources.of("cpu", 6, "mem", 12, "spiders", "-inf")),
            Node.of("n2", Resources.of("cpu", 4, "ssd", 0))
                .withWorkloads(Workload.of("old", Resources.of("cpu", 1)))
                .asCordoned());
    assertThat(problem.workloads())
        .containsExactly(
            Workload.of("vm-1", Resources.of("cpu", "0.2"))
                .withImmunities("spiders")
                .withAversionGroups("io-bound"));
    assertThat(problem.lastPlaced()).contains("n2");
  }

  @Test
  void asksForNodesAndWorkloadsAlone() {
    Problem problem = Reading.problem("{\"nodes\":[],\"workloads\":[]}");

    assertThat(problem).isEqualTo(Problem.of(List.of(), List.of()));
    assertThat(problem.rubric()).isEmpty();
  }

  @Test
  void takesAnEmptyRubricForARubric() {
    assertThat(Reading.problem("{\"rubric\":{},\"nodes\":[],\"workloads\":[]}").rubric())
        .contains(Rubric.of());
  }

  @Test
  void takesMembersInAnyOrder() {
    assertThat(
            Reading.problem(
                """
                {"last_placed":"a","workloads":[{"requirements":{},"name":"w"}],
                 "nodes":[{"workloads":[{"requirements":{"x":1},"name":"p"}],
                           "resources":{"x":0},"name":"a"}]}
                """))
        .isEqualTo(
            Problem.of(
                    List.of(
                        Node.of("a", Resources.of("x", 0))
                            .withWorkloads(Workload.of("p", Resources.of("x", 1)))),
                    List.of(Workload.of("w", Resources.none())))
                .withLastPlaced("a"));
  }

  @Test
  void countsARepeatedEntryOfAListOnce() {
    assertThat(
            Reading.workload(
                """
                "name":"w","requirements":{},"immunities":["b","a","b"],"aversion_groups":["g","g"]
                """))
        .isEqualTo(
            Problem.of(
                List.of(),
                List.of(
                    Workload.of("w", Resources.none())
                        .withImmunities("a", "b")
                        .withAversionGroups("g"))));
  }

  @Test
  void takesAnyNameAsItIs() {
    Problem problem =
        Reading.node("\"name\":\"a/b~c \\u00e9\\ud83d\\udd26\",\"resources\":{\"\\\"x\\\"\":1}");

    assertThat(problem.nodes())
        .containsExactly(Node.of("a/b~c \u00e9\ud83d\udd26", Resources.of("\"x\"", 1)));
  }

  @Test
  void skipsOneByteOrderMark() {
    String text = "{\"nodes\":[],\"workloads\":[]}";

    assertThat(Reading.problem("\ufeff" + text)).isEqualTo(Problem.of(List.of(), List.of()));
    assertThat(Reading.fault("\ufeff\ufeff" + text)).contains("is no JSON");
  }

  @Test
  void leavesTheStreamOpenAndPassesOnItsTrouble() {
    byte[] half = "{\"nodes\":[".getBytes(StandardCharsets.UTF_8);
    boolean[] closed = new boolean[1];
    FilterInputStream broken =
        new FilterInputStream(new ByteArrayInputStream(half)) {
          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            int count = super.read(target, offset, length);
            if (count < 0) {
              throw new IOException("the disk is gone");
            }
            return count;
          }

          @Override
          public void close() {
            closed[0] = true;
          }
        };

    assertThatThrownBy(() -> ProblemReader.standard().read(broken))
        .isInstanceOf(IOException.class)
        .hasMessage("the disk is gone");
    assertThat(closed[0]).isFalse();
  }

  @Nested
  class Vocabulary {
    @Test
    void knowsTheWordsOfTheHttpService() {
      Problem theirs =
          Reading.problem(
              """
              {"nodes":[{"id":"n","resources":{"x":1},"loads":[{"id":"p","requirements":{"x":1}}]}],
               "loads":[{"id":"w","requirements":{},"tolerations":["x"]}]}
              """);
      Problem ours =
          Reading.problem(
              """
              {"nodes":[{"name":"n","resources":{"x":1},
                         "workloads":[{"name":"p","requirements":{"x":1}}]}],
               "workloads":[{"name":"w","requirements":{},"immunities":["x"]}]}
              """);

      assertThat(theirs).isEqualTo(ours);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "\"name\":\"n\",\"id\":\"n\",\"resources\":{} | id | name",
          "\"id\":\"n\",\"name\":\"n\",\"resources\":{} | name | id",
          "\"name\":\"n\",\"resources\":{},\"workloads\":[],\"loads\":[] | loads | workloads"
        })
    void refusesBothWordsOfAPairOnANode(String members, String second, String first) {
      String text = "{\"nodes\":[{" + members + "}],\"workloads\":[]}";

      assertThat(Reading.fault(text))
          .endsWith(
              "nodes[0]."
                  + second
                  + " is given beside '"
                  + first
                  + "', which is the same; allowed: one of the two words");
    }

    @Test
    void refusesBothWordsOfAPairOnAWorkload() {
      assertThat(
              Reading.fault(
                  """
                  {"nodes":[],"workloads":[
                    {"name":"w","requirements":{},"immunities":[],"tolerations":[]}]}
                  """))
          .isEqualTo(
              "line 2, column 49: workloads[0].tolerations is given beside 'immunities', which is"
                  + " the same; allowed: one of the two words");
    }

    @Test
    void refusesBothWordsOfAPairAtTheTop() {
      assertThat(Reading.fault("{\"nodes\":[],\"workloads\":[],\"loads\":[]}"))
          .startsWith("line 1, column 28: loads is given beside 'workloads'");
    }
  }

  @Nested
  class Quantities {
    @ParameterizedTest
    @CsvSource({
      "6, 6",
      "0.1, 0.1",
      "-0, 0",
      "1.50, 1.5",
      "1e3, 1000",
      "1E-2, 0.01",
      "-2.5e+1, -25",
      "\"12.5\", 12.5",
      "\"1e2\", 100",
      "\"inf\", inf",
      "\"+inf\", inf",
      "\"-inf\", -inf",
      "inf, inf",
      "-inf, -inf",
      "Infinity, inf",
      "-Infinity, -inf",
      "0.1000000000000000055511151231257827, 0.1000000000000000055511151231257827",
      "123456789012345678901234567890.5, 123456789012345678901234567890.5"
    })
    void keepTheirDecimalText(String json, String value) {
      assertThat(Reading.node("\"name\":\"n\",\"resources\":{\"x\":" + json + "}").nodes())
          .containsExactly(Node.of("n", Resources.of("x", Quantity.of(value))));
    }

    @Test
    void mayHaveThousandDigitsOnEachSideOfThePoint() {
      String digits = "7".repeat(1000);
      Quantity read =
          Reading.node("\"name\":\"n\",\"resources\":{\"x\":" + digits + "." + digits + "}")
              .nodes()
              .get(0)
              .resources()
              .quantity(0);

      assertThat(read).hasToString(digits + "." + digits);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "\"\"",
          "\" 1\"",
          "\"0x10\"",
          "\"1,5\"",
          "\"NaN\"",
          "\"Infinity\"",
          "\"-INF\"",
          "\"01\"",
          "true",
          "false",
          "null",
          "[1]",
          "1e1001",
          "1e-1001",
          "\"1e99999999999\""
        })
    void areNothingElse(String json) {
      String text =
          "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"x\":" + json + "}}],\"loads\":[]}";

      assertThat(Reading.fault(text))
          .startsWith("line 1, column 40: nodes[0].resources.x is ")
          .contains("; allowed: a JSON number, ");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "NaN",
          "INF",
          "-INF",
          "+INF",
          "+inf",
          "infinity",
          "-info",
          "-in",
          "Inf",
          "01",
          "1.",
          ".5",
          "+1",
          "0x10",
          "1e",
          "-",
          "--1",
          "1inf",
          "inf1",
          "inf-inf",
          "'1'"
        })
    void areNoBareWordsButInfinities(String token) {
      String text =
          "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"x\":" + token + "}}],\"loads\":[]}";

      assertThat(Reading.faults(text))
          .singleElement()
          .satisfies(
              fault -> {
                assertThat(fault.kind()).isEqualTo(Fault.Kind.SYNTAX);
                assertThat(fault.place().path()).startsWith("nodes[0].resources");
                assertThat(fault.place().line()).isOne();
                assertThat(fault.place().column()).isBetween(40, 47);
              });
    }

    /** What is written for 8 GiB depends on what the fleet counts, so both are offered. */
    @ParameterizedTest
    @CsvSource({
      "8Gi, 8589934592, 8, Gi",
      "500m, 0.5, 500, m",
      "1.5k, 1500, 1.5, k",
      "2GB, 2000000000, 2, G",
      "4 MiB, 4194304, 4, Mi",
      "+8Gi, 8589934592, 8, Gi",
      "007.50Ki, 7680, 7.50, Ki"
    })
    void withAUnitSayWhatToWrite(String text, String number, String digits, String unit) {
      assertThat(
              Reading.fault(
                  "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"x\":\""
                      + text
                      + "\"}}],\"loads\":[]}"))
          .isEqualTo(
              "line 1, column 40: nodes[0].resources.x is '"
                  + text
                  + "'; allowed: a number without a unit: "
                  + number
                  + ", or "
                  + digits
                  + " where the resource is counted in "
                  + unit
                  + " everywhere");
    }

    /** A caller that writes 512mb means megabytes, not thousandths. */
    @ParameterizedTest
    @ValueSource(strings = {"512mb", "512 mB"})
    void inAUnitThatMayMeanTwoThingsGetNoNumber(String text) {
      assertThat(
              Reading.fault(
                  "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"x\":\""
                      + text
                      + "\"}}],\"loads\":[]}"))
          .contains("'" + text + "'; allowed: a JSON number, inf");
    }

    @Test
    void whereOneInfinityIsTooManyItIsRefusedAsOthersAre() {
      assertThat(
              Reading.fault(
                  "{\"nodes\":[],\"loads\":[{\"name\":\"w\",\"requirements\":{\"x\":Infinity}}]}"))
          .endsWith("requirements.x is Infinity; allowed: a finite decimal");
    }

    @Test
    void takeNoEscapesForABareInfinity() {
      assertThat(
              Reading.fault(
                  "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"x\":\"\\udfff\"}}],\"loads\":[]}"))
          .contains("nodes[0].resources.x is ");
    }

    @Test
    void letRequirementsBeFiniteOnly() {
      assertThat(
              Reading.fault(
                  "{\"nodes\":[],\"loads\":[{\"id\":\"w\",\"requirements\":{\"x\":-inf}}]}"))
          .isEqualTo(
              "line 1, column 52: loads[0].requirements.x is -inf; allowed: a finite decimal");
    }
  }

  /** Equal resources are made one object by a table of 4,096 slots: five others share each. */
  @Test
  void resourcesThatShareASlotAreNotTakenForEachOther() {
    StringBuilder workloads = new StringBuilder();
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      String names =
          i % 3 == 0 ? "\"b\":%d,\"a\":%d" : i % 3 == 1 ? "\"a\":%d,\"b\":%d" : "\"a\":%d,\"c\":%d";
      workloads
          .append(i == 0 ? "" : ",")
          .append("{\"name\":\"w")
          .append(i)
          .append("\",\"requirements\":{")
          .append(names.formatted(i % 141, i / 141))
          .append("}}");
    }
    Problem read = Reading.problem("{\"nodes\":[],\"workloads\":[" + workloads + "]}");
    for (int i = 0; i < count; i++) {
      int first = i % 141;
      int second = i / 141;
      Resources expected =
          i % 3 == 0
              ? Resources.of("b", first, "a", second)
              : i % 3 == 1
                  ? Resources.of("a", first, "b", second)
                  : Resources.of("a", first, "c", second);
      assertThat(read.workloads().get(i).requirements()).isEqualTo(expected);
    }
  }
}
