package io.lighthouse.core.registry;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.StrategyDescription;

/**
 * A strategy as it was found.
 *
 * @param strategy the instance
 * @param description what is known of it
 */
public record InstalledStrategy(PlacementStrategy strategy, StrategyDescription description) {
  /**
   * Reads what a strategy declares of itself.
   *
   * @param strategy the instance
   * @param origin its class and jar
   * @return both
   * @throws LighthouseException if its name is ill-formed, or a part is null
   */
  public static InstalledStrategy of(PlacementStrategy strategy, String origin) {
    return Declaration.read("strategy", origin, () -> described(strategy, origin));
  }

  private static InstalledStrategy described(PlacementStrategy strategy, String origin) {
    String name = strategy.name();
    Declaration.checkName("strategy", name, origin);
    if (strategy.description() == null || Declaration.hasNull(strategy.settings())) {
      throw new LighthouseException(
          "strategy '" + name + "' (" + origin + ") has null for a description or a setting");
    }
    return new InstalledStrategy(
        strategy,
        new StrategyDescription(
            name,
            strategy.description(),
            strategy.settings(),
            strategy.sequential(),
            strategy.mayDecline(),
            origin));
  }
}
