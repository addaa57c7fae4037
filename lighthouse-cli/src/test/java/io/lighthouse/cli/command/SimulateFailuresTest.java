package io.lighthouse.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.cli.PluginFolder;
import io.lighthouse.cli.Run;
import io.lighthouse.cli.file.FileRun;
import io.lighthouse.cli.page.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Simulations with strategies of plug-ins, sound and broken, and simulations that break down. */
class SimulateFailuresTest {
  private static final String TRACE =
      """
      {"job_types": [{"name": "t", "resources": {"cpus": 1}}],
       "events": [
         {"at": 0, "event": "node-joins", "node": "a", "resources": {"cpus": 2}},
         {"at": 0, "event": "node-joins", "node": "b", "resources": {"cpus": 2}},
         {"at": 0, "event": "submit", "execution": "e", "job_type": "t", "runs": 5}]}
      """;

  @TempDir private Path directory;

  /** A directory of plug-ins with one jar: a strategy whose {@code choose} has this body. */
  private Path plugin(String name, String body) throws Exception {
    return PluginFolder.of(
        directory,
        PlacementStrategy.class,
        "Chosen",
        """
        import io.lighthouse.api.strategy.*;
        public class Chosen implements PlacementStrategy {
          public String name() { return "%s"; }
          public Placer newPlacer(Fleet fleet, Settings settings) {
            return (workload, candidates) -> { %s };
          }
        }
        """
            .formatted(name, body));
  }

  @Test
  void aStrategyOfAPlugInChooses() throws Exception {
    Path plugins =
        plugin(
            "last",
            "FleetNode last = null; for (FleetNode one : candidates) { last = one; } return last;");
    Path report = directory.resolve("report.html");

    Run run =
        Run.reading(
            TRACE,
            "simulate",
            "-",
            "--plugins",
            plugins,
            "--strategy",
            "last",
            "-o",
            "json",
            "--out",
            report);

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("\"execution\":\"e\",\"node\":\"b\"");
    assertThat(Files.readString(report)).contains("<dt>strategy</dt><dd>last</dd>");
  }

  @Test
  void aPlugInThatIsNotThereIsToldOf() {
    Run run = Run.reading(TRACE, "simulate", "-", "--plugins", directory, "--strategy", "nosuch");
    Run missing =
        Run.reading(
            TRACE, "simulate", "-", "--plugins", directory.resolve("x"), "--strategy", "last");

    assertThat(run.err()).contains("--strategy is 'nosuch'").hasLineCount(2);
    assertThat(run.code()).isEqualTo(2);
    assertThat(missing.err()).contains("'--plugins': ", "cannot be read; allowed: a directory");
    assertThat(missing.code()).isEqualTo(2);
  }

  @Test
  void passesThatFailedAreCountedAndPrinted() throws Exception {
    Path plugins = plugin("throwing", "throw new IllegalStateException(\"out of luck\");");
    Path report = directory.resolve("report.html");

    Run run =
        Run.reading(
            TRACE,
            "simulate",
            "-",
            "--plugins",
            plugins,
            "--strategy",
            "throwing",
            "--out",
            report);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .matches("lighthouse: standard input: failed in [1-9][0-9]* passes: .*'throwing'.*\n")
        .hasLineCount(1);
    assertThat(Files.readString(report)).contains("<h2>Failures in passes</h2>", "throwing");
  }

  @Test
  void outOfMemoryIsWrongAndNotRefused() throws IOException {
    Run run =
        broken(
            trace -> {
              throw new OutOfMemoryError("Java heap space");
            });

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "lighthouse: trace: too large for "
                + (Runtime.getRuntime().maxMemory() >> 20)
                + " MiB of memory; allow more, as with LIGHTHOUSE_OPTS=-Xmx8g\n");
  }

  @Test
  void aBugOfLighthouseIsToldAsOne() throws IOException {
    Run run =
        broken(
            trace -> {
              throw new InternalErrorException("the rows disagree", null);
            });

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("this is a bug of Lighthouse").hasLineCount(1);
  }

  private static Run broken(FileRun.Work work) throws IOException {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal = Run.terminal(OutputStream.nullOutputStream(), err);
    int code = FileRun.each(List.of("trace"), terminal, work);
    return new Run(code, "", err.toString(StandardCharsets.UTF_8));
  }
}
