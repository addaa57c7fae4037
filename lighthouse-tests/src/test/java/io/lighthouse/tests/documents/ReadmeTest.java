package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.documents.Document.Block;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is true. */
class ReadmeTest {
  private final Document readme = Document.of("README.md");

  @TempDir Path folder;

  @Test
  void theCodeCompilesAndPrintsWhatThePageSays() throws Exception {
    new Workbench(folder).requireTruth(readme);
    assertThat(readme.programs()).hasSize(2);
  }

  @Test
  void aPlacementTakesTenLinesAndAPlugInFifteen() {
    Block placement =
        readme.blocks().stream().filter(Block::isStatements).findFirst().orElseThrow();
    long plugIn =
        readme.blocks().stream().filter(Block::isSourceFile).mapToLong(Block::linesOfCode).sum();

    assertThat(placement.linesOfCode()).isBetween(3L, 10L);
    assertThat(plugIn).isBetween(3L, 15L);
  }

  @Test
  void theTableListsTheStrategiesThatAreThere() {
    List<String> listed =
        Pattern.compile("^\\| `([a-z-]+)`", Pattern.MULTILINE)
            .matcher(readme.text())
            .results()
            .map(MatchResult::group)
            .map(row -> row.replaceAll("[| `]", ""))
            .sorted()
            .collect(Collectors.toList());

    assertThat(listed)
        .isEqualTo(
            Distributors.installed().strategies().stream()
                .map(StrategyDescription::name)
                .collect(Collectors.toList()));
  }

  @Test
  void theTwoCommandsAreThere() {
    assertThat(readme.text())
        .contains("./lighthouse assign examples/fleet.json")
        .contains("mvn verify");
  }
}
