package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
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
  void savesWhatStillWaits() throws IOException {
    Path saved = folder.resolve("after.json");

    Run.of("plan", "place", "--max-moves", "0", "--out", saved, Examples.file("living.json"));

    assertThat(Files.readString(saved)).contains("\"workloads\":[\n{\"name\":\"");
    assertThat(Run.of("plan", "place", saved).out()).contains("placed in all");
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
    String fleet =
        "{\"nodes\":[{\"name\":\"m\",\"resources\":{},\"domains\":{\"a\":\"b=c\"}},"
            + "{\"name\":\"n\",\"resources\":{},\"domains\":{\"a=b\":\"c\"}}],\"workloads\":[]}";
    assertThat(Run.reading(fleet, "plan", "drain", "a=b=c", "-").err())
        .contains("'a=b=c', which names two domains");
    assertThat(Run.reading(FLEET, "plan", "repair", "--pin", "w9", "-").err())
        .contains("--pin: 'w9' is on no node; allowed: the name of a workload on a node");
    assertThat(Run.reading(FLEET, "plan", "repair", "--pin", "new", "-").err())
        .contains("--pin: 'new' is on no node; allowed: the name of a workload on a node");
    assertThat(Run.reading(FLEET, "plan", "repair", "--avoid", "n9", "-").err())
        .contains("--avoid: 'n9' is no node of the file; allowed: the name of a node");
  }

  /** A limit of a misspelt resource would limit nothing. */
  @Test
  void namesAResourceThatIsNotThere() {
    String known = "; allowed: a resource that a node has or a workload requires";
    Run cp = Run.reading(FLEET, "plan", "repair", "--max-moved", "CPU=1", "-");
    assertThat(cp.err())
        .contains("--max-moved: 'CPU' is not in the file" + known + "; did you mean cpu?\n");
    assertThat(cp.code()).isEqualTo(2);
    assertThat(Run.reading(FLEET, "plan", "repair", "--max-moved", "cpu=1,gpu=1", "-").err())
        .contains("--max-moved: 'gpu' is not in the file" + known + "\n");
    String waiting = FLEET.replace("{\"cpu\": 9}", "{\"gpu\": 9}");
    assertThat(Run.reading(waiting, "plan", "repair", "--max-moved", "gpu=1", "-").err()).isEmpty();
  }

  /** What keeps a plan from its goal is a row, and in JSON a member. */
  @Nested
  class Obstacles {
    private static final String FULL =
        """
        {"nodes": [
          {"name": "n1", "resources": {"cpu": 3}, "domains": {"zone": "a"},
           "workloads": [{"name": "w1", "requirements": {"cpu": 1}}]},
          {"name": "n2", "resources": {"cpu": 0}, "domains": {"zone": "b"}}],
         "workloads": [{"name": "new", "requirements": {"cpu": 9}}]}
        """;

    private static final String MIXED =
        """
        {"nodes": [
          {"name": "a", "resources": {"cpu": 8},
           "workloads": [{"name": "big", "requirements": {"cpu": 5}},
                         {"name": "small", "requirements": {"cpu": 1}}]},
          {"name": "b", "resources": {"cpu": 3}},
          {"name": "c", "resources": {"cpu": 4}},
          {"name": "d", "resources": {"cpu": 9, "gpu": -1}}],
         "workloads": []}
        """;

    private static String plan(String fleet, String words) {
      Run run = Run.inColumnsReading(200, fleet, (Object[]) ("plan " + words + " -").split(" "));
      assertThat(run.err()).isEmpty();
      assertThat(run.code()).isEqualTo(1);
      return run.out();
    }

    @Test
    void nameTheWorkloadThatStaysAndWhatTheBestNodeLacks() {
      assertThat(plan(FULL, "drain n1"))
          .containsPattern("obstacle +why, after the plan\n")
          .containsPattern("w1 +stays on n1: no node has 1 cpu left; nearest n2 has 0\n");
      assertThat(plan(FULL, "evacuate zone=a")).contains("stays on n1: no node has 1 cpu left");
      assertThat(plan(FULL, "place"))
          .containsPattern("new +no node has 9 cpu left; nearest n1 has 3");
    }

    @Test
    void countTheNodesThatRefuseForDifferentReasons() {
      assertThat(plan(MIXED, "drain a"))
          .containsPattern(
              "big +stays on a: cpu short on 2 nodes; shortcoming gpu on 1 node;"
                  + " nearest c: lacks 1 cpu \\(4 left, 5 required\\)\n")
          .doesNotContain("small");
    }

    @Test
    void leaveOutNodesThatAreNotToBeUsed() {
      assertThat(plan(MIXED, "drain a --avoid c"))
          .contains("cordoned on 1 node; cpu short on 2 nodes; shortcoming gpu on 1 node");
    }

    @Test
    void nameTheLimitsOfThePlan() {
      assertThat(plan(FLEET, "drain n2 --pin w2")).contains("stays on n2: it may not be moved");
      assertThat(plan(FLEET, "drain n2 --max-moves 0"))
          .contains("stays on n2: its node needs 1 move, and 0 of at most 0 are left");
      assertThat(plan(FLEET, "evacuate n2 --max-moves 0"))
          .contains("stays on n2: none of at most 0 moves is left");
      String one = "{\"name\": \"%s\", \"requirements\": {\"cpu\": 1}}";
      String two = one.formatted("w2") + "," + one.formatted("w3");
      String fleet = FLEET.replace("{\"name\": \"w2\", \"requirements\": {\"cpu\": 2}}", two);
      assertThat(plan(fleet, "evacuate n2 --max-moves 1"))
          .contains("stays on n2: none of at most 1 move is left");
      String roomy = FLEET.replace("{\"cpu\": 3}", "{\"cpu\": 3, \"mem\": 9}");
      assertThat(plan(roomy, "evacuate n2 --max-moved cpu=1"))
          .contains("stays on n2: moving it takes ", " cpu, and 1 of at most 1 are left")
          .isEqualTo(plan(roomy, "evacuate n2 --max-moved mem=9,cpu=1"))
          .isEqualTo(plan(roomy, "evacuate n2 --max-moved mem=9 --max-moved cpu=1"));
    }

    @Test
    void sayWhyAWorkloadStaysBesideItsLike() {
      String pair =
          """
          {"nodes": [
            {"name": "a", "resources": {"cpu": 4},
             "workloads": [{"name": "x", "requirements": {"cpu": 2}, "aversion_groups": ["g"]},
                           {"name": "y", "requirements": {"cpu": 2}, "aversion_groups": ["g"]}]},
            {"name": "b", "resources": {"cpu": 1}}],
           "workloads": []}
          """;
      assertThat(plan(pair, "repair"))
          .contains("x         stays on a: no friendly node takes it: ", "b: lacks 1 cpu (1 left");
      String full =
          pair.replace(
              "{\"cpu\": 1}}",
              "{\"cpu\": 9}, \"workloads\": [{\"name\": \"z\","
                  + "\"requirements\": {}, \"aversion_groups\": [\"g\"]}]}");
      assertThat(plan(full, "repair"))
          .contains("no friendly node takes it: averse on 1 more node\n");
      String free = pair.replace("{\"cpu\": 1}}", "{\"cpu\": 9}}");
      assertThat(plan(free, "repair --avoid b"))
          .contains("no friendly node takes it: cordoned on 1 node\n")
          .doesNotContain("averse on");
      assertThat(plan(free, "repair --max-moved cpu=1"))
          .contains("x         stays on a: moving it takes 2 cpu, and 1 of at most 1 are left");
      String alone = pair.replaceFirst(",\\s+\\{\"name\": \"b\".*?\\}\\}", "");
      assertThat(plan(alone, "repair")).contains("stays on a: there is no other node\n");
    }

    /** Where another workload of the node might go is no reason. */
    @ParameterizedTest
    @ValueSource(strings = {"prioritized", "round-robin", "spread", "balance"})
    void areTheSameForEveryStrategy(String strategy) {
      String fleet =
          """
          {"nodes": [
            {"name": "a", "resources": {"cpu": 0},
             "workloads": [{"name": "p", "requirements": {"cpu": 2}},
                           {"name": "q", "requirements": {"cpu": 3}},
                           {"name": "r", "requirements": {"cpu": 9}}]},
            {"name": "x", "resources": {"cpu": 3}}, {"name": "y", "resources": {"cpu": 2}}],
           "workloads": []}
          """;
      assertThat(plan(fleet, "drain a --strategy " + strategy))
          .contains("r         stays on a: no node has 9 cpu left; nearest x has 3\n")
          .doesNotContain("p         stays", "q         stays");
    }

    @Test
    void sayOfAMemberOfAGangWhatItLacksItself() {
      String fleet =
          """
          {"nodes": [
            {"name": "a", "resources": {"cpu": 9}, "workloads": [
              {"name": "g1", "requirements": {"cpu": 5}, "gang": {"name": "G"}},
              {"name": "g2", "requirements": {"cpu": 1}, "gang": {"name": "G"}}]},
            {"name": "b", "resources": {"cpu": 2}}],
           "workloads": []}
          """;
      assertThat(plan(fleet, "drain a"))
          .contains("g1        stays on a: no node has 5 cpu left; nearest b has 2\n")
          .doesNotContain("g2        stays");
    }

    @Test
    void areAtMostAHundred() {
      String members =
          IntStream.range(0, 130)
              .mapToObj(i -> "{\"name\": \"w" + i + "\", \"requirements\": {\"cpu\": 1}}")
              .collect(Collectors.joining(", "));
      String fleet =
          "{\"nodes\": [{\"name\": \"a\", \"resources\": {\"cpu\": 0}, \"workloads\": ["
              + members
              + "]}, {\"name\": \"b\", \"resources\": {\"cpu\": 0}}], \"workloads\": []}";
      assertThat(plan(fleet, "evacuate a").split("stays on a", -1)).hasSize(101);
      assertThat(plan(fleet, "evacuate a")).containsPattern("\\.\\.\\. +at most 100 are listed\n");
    }

    @Test
    void areAMemberOfTheAnswer() {
      Run run = Run.reading(FULL, "plan", "drain", "n1", "-o", "json", "-");

      assertThat(run.out())
          .contains(
              "\"obstacles\":[{\"workload\":\"w1\",\"node\":\"n1\","
                  + "\"why\":\"no node has 1 cpu left; nearest n2 has 0\",\"refusal\":{")
          .contains("\"required\":1,\"lacking\":1}");
    }
  }
}
