package io.lighthouse.core.registry;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.RuleDescription;

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
    return Declaration.read("rule", origin, () -> described(rule, origin));
  }

  private static InstalledRule described(PlacementRule rule, String origin) {
    String name = rule.name();
    Declaration.checkName("rule", name, origin);
    if (rule.description() == null
        || Declaration.hasNull(rule.settings())
        || rule.reads() == null) {
      throw new LighthouseException(
          "rule '" + name + "' (" + origin + ") has null for a description, a setting or reads");
    }
    return new InstalledRule(
        rule,
        new RuleDescription(
            name, rule.description(), rule.settings(), rule.reads(), rule.lasting(), origin));
  }
}
