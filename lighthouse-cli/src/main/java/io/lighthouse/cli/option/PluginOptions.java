package io.lighthouse.cli.option;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Suggestion;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that says where more strategies are. */
public final class PluginOptions {
  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      converter = FolderPath.class,
      description = "Also use the strategies and rules in the jars of this directory.")
  private Path plugins;

  /** Found at the first use; null before. */
  private Distributors installed;

  /**
   * Finds the installed strategies, once; warns of broken ones on standard error.
   *
   * @throws io.lighthouse.api.error.InvalidInputException if the directory cannot be read
   */
  public Distributors installed(Terminal terminal) {
    if (installed == null) {
      installed = plugins == null ? Distributors.installed() : Distributors.installed(plugins);
      installed.faults().forEach(terminal::warn);
    }
    return installed;
  }

  /**
   * Finds the installed strategies, and checks an option that names one of them.
   *
   * @param strategy null where the option was not given
   * @throws ParameterException if the directory cannot be read, or no strategy has the name
   */
  public Distributors checked(Terminal terminal, CommandSpec command, String strategy) {
    String wrong;
    try {
      installed(terminal);
      if (strategy != null) {
        installed.find(strategy);
      }
      return installed;
    } catch (InvalidInputException mistake) {
      InvalidInputException hinted = hinted(mistake);
      wrong =
          isOfStrategy(mistake)
              ? "--strategy is " + hinted.found() + "; allowed: " + hinted.allowed()
              : hinted.getMessage();
    } catch (LighthouseException refused) {
      wrong = refused.getMessage();
    }
    throw new ParameterException(command.commandLine(), wrong);
  }

  /**
   * The same mistake; where it is that a strategy or rule is not installed, it also says which was
   * probably meant, and how a plug-in is found.
   */
  public InvalidInputException hinted(InvalidInputException mistake) {
    boolean rule =
        mistake.field().equals("name")
            && mistake
                .thing()
                .filter(thing -> thing.kind() == InvalidInputException.Kind.RULE)
                .isPresent();
    if (installed != null && mistake.subject().equals("settings")) {
      return withSetting(mistake);
    }
    if (installed == null || !rule && !isOfStrategy(mistake)) {
      return mistake;
    }
    List<String> names =
        rule
            ? installed.rules().stream().map(RuleDescription::name).toList()
            : installed.strategies().stream().map(StrategyDescription::name).toList();
    String typed = Suggestion.unquoted(mistake.found());
    if (names.contains(typed)) {
      return mistake;
    }
    String kind = rule ? "rule" : "strategy";
    String allowed =
        mistake.allowed()
            + Suggestion.question(typed, names)
            + (plugins == null ? "; a " + kind + " of a plug-in needs --plugins DIR" : "");
    return mistake
        .thing()
        .map(thing -> new InvalidInputException(thing, mistake.field(), mistake.found(), allowed))
        .orElseGet(
            () ->
                new InvalidInputException(
                    mistake.subject(), mistake.field(), mistake.found(), allowed));
  }

  /** A mistake about a setting; one that no strategy has gets the name that was probably meant. */
  private InvalidInputException withSetting(InvalidInputException mistake) {
    String typed = Suggestion.unquoted(mistake.field());
    List<String> known =
        installed.strategies().stream()
            .flatMap(strategy -> strategy.settings().stream())
            .map(Setting::name)
            .distinct()
            .toList();
    return known.contains(typed)
        ? mistake
        : new InvalidInputException(
            mistake.subject(),
            mistake.field(),
            mistake.found(),
            mistake.allowed() + Suggestion.question(typed, known));
  }

  /** Whether the mistake is that no such strategy is installed. */
  static boolean isOfStrategy(InvalidInputException mistake) {
    return mistake.subject().equals("distributor") && mistake.field().equals("strategy");
  }
}
