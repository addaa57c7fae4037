package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssignCommandTest {
  /** Prioritized: a, a, b, nowhere. Round-robin: a, b, c, nowhere. Bin-pack: c, b, b, nowhere. */
  private static final String PROBLEM =
      """
      {"nodes": [{"name": "a", "resources": {"cpu": 4}},
                 {"name": "b", "resources": {"cpu": 3}},
                 {"name": "c", "resources": {"cpu": 2}}],
       "workloads": [{"name": "w1", "requirements": {"cpu": 2}},
                     {"name": "w2", "requirements": {"cpu": 2}},
                     {"name": "w3", "requirements": {"cpu": 1}},
                     {"name": "w4", "requirements": {"cpu": 5}}]}
      """;

  private static final String PLACED =
      """
      {"nodes": [{"name": "n", "resources": {"cpu": 1}}],
       "workloads": [{"name": "w", "requirements": {"cpu": 1}}]}
      """;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void writeTheProblem() throws IOException {
    file = write("fleet.json", PROBLEM);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static String with(String members, String problem) {
    return "{" + members + ", " + problem.strip().substring(1);
  }

  @Nested
  class ForPrograms {
    @Test
    void printsOneLineInTheOrderOfTheFile() {
      Run run = Run.of("assign", "--output", "json", file);

      assertThat(run.out())
          .isEqualTo(
              "{\"strategy\":\"prioritized\",\"assignments\":{\"w1\":\"a\",\"w2\":\"a\",\"w3\":\"b\","
                  + "\"w4\":null},\"placed\":3,\"refused\":1,\"nodes_used\":2}\n");
      assertThat(run.err()).isEmpty();
      assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void addsRefusalsWhereAsked() {
      assertThat(Run.of("assign", "--output=json", "--explain", file).out())
          .endsWith(
              "\"nodes_used\":2,\"refusals\":[{\"workload\":\"w4\",\"nodes\":3,\"counts\":[{"
                  + "\"reason\":\"short\",\"resource\":\"cpu\",\"nodes\":3}],\"nearest\":[{"
                  + "\"node\":\"b\",\"reasons\":[{\"reason\":\"short\",\"resource\":\"cpu\","
                  + "\"left\":2,\"required\":5,\"lacking\":3}]},{\"node\":\"c\",\"reasons\":[{"
                  + "\"reason\":\"short\",\"resource\":\"cpu\",\"left\":2,\"required\":5,"
                  + "\"lacking\":3}]},{\"node\":\"a\",\"reasons\":[{\"reason\":\"short\","
                  + "\"resource\":\"cpu\",\"left\":0,\"required\":5,\"lacking\":5}]}]}]}\n");
    }

    @Test
    void countsNodesThatHoldWorkloadsFromBefore() throws IOException {
      Path before =
          write(
              "before.json",
              """
              {"nodes":[{"name":"a","resources":{"x":0},"workloads":[{"name":"p","requirements":{}}]},
                        {"name":"b","resources":{"x":1}}, {"name":"c","resources":{}}],
               "workloads":[{"name":"w","requirements":{"x":1}}]}
              """);

      assertThat(Run.of("assign", "--output", "json", before).out()).contains("\"nodes_used\":2");
    }

    @Test
    void exitsWithZeroWhereAllArePlaced() throws IOException {
      Run run = Run.of("assign", "--output", "json", write("placed.json", PLACED));

      assertThat(run.out()).contains("\"placed\":1,\"refused\":0");
      assertThat(run.code()).isZero();
    }
  }

  @Nested
  class SeveralFiles {
    @Test
    void areFleetsOfTheirOwnInTheOrderGiven() throws IOException {
      Path one = write("one.json", PLACED);
      Run run = Run.of("assign", "--output", "json", one, file, one);

      assertThat(run.out().lines().map(line -> line.replaceAll(".*\"placed\":(\\d).*", "$1")))
          .containsExactly("1", "3", "1");
      assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void areDoneThoughOneIsBad() throws IOException {
      Path one = write("one.json", PLACED);
      Path bad = write("bad.json", "{\"nodes\":[], \"workload\":[]}");
      Run run = Run.of("assign", "--output", "json", one, bad, directory.resolve("none"), file);

      assertThat(run.out().lines()).hasSize(2);
      assertThat(run.err().lines())
          .containsExactly(
              "lighthouse: "
                  + bad
                  + ": line 1, column 14: workload is an unknown field; allowed: the fields strategy,"
                  + " rubric, settings, nodes, workloads, last_placed, domains, rules, explain; did"
                  + " you mean workloads? (and 1 more:"
                  + " lighthouse check lists them)",
              "lighthouse: " + directory.resolve("none") + ": no such file");
      assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void haveOneHeadInCsv() throws IOException {
      Path one = write("one.json", PLACED);
      Run run = Run.of("assign", "--output", "csv", one, one);

      String row = one + ",w,n\r\n";
      assertThat(run.out()).isEqualTo("file,workload,node\r\n" + row + row);
    }

    @Test
    void cannotBeSavedToOne() {
      Path saved = directory.resolve("saved.json");
      Run run = Run.of("assign", "--out", saved, file, file);

      assertThat(run.err())
          .startsWith(
              "lighthouse: assign: --out takes the fleet of one file, not of 2; save them one by"
                  + " one\n");
      assertThat(run.out()).isEmpty();
      assertThat(run.code()).isEqualTo(2);
      assertThat(saved).doesNotExist();
    }
  }

  @Nested
  class Input {
    @Test
    void comesFromStandardInput() {
      assertThat(Run.reading(PROBLEM, "assign", "--output", "json", "-").out())
          .contains("\"placed\":3");
      assertThat(Run.reading("{", "assign", "-").err())
          .startsWith("lighthouse: standard input: line 1, column 2: the text is no JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipe", "pipe.gz", "pipe.yaml"})
    void mayBeAPipeThatIsNamedAsAFile(String name) throws Exception {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "there is no mkfifo here");
      Path pipe = directory.resolve(name);
      Process made = new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start();
      assertThat(made.waitFor()).isZero();
      byte[] text = Files.readAllBytes(Examples.file("crowded.json"));
      Thread writer =
          new Thread(
              () -> {
                try (OutputStream file = Files.newOutputStream(pipe);
                    OutputStream out = name.endsWith("gz") ? new GZIPOutputStream(file) : file) {
                  out.write(text);
                } catch (IOException failed) {
                  throw new UncheckedIOException(failed);
                }
              });
      writer.setDaemon(true);
      writer.start();

      Run run = Run.of("assign", "--output", "json", pipe);
      writer.join(60_000);

      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .isEqualTo(Run.of("assign", "--output", "json", Examples.file("crowded.json")).out());
    }

    @Test
    void mayBeGzippedWhateverItsName() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
        gzip.write(PROBLEM.getBytes(StandardCharsets.UTF_8));
      }
      Path zipped = Files.write(directory.resolve("fleet.txt"), bytes.toByteArray());

      assertThat(Run.of("assign", "--output", "json", zipped).out()).contains("\"placed\":3");
    }
  }

  @Nested
  class Options {
    private String assignments(Object... args) {
      return Run.of(args).out().replaceAll(".*\"assignments\":(\\{[^}]*\\}).*\n", "$1");
    }

    @Test
    void standAboveTheFile() throws IOException {
      Path packed =
          write("packed.json", with("\"strategy\":\"bin-pack\",\"rubric\":{\"cpu\":-1}", PROBLEM));

      assertThat(assignments("assign", "--output=json", packed))
          .isEqualTo("{\"w1\":\"a\",\"w2\":\"b\",\"w3\":\"a\",\"w4\":null}");
      assertThat(assignments("assign", "--output=json", "--rubric", "cpu=1,mem=0.5", packed))
          .isEqualTo("{\"w1\":\"c\",\"w2\":\"b\",\"w3\":\"b\",\"w4\":null}");
      assertThat(assignments("assign", "--output=json", "--strategy", "round-robin", packed))
          .isEqualTo("{\"w1\":\"a\",\"w2\":\"b\",\"w3\":\"c\",\"w4\":null}");
    }

    @Test
    void giveAnEmptyRubric() {
      assertThat(assignments("assign", "--output=json", "--strategy=bin-pack", "--rubric=", file))
          .isEqualTo("{\"w1\":\"a\",\"w2\":\"a\",\"w3\":\"b\",\"w4\":null}");
    }

    @Test
    void leaveSettingsToTheStrategyTheyAreFor() throws IOException {
      Path set =
          write("set.json", with("\"strategy\":\"bin-pack\",\"settings\":{\"a\":1}", PROBLEM));

      assertThat(Run.of("assign", "--strategy=prioritized", set).err()).isEmpty();
      assertThat(Run.of("assign", "--rubric=cpu=1", set).err())
          .isEqualTo(
              "lighthouse: "
                  + set
                  + ": line 1, column 24: settings.a is '1'; allowed: no setting, strategy"
                  + " 'bin-pack' has none\n");
      assertThat(Run.of("assign", "--set", "b=2=3", file).err())
          .contains(": --set: 'b' is '2=3'; allowed: no setting, strategy '");
    }

    @Test
    void placeAllOrNothing() {
      Run run = Run.of("assign", "--output=json", "--all-or-nothing", file);

      assertThat(run.out())
          .contains("{\"w1\":null,\"w2\":null,\"w3\":null,\"w4\":null}")
          .contains("\"placed\":0,\"refused\":4,\"nodes_used\":0");
      assertThat(run.code()).isEqualTo(1);
      assertThat(Run.of("assign", "--all-or-nothing", file).out())
          .contains("  w4            no node has 5 cpu left; nearest b has 2\n")
          .contains("  (taken back)  3 workloads that had found a place: all or nothing\n");
    }
  }

  @Nested
  class Saving {
    @Test
    void writesAProblemToGoOnFrom() throws IOException {
      Path saved = directory.resolve("saved.json");
      Run run = Run.of("assign", "--strategy", "round-robin", "--out", saved, file);

      assertThat(run.code()).isEqualTo(1);
      assertThat(saved)
          .content()
          .isEqualTo(
              """
              {"strategy":"round-robin",
              "nodes":[
              {"name":"a","resources":{"cpu":2},"workloads":[{"name":"w1","requirements":{"cpu":2}}]},
              {"name":"b","resources":{"cpu":1},"workloads":[{"name":"w2","requirements":{"cpu":2}}]},
              {"name":"c","resources":{"cpu":1},"workloads":[{"name":"w3","requirements":{"cpu":1}}]}
              ],
              "workloads":[],
              "last_placed":"c"}
              """);
      Path next =
          write(
              "next.json",
              Files.readString(saved)
                  .replace(
                      "\"workloads\":[],",
                      "\"workloads\":[{\"name\":\"w5\",\"requirements\":{\"cpu\":1}}],"));
      assertThat(Run.of("assign", "--output", "json", next).out())
          .contains("{\"w5\":\"a\"},\"placed\":1,\"refused\":0,\"nodes_used\":3}");
    }

    @Test
    void mayReplaceTheFileItRead() throws IOException {
      assertThat(Run.of("assign", "--out", file, file).code()).isEqualTo(1);
      assertThat(Run.inColumns(500, "assign", file).out())
          .contains(": 3 placed before, 0 placed now, 0 refused by prioritized;");
      assertThat(Files.list(directory)).containsExactly(file);
    }

    @Test
    void recordsIntoNoFileThatIsReadOrSaved() throws IOException {
      Path read = Files.copy(Examples.file("semaphore.json"), directory.resolve("read.json"));
      Path link = Files.createSymbolicLink(directory.resolve("link.json"), read);
      Path out = directory.resolve("out.json");

      Run saved = Run.of("assign", "--out", out, "--record", directory.resolve("./out.json"), read);
      assertThat(saved.code()).isEqualTo(2);
      assertThat(saved.err()).contains("is the file of --out; give another");
      assertThat(out).doesNotExist();

      Path folder = Files.createSymbolicLink(directory.resolve("folder"), directory);
      Run linked = Run.of("assign", "--out", out, "--record", folder.resolve("out.json"), read);
      assertThat(linked.err()).contains("is the file of --out; give another");
      assertThat(out).doesNotExist();

      Path ahead = directory.resolve("ahead.json");
      Path dangling = Files.createSymbolicLink(directory.resolve("dangling.json"), ahead);
      Run late = Run.of("assign", "--out", ahead, "--record", dangling, read);
      assertThat(late.err()).contains("is the file of --out; give another");
      assertThat(Run.of("check", ahead).code()).as("is the fleet").isZero();

      Run same = Run.of("assign", "--record", link, read);
      assertThat(same.code()).isEqualTo(2);
      assertThat(same.err()).contains("is the FILE that is read; give another");
      assertThat(read).hasSameTextualContentAs(Examples.file("semaphore.json"));

      Run each = Run.of("assign", "--out", read, "--record", out, read);
      assertThat(each.err()).isEmpty();
    }

    @Test
    void writesYamlWhereTheNameSaysSo() throws IOException {
      Path saved = directory.resolve("saved.yaml");
      Run.of("assign", "--out", saved, file);

      assertThat(saved).content().startsWith("---\nstrategy: prioritized\n");
      assertThat(Run.of("check", saved).code()).isZero();
    }

    @Test
    void compressesWhereTheNameSaysSo() throws IOException {
      Path saved = directory.resolve("saved.json.gz");
      Run.of("assign", "--out", saved, file);

      try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(saved))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .startsWith("{\"strategy\":\"prioritized\",\n");
      }
      assertThat(Run.of("check", saved).code()).isZero();
    }

    @Test
    void saysWhereItCannot() {
      Path nowhere = directory.resolve("none").resolve("saved.json");
      Run run = Run.of("assign", "--out", nowhere, file);

      assertThat(run.err())
          .startsWith("lighthouse: assign: Invalid value for option '--out': '" + nowhere + "' ")
          .contains("cannot be written; allowed: a file in a folder that is there\n");
      assertThat(run.out()).isEmpty();
      assertThat(run.code()).isEqualTo(2);
      assertThat(Run.of("assign", "--out", directory, file).err())
          .contains("'" + directory + "' cannot be written; allowed: a file in this folder\n");
    }

    /** One of two files that are written is not written alone. */
    @Test
    void savesNothingWhereTheRecordCannotBeWritten() {
      Path saved = directory.resolve("saved.json");
      Run run =
          Run.of("assign", "--out", saved, "--record", directory.resolve("none/record"), file);

      assertThat(run.err()).contains("'--record': '");
      assertThat(run.code()).isEqualTo(2);
      assertThat(saved).doesNotExist();
    }

    @Test
    void leavesAnOldFileAloneWhereTheInputIsBad() throws IOException {
      Path saved = write("saved.json", "as it was");
      Run.of("assign", "--out", saved, write("bad.json", "{"));

      assertThat(saved).hasContent("as it was");
    }
  }

  /** One format means one: what a request may say, a file may say. */
  @Test
  void takesTheWordsOfTheService() {
    String problem =
        "{\"strategy\":\"%s\",\"explain\":true,\"rubric\":{\"cpu\":1},"
            + "\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":1}}],"
            + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":2}}]}";
    for (String[] words :
        new String[][] {
          {"Prioritized", "prioritized"}, {"RoundRobin", "round-robin"}, {"BinPack", "bin-pack"}
        }) {
      Run run = Run.reading(problem.formatted(words[0]), "assign", "--output", "json", "-");
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .contains("\"strategy\":\"" + words[1] + "\"")
          .contains("\"refusals\":[{\"workload\":\"w\"");
      assertThat(Run.reading(problem.formatted("x"), "assign", "--strategy", words[0], "-").out())
          .contains("by " + words[1]);
    }
    String silent = problem.formatted("BinPack").replace("true", "false");
    assertThat(Run.reading(silent, "assign", "--output", "json", "-").out())
        .doesNotContain("refusals");
  }

  @Test
  void doesNotTakeAFormOfTheAnswerForAFile() {
    Run run = Run.of("assign", "--out", "json", Examples.file("semaphore.json"));
    assertThat(run.err()).contains("'json' is a form of the answer, as in --output json;");
    assertThat(run.code()).isEqualTo(2);
    assertThat(java.nio.file.Path.of("json")).doesNotExist();
  }

  @Test
  void doesNotSaveToAFileThatIsCalledAsStandardOutput() {
    Run run = Run.of("assign", "--out", "-", Examples.file("semaphore.json"));
    assertThat(run.err()).contains("'--out': '-' is standard output").contains("./-");
    assertThat(run.code()).isEqualTo(2);
    assertThat(java.nio.file.Path.of("-")).doesNotExist();
  }
}
