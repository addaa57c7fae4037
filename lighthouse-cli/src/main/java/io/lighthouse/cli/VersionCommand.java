package io.lighthouse.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the version, as {@code --version} does. */
@Command(name = "version", description = "Print the version of Lighthouse and of Java.")
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  VersionCommand(Terminal terminal) {}

  @Override
  public Integer call() {
    command.root().commandLine().printVersionHelp(command.commandLine().getOut());
    return ExitCode.DONE;
  }
}
