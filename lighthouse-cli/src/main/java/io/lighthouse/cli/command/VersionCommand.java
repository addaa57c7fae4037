package io.lighthouse.cli.command;

import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the version, as {@code --version} does. */
@Command(name = "version", description = "Print the version of Lighthouse and of Java.")
public final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  public VersionCommand(Terminal terminal) {}

  @Override
  public Integer call() {
    command.root().commandLine().printVersionHelp(command.commandLine().getOut());
    return ExitCode.DONE;
  }
}
