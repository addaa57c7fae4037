package io.lighthouse.core.registry;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.core.registry.StrategyRegistry.InstalledStrategy;

/**
 * A rule as it was found.
 *
 * @param rule the instance
 * @param description what is known of it
 */
public record InstalledRule(PlacementRule rule, RuleDescription description) {
  /**
   * Reads what a rule declares of itself.
   *
   * @param rule the instance
   * @param origin its class and jar
   * @return both
   * @throws LighthouseException if its name is ill-formed, or a part is null
   */
  public static InstalledRule of(PlacementRule rule, String origin) {
    try {
      String name = rule.name();
      InstalledStrategy.checkName("rule", name, origin);
      if (rule.description() == null
          || InstalledStrategy.hasNull(rule.settings())
          || rule.reads() == null) {
        throw new LighthouseException(
            "rule '" + name + "' (" + origin + ") has null for a description, a setting or reads");
      }
      return new InstalledRule(
          rule,
          new RuleDescription(
              name, rule.description(), rule.settings(), rule.reads(), rule.lasting(), origin));
    } catch (RuntimeException | LinkageError | StackOverflowError thrown) {
      if (thrown instanceof LighthouseException known) {
        throw known;
      }
      throw new LighthouseException(
          "rule (" + origin + ") threw when asked what it is: " + thrown, thrown);
    }
  }
}
