package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of figures names every table, and commands that are there. */
class FiguresTest {
  /** What begins a table or picture that a command writes into a page. */
  private static final Pattern BEGIN = Pattern.compile("<!-- begin (\\S+) -->");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final Document page = Document.of("docs/figures.md");

  /** The rows of the tables, by their cells. */
  private List<List<String>> rows() {
    return page.text()
        .lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
        .map(line -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList())
        .filter(cells -> !cells.get(0).equals("figures"))
        .toList();
  }

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
  }

  @Test
  void everyTableThatIsMeasuredIsListedOnce() throws IOException {
    List<String> there = new ArrayList<>();
    try (Stream<Path> pages = Files.list(Document.root().resolve("docs"))) {
      for (Path file : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        BEGIN.matcher(Files.readString(file)).results().forEach(table -> there.add(table.group(1)));
      }
    }
    List<String> listed =
        rows().stream()
            .filter(cells -> cells.size() == 3)
            .flatMap(cells -> codes(cells.get(1)).stream())
            .toList();

    assertThat(there).hasSizeGreaterThan(30);
    assertThat(listed).containsExactlyInAnyOrderElementsOf(there);
  }

  @Test
  void everyCommandIsThere() throws IOException {
    List<String> missing = new ArrayList<>();
    for (List<String> cells : rows()) {
      List<String> commands = codes(cells.get(cells.size() - 1));
      assertThat(commands).as(cells.get(0)).hasSize(1);
      if (!isThere(List.of(commands.get(0).split(" ")))) {
        missing.add(commands.get(0));
      }
    }

    assertThat(rows()).hasSizeGreaterThan(30);
    assertThat(missing).isEmpty();
  }

  @Test
  void aCommandThatIsNotThereIsFound() throws IOException {
    assertThat(isThere(List.of("lighthouse-benchmarks/run", "batch"))).isTrue();
    assertThat(isThere(List.of("lighthouse-benchmarks/run", "bathc"))).isFalse();
    assertThat(isThere(List.of("lighthouse-benchmarks/walk"))).isFalse();
    assertThat(isThere(List.of("mvn", "-Ppit", "verify"))).isTrue();
    assertThat(isThere(List.of("mvn", "-Ppitt", "verify"))).isFalse();
    assertThat(isThere(List.of("mvn", "-Dtest=NoTest", "verify"))).isFalse();
  }

  private static boolean isThere(List<String> words) throws IOException {
    boolean there = words.get(0).equals("mvn") || Files.isExecutable(resolve(words.get(0)));
    for (String word : words.subList(1, words.size())) {
      if (words.get(0).equals("lighthouse-benchmarks/run") && !word.startsWith("-")) {
        there &= isPart(word);
      } else if (word.startsWith("-P")) {
        there &= read("pom.xml").contains("<id>" + word.substring(2) + "</id>");
      } else if (word.matches("-D(it[.])?test=.*")) {
        there &= isTest(word.substring(word.indexOf('=') + 1));
      } else if (word.endsWith(".json")) {
        there &= Files.exists(resolve(word));
      }
    }
    return there;
  }

  private static boolean isPart(String word) throws IOException {
    Path parts = Path.of("lighthouse-benchmarks/src/main/java/io/lighthouse/benchmarks/run");
    String name = word.toUpperCase(Locale.ROOT).replace('-', '_');
    return read(parts.resolve("Part.java").toString())
        .lines()
        .anyMatch(line -> line.matches(" +\\Q" + name + "\\E(\\(.*|[,;])"));
  }

  private static boolean isTest(String name) {
    return Files.exists(
        resolve("lighthouse-tests/src/test/java/io/lighthouse/tests/documents/" + name + ".java"));
  }

  private static String read(String file) throws IOException {
    return Files.readString(resolve(file));
  }

  private static Path resolve(String file) {
    return Document.root().resolve(file);
  }
}
