package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole program, as a process of its own on the module path. */
class MainIT {
  @TempDir private Path directory;

  private Run run(List<String> words) throws IOException, InterruptedException {
    return run(List.of(), List.of(), Map.of(), directory.resolve("out").toFile(), words);
  }

  private Run run(
      List<String> before,
      List<String> options,
      Map<String, String> environment,
      File out,
      List<String> words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(before);
    command.addAll(Launch.command(options.toArray(String[]::new)));
    command.addAll(words);
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out).redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Run(
        process.exitValue(),
        out.isFile() ? Files.readString(out.toPath()) : "",
        Files.readString(err));
  }

  @Test
  void placesTheExampleInAnyLocale() throws IOException, InterruptedException {
    Map<String, String> plain = Map.of("LC_ALL", "C", "LANG", "C");
    Run run =
        run(
            List.of(),
            List.of(),
            plain,
            directory.resolve("out").toFile(),
            List.of("assign", Examples.file("fleet.json").toString()));

    assertThat(run.out())
        .startsWith(Examples.file("fleet.json").toString())
        .contains("  gpu          ##############################  100.0 %   4 of 4\n")
        .doesNotContain("\u001b");
    assertThat(run.out().replaceAll("\\s+", " ")).contains("25 placed now, 0 refused");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }

  /** The launcher starts what is over at once from the class path, where nothing is resolved. */
  @ParameterizedTest
  @ValueSource(strings = {"--version", "--help", "help assign", "completion"})
  void saysTheSameFromTheClassPath(String words) throws IOException, InterruptedException {
    Run onModulePath = run(List.of(words.split(" ")));
    List<String> command = Launch.javaCommand();
    command.addAll(List.of("-cp", Launch.MODULES.resolve("*").toString()));
    command.add(Main.class.getName());
    command.addAll(List.of(words.split(" ")));
    Path out = directory.resolve("class-path");
    Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();

    assertThat(Files.readString(out)).isEqualTo(onModulePath.out()).contains("lighthouse");
    assertThat(process.exitValue()).isEqualTo(onModulePath.code()).isZero();
    assertThat(onModulePath.out()).doesNotContain("lighthouse ,");
  }

  @Test
  void writesUtf8WhateverTheLocale() throws IOException, InterruptedException {
    Path file =
        Files.writeString(
            directory.resolve("names.json"),
            "{\"nodes\":[],\"workloads\":[{\"name\":\"\u00e9\ud83d\udd26\",\"requirements\":{}}]}");
    Run run =
        run(
            List.of(),
            List.of("-Dfile.encoding=ISO-8859-1"),
            Map.of("LC_ALL", "C"),
            directory.resolve("out").toFile(),
            List.of("assign", "--output", "json", file.toString()));

    assertThat(run.out()).contains("{\"\u00e9\ud83d\udd26\":null}");
  }

  @Test
  void goesOnBehindABadFile() throws IOException, InterruptedException {
    String good = Examples.file("semaphore.json").toString();
    Run run = run(List.of("assign", "--output", "json", good, "no-such-file", good));

    assertThat(run.out().lines())
        .hasSize(2)
        .allMatch(line -> line.endsWith("\"placed\":3,\"refused\":1,\"nodes_used\":2}"));
    assertThat(run.err()).isEqualTo("lighthouse: no-such-file: no such file\n");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void saysWhatItMayNotRead() throws IOException, InterruptedException {
    Path closed = Files.writeString(directory.resolve("closed.json"), "{}");
    assumeTrue(closed.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    List<String> asNobody = List.of();
    if (Files.isReadable(closed)) {
      // Root reads everything, so another user has to try.
      Path setpriv = Path.of("/usr/bin/setpriv");
      assumeTrue(Files.isExecutable(setpriv), "root, and no setpriv to be somebody else");
      asNobody = List.of(setpriv.toString(), "--reuid=65534", "--regid=65534", "--clear-groups");
      assumeTrue(
          new ProcessBuilder(with(asNobody, "test", "-r", Launch.MODULES.toString()))
                  .start()
                  .waitFor()
              == 0,
          "the checkout is closed to others");
    }
    Run run =
        run(
            asNobody,
            List.of(),
            Map.of(),
            directory.resolve("out").toFile(),
            List.of("assign", closed.toString()));

    assertThat(run.err()).isEqualTo("lighthouse: " + closed + ": permission denied\n");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
  }

  private static List<String> with(List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return all;
  }

  @Test
  void failsWhereNobodyTakesItsAnswer() throws IOException, InterruptedException {
    File full = new File("/dev/full");
    assumeTrue(full.exists(), "no /dev/full here");
    String example = Examples.file("semaphore.json").toString();
    Run run = run(List.of(), List.of(), Map.of(), full, List.of("assign", example));

    assertThat(run.err())
        .isEqualTo("lighthouse: standard output: cannot be written: No space left on device\n");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void placesHundredThousandWorkloadsInATenthOfTheMemoryForAMillion()
      throws IOException, InterruptedException {
    Path large = directory.resolve("large.json");
    try (BufferedWriter text = Files.newBufferedWriter(large)) {
      text.write("{\"nodes\":[");
      for (int i = 0; i < 1000; i++) {
        text.write(
            (i == 0 ? "" : ",")
                + "{\"name\":\"n%d\",\"resources\":{\"a\":400,\"b\":410,\"c\":420,\"d\":430}}"
                    .formatted(i));
      }
      text.write("],\n\"workloads\":[");
      for (int i = 0; i < 100_000; i++) {
        text.write(
            (i == 0 ? "" : ",\n")
                + "{\"name\":\"w%d\",\"requirements\":{\"a\":%d.%d,\"b\":%d.5,\"c\":%d,\"d\":0.%d}}"
                    .formatted(i, i % 7, i % 100, i % 8, i % 9, i % 1000 + 1));
      }
      text.write("]}");
    }
    Run run =
        run(
            List.of(),
            List.of("-Xmx200m"),
            Map.of(),
            directory.resolve("out").toFile(),
            List.of("assign", "--output", "json", large.toString()));

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .matches("(?s).*\"placed\":(\\d+),\"refused\":(\\d+),\"nodes_used\":\\d+}\n")
        .contains("\"w0\":\"n0\"", "\"w99999\":");
    assertThat(run.code()).isLessThan(2);
  }

  @Test
  void saysWhereMemoryIsTooSmall() throws IOException, InterruptedException {
    Path large = directory.resolve("large.json");
    try (BufferedWriter text = Files.newBufferedWriter(large)) {
      text.write("{\"nodes\":[],\"workloads\":[{\"name\":\"w\",\"requirements\":{}}");
      for (int i = 0; i < 200_000; i++) {
        text.write(",{\"name\":\"w%d\",\"requirements\":{\"a\":%d}}".formatted(i, i));
      }
      text.write("]}");
    }
    Run run =
        run(
            List.of(),
            List.of("-Xmx16m"),
            Map.of(),
            directory.resolve("out").toFile(),
            List.of("assign", "--output", "json", large.toString()));

    assertThat(run.err()).contains(": too large for ").contains("LIGHTHOUSE_OPTS=-Xmx8g");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
  }
}
