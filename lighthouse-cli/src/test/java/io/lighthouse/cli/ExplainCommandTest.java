package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
  private static final String FLEET =
      """
      {"nodes": [
         {"name": "n1", "resources": {"cpu": 1.5}},
         {"name": "n2", "resources": {"cpu": 4, "rot": "-inf", "heat": -3, "cold": -5}},
         {"name": "n3", "resources": {"cpu": 4}, "cordoned": true,
          "workloads": [{"name": "old", "requirements": {}}]},
         {"name": "n4", "resources": {"cpu": 4, "gpu": 1}}, {"name": "n5", "resources": {"cpu": 4}},
         {"name": "n6", "resources": {"cpu": 4}}],
       "workloads": [
         {"name": "a", "requirements": {"cpu": 2, "gpu": 1}, "aversion_groups": ["db", "io"]},
         {"name": "b", "requirements": {"cpu": 2}, "aversion_groups": ["db"]},
         {"name": "c", "requirements": {"cpu": 5, "heat": -1, "cold": 0}, "immunities": ["rot"]}]}
      """;

  @Test
  void aFleetWithoutNodesHasOneReason() {
    String none = "{\"nodes\":[],\"workloads\":[{\"name\":\"w\",\"requirements\":{\"cpu\":1}}]}";
    assertThat(Run.reading(none, "explain", "w", "-").out())
        .endsWith("  in short  there are no nodes\n");
    assertThat(Run.reading(none, "headroom", "--shape", "cpu=1", "-").out())
        .endsWith("  next one  cpu=1 finds no node: there are no nodes\n");
  }

  /** Picocli would take it for a file of words. */
  @Test
  void aNameMayBeginWithAt(@TempDir Path folder) throws IOException {
    Path name = Files.writeString(folder.resolve("words"), "explain");
    String workload = "@" + name;
    String fleet =
        ("{'nodes':[{'name':'n','resources':{}}],'workloads':[{'name':'%s','requirements':{}}]}")
            .formatted(workload)
            .replace('\'', '"');
    Run run = Run.reading(fleet, "explain", workload, "-o", "csv", "-");
    assertThat(run.out()).contains(workload + ",n,true,true,");
    assertThat(run.code()).isZero();
  }

  @Test
  void saysWhatEveryNodeSaysAtTheTurnOfTheWorkload() {
    Run run = Run.reading(FLEET, "explain", "b", "-");

    assertThat(run.out())
        .isEqualTo(
            """
            standard input: b goes to n5, by prioritized

              workload   b
              requires   2 cpu
              immune to  nothing
              averse to  db

              node  says
              n1    lacks 0.5 cpu (1.5 left, 2 required)
              n2    shortcoming cold (-5 left)
                    shortcoming heat (-3 left)
                    ward rot
              n3    cordoned
              n4    fits, but holds others of db
              n5    takes it
              n6    fits, but n5 was taken
            """);
    assertThat(run.code()).isZero();
  }

  @Test
  void sumsUpWhereNoNodeTakesIt() {
    Run run = Run.reading(FLEET, "explain", "c", "-");

    assertThat(run.out())
        .contains("standard input: c finds no node, by prioritized\n")
        .contains("  requires   0 cold, 5 cpu, -1 heat\n  immune to  rot\n")
        .contains(
            """
              n2    shortcoming cold (-5 left)
                    lacks 1 cpu (4 left, 5 required)
                    shortcoming heat (-3 left, repaid by 1)
            """)
        .endsWith(
            """

              in short  no node has 5 cpu left; nearest n1 has 1.5
              in all    cordoned on 1 node; cold missing on 5 nodes;
                        heat missing on 5 nodes; cpu short on every node;
                        shortcoming cold on 1 node; shortcoming heat on 1 node
            """);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void isThereForProgramsToo() {
    assertThat(Run.reading(FLEET, "explain", "--output", "json", "b", "-").out())
        .startsWith(
            "{\"strategy\":\"prioritized\",\"explanation\":{\"workload\":\"b\",\"chosen\":\"n5\","
                + "\"nodes\":[{\"node\":\"n1\",\"fits\":false,\"reasons\":[{\"reason\":\"short\","
                + "\"resource\":\"cpu\",\"left\":1.5,\"required\":2,\"lacking\":0.5}]}")
        .endsWith("]}}\n")
        .hasLineCount(1);
  }

  @Test
  void knowsOnlyWorkloadsThatWantAPlace() {
    Run unknown = Run.reading(FLEET, "explain", "zz", "-");
    Run placed = Run.reading(FLEET, "explain", "old", "-");

    assertThat(unknown.err())
        .isEqualTo(
            "lighthouse: standard input: WORKLOAD: 'zz' is not in the file; allowed: a workload that"
                + " wants a place\n");
    assertThat(placed.err())
        .isEqualTo(
            "lighthouse: standard input: WORKLOAD: 'old' is on node 'n3' already; allowed: a"
                + " workload that wants a place\n");
    assertThat(placed.code()).isEqualTo(2);
  }

  @Test
  void followsTheOptions() {
    assertThat(Run.reading(FLEET, "explain", "--strategy=round-robin", "b", "-").out())
        .startsWith("standard input: b goes to n5, by round-robin");
  }

  @Test
  void saysThatTheFileStandsLast() {
    Run run = Run.of("explain", Examples.file("crowded.json"), "train-4");

    assertThat(run.err())
        .contains("there is no file 'train-4'; the FILE stands last: explain WORKLOAD FILE");
    assertThat(run.code()).isEqualTo(2);
  }
}
