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
  private static final String NAMES = "[a-z][a-z0-9-]{0,99}";

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
      if (name == null || !name.matches(NAMES)) {
        throw new LighthouseException(
            "rule ("
                + origin
                + ") has the name '"
                + name
                + "'; allowed: lower-case letters, digits and hyphens, beginning with a letter");
      }
      if (rule.description() == null || rule.settings() == null || rule.reads() == null) {
        throw new LighthouseException(
            "rule '" + name + "' (" + origin + ") has null for a description, settings or reads");
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
