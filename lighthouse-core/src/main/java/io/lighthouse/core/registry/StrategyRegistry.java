package io.lighthouse.core.registry;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.StrategyDescription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The strategies and the rules that were found. A broken provider is reported and hides no other.
 * Immutable.
 */
public final class StrategyRegistry {
  private final Registry<PlacementStrategy, StrategyDescription> strategies;
  private final Registry<PlacementRule, RuleDescription> rules;
  private final List<String> faults;

  private StrategyRegistry(ProviderScan scan) {
    strategies = new Registry<>("strategy", scan.strategies());
    rules = new Registry<>("rule", scan.rules());
    faults = new ArrayList<>(scan.faults());
    faults.addAll(strategies.clashes());
    faults.addAll(rules.clashes());
  }

  /** The rules that were found with the strategies. */
  public Registry<PlacementRule, RuleDescription> rules() {
    return rules;
  }

  /** Searches the module path and the class path. */
  public static StrategyRegistry installed() {
    ProviderScan scan = new ProviderScan();
    scan.installed();
    return new StrategyRegistry(scan);
  }

  /**
   * Strategies on the module path and class path and in a directory of plug-ins.
   *
   * @param plugins a directory of jars, or of sub-directories of jars
   * @return a new registry
   * @throws InvalidInputException if the directory cannot be read
   */
  public static StrategyRegistry installed(Path plugins) {
    ProviderScan scan = new ProviderScan();
    scan.installed();
    scan.directory(plugins);
    return new StrategyRegistry(scan);
  }

  /** What is known of each usable strategy, by name. */
  public List<StrategyDescription> strategies() {
    return strategies.usable();
  }

  /** A message for each broken provider and each clash of names. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /**
   * A strategy by name.
   *
   * @throws InvalidInputException if there is none
   * @throws LighthouseException if there is more than one
   */
  public Installed<PlacementStrategy, StrategyDescription> find(String name) {
    return strategies.find(name).orElseThrow(() -> missing(name));
  }

  private InvalidInputException missing(String name) {
    String known =
        strategies().stream().map(StrategyDescription::name).collect(Collectors.joining(", "));
    return new InvalidInputException(
        "distributor",
        "strategy",
        "'" + name + "'",
        (known.isEmpty() ? "none, no strategy is installed" : "one of " + known)
            + (faults.isEmpty() ? "" : " (broken: " + String.join("; ", faults) + ")"));
  }
}
