package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {

  @Test
  void areSoundAndCanBePlaced() throws IOException {
    List<Path> examples;
    try (Stream<Path> files = Files.list(Examples.directory())) {
      examples = files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }

    assertThat(examples).hasSizeGreaterThanOrEqualTo(3);
    for (Path example : examples) {
      assertThat(Run.of("check", example).code()).as(example.toString()).isZero();
      assertThat(Run.of("assign", example).code()).as(example.toString()).isLessThan(2);
    }
  }

  @Test
  void areTalkedAboutInTheirReadme() throws IOException {
    String readme = Files.readString(Examples.file("README.md"));
    try (Stream<Path> files = Files.list(Examples.directory())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .allSatisfy(name -> assertThat(readme + "README.md").contains(name));
    }
  }

  @Test
  void theLargestShowsEveryFeature() throws IOException {
    Problem problem;
    try (InputStream in = Files.newInputStream(Examples.file("crowded.json"))) {
      problem = ProblemReader.standard().read(in).problem();
    }
    Run run = Run.of("assign", Examples.file("crowded.json"));

    assertThat(problem.nodes()).hasSizeBetween(8, 12);
    assertThat(problem.workloads()).hasSizeBetween(20, 30);
    assertThat(run.out())
        .contains("[ledger-db]", "(cordoned)", "(averse)", "no node has ", "nearest ")
        .contains("(tag on", "(ward on", "(shortcoming on");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void devicesKeepsFourGpusOfOneMachineForATraining() {
    Run run = Run.inColumns(500, "assign", Examples.file("gpus.json"));
    Run firstFit =
        Run.inColumns(500, "assign", "--strategy", "prioritized", Examples.file("gpus.json"));

    assertThat(run.out())
        .contains("10 placed now, 0 refused by devices")
        .containsPattern("\n +m2-gpu-1 +train-1, logs\n +m2-gpu-2 +train-2\n")
        .containsPattern("\n +m1-gpu-1 +embed-1, chat-1, tune\n +m1-gpu-2 +embed-2, chat-2\n");
    assertThat(run.code()).isZero();
    assertThat(firstFit.out())
        .contains("4 refused by prioritized", "its gang train was not placed");
  }

  /** The command of the README, which a newcomer runs first. */
  @ParameterizedTest
  @MethodSource("io.lighthouse.cli.Examples#strategies")
  void theFirstPlacesEverythingByEveryStrategy(String strategy) {
    Run own = Run.inColumns(500, "assign", Examples.file("fleet.json"));
    Run other = Run.inColumns(500, "assign", "--strategy", strategy, Examples.file("fleet.json"));

    assertThat(own.out()).contains("1 placed before, 25 placed now, 0 refused by bin-pack");
    assertThat(own.code()).isZero();
    assertThat(own.err()).isEmpty();
    assertThat(own.out())
        .contains("[ledger-db]", "(cordoned)", "(averse)")
        .contains("(tag on", "(ward on", "(shortcoming on");
    assertThat(other.out()).contains(" 25 placed now, 0 refused by " + strategy);
    assertThat(other.code()).isZero();
  }
}
