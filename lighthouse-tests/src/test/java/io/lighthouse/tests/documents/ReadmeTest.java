package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.documents.Document.Block;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is true. */
class ReadmeTest {
  private final Document readme = Document.of("README.md");

  @TempDir Path folder;

  @Test
  void theCodeCompilesAndPrintsWhatThePageSays() throws Exception {
    new Workbench(folder).requireTruth(readme);
    assertThat(readme.programs()).hasSize(1);
    Distributor fleet =
        Distributors.installed(folder.resolve("plugins"))
            .strategy("emptiest-first")
            .nodes(
                Node.of("small", Resources.of("cpu", 4)), Node.of("large", Resources.of("cpu", 6)))
            .build();
    assertThat(fleet.assign(Workload.of("w", Resources.of("cpu", 1))).nodeOf("w"))
        .contains("large");
  }

  @Test
  void aQuickstartTakesTenLinesAndAPlugInFifteen() {
    List<Block> quickstarts =
        readme.blocks().stream()
            .filter(block -> block.isStatements() || block.mark().matches("python|console"))
            .toList();
    long plugIn =
        readme.blocks().stream().filter(Block::isSourceFile).mapToLong(Block::linesOfCode).sum();

    assertThat(quickstarts).hasSize(5).allMatch(block -> block.linesOfCode() <= 10);
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

  /** A measured figure, with the unit that follows it. */
  private static final Pattern FIGURE =
      Pattern.compile("(?<![\\w,.])\\d[\\d,.]*\\d( %| [mun]?s)?(?![\\w,])");

  private static final Pattern NAMED = Pattern.compile("\\(docs/(benchmarks|quality)\\.md#");

  @Test
  void theFiguresStandOnThePagesThatTheyName() {
    List<String> paragraphs =
        Stream.of(readme.text().split("\n(?=\\|)|\n\n")).filter(NAMED.asPredicate()).toList();
    List<String> untrue = new ArrayList<>();
    int figures = 0;
    for (String paragraph : paragraphs) {
      String pages =
          NAMED
              .matcher(paragraph)
              .results()
              .map(page -> Document.of("docs/" + page.group(1) + ".md").text())
              .collect(Collectors.joining());
      for (String figure : FIGURE.matcher(paragraph).results().map(MatchResult::group).toList()) {
        figures++;
        // Where the head of a column has the unit, a cell is the number alone.
        String cell = figure.replaceFirst(" .*", " |");
        if (!Pattern.compile("(?<![\\w,.])(\\Q" + figure + "\\E|\\Q" + cell + "\\E)")
            .matcher(pages)
            .find()) {
          untrue.add(figure + " in: " + paragraph);
        }
      }
    }

    assertThat(figures).isGreaterThan(20);
    assertThat(untrue).isEmpty();
  }

  @Test
  void theTwoCommandsAreThere() {
    assertThat(readme.text())
        .contains("./lighthouse assign examples/fleet.json")
        .contains("mvn verify");
  }
}
