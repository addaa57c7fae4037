package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.cli.page.Terminal;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The exit codes of {@code lighthouse kubernetes schedule}, {@code shadow} and {@code extend} as a
 * process, whose server never answers.
 */
class KubernetesExitTest {
  private static final String WITHOUT_LEASE = "leaderElection: {enabled: false}\n";

  @TempDir private Path folder;

  /** The command as a process of its own, in which writing a line of the log may fail. */
  static final class FailingAtALine {
    private FailingAtALine() {}

    /** The first word is a part of the line at which the log throws an Error. */
    public static void main(String[] words) {
      PrintStream err =
          new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
              if (line.contains(words[0])) {
                throw new Error("injected");
              }
              super.println(line);
            }
          };
      Terminal terminal =
          new Terminal(
              InputStream.nullInputStream(),
              new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)),
              err,
              false,
              false,
              false,
              true,
              Terminal.USUAL_WIDTH);
      System.exit(
          Main.run(terminal, List.of(words).subList(1, words.length).toArray(String[]::new)));
    }
  }

  private Process start(String line, String settings, String service) throws IOException {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("config"),
            """
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """);
    Path config =
        Files.writeString(
            folder.resolve("settings.yaml"),
            settings + "monitor: {port: -1}\nextender: {port: 0}\n");
    List<String> command = Launch.ofTests(FailingAtALine.class);
    command.addAll(List.of(line, "kubernetes", service));
    command.addAll(List.of("--kubeconfig", kubeconfig.toString(), "--config", config.toString()));
    return new ProcessBuilder(command)
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private int codeOf(Process process) throws Exception {
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES))
          .as("still runs: %s", Files.readString(folder.resolve("err")))
          .isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "started, '', schedule, lighthouse-lead",
    "lease-failed, '', schedule, lighthouse-lease",
    "list-failed, 'leaderElection: {enabled: false}', schedule, lighthouse-watch-",
    "list-failed, '', extend, lighthouse-watch-",
    "list-failed, '', shadow, lighthouse-watch-"
  })
  void anErrorInAnyThreadEndsTheProcessWithACodeThatIsNotZero(
      String event, String settings, String service, String thread) throws Exception {
    Process process = start("\"event\":\"" + event + "\"", settings + "\n", service);
    assertThat(codeOf(process)).isEqualTo(2);
    assertThat(Files.readString(folder.resolve("err")))
        .contains("\"event\":\"thread-failed\"", "\"thread\":\"" + thread, "injected");
  }

  @Test
  void aSignalEndsItWithZero() throws Exception {
    Process process = start("nothing that is logged", WITHOUT_LEASE, "schedule");
    Path err = folder.resolve("err");
    while (process.isAlive() && !Files.readString(err).contains("list-failed")) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    process.destroy();
    assertThat(codeOf(process)).as(Files.readString(err)).isZero();
  }
}
