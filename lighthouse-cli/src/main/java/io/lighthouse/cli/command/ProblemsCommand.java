package io.lighthouse.cli.command;

import io.lighthouse.cli.page.Terminal;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A command about problems, of which there may be any number. */
abstract class ProblemsCommand extends FileCommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Problems in JSON or YAML, gzipped or not; - is standard input.")
  private List<String> files = List.of();

  ProblemsCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  final List<String> files() {
    return files;
  }
}
