package io.lighthouse.core.registry;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.StrategyDescription;
import java.util.List;
import java.util.function.Supplier;

/**
 * A strategy or a rule as it was found.
 *
 * @param provider the instance
 * @param description what is known of it
 * @param name its name
 * @param origin its class and jar
 */
public record Installed<P, D>(P provider, D description, String name, String origin) {
  private static final String NAMES = "[a-z][a-z0-9-]{0,99}";

  /**
   * Reads what a strategy declares of itself.
   *
   * @param origin its class and jar
   * @throws LighthouseException if its name is ill-formed, a part is null, or its code throws
   */
  public static Installed<PlacementStrategy, StrategyDescription> strategy(
      PlacementStrategy strategy, String origin) {
    return read(
        "strategy",
        origin,
        () -> {
          String name = checkedName("strategy", strategy.name(), origin);
          if (strategy.description() == null || hasNull(strategy.settings())) {
            throw new LighthouseException(
                "strategy '" + name + "' (" + origin + ") has null for a description or a setting");
          }
          StrategyDescription description =
              new StrategyDescription(
                  name,
                  strategy.description(),
                  strategy.settings(),
                  strategy.sequential(),
                  strategy.mayDecline(),
                  origin);
          return new Installed<>(strategy, description, name, origin);
        });
  }

  /**
   * Reads what a rule declares of itself.
   *
   * @param origin its class and jar
   * @throws LighthouseException if its name is ill-formed, a part is null, or its code throws
   */
  public static Installed<PlacementRule, RuleDescription> rule(PlacementRule rule, String origin) {
    return read(
        "rule",
        origin,
        () -> {
          String name = checkedName("rule", rule.name(), origin);
          if (rule.description() == null || hasNull(rule.settings()) || rule.reads() == null) {
            throw new LighthouseException(
                "rule '"
                    + name
                    + "' ("
                    + origin
                    + ") has null for a description, a setting or reads");
          }
          RuleDescription description =
              new RuleDescription(name, rule.description(), rule.settings(), rule.reads(), origin);
          return new Installed<>(rule, description, name, origin);
        });
  }

  private static <T> T read(String kind, String origin, Supplier<T> code) {
    try {
      return code.get();
    } catch (LighthouseException known) {
      throw known;
    } catch (RuntimeException | LinkageError | StackOverflowError thrown) {
      throw new LighthouseException(
          kind + " (" + origin + ") threw when asked what it is: " + thrown, thrown);
    }
  }

  private static String checkedName(String kind, String name, String origin) {
    if (name == null || !name.matches(NAMES)) {
      throw new LighthouseException(
          kind
              + " ("
              + origin
              + ") has the name '"
              + name
              + "'; allowed: lower-case letters, digits and hyphens, beginning with a letter, at"
              + " most 100 characters");
    }
    return name;
  }

  private static boolean hasNull(List<Setting> settings) {
    return settings == null
        || settings.stream()
            .anyMatch(
                one ->
                    one == null
                        || one.name() == null
                        || one.meaning() == null
                        || one.defaultValue() == null);
  }
}
