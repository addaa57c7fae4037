package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.strategy.PlacementStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  @TempDir private Path directory;

  @Test
  void putsEveryStrategySideBySide() {
    Run run = Run.of("compare", Examples.file("fleet.json"));

    List<String> firstWords = new ArrayList<>(Examples.strategies());
    firstWords.add(0, "strategy");
    firstWords.add("at");
    assertThat(run.out().lines().map(String::strip).map(line -> line.split(" +")[0]))
        .containsSubsequence(firstWords);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }

  @Test
  void saysWhatAStrategyRefuses() throws IOException {
    String noRubric =
        "{\"nodes\":[{\"name\":\"n\",\"resources\":{\"cpu\":2,\"euros\":7}}],"
            + "\"workloads\":[{\"name\":\"w\",\"requirements\":{\"cpu\":1}}]}";

    Run run = Run.reading(noRubric, "compare", "--price", "euros", "--output", "json", "-");

    assertThat(run.out())
        .contains("{\"strategy\":\"bin-pack\",\"error\":\"")
        .contains("\"placed\":1,\"refused\":0,\"nodes_used\":1,\"left_percent\":100,\"cost\":7,")
        .contains("\"bounds\":{\"most_placed\":1,\"fewest_nodes\":1}");
    assertThat(run.code()).isZero();

    Run csv = Run.reading(noRubric, "compare", "--output", "csv", "-");
    assertThat(csv.out())
        .startsWith("strategy,placed,refused,nodes,left %,cost,ms,file,error\r\n")
        .containsPattern("bin-pack,,,,,,,standard input,\"?strategy 'bin-pack': rubric is missing")
        .containsPattern("pack,1,0,1,100.0,1,[0-9]+,standard input,\r\n");

    Path file = Files.writeString(directory.resolve("one.json"), noRubric);
    Run two = Run.reading(noRubric, "compare", "--output", "csv", file, "-");
    assertThat(two.out())
        .containsOnlyOnce("strategy,placed")
        .containsPattern("\npack,1,0,1,100.0,1,[0-9]+,.*one.json,\r\n")
        .containsPattern("\npack,1,0,1,100.0,1,[0-9]+,standard input,\r\n");

    Run unknown = Run.reading(noRubric, "compare", "--price", "euro", "-");
    assertThat(unknown.err())
        .startsWith("lighthouse: standard input: --price: 'euro' is a resource of no node; allowed")
        .contains("; did you mean euros?");
    assertThat(unknown.code()).isEqualTo(2);
  }

  @Test
  void endsWithTwoWhereNoStrategyTakesTheProblem() {
    String unknownRule =
        "{\"nodes\":[{\"name\":\"n\",\"resources\":{}}],\"workloads\":"
            + "[{\"name\":\"w\",\"requirements\":{},\"rules\":[{\"rule\":\"zz\"}]}]}";

    Run run = Run.reading(unknownRule, "compare", "-");

    assertThat(run.out()).contains("rule 'zz'", "a rule of a plug-in needs --plugins DIR");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(2);

    Run quiet = Run.reading(unknownRule, "compare", "-q", "-");
    assertThat(quiet.out()).isEmpty();
    assertThat(quiet.err())
        .contains("lighthouse: standard input: balance: rule 'zz': ")
        .contains("lighthouse: standard input: spread: rule 'zz': ");
    assertThat(quiet.code()).isEqualTo(2);
  }

  @Test
  void endsWithTwoWhereAStrategyIsBroken() throws Exception {
    Path plugins =
        PluginFolder.of(
            directory,
            PlacementStrategy.class,
            "Broken",
            """
            import io.lighthouse.api.strategy.*;
            public class Broken implements PlacementStrategy {
              public String name() { return "broken"; }
              public Placer newPlacer(Fleet fleet, Settings with) {
                throw new IllegalStateException("no idea");
              }
            }
            """);

    Run run = Run.of("compare", "--plugins", plugins, Examples.file("fleet.json"));

    assertThat(run.out()).contains("at best", "no idea");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(2);

    Run quiet = Run.of("compare", "-q", "--plugins", plugins, Examples.file("fleet.json"));

    assertThat(quiet.err().lines())
        .singleElement()
        .asString()
        .contains("fleet.json: broken: ", "no idea");
    assertThat(quiet.code()).isEqualTo(2);
  }
}
