package io.lighthouse.cli.option;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemDistributor;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.json.Suggestion;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every command that makes a fleet of a file. What they say stands above it. */
public final class ProblemOptions {
  /** The strategy where neither the file nor an option names one. */
  public static final String DEFAULT_STRATEGY = "prioritized";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private PluginOptions plugins;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      completionCandidates = Names.class,
      description = "The strategy that chooses the nodes (default: the file's, else prioritized).")
  private String strategy;

  @Option(
      names = {"--rubric", "--weights"},
      paramLabel = "NAME=WEIGHT[,...]",
      converter = TextOption.OrEmpty.class,
      description = "The weights of the resources, such as cpu=1,mem=0.5 (default: the file's).")
  private String rubric;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the strategy, above the file's; may be repeated.")
  private List<String> settings = List.of();

  /** Null where none is given. */
  private Rubric weights;

  private Map<String, String> values = Map.of();

  /** The names of the resources that the question has beside those of the file. */
  private final Set<String> asked = new LinkedHashSet<>();

  /** Found by {@link #check}. */
  private Distributors installed;

  /** Checks what does not depend on a file; to be called once, before the first. */
  public void check(Terminal terminal) {
    strategy = strategy == null ? null : StrategyWords.nameOf(strategy);
    installed = plugins.checked(terminal, command, strategy);
    if (rubric != null) {
      weights = PairOption.rubric(command, rubric);
    }
    values = PairOption.pairs(command, "--set", "KEY=VALUE", settings);
  }

  /** A mistake in a file's problem or in an option, with what may help. */
  public InvalidInputException hinted(InvalidInputException mistake) {
    InvalidInputException hinted = plugins.hinted(mistake);
    return isOfSetting(mistake)
        ? new InvalidInputException("--set", hinted.field(), hinted.found(), hinted.allowed())
        : hinted;
  }

  /** Whether the mistake is in the file's strategy or its settings, and in no option. */
  public boolean isOfFilesStrategy(InvalidInputException mistake) {
    return strategy == null && PluginOptions.isOfStrategy(mistake)
        || mistake.subject().equals("settings") && !isOfSetting(mistake);
  }

  private boolean isOfSetting(InvalidInputException mistake) {
    return mistake.subject().equals("settings")
        && values.containsKey(Suggestion.unquoted(mistake.field()));
  }

  /** The names of the installed strategies, for a shell to complete. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Distributors.installed().strategies().stream()
          .map(StrategyDescription::name)
          .iterator();
    }
  }

  /** The problem with what the options say. */
  public Problem applied(Problem problem) {
    String own = StrategyWords.nameOf(problem.strategy().orElse(DEFAULT_STRATEGY));
    String name = strategy != null ? strategy : own;
    // Settings are a strategy's own: those of another one would only be refused.
    boolean same = problem.strategy().isEmpty() || own.equals(name);
    Map<String, String> all = new LinkedHashMap<>(same ? problem.settings() : Map.of());
    all.putAll(values);
    Problem applied = problem.withStrategy(name).withSettings(all);
    return weights == null ? applied : applied.withRubric(weights);
  }

  /**
   * Says which resources the question has beside those of the file, such as those of an offer. A
   * weight may be for one of them.
   */
  public void asks(Stream<Resources> resources) {
    resources.forEach(each -> asked.addAll(each.names()));
  }

  /**
   * Warns of weights of the option that count for nothing, as neither the problem nor the question
   * has such a resource.
   *
   * @param title what the warning calls the file of the problem
   */
  public void warnOfWeights(String title, Problem problem, Terminal terminal) {
    if (weights == null) {
      return;
    }
    Set<String> known = problem.resourceNames();
    known.addAll(asked);
    for (String name : weights.weights().names()) {
      if (!known.contains(name)) {
        terminal.warn(
            title
                + ": --rubric: '"
                + name
                + "' is a resource of no node and no workload"
                + Suggestion.question(name, known));
      }
    }
  }

  /** A distributor for a problem with its options applied. */
  public Distributor distributor(Problem problem) {
    return ProblemDistributor.of(installed.strategy(problem.strategy().orElseThrow()), problem);
  }

  /**
   * What an option's file holds.
   *
   * @param name the file; null where the option was not given, and nothing is read
   */
  public <T> List<T> listed(
      String option, String name, Terminal terminal, FleetFile.Grammar<List<T>> grammar) {
    if (name == null) {
      return List.of();
    }
    FleetFile file = new FleetFile(name);
    try (Progress progress = new Progress(terminal)) {
      return file.read(terminal, progress, grammar);
    } catch (InvalidInputException | FleetFile.UnreadableException unsound) {
      throw wrong(option + " " + file.title() + ": " + unsound.getMessage());
    }
  }

  /** A mistake in the value of an option. */
  public ParameterException wrong(String option, InvalidInputException mistake) {
    return WrongOption.of(command, option, mistake);
  }

  /** A mistake in how the command was called. */
  public ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
