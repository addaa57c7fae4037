package io.lighthouse.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.Part;
import io.lighthouse.benchmarks.run.PrintedTables;
import io.lighthouse.benchmarks.run.Profile;
import io.lighthouse.benchmarks.run.Results;
import io.lighthouse.benchmarks.run.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrintedTablesTest {
  private static final Case SERVICE = PrintedTables.of(Part.SERVICE);

  @TempDir private Path root;

  @Test
  void aTableIsWhatItsProgramPrintsFromTheFirstTableOn() throws Exception {
    program("echo 2026-01-02, commit abc; echo; echo '| a |'; echo '| --- |'; echo; echo '| b |'");

    Results results = new Results();
    results.add(new PrintedTables(root, root, Fake.FACTS).run(SERVICE));

    String table = new Tables(results, List.of()).of(Part.SERVICE);
    assertThat(table).isEqualTo("| a |\n| --- |\n\n| b |\n");
    assertThat(new Tables(results, List.of()).of(Part.RESTART)).startsWith("Not measured");
  }

  @Test
  void tablesOfSeveralSizesAreToldApart() {
    Results results = new Results();
    new Suite(Profile.QUICK, List.of())
        .cases(Part.RATES)
        .forEach(wanted -> results.add(Fake.measurement(wanted)));

    assertThat(new Tables(results, List.of()).of(Part.RATES))
        .contains("1,000 nodes, 5,000 pods:\n\n| a |", "5,000 nodes, 10,000 pods:\n\n| a |");
  }

  @Test
  void aProgramThatFailsIsNamedWithWhatItSaid() throws Exception {
    program("echo '| a |'; echo 'load: wrk is needed' >&2; exit 2");

    assertThatThrownBy(() -> new PrintedTables(root, root, Fake.FACTS).run(SERVICE))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "'lighthouse-server/load' exited with 2 and printed tables: load: wrk is needed");
  }

  @Test
  void aProgramWithoutATableFails() throws Exception {
    program("echo nothing measured");

    assertThatThrownBy(() -> new PrintedTables(root, root, Fake.FACTS).run(SERVICE))
        .hasMessageContaining("exited with 0 and printed no table");
  }

  private void program(String script) throws IOException {
    Path file = Files.createDirectories(root.resolve("lighthouse-server")).resolve("load");
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
