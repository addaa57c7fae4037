package io.lighthouse.cli.option;

import io.lighthouse.cli.page.Terminal;
import java.io.OutputStream;
import picocli.CommandLine.Option;

/** The option for scripts that ask for the exit code alone. */
public final class QuietOption {
  @Option(
      names = {"-q", "--quiet"},
      description =
          "Print no answer and no progress: the exit code has the result. Errors are printed.")
  private boolean quiet;

  public boolean isQuiet() {
    return quiet;
  }

  /** The same terminal; with the option, without standard output and progress. */
  public Terminal applied(Terminal terminal) {
    return quiet
        ? new Terminal(
            terminal.in(),
            OutputStream.nullOutputStream(),
            terminal.err(),
            false,
            false,
            false,
            terminal.keyboard(),
            terminal.width())
        : terminal;
  }
}
