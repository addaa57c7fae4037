package io.lighthouse.cli.option;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Pairs;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Options whose values are pairs, such as {@code --rubric cpu=1,mem=0.5}. */
public final class PairOption {
  private PairOption() {}

  /**
   * Reads pairs.
   *
   * @param option the option, for messages
   * @param form what a pair looks like, for messages
   * @throws ParameterException if an entry is no pair, or a name is given twice
   */
  public static Map<String, String> pairs(
      CommandSpec command, String option, String form, List<String> entries) {
    try {
      return Pairs.of(entries);
    } catch (InvalidInputException none) {
      String entry = none.found();
      int equals = entry.indexOf('=');
      String wrong =
          equals > 1
              ? entry.substring(0, equals) + "' is given twice; allowed: once"
              : entry + " is not of the form " + form;
      throw new ParameterException(command.commandLine(), option + ": " + wrong);
    }
  }

  /**
   * Reads the weights of {@code --rubric}; an empty text has none.
   *
   * @throws ParameterException if an entry is no pair, a name is given twice, or a weight is none
   */
  public static Rubric rubric(CommandSpec command, String text) {
    List<String> entries = text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    try {
      return Rubric.of(pairs(command, "--rubric", "NAME=WEIGHT", entries));
    } catch (InvalidInputException wrong) {
      throw WrongOption.of(command, "--rubric", wrong);
    }
  }
}
