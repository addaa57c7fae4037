package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.cli.page.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The heads of CSV that docs/cli.md lists are those that the commands print. */
class CsvHeadsTest {
  private static final Pattern ROW = Pattern.compile("\\| (`[^|]+`) \\| `([^`|]+)` \\| [^|]+ \\|");
  private static final Pattern WORD = Pattern.compile("`([^`]+)`");
  private static final String FLEET = Examples.file("fleet.json").toString();

  @TempDir private Path folder;

  /** The heads by command. */
  private static Map<String, String> documented() throws IOException {
    String page = Files.readString(Examples.directory().resolveSibling("docs").resolve("cli.md"));
    Map<String, String> heads = new LinkedHashMap<>();
    page.lines()
        .dropWhile(line -> !line.startsWith("| command | heads |"))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .forEach(
            line -> {
              Matcher row = ROW.matcher(line);
              assertThat(row.matches()).as(line).isTrue();
              WORD.matcher(row.group(1))
                  .results()
                  .forEach(command -> heads.put(command.group(1), row.group(2)));
            });
    return heads;
  }

  private static void addCommands(CommandLine command, String name, List<String> withCsv) {
    OptionSpec output = command.getCommandSpec().findOption("--output");
    if (output != null && output.completionCandidates() != null) {
      for (String form : output.completionCandidates()) {
        if (form.equals("csv")) {
          withCsv.add(name.strip());
        }
      }
    }
    command
        .getSubcommands()
        .forEach((word, within) -> addCommands(within, name + " " + word, withCsv));
  }

  @Test
  void everyCommandWithCsvIsListed() throws IOException {
    List<String> withCsv = new ArrayList<>();
    addCommands(Main.commandLine(Terminal.ofProcess()), "", withCsv);
    withCsv.remove("validate"); // Another name of check.
    assertThat(documented().keySet()).containsExactlyInAnyOrderElementsOf(new TreeSet<>(withCsv));
  }

  /** All but kubernetes plan, which needs a cluster and prints as plan does. */
  static Stream<Arguments> commands() {
    return Stream.of(
        Arguments.of("assign", List.of(FLEET)),
        Arguments.of("explain", List.of("train-1", FLEET)),
        Arguments.of("check", List.of(FLEET)),
        Arguments.of("compare", List.of(FLEET)),
        Arguments.of("plan", List.of("consolidate", FLEET)),
        Arguments.of("what-if", List.of("cordon", "edge-1", FLEET)),
        Arguments.of("size", List.of("--offer", "big: cpu=64,mem=256", FLEET)),
        Arguments.of("headroom", List.of("--shape", "cpu=1", FLEET)),
        Arguments.of("strategies", List.of()),
        Arguments.of("simulate", List.of(Examples.file("traces/rush-hour.json").toString())));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void areThoseThatTheCommandPrints(String command, List<String> words) throws IOException {
    assertHeads(command, words);
  }

  @Test
  void areThoseOfAReplay() throws IOException {
    Path record = folder.resolve("record.json");
    assertThat(Run.of("assign", "--record", record, FLEET).code()).isZero();
    assertHeads("replay", List.of(record));
  }

  @Test
  void areThoseOfAStore() throws IOException {
    Path store = folder.resolve("fleets.db");
    String fleet = "{\"nodes\":[],\"workloads\":[]}";
    assertThat(Run.reading(fleet, "fleets", "import", store, "prod", "-").err()).isEmpty();
    assertHeads("fleets verify", List.of(store));
  }

  private static void assertHeads(String command, List<?> words) throws IOException {
    List<Object> all = new ArrayList<>(List.of(command.split(" ")));
    all.addAll(List.of("-o", "csv"));
    all.addAll(words);
    Run run = Run.of(all.toArray());
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().findFirst()).contains(documented().get(command));
  }
}
