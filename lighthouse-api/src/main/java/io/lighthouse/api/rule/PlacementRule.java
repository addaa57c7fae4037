package io.lighthouse.api.rule;

import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.util.List;
import java.util.Set;

/**
 * A plug-in's rule about where workloads may be placed, or are better placed. It is found through
 * {@link java.util.ServiceLoader}, as strategies are. A problem uses it by name, through {@link
 * io.lighthouse.api.Rule.Named}.
 *
 * <p>A rule can only forbid: no rule makes a node fit. It is evaluated on nodes that pass all other
 * conditions. A rule has failed if it throws an exception, returns null or a negative excess, reads
 * what it has not declared, or calls its own distributor. It has failed even if it catches what is
 * thrown then. The call is rolled back, and the error names the rule and its origin. One instance
 * may serve many distributors in many threads, so it has no mutable state.
 */
public interface PlacementRule {
  /**
   * The name that problems use for the rule.
   *
   * @return lower-case letters, digits and hyphens, beginning with a letter
   */
  String name();

  /**
   * What it requires, in one line, for people.
   *
   * @return the line; empty by default
   */
  default String description() {
    return "";
  }

  /**
   * The settings that it accepts. Other settings are refused.
   *
   * @return the settings; none by default
   */
  default List<Setting> settings() {
    return List.of();
  }

  /**
   * What it reads besides the workload.
   *
   * @return the parts of the fleet that it may read; all others are hidden from it
   */
  Set<Reads> reads();

  /**
   * Makes a check for one fleet. Called once for a distributor and settings, and again after many
   * others were used.
   *
   * @param fleet the parts of the fleet that the rule has declared to read, always in their present
   *     state
   * @param with a value for every declared setting
   * @return the check
   * @throws io.lighthouse.api.error.InvalidInputException if a setting is wrong
   */
  RuleCheck newCheck(Fleet fleet, Settings with);
}
