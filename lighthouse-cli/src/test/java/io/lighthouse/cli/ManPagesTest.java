package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.cli.page.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * The manual pages in docs/man, one for each command, are what picocli makes of the commands. With
 * {@code -Dlighthouse.man=write} they are written anew.
 */
class ManPagesTest {
  private static final Path PAGES = Path.of(System.getProperty("lighthouse.root"), "docs", "man");

  @Test
  void areInStepWithTheCommands() throws IOException {
    Map<String, String> made = new TreeMap<>();
    CommandLine root = Main.commandLine(Terminal.ofProcess());
    made.put("lighthouse.adoc", page(root.getCommandSpec()));
    for (CommandLine command : root.getSubcommands().values()) {
      CommandSpec spec = command.getCommandSpec();
      made.put("lighthouse-" + spec.name() + ".adoc", page(spec));
      for (CommandLine within : command.getSubcommands().values()) {
        CommandSpec inner = within.getCommandSpec();
        made.put("lighthouse-" + spec.name() + "-" + inner.name() + ".adoc", page(inner));
      }
    }
    if ("write".equals(System.getProperty("lighthouse.man"))) {
      Files.createDirectories(PAGES);
      for (Map.Entry<String, String> page : made.entrySet()) {
        Files.writeString(PAGES.resolve(page.getKey()), page.getValue());
      }
    }

    Map<String, String> kept = new TreeMap<>();
    try (Stream<Path> files = Files.list(PAGES)) {
      for (Path file : files.toList()) {
        kept.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    assertThat(kept).isEqualTo(made);
    assertThat(kept).containsKeys("lighthouse-assign.adoc", "lighthouse-serve.adoc");
  }

  /**
   * Without versions, which change by themselves, and marks for other tools. What picocli writes is
   * not always AsciiDoc: a synopsis that it wraps within an emphasis is none, so it is one line;
   * {@code [...]} before the end of an emphasis would be taken for the attributes of another; and a
   * description of several lines is one paragraph.
   */
  private static String page(CommandSpec command) {
    command.usageMessage().width(10_000);
    StringWriter text = new StringWriter();
    ManPageGenerator.writeSingleManPage(new PrintWriter(text), command);
    return text.toString()
        .replace("\r\n", "\n")
        .replaceAll("(?m)^(// (tag|end)::|:revnumber:).*\n", "")
        .replaceAll("(?m)^:mansource:.*$", ":mansource: Lighthouse")
        .replace("]_", "{endsb}_")
        .replace("\n+\n", " ")
        .replaceAll("\n{3,}", "\n\n")
        .stripTrailing()
        .concat("\n");
  }
}
