package io.lighthouse.cli;

import io.lighthouse.cli.option.TextOption;
import io.lighthouse.json.Suggestion;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The message about a word that a command does not know. */
final class UnknownWords {
  /** The options and commands that were renamed. A new one is one more line here. */
  private static final List<Renamed> RENAMED =
      List.of(
          new Renamed("lighthouse", "import", "'lighthouse kubernetes export'"),
          new Renamed("lighthouse assign", "--save", "--out"),
          new Renamed("lighthouse plan", "--save", "--out"),
          new Renamed("lighthouse simulate", "--report", "--out"),
          new Renamed("lighthouse kubernetes", "--extender", "'lighthouse kubernetes extend'"),
          new Renamed("lighthouse kubernetes", "--config", "'lighthouse kubernetes schedule'"),
          new Renamed("lighthouse kubernetes", "--context", "'lighthouse kubernetes schedule'"),
          new Renamed("lighthouse kubernetes", "--kubeconfig", "'lighthouse kubernetes schedule'"));

  private UnknownWords() {}

  /** A word of a command, and what to give in its place. */
  private record Renamed(String command, String word, String now) {}

  /** The message, with the new name of a word, or the name that was probably meant. */
  static String message(ParameterException wrong) {
    CommandSpec command = wrong.getCommandLine().getCommandSpec();
    if (!(wrong instanceof UnmatchedArgumentException unknown)) {
      // Picocli's help has words of its own about a command that it does not know.
      return wrong.getMessage().startsWith("Unknown subcommand '")
          ? noCommand(command, wrong.getValue())
          : wrong.getMessage();
    }
    String word = unknown.getUnmatched().get(0);
    if (word.isEmpty()) {
      return TextOption.EMPTY; // A list of words ends where one cannot be read.
    }
    String name = word.split("=", 2)[0];
    Optional<Renamed> renamed =
        RENAMED.stream()
            .filter(one -> one.command.equals(command.qualifiedName()))
            .filter(one -> one.word.equals(name))
            .findFirst();
    if (renamed.isPresent()) {
      return "'" + renamed.get().word + "' is gone; use " + renamed.get().now;
    }
    if (unknown.isUnknownOption()) {
      return wrong.getMessage() + Suggestion.question(name, command.optionsMap().keySet());
    }
    if (command.subcommands().isEmpty()) {
      return "'" + word + "' is one word too many";
    }
    return noCommand(command, word);
  }

  private static String noCommand(CommandSpec command, String word) {
    return "'"
        + word
        + "' is no command; give one of "
        + String.join(", ", command.subcommands().keySet())
        + Suggestion.question(word, command.subcommands().keySet());
  }
}
