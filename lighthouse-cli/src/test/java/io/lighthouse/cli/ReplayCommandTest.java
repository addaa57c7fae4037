package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("lighthouse.root"));

  @TempDir private Path folder;

  /** Records of this and earlier versions, which every version must make again. */
  @Test
  void everyRecordThatWasKeptIsTheSameDecisionForGood() throws IOException {
    List<Object> words = new ArrayList<>(List.of("replay"));
    try (Stream<Path> records =
        Files.walk(ROOT.resolve("lighthouse-cli/src/test/resources/records"))) {
      records.filter(file -> file.toString().endsWith(".json")).sorted().forEach(words::add);
    }

    Run run = Run.of(words.toArray());

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).doesNotContain("not the same");
    assertThat(run.code()).isZero();
    assertThat(words.size()).isGreaterThan(10);
  }

  private String recorded(Object... options) throws IOException {
    Path record = folder.resolve("record.json");
    List<Object> words = new ArrayList<>(List.of("assign", "--record", record));
    words.addAll(List.of(options));
    words.add(ROOT.resolve("examples/crowded.json"));
    assertThat(Run.of(words.toArray()).err()).isEmpty();
    return Files.readString(record);
  }

  /** Without the breaks of lines. */
  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private Run replayed(String record) throws IOException {
    Path file = folder.resolve("altered.json");
    Files.writeString(file, record);
    return Run.of("replay", file);
  }

  @Test
  void makesADecisionAgain() throws IOException {
    String record = recorded("--strategy", "pack", "--all-or-nothing");
    Run run = replayed(record);

    assertThat(record).contains("\"options\":[\"all_or_nothing\"]");
    assertThat(oneLine(run.out())).contains(": the same decision about 25 workloads");
    assertThat(run.code()).isZero();
  }

  @Test
  void saysTheHashThatTheAnswerHasWhereItIsAskedFor() throws IOException {
    Path file = ROOT.resolve("examples/crowded.json");
    recorded();
    String hash =
        Run.of("replay", folder.resolve("record.json"), "-o", "json")
            .out()
            .replaceAll("(?s).*\"decision\":\"([0-9a-f]{64})\".*", "$1");

    assertThat(hash).hasSize(64);
    assertThat(Run.of("assign", "--hash", "-o", "json", file).out())
        .endsWith(",\"decision\":\"" + hash + "\"}\n");
    assertThat(Run.of("assign", "--hash", file).out()).contains("hash  " + hash);
    assertThat(Run.of("assign", "-o", "json", file).out()).doesNotContain("decision");
  }

  @Nested
  class Altered {
    /**
     * Every digit of a record, each alone: it is found, and the line that it stands in is named.
     */
    @Test
    void oneFlippedDigitIsFoundAndNamed() throws IOException {
      Path small = folder.resolve("small.json");
      Files.writeString(
          small,
          """
          {"strategy": "bin-pack", "rubric": {"cpu": 1, "mem": 0.25},
           "nodes": [{"name": "n1", "resources": {"cpu": 4, "mem": 10.5}},
                     {"name": "n2", "resources": {"cpu": 2, "mem": 3},
                      "workloads": [{"name": "w0", "requirements": {"cpu": 1}}]}],
           "workloads": [{"name": "w1", "requirements": {"cpu": 1.5}},
                         {"name": "w2", "requirements": {"mem": 20}}]}
          """);
      Path record = folder.resolve("small-record.json");
      Run.of("assign", "--record", record, small);
      String text = Files.readString(record);
      int flipped = 0;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c >= '0' && c <= '9') {
          char other = c == '9' ? '3' : (char) (c + 1);
          String altered = text.substring(0, i) + other + text.substring(i + 1);
          Run run = replayed(altered);
          assertThat(run.code()).as(altered).isNotZero();
          int begin = text.lastIndexOf('\n', i) + 1;
          String line = altered.substring(begin, text.indexOf('\n', i));
          int number = text.substring(0, begin).split("\n", -1).length;
          assertThat(oneLine(run.out() + run.err())).as(altered).containsAnyOf(names(line, number));
          flipped++;
        }
      }
      // How many digits the hashes have changes with each build.
      assertThat(flipped).isGreaterThan(100);
    }

    /** The messages that are allowed where a digit of this line was flipped. */
    private String[] names(String line, int number) {
      if (line.startsWith("{\"lighthouse_record\"")) {
        return new String[] {"made_by has the digest", "lighthouse_record is"};
      }
      if (line.startsWith("\"lines\"")) {
        return new String[] {"so it is the digest", "made_by has", "so it is the hash"};
      }
      if (line.startsWith(",\"answer\"")) {
        return new String[] {"the answer has the digest", "the answer is not about", "given twice"};
      }
      String begins = line.replace("\"problem\":", "");
      begins = begins.substring(0, Math.min(begins.length(), 60));
      return new String[] {
        "of the problem, " + oneLine(begins), "line " + number + ", column", "given before"
      };
    }

    @Test
    void isToldWithWhatIsDifferent() throws IOException {
      Run run = replayed(recorded().replace("\"dns\":\"edge-2\"", "\"dns\":\"edge-1\""));

      assertThat(oneLine(run.out()))
          .contains("not the same decision about 25 workloads", "the answer has")
          .contains("dns", "edge-2; on record edge-1")
          .doesNotContain("of the problem, ");
      assertThat(run.code()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|lighthouse_record is missing; allowed: a member of every record",
        "[]|the text is an array; allowed: a record of a decision",
        "''|the text is empty; allowed: a record of a decision",
      })
  void refusesWhatIsNoRecord(String text, String message) throws IOException {
    Run run = replayed(text);

    assertThat(run.err()).contains(message);
    assertThat(run.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"lighthouse_record\":1|\"lighthouse_record\":2|lighthouse_record is 2; allowed: 1",
        "\"options\":[]|\"options\":[\"fast\"]|options is 'fast'; allowed: all_or_nothing",
        "\"dns\":\"edge-2\"|\"dns\":2|answer.dns is 2; allowed: the name of a node, or null",
        "\"strategy\":\"bin-pack\"|\"strategy\":\"bin-pick\"|'bin-pick'",
        "\"lines\":[|\"lines\":[7,|lines[0] is 7; allowed: eight hexadecimal digits",
      })
  void namesWhatIsWrongWithARecord(String from, String to, String message) throws IOException {
    String record = recorded();
    assertThat(record).contains(from);
    Run run = replayed(record.replace(from, to));

    assertThat(run.err()).contains(message);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void refusesARecordOfTwoFilesAndStandardOutput() {
    assertThat(Run.of("assign", "--record", "r", "a", "b").err()).contains("--record takes");
    assertThat(Run.of("assign", "--record", "-", "a").err())
        .contains("'--record': '-' is standard output");
  }
}
