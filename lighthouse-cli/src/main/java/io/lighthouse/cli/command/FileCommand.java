package io.lighthouse.cli.command;

import io.lighthouse.cli.file.FileRun;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.QuietOption;
import io.lighthouse.cli.page.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does its work with one file after the other. */
abstract class FileCommand implements Callable<Integer> {
  /** Where it reads and writes; without standard output where the caller wants it quiet. */
  Terminal terminal;

  /** The command as picocli knows it, for messages. */
  @Spec CommandSpec command;

  @Mixin private QuietOption quiet;

  FileCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public final Integer call() throws IOException {
    terminal = quiet.applied(terminal);
    prepare();
    return FileRun.each(FileRun.given(files(), terminal, command), terminal, this::run);
  }

  /** Prints an error that is part of the answer, where the answer is not printed. */
  final void complainIfQuiet(FleetFile file, String message) {
    if (quiet.isQuiet()) {
      terminal.complain(file.title(), message);
    }
  }

  /** Checks and reads what does not depend on a file; called once, before the first. */
  abstract void prepare();

  /** Checks that standard input is not read for an option, too, whose value may be null. */
  final void checkReadOnce(String read) {
    if (FleetFile.STANDARD_INPUT.equals(read)) {
      List<String> all = new ArrayList<>(FileRun.given(files(), terminal, command));
      all.add(read);
      FileRun.given(all, terminal, command);
    }
  }

  /**
   * Checks that a file that is written replaces none that is read.
   *
   * @param option the option that names the file, for the message
   * @param written the file; null for none
   */
  final void checkIsNotRead(String option, Path written) {
    for (String name : files()) {
      if (written != null && new FleetFile(name).isSavedBy(written)) {
        throw new ParameterException(
            command.commandLine(),
            option + " " + written + " is the FILE that is read; give another");
      }
    }
  }

  /** Checks that an option is not given whose answer has no place in rows of CSV. */
  final void checkHasPlace(String option, boolean given, AnswerOption output) {
    if (given && output.isCsv()) {
      throw new ParameterException(
          command.commandLine(),
          option + " has no place in CSV; allowed: --output table, json or yaml");
    }
  }

  /** The files; none for standard input. */
  abstract List<String> files();

  /**
   * The last word, which names the file.
   *
   * @param form the words of the command, for the message
   * @throws ParameterException if it names none
   */
  final String last(List<String> words, String form) {
    String file = words.get(words.size() - 1);
    if (new FleetFile(file).exists()) {
      return file;
    }
    throw new ParameterException(
        command.commandLine(),
        "there is no file '" + file + "'; the FILE stands last: " + command.name() + " " + form);
  }

  /**
   * Does the work with a file.
   *
   * @return {@link io.lighthouse.cli.page.ExitCode#DONE}, {@code REFUSED} or {@code FAILED}
   */
  abstract int run(FleetFile file) throws IOException;
}
