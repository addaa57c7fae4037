package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCommandTest {
  private static final String FLEET =
      """
      {"nodes": [
        {"name": "n1", "resources": {"cpu": 3}, "domains": {"zone": "a"},
         "workloads": [{"name": "w1", "requirements": {"cpu": 1}}]},
        {"name": "n2", "resources": {"cpu": 2}, "domains": {"zone": "b"},
         "workloads": [{"name": "w2", "requirements": {"cpu": 2}}]}],
       "workloads": [{"name": "new", "requirements": {"cpu": 9}}]}
      """;

  @TempDir private Path folder;

  @Test
  void drainsANode() {
    Run run = Run.reading(FLEET, "plan", "drain", "n2", "-");

    assertThat(run.out())
        .startsWith("standard input: 1 move in 1 wave\n")
        .contains("move 'w2' from 'n2' to 'n1'")
        .containsPattern("nodes in use +2, 1")
        .contains("this one does reach it");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }

  @Test
  void evacuatesADomainAndSavesWhatComesOfIt() throws IOException {
    Path saved = folder.resolve("after.json");

    Run run = Run.reading(FLEET, "plan", "evacuate", "zone=b", "--out", saved, "-o", "json", "-");

    assertThat(run.out())
        .startsWith("{\"goal\":\"evacuate\",\"waves\":[{\"changes\":[{\"workload\":\"w2\",")
        .contains("\"unmet\":[]");
    assertThat(Files.readString(saved)).contains("w2");
    assertThat(Run.of("plan", "consolidate", saved).out()).contains(": 0 moves in 0 waves");
  }

  @Test
  void saysWhatItDoesNotReach() {
    Run run = Run.reading(FLEET, "plan", "place", "--max-moves", "0", "-o", "csv", "-");

    assertThat(run.out()).isEqualTo("wave,workload,from,to\r\n");
    assertThat(run.code()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shuffle -", "drain -", "rebalance n1 -", "repair --max-moves -1 -"})
  void refusesWrongUse(String words) {
    Run run = Run.reading(FLEET, (Object[]) ("plan " + words).split(" "));

    assertThat(run.err()).isNotEmpty();
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void namesANodeThatIsNotThere() {
    assertThat(Run.reading(FLEET, "plan", "drain", "n9", "-").err()).contains("n9");
    assertThat(Run.reading(FLEET, "plan", "evacuate", "zone=x", "-").err()).contains("zone=x");
  }
}
