package io.lighthouse.core.registry;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.strategy.StrategyDescription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The strategies that were found, by name. A broken provider is reported and hides no other; two of
 * one name are an error only when that name is used. Immutable.
 */
public final class StrategyRegistry {
  /** By name; more than one where names clash. */
  private final Map<String, List<InstalledStrategy>> byName = new TreeMap<>(Names.order());

  private final RuleRegistry rules;
  private final List<String> faults;

  private StrategyRegistry(ProviderScan scan) {
    faults = new ArrayList<>(scan.faults());
    rules = new RuleRegistry(scan.rules());
    for (InstalledStrategy strategy : scan.strategies()) {
      byName
          .computeIfAbsent(strategy.description().name(), name -> new ArrayList<>())
          .add(strategy);
    }
    byName.forEach(
        (name, same) -> {
          if (same.size() > 1) {
            faults.add(clash(name, same));
          }
        });
    faults.addAll(rules.faults());
  }

  /** The rules that were found with the strategies. */
  public RuleRegistry rules() {
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
    return byName.values().stream()
        .filter(same -> same.size() == 1)
        .map(same -> same.get(0).description())
        .collect(Collectors.toUnmodifiableList());
  }

  /** A message for each broken provider and each clash of names. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /**
   * A strategy by name.
   *
   * @param name its name
   * @return the strategy
   * @throws InvalidInputException if there is none
   * @throws LighthouseException if there is more than one
   */
  public InstalledStrategy find(String name) {
    List<InstalledStrategy> same = byName.get(name);
    if (same == null) {
      String known =
          strategies().stream().map(StrategyDescription::name).collect(Collectors.joining(", "));
      throw new InvalidInputException(
          "distributor",
          "strategy",
          "'" + name + "'",
          (known.isEmpty() ? "none, no strategy is installed" : "one of " + known)
              + (faults.isEmpty() ? "" : " (broken: " + String.join("; ", faults) + ")"));
    }
    if (same.size() > 1) {
      throw new LighthouseException(clash(name, same));
    }
    return same.get(0);
  }

  private static String clash(String name, List<InstalledStrategy> same) {
    return "strategy '"
        + name
        + "' is there more than once: "
        + same.stream().map(one -> one.description().origin()).collect(Collectors.joining(" and "))
        + "; remove all but one";
  }
}
