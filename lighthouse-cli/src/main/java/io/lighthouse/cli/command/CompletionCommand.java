package io.lighthouse.cli.command;

import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a script that teaches a shell the command's words. */
@Command(
    name = "completion",
    description = "Print a completion script for bash or zsh.",
    footer = {"", "To use it now and here:", "  source <(lighthouse completion)"})
public final class CompletionCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private CommandSpec command;

  public CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    terminal.say(AutoComplete.bash("lighthouse", command.root().commandLine()));
    return ExitCode.DONE;
  }
}
