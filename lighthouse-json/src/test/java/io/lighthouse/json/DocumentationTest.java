package io.lighthouse.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.json.read.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What docs/problem-format.md shows is so. */
class DocumentationTest {
  private static String page() throws IOException {
    return Files.readString(
        Path.of(System.getProperty("lighthouse.root"), "docs", "problem-format.md"));
  }

  @Test
  void showsAProblemThatCanBeRead() throws IOException {
    String example = page().replaceAll("(?s).*?```json\n(.*?)```.*", "$1");
    Problem problem = Reading.problem(example);

    assertThat(problem.nodes()).hasSize(2);
    assertThat(problem.workloads()).hasSize(1);
    assertThat(problem.lastPlaced()).contains("n2");
  }

  @Test
  void showsAnErrorAsItReads() throws IOException {
    String text =
        """
        {"loads": [],
         "nodes": [
           {"name": "a", "resources": {}},
           {"name": "b", "resources": {}},
           {"name": "c", "resources": {}},

        {"name":"d","resources":{"cpu":"six"}}]}
        """;

    assertThat(page()).contains("\n" + Reading.fault(text) + "\n");
  }

  @Test
  void tellsTheLimits() throws IOException {
    Limits limits = Limits.STANDARD;

    assertThat(page())
        .contains("| levels of objects and arrays | " + limits.depth() + " |")
        .contains("| characters of a name or text | " + limits.nameLength() + " |")
        .contains("| characters of a number | " + limits.numberLength() + " |")
        .contains("1,000,000")
        .contains("| faults collected | " + limits.faults() + " |");
    assertThat(limits.entries()).isEqualTo(1_000_000);
  }
}
