package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {

  @Test
  void tellsWhatASoundFileHolds() {
    Run run =
        Run.reading(
            """
            {"strategy": "bin-pack", "rubric": {"cpu": 1, "men": 2},
             "nodes": [{"name": "n", "resources": {"cpu": 1},
                        "workloads": [{"name": "p", "requirements": {}}]}],
             "workloads": [{"name": "w", "requirements": {"cpu": 1, "gpu": 1}}]}
            """,
            "check",
            "-");

    assertThat(run.out())
        .isEqualTo(
            """
            standard input: sound

              nodes      1, with 1 workload on them
              workloads  1
              strategy   bin-pack
              doubt      workloads require what no node has: gpu
              doubt      the rubric weighs what nobody has: men
            """);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "devices,machine=machin,machin (machine?)",
    "pack,machine=machin,machin (machine?)",
    "devices,machine=rack,rack",
    "devices,machine=machine,",
    "devices,device=gpu,",
    "pack,machine=machine,",
    "pack,seed=1,"
  })
  void remarksOnALevelOfMachinesThatNoNodeNames(String strategy, String setting, String remark) {
    Run run =
        Run.reading(
            """
            {"nodes": [{"name": "n", "resources": {"gpu": 1}, "domains": {"machine": "m"}}],
             "workloads": []}
            """,
            "check",
            "--strategy",
            strategy,
            "--set",
            setting,
            "-");

    if (remark == null) {
      assertThat(run.out()).doesNotContain("doubt");
    } else {
      assertThat(run.out()).contains("doubt      no node names the level: " + remark + "\n");
    }
    assertThat(run.code()).isZero();
  }

  @Test
  void reportsEachRounding() {
    Run run =
        Run.reading(
            """
            {"nodes": [{"name": "n", "resources": {"cpu": 2.0000000019, "mem": 1.000000001}}],
             "workloads": [{"name": "w", "requirements": {"cpu": 1.0000000011, "a b": 1e-10}}]}
            """,
            "check",
            "-");

    assertThat(run.out())
        .contains(
            """
              rounded                         to nine digits after the point
              nodes[0].resources.cpu          2.0000000019 is used as 2.000000001
              workloads[0].requirements['a b']
                                              0.0000000001 is used as 0.000000001
              workloads[0].requirements.cpu   1.0000000011 is used as 1.000000002
            """);
    assertThat(run.code()).isZero();
  }

  @Test
  void listsAllThatIsWrong() {
    Run run = Run.reading("{\"node\":[],\n \"workloads\":[{\"name\":7}]}", "check", "-");

    assertThat(run.err().lines().map(line -> line.replaceAll(";.*", "")))
        .containsExactly(
            "lighthouse: standard input: line 1, column 2: node is an unknown field",
            "lighthouse: standard input: line 2, column 23: workloads[0].name is 7",
            "lighthouse: standard input: line 2, column 15: workloads[0].requirements is missing",
            "lighthouse: standard input: line 1, column 1: nodes is missing");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void findsWhatOnlyADistributorFinds() {
    Run range =
        Run.reading(
            """
            {"nodes": [{"name": "n", "resources": {"cpu": 1}}],
             "workloads": [{"name": "v", "requirements": {"cpu": 1}},
                           {"name": "w", "requirements": {"cpu": 5e18}}]}
            """,
            "check",
            "-");
    Run rubric = Run.reading("{\"nodes\":[],\"loads\":[]}", "check", "--strategy=bin-pack", "-");

    assertThat(range.err())
        .startsWith("lighthouse: standard input: line 3, column 16: workloads[1].requirements.cpu");
    assertThat(rubric.err()).contains("strategy 'bin-pack': rubric is missing");
    assertThat(range.code()).isEqualTo(2);
    assertThat(rubric.code()).isEqualTo(2);
  }

  @Test
  void checksEveryFile() {
    Run run = Run.of("check", Examples.file("fleet.json"), "none.json");

    assertThat(run.out()).contains("fleet.json: sound");
    assertThat(run.err()).isEqualTo("lighthouse: none.json: no such file\n");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void tellsProgramsWhatItFound() {
    String sound =
        """
        {"nodes": [{"name": "n", "resources": {"cpu": 2.0000000019}}],
         "workloads": [{"name": "w", "requirements": {"gpu": 1}}]}
        """;
    String unsound = "{\"nodes\":[],\n \"workloads\":[{\"name\":7,\"requirements\":{}}]}";

    assertThat(Run.reading(sound, "check", "-o", "json", "-"))
        .isEqualTo(
            new Run(
                0,
                """
                {"file":"standard input","sound":true,"faults":[],"nodes":1,"placed_before":0,\
                "domains":0,"workloads":1,"strategy":"prioritized",\
                "doubts":[{"doubt":"workloads require what no node has:","names":["gpu"]}],\
                "rounded":[{"path":"nodes[0].resources.cpu","given":2.0000000019,\
                "used":2.000000001}]}
                """,
                ""));
    assertThat(Run.reading(sound, "check", "-o", "csv", "-").out().lines())
        .containsExactly(
            "file,finding,about,text",
            "standard input,doubt,gpu,workloads require what no node has:",
            "standard input,rounded,nodes[0].resources.cpu,2.0000000019 is used as 2.000000001");
    Run json = Run.reading(unsound, "check", "-o", "json", "-");
    assertThat(json.out())
        .startsWith(
            "{\"file\":\"standard input\",\"sound\":false,\"faults\":[{\"line\":2,\"column\":23,"
                + "\"path\":\"workloads[0].name\",\"found\":\"7\",");
    assertThat(json.err()).isEmpty();
    assertThat(json.code()).isEqualTo(2);
    assertThat(Run.reading(unsound, "check", "-o", "csv", "-").out())
        .contains("standard input,fault,workloads[0].name,\"line 2, column 23: workloads[0].name");
  }
}
