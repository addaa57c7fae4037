package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.cli.page.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetsCommandTest {
  private static final String FLEET =
      """
      {"strategy": "RoundRobin", "nodes": [{"id": "n1", "resources": {"cpu": 4},
       "workloads": [{"id": "vm-1", "requirements": {"cpu": 1}}]}]}
      """;

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("fleets.db");
  }

  @Test
  void bringsInVerifiesBacksUpAndGivesBack() throws IOException {
    assertThat(Run.reading(FLEET, "fleets", "import", file(), "prod", "-"))
        .isEqualTo(new Run(0, "prod: created\n", ""));
    assertThat(Run.of("fleets", "verify", file()))
        .isEqualTo(new Run(0, "prod: generation 1, 1 entry carried out, sound\n", ""));
    Path copy = folder.resolve("copy.db");
    assertThat(Run.of("fleets", "backup", "--out", copy, file())).isEqualTo(new Run(0, "", ""));
    assertThat(Run.of("fleets", "backup", "--out", copy, file()).err())
        .contains("it is there already");
    Run exported = Run.of("fleets", "export", copy, "prod");
    assertThat(exported.code()).isZero();
    assertThat(exported.out()).startsWith("{\"strategy\":\"round-robin\"").contains("\"vm-1\"");
    Path problem = folder.resolve("prod.json");
    Files.writeString(problem, exported.out());
    assertThat(Run.of("fleets", "import", file(), "prod", problem).out())
        .isEqualTo("prod: is there, and equal\n");
    Path saved = folder.resolve("prod.yaml.gz");
    assertThat(Run.of("fleets", "export", "--out", saved, file(), "prod"))
        .isEqualTo(new Run(0, "", ""));
    assertThat(Run.of("fleets", "import", file(), "prod", saved).out())
        .isEqualTo("prod: is there, and equal\n");
    Run intoFolder = Run.of("fleets", "export", "--out", folder, file(), "prod");
    assertThat(intoFolder.err()).contains("'--out': '" + folder + "' cannot be written; allowed: ");
    assertThat(intoFolder.code()).isEqualTo(2);
  }

  /** By its name, by another name of it, and by a link. */
  @Test
  void anExportDoesNotReplaceTheStore() throws IOException {
    Run.reading(FLEET, "fleets", "import", file(), "prod", "-");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file());
    for (Path out : List.of(file(), folder.resolve("./fleets.db"), link)) {
      Run run = Run.of("fleets", "export", "--out", out, file(), "prod");
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("--out " + out + " is the STORE; give another");
    }
    assertThat(Run.of("fleets", "verify", file()).out()).contains("1 entry carried out, sound");
  }

  /** Also where they are not there yet, and where the store is named by a link. */
  @ParameterizedTest
  @ValueSource(strings = {"-wal", "-shm", "-journal", "-lock"})
  void neitherAnExportNorACopyReplacesAFileOfTheStore(String end) throws IOException {
    Run.reading(FLEET, "fleets", "import", file(), "prod", "-");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file());
    Path out = folder.resolve("fleets.db" + end);
    boolean there = Files.exists(out);
    for (List<?> words : List.of(List.of("export", link, "prod"), List.of("backup", file()))) {
      List<Object> all = new ArrayList<>(List.of("fleets"));
      all.addAll(words);
      all.addAll(List.of("--out", out));
      Run run = Run.of(all.toArray());
      assertThat(run.err()).contains("--out " + out + " is a file of the STORE; give another");
      assertThat(run.code()).isEqualTo(2);
    }
    assertThat(Files.exists(out)).isEqualTo(there);
    Path other = folder.resolve("other-wal");
    assertThat(Run.of("fleets", "export", "--out", other, file(), "prod").code()).isZero();
    assertThat(other).content().contains("round-robin");
  }

  @Test
  void aNameThatNoFleetCanHaveMakesNoFile() {
    assertThat(Run.reading(FLEET, "fleets", "import", file(), ".bad", "-").err())
        .contains("fleet: name is '.bad'; allowed: 1 to 100 letters");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFleetThatCannotBeMakesNoFile() {
    String fleet = FLEET.replace("RoundRobin", "none-such");
    assertThat(Run.reading(fleet, "fleets", "import", file(), "prod", "-").err())
        .contains("strategy is 'none-such'; allowed: one of");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFleetThatCannotBeChangesNoStore() {
    Run.reading(FLEET, "fleets", "import", file(), "prod", "-");
    String before = Run.of("fleets", "verify", file()).out();
    String fleet = FLEET.replace("RoundRobin", "none-such");
    assertThat(Run.reading(fleet, "fleets", "import", file(), "new", "-"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.out()).isEmpty())
        .satisfies(
            run -> assertThat(run.err()).contains("strategy is 'none-such'; allowed: one of"));
    assertThat(Run.of("fleets", "verify", file()).out()).contains("prod").isEqualTo(before);
  }

  @Test
  void bringsInYamlAndGzip() throws IOException {
    Path yaml = folder.resolve("prod.yaml");
    Files.writeString(yaml, "nodes:\n  - name: n1\n    resources: {cpu: 4}\n");
    assertThat(Run.of("fleets", "import", file(), "plain", yaml))
        .isEqualTo(new Run(0, "plain: created\n", ""));
    Path zipped = folder.resolve("prod.yaml.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      out.write(Files.readAllBytes(yaml));
    }
    assertThat(Run.of("fleets", "import", file(), "plain", zipped).out())
        .isEqualTo("plain: is there, and equal\n");
  }

  /** A service with {@code --max-name} above the usual takes them. */
  @Test
  void bringsInNamesOfAnyLengthThatAnExportMayHave() {
    String fleet = FLEET.replace("vm-1", "v".repeat(10_000));
    assertThat(Run.reading(fleet, "fleets", "import", file(), "prod", "-"))
        .isEqualTo(new Run(0, "prod: created\n", ""));
    Run exported = Run.of("fleets", "export", file(), "prod");
    assertThat(Run.reading(exported.out(), "fleets", "import", file(), "again", "-").out())
        .isEqualTo("again: created\n");
  }

  @Test
  void saysWhereAFileIsDamaged() throws IOException {
    Run.reading(FLEET, "fleets", "import", file(), "prod", "-");
    String text = Files.readString(file(), StandardCharsets.ISO_8859_1);
    Files.writeString(file(), text.replace("vm-1", "vm-7"), StandardCharsets.ISO_8859_1);
    Run verified = Run.of("fleets", "verify", file());
    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.out())
        .contains("prod: generation 1, 0 entries carried out, damaged")
        .contains("its entry 1 was altered");
    Run json = Run.of("fleets", "verify", "-o", "json", file());
    assertThat(json.code()).isEqualTo(1);
    assertThat(json.out())
        .startsWith(
            "{\"fleets\":[{\"name\":\"prod\",\"generation\":1,\"entries\":0,\"faults\":[\"");
    assertThat(Run.of("fleets", "verify", "-o", "csv", file()).out())
        .startsWith("fleet,generation,entries,fault\r\nprod,1,0,");
    Run exported = Run.of("fleets", "export", file(), "prod");
    assertThat(exported.code()).isEqualTo(1);
    assertThat(exported.out()).isEmpty();
  }

  /** The memory ends while the answer is written. */
  @Test
  void tooLittleMemoryIsNoDamage() {
    Run.reading(FLEET, "fleets", "import", file(), "prod", "-");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new OutputStream() {
              @Override
              public void write(int b) {
                throw new OutOfMemoryError("Java heap space");
              }
            },
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false,
            false,
            true,
            Terminal.USUAL_WIDTH);
    assertThat(Main.run(terminal, "fleets", "verify", file().toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("lighthouse: fleets: too large for ")
        .hasLineCount(1);
  }

  /** As those of other commands do. */
  @Test
  void errorsBeginWithTheSubcommandOrTheFile() {
    Path none = folder.resolve("none.db");
    Path copy = folder.resolve("copy.db");
    assertThat(Run.of("fleets", "verify", none).err()).startsWith("lighthouse: fleets verify: ");
    assertThat(Run.of("fleets", "export", none, "prod").err())
        .startsWith("lighthouse: fleets export: ");
    assertThat(Run.of("fleets", "backup", "--out", copy, none).err())
        .startsWith("lighthouse: fleets backup: ");
    assertThat(Run.reading(FLEET, "fleets", "import", folder, "prod", "-").err())
        .startsWith("lighthouse: fleets import: ");
    assertThat(Run.reading("{}", "fleets", "import", none, "prod", "-").err())
        .startsWith("lighthouse: standard input: ");
    assertThat(Run.of("fleets", "import", none, "prod", "none.json").err())
        .isEqualTo("lighthouse: none.json: no such file\n");
  }

  @Test
  void refusesWhatItCannotUse() throws IOException {
    Files.writeString(
        folder.resolve("text"), "no database, but longer than a header of one ".repeat(9));
    assertThat(Run.of("fleets").err()).contains("give one of verify, export, import, backup");
    assertThat(Run.of("fleets", "verify", folder.resolve("none.db")))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.err()).contains("there is no such file"));
    assertThat(Run.of("fleets", "verify", folder.resolve("text")).err())
        .contains("cannot open fleets in " + folder.resolve("text") + ": it is no SQLite file");
    Run.reading(FLEET, "fleets", "import", file(), "prod", "-");
    assertThat(Run.of("fleets", "export", file(), "test").err())
        .contains("there is no fleet 'test'");
    assertThat(Run.reading("{\"nodes\": []}", "fleets", "import", file(), "prod", "-").err())
        .contains("fleet 'prod' is there, and is not as asked for");
    assertThat(Run.reading("{}", "fleets", "import", file(), "new", "-").err())
        .contains("nodes is missing");
    assertThat(Run.reading(FLEET, "fleets", "import", file(), ".new", "-").err())
        .contains("fleet: name is '.new'");
    assertThat(Run.of("fleets", "import", file(), "new", "none.json").err())
        .contains("none.json: no such file");
  }
}
