package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code explain --scores}. */
class ScoresTest {
  private static final String FLEET =
      """
      {"rubric": {"cpu": 1, "mem": 0.25},
       "nodes": [
        {"name": "n1", "resources": {"cpu": 8, "mem": 4}},
        {"name": "n2", "resources": {"cpu": 2, "mem": 10.5}, "domains": {"zone": "a"}},
        {"name": "n3", "resources": {"cpu": 4, "mem": 2},
         "workloads": [{"name": "old", "requirements": {}, "aversion_groups": ["g"]}]}],
       "workloads": [{"name": "w", "requirements": {"cpu": 1, "mem": 1}, "aversion_groups": ["g"]},
                     {"name": "zoned", "requirements": {"cpu": 1},
                      "preferences": [{"where": [{"level": "zone", "in": ["a"]}]}]},
                     {"name": "gpu", "requirements": {"gpu": 1}}]}
      """;

  private static Run scores(String strategy, String workload, Object... more) {
    Object[] words = new Object[6 + more.length];
    words[0] = "explain";
    words[1] = "--scores";
    words[2] = "--strategy";
    words[3] = strategy;
    words[4] = workload;
    words[5] = "-";
    System.arraycopy(more, 0, words, 6, more.length);
    return Run.reading(FLEET, words);
  }

  @Test
  void tellsScoresAndWhatTheyAreMadeOf() {
    assertThat(scores("bin-pack", "w").out())
        .contains("candidate  score of what is left, the lowest first, then by name\n")
        .containsPattern("\n +n2 +4\\.625 = 1 x 2 cpu \\+ 0\\.25 x 10\\.5 mem\n")
        .containsPattern("\n +n1 +9 = 1 x 8 cpu \\+ 0\\.25 x 4 mem\n")
        .containsPattern("\n +n3 +4\\.5 = 1 x 4 cpu \\+ 0\\.25 x 2 mem; averse\n")
        .contains("decided by  the score: 4.625 before 9\n");
  }

  @Test
  void tellsTheOrderOfEveryStrategy() {
    assertThat(scores("prioritized", "w").out())
        .contains("candidate  place in the order of nodes\n")
        .containsPattern("\n +n1 +1\n +n2 +2\n +n3 +3; averse\n")
        .contains("decided by  the order of nodes");
    assertThat(scores("round-robin", "w").out()).contains("from the last one placed on");
    assertThat(scores("spread", "w").out())
        .containsPattern("\n +n1 +268435456: 1 of 8 cpu, 1 of 4 mem\n")
        .contains("decided by  the score: 268435456 before 536870912");
    assertThat(scores("balance", "w").out()).contains("variance of the shares");
    assertThat(scores("pack", "w").out())
        .contains("places whole batches at once")
        .contains("decided by  the strategy, which does not tell");
  }

  @Test
  void tellsThePreferenceThatDecided() {
    assertThat(scores("prioritized", "zoned").out())
        .containsPattern("\n +n2 +2; preference 1 met\n +n1 +1; preference 1 off by 1\n")
        .contains("decided by  preference 1\n");
  }

  @Test
  void saysNothingOfThemWhereNothingFitsOrNobodyAsks() {
    Run run = scores("prioritized", "gpu");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).doesNotContain("candidate").doesNotContain("decided by");
    assertThat(Run.reading(FLEET, "explain", "w", "-").out()).doesNotContain("decided by");
    assertThat(Run.reading(FLEET, "explain", "w", "-", "-o", "json").out())
        .doesNotContain("choice");
  }

  @Test
  void showsTheFirstTenAndCountsTheOthers() {
    String nodes =
        IntStream.rangeClosed(1, 13)
            .mapToObj(i -> "{\"name\":\"m" + i + "\",\"resources\":{}}")
            .collect(Collectors.joining(","));
    String fleet =
        "{\"nodes\":[" + nodes + "],\"workloads\":[{\"name\":\"w\",\"requirements\":{}}]}";
    Run table = Run.reading(fleet, "explain", "--scores", "w", "-");
    Run json = Run.reading(fleet, "explain", "--scores", "w", "-", "-o", "json");

    assertThat(table.out()).containsPattern("\n +m10 +10\n +and 3 more\n");
    assertThat(json.out())
        .contains("{\"node\":\"m13\",\"averse\":false,\"excess\":[],\"score\":13");
  }

  @Test
  void writesAllOfItInJson() {
    assertThat(scores("bin-pack", "w", "-o", "json").out().replaceAll("\\s", ""))
        .contains(
            "\"choice\":{\"order\":\"score\",\"descending\":false,\"placed\":true,"
                + "\"decider\":\"score\",\"candidates\":[{\"node\":\"n2\",\"averse\":false,"
                + "\"excess\":[],\"score\":4.625,\"terms\":[{\"name\":\"cpu\",\"amount\":2,"
                + "\"of\":1,\"value\":2},{\"name\":\"mem\",\"amount\":10.5,\"of\":0.25,"
                + "\"value\":2.625}]}");
  }
}
