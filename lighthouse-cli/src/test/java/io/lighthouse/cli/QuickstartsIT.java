package io.lighthouse.cli;

import static io.lighthouse.cli.DocumentedSession.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quickstarts of the README, each from an empty folder. */
class QuickstartsIT {
  private static final Pattern SHELL = Pattern.compile("`(jshell [^`]*)`");
  private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMANDS = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
  private static final Pattern PRINTED = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  private void show(String heading, int commands) throws Exception {
    try (DocumentedSession session = new DocumentedSession(folder)) {
      session.script("kubectl", "cat '" + ROOT.resolve("examples/kubernetes/objects.json") + "'\n");
      assertThat(session.show(section(heading))).isEqualTo(commands);
    }
  }

  /** What is pasted into the shell. ReadmeTest compiles it as part of a program. */
  @Test
  void java() throws Exception {
    String section = section("## Quickstart: Java");
    Files.writeString(folder.resolve("pasted"), found(PROGRAM, section));
    try (DocumentedSession session = new DocumentedSession(folder)) {
      session.replace("lighthouse-cli/target/modules", Launch.MODULES.toString());
      assertThat(session.run(found(SHELL, section) + " < pasted"))
          .contains(found(PRINTED, section));
    }
  }

  @Test
  void aPlugIn() throws Exception {
    String section = section("## Strategies, and one of your own");
    for (MatchResult block : PROGRAM.matcher(section).results().toList()) {
      String code = block.group(1);
      String file = code.startsWith("module") ? "module-info.java" : "EmptiestFirst.java";
      Files.writeString(folder.resolve(file), code);
    }
    try (DocumentedSession session = new DocumentedSession(folder)) {
      session.replace("lighthouse-cli/target/modules", Launch.MODULES.toString());
      session.replace("examples/fleet.json", ROOT.resolve("examples/fleet.json").toString());
      String printed = "";
      for (String command : found(COMMANDS, section).lines().toList()) {
        printed += session.run(command);
      }
      // Where its lines end depends on the length of the path.
      assertThat(printed.replaceAll("\\s+", " "))
          .contains("24 placed now, 1 refused by emptiest-first;");
    }
  }

  private static String section(String heading) throws IOException {
    return DocumentedSession.section(Files.readString(ROOT.resolve("README.md")), heading);
  }

  private static String found(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().orElseThrow().group(1);
  }

  @Test
  void python() throws Exception {
    DocumentedSession.assumePython();
    show("## Quickstart: Python, over HTTP", 2);
  }

  @Test
  void aDurableFleet() throws Exception {
    show("## Quickstart: a durable fleet", 5);
  }

  @Test
  void kubernetes() throws Exception {
    show("## Quickstart: Kubernetes", 3);
  }
}
