package io.lighthouse.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.picture.CellWidth;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What goes in beside JSON, and what comes out beside tables. */
class FormatsTest {
  @TempDir private Path directory;

  private static final String JSON =
      "{\"strategy\":\"round-robin\",\"nodes\":[{\"name\":\"n, 1\",\"resources\":{\"cpu\":1.10,"
          + "\"x\":\"-inf\",\"y\":\"inf\"}}],\"workloads\":[{\"name\":\"w\",\"requirements\":"
          + "{\"cpu\":1},\"immunities\":[\"x\"]},{\"name\":\"true\",\"requirements\":{\"cpu\":2}}]}";

  private static final String YAML =
      """
      # the same
      strategy: round-robin
      nodes:
        - name: "n, 1"
          resources: {cpu: 1.10, x: -.inf, y: .inf}
      workloads:
        - name: w
          requirements:
            cpu: 1
          immunities: [x]
        - name: 'true'
          requirements: {cpu: 2}
      """;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Nested
  class YamlIn {
    @ParameterizedTest
    @ValueSource(strings = {"f.yaml", "f.yml", "F.YAML"})
    void isTheSameProblem(String name) throws IOException {
      Run yaml = Run.of("assign", "-o", "json", file(name, YAML));
      assertThat(yaml.err()).isEmpty();
      assertThat(yaml.out()).isEqualTo(Run.of("assign", "-o", "json", file("f.json", JSON)).out());
      assertThat(yaml.out()).contains("{\"w\":\"n, 1\",\"true\":null}");
    }

    @Test
    void faultsHaveTheLineOfTheYaml() throws IOException {
      Path path = file("f.yaml", YAML.replace("cpu: 2", "cpu: two"));
      assertThat(Run.of("assign", path).err())
          .contains(path + ": line 12, column ")
          .contains("workloads[1].requirements.cpu is 'two'");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "nodes: [ | no YAML",
          "nodes: &a [] | ",
          "x: *a | line 1, column 4: the text is no plain YAML: it has an alias; allowed: each",
          "? [a] : b | it has a key that is no text",
          "nodes: !x 'a' | it has a tag; allowed: no tags",
          "nodes: !!str a | it has a tag",
          "nodes: !x [] | line 1, column 8: the text is no plain YAML: it has a tag",
          "!!map {} | it has a tag",
          "a: 1\\n---\\nb: 2 | more than one document; allowed: one document",
          "nodes: {a: 1, a: 2} | is ",
          "'a: 1\\nb: \u0001' | line 2, column 4: the text is no YAML: special characters",
          "%YAML 2.0\\n---\\na: 1 | line 1, column 1: the text is no YAML 1.2; allowed: YAML 1.2",
          "'' | the text is empty"
        })
    void whatIsNotTakenIsNamed(String text, String message) throws IOException {
      Run run = Run.of("assign", file("f.yaml", text.replace("\\n", "\n")));
      assertThat(run.err()).contains(message == null ? "lighthouse: " : message);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
    void faultsHaveTheirPlaceInEachEncoding(String encoding) throws IOException {
      String text = "\ufeffnodes: []\rx: \ud83d\ude00\u0001";
      Path file = Files.write(file("f.yaml", ""), text.getBytes(Charset.forName(encoding)));
      assertThat(Run.of("assign", file).err())
          .contains(": line 2, column 5: the text is no YAML: special characters");

      byte[] cut = "\ufeffnodes: []\rx: \ud83d\ude00".getBytes(Charset.forName(encoding));
      Files.write(file, Arrays.copyOf(cut, cut.length - 1));
      assertThat(Run.of("assign", file).err())
          .contains(": line 2, column 4: the text is no " + encoding);
    }

    @Test
    void bytesThatAreNoUtf8HaveTheirLine() throws IOException {
      Path file = Files.write(file("f.yaml", ""), "nodes: []\nx: b\u00e4".getBytes(ISO_8859_1));
      assertThat(Run.of("assign", file).err())
          .isEqualTo(
              "lighthouse: "
                  + file
                  + ": line 2, column 5: the text is no UTF-8; allowed: YAML 1.2 in UTF-8, of one"
                  + " document\n");
    }

    @Test
    void programsGetItsFaultsAsThoseOfJson() throws IOException {
      Path file = file("f.yaml", "nodes: []\nx: *a\n");
      Run json = Run.of("check", "-o", "json", file);
      assertThat(json.out())
          .isEqualTo(
              "{\"file\":\""
                  + file
                  + "\",\"sound\":false,\"faults\":[{\"line\":2,\"column\":4,\"path\":\"\","
                  + "\"found\":\"no plain YAML: it has an alias\","
                  + "\"allowed\":\"each value written out\"}]}\n");
      assertThat(json.err()).isEmpty();
      assertThat(json.code()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x1f", "1_000", "+1", ".5", "01", "yes", ".nan"})
    void aNumberIsOneOfJsons(String number) throws IOException {
      Run run = Run.of("assign", file("f.yaml", YAML.replace("cpu: 2", "cpu: " + number)));
      assertThat(run.err()).contains("workloads[1].requirements.cpu is '" + number + "'");
    }
  }

  @Nested
  class Out {
    /** Read back by a YAML reader, it says what the JSON says. */
    @Test
    void yamlSaysWhatJsonSays() throws IOException {
      Path path = file("f.json", JSON);
      for (List<Object> words :
          List.<List<Object>>of(
              List.of("assign", "--explain", path),
              List.of("explain", "true", path),
              List.of("strategies"))) {
        Load load = new Load(LoadSettings.builder().build());
        Object yaml = load.loadFromString(with(words, "yaml").out());
        Object json = load.loadFromString(with(words, "json").out());
        assertThat(yaml).as("%s", words).isInstanceOf(Map.class).isEqualTo(json);
        assertThat(with(words, "yaml").out()).startsWith("---\n");
      }
    }

    private static Run with(List<Object> words, String form) {
      List<Object> all = new java.util.ArrayList<>(words);
      all.add("-o");
      all.add(form);
      return Run.of(all.toArray());
    }

    @Test
    void csvHasARowForEachWorkload() throws IOException {
      Path path = file("f.json", JSON);
      assertThat(Run.of("assign", "--output", "csv", path).out())
          .isEqualTo("file,workload,node\r\n" + path + ",w,\"n, 1\"\r\n" + path + ",true,\r\n");
      assertThat(Run.of("strategies", "-o", "csv").out().lines())
          .hasSize(8)
          .anyMatch(line -> line.startsWith("strategy,bin-pack,"));
      assertThat(Run.of("explain", "-o", "csv", "true", path).out())
          .startsWith("workload,node,chosen,fits,reasons\r\ntrue,\"n, 1\",false,false,");
    }

    @Test
    void quietSaysItWithTheExitCodeAlone() throws IOException {
      Path path = file("f.json", JSON);
      for (String command : List.of("assign", "check")) {
        Run run = Run.of(command, "--quiet", path);
        assertThat(run.out() + run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(command.equals("assign") ? 1 : 0);
      }
      assertThat(Run.of("assign", "-q", "no-such-file").err()).contains("no such file");
    }
  }

  @Nested
  class StandardInput {
    @Test
    void isReadWhereItIsAPipeAndNoFileIsGiven() {
      assertThat(Run.reading(JSON, "assign", "-o", "json").out()).contains("\"w\":\"n, 1\"");
      assertThat(Run.reading(JSON, "check").out()).startsWith("standard input: sound");
      assertThat(Run.reading(JSON, "explain", "w").out()).contains("w goes to n, 1");
    }

    @Test
    void isNotWaitedForAtATerminal() {
      for (String command : List.of("assign", "check")) {
        Run run = Run.of(command);
        assertThat(run.err()).contains("Missing required parameter: 'FILE'");
        assertThat(run.code()).isEqualTo(2);
      }
    }
  }

  @Nested
  class Words {
    @ParameterizedTest
    @CsvSource({"binpack,bin-pack", "Bin_Pack,bin-pack", "roundrobbin,round-robin", "prio,"})
    void ofAStrategyAreSuggested(String typed, String meant) {
      String err = Run.of("assign", "--strategy", typed, "f").err();
      assertThat(err)
          .contains("one of balance, bin-pack, devices, pack, prioritized, round-robin, spread");
      if (meant == null) {
        assertThat(err).doesNotContain("did you mean");
      } else {
        assertThat(err).contains("did you mean " + meant + "?");
      }
    }

    @Test
    void ofStrategiesAreCompleted() {
      assertThat(Run.of("completion").out()).contains("bin-pack", "prioritized", "round-robin");
    }

    @Test
    void helpAndVersionAreCommandsToo() {
      assertThat(Run.of("help").out()).isEqualTo(Run.of("--help").out());
      assertThat(Run.of("help", "assign").out()).isEqualTo(Run.of("assign", "--help").out());
      assertThat(Run.of("version").out()).isEqualTo(Run.of("--version").out());
    }
  }

  @Nested
  class Columns {
    /** Standard input, since a line with the path of a file is as long as the path. */
    @Test
    void areThoseOfTheTerminal() throws IOException {
      String crowded = Files.readString(Examples.file("crowded.json"));
      String fleet = Files.readString(Examples.file("fleet.json"));
      for (int width : new int[] {60, 80, 120, 200}) {
        Run run = Run.inColumnsReading(width, crowded, "explain", "train-4");
        assertThat(run.out().lines().mapToInt(String::length).max().orElse(0))
            .isLessThanOrEqualTo(width);
      }
      assertThat(Run.inColumnsReading(200, fleet, "assign").out().lines().count())
          .isLessThan(Run.inColumnsReading(50, fleet, "assign").out().lines().count());
    }

    @Test
    void areAlignedForWideCharactersAndForMarks() throws IOException {
      String problem =
          "{\"nodes\":[{\"name\":\"\u6771\u4eac\",\"resources\":{}},{\"name\":\"ab\",\"resources\":{}},"
              + "{\"name\":\"e\u0301\ud83d\udd26\",\"resources\":{}}],\"workloads\":["
              + "{\"name\":\"w1\",\"requirements\":{}},{\"name\":\"w2\",\"requirements\":{}},"
              + "{\"name\":\"w3\",\"requirements\":{}}]}";
      Run run = Run.of("assign", "--strategy", "round-robin", file("wide.json", problem));
      for (String[] row :
          new String[][] {{"\u6771\u4eac", "w1"}, {"ab", "w2"}, {"e\u0301\ud83d\udd26", "w3"}}) {
        String line = run.out().lines().filter(l -> l.endsWith(row[1])).findFirst().orElseThrow();
        assertThat(CellWidth.of(line.substring(0, line.indexOf(row[1])))).isEqualTo(8);
      }
    }

    @ParameterizedTest
    @CsvSource({
      "abc,3",
      "\u6771\u4eac,4",
      "e\u0301,1",
      "\ud83d\udd26,2",
      "\uff21,2",
      "\uff71,1",
      "\u00e9,1"
    })
    void ofATextAreWhatATerminalShows(String text, int cells) {
      assertThat(CellWidth.of(text)).isEqualTo(cells);
    }
  }
}
