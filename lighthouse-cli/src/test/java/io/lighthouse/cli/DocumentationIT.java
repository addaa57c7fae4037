package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What docs/cli.md, docs/answers.md, docs/plans.md and docs/kubernetes.md show is what the command
 * prints.
 */
class DocumentationIT {
  private static final Pattern SESSION =
      Pattern.compile("```console\n\\$ \\./lighthouse ([^\n]*)\n(.*?)```\n", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({"cli.md, 4", "answers.md, 7", "plans.md, 5", "kubernetes.md, 2"})
  void showsWhatTheCommandPrints(String page, int count) throws IOException, InterruptedException {
    File root = new File(System.getProperty("lighthouse.root"));
    Files.createDirectories(root.toPath().resolve("target")); // where a session draws
    Matcher session =
        SESSION.matcher(Files.readString(root.toPath().resolve("docs").resolve(page)));
    int sessions = 0;
    while (session.find()) {
      assertThat(printed(root, session.group(1).split(" "))).isEqualTo(session.group(2));
      sessions++;
    }

    assertThat(sessions).isEqualTo(count);
  }

  private static String printed(File root, String... words)
      throws IOException, InterruptedException {
    List<String> command = Launch.command();
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(root).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }
}
