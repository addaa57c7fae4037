package io.lighthouse.cli.option;

import io.lighthouse.api.error.InvalidInputException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A mistake in the value of an option, with one prefix. */
public final class WrongOption {
  private WrongOption() {}

  /** A mistake in what an option names; a subject that names no thing only repeats the option. */
  static ParameterException of(CommandSpec command, String option, InvalidInputException mistake) {
    boolean named = mistake.subject().contains("'");
    String message = named ? mistake.getMessage() : withoutSubject(mistake);
    return new ParameterException(command.commandLine(), option + ": " + message);
  }

  /**
   * A mistake in what was typed.
   *
   * @param isField whether the field alone names it, so that the subject is left out
   */
  public static ParameterException of(
      CommandSpec command, boolean isField, InvalidInputException mistake) {
    String message = isField ? withoutSubject(mistake) : mistake.getMessage();
    return new ParameterException(command.commandLine(), message);
  }

  private static String withoutSubject(InvalidInputException mistake) {
    return mistake.getMessage().substring(mistake.subject().length() + ": ".length());
  }
}
