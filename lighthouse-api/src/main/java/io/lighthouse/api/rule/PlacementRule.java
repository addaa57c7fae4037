package io.lighthouse.api.rule;

import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.util.List;
import java.util.Set;

/**
 * A rule of one's own about where workloads may go, or would rather go. Found through {@link
 * java.util.ServiceLoader}, as strategies are, and asked for by {@link
 * io.lighthouse.api.Rule.Named}.
 *
 * <p>A rule can only forbid: no rule makes a node fit. It is asked of nodes that all other
 * conditions let pass, and once more before the ledger commits. One that throws, answers null or a
 * negative excess, or reads what it has not declared, has failed: the call is rolled back, and the
 * error names the rule and its origin. One instance may serve many distributors in many threads, so
 * it has no mutable state.
 */
public interface PlacementRule {
  /**
   * The name it is asked for by.
   *
   * @return lower-case letters, digits and hyphens, beginning with a letter
   */
  String name();

  /**
   * What it asks for, in one line, for people.
   *
   * @return the line; empty by default
   */
  default String description() {
    return "";
  }

  /**
   * The settings that it understands. Others are refused.
   *
   * @return the settings; none by default
   */
  default List<Setting> settings() {
    return List.of();
  }

  /**
   * What it reads beside the workload.
   *
   * @return what; nothing else is shown to it
   */
  Set<Reads> reads();

  /**
   * Whether a no stays a no until something is given back: placing others can only make it
   * stricter.
   *
   * @return false by default; then no earlier refusal is remembered for it
   */
  default boolean lasting() {
    return false;
  }

  /**
   * Makes a check for one fleet. Called once for a distributor and settings.
   *
   * @param fleet the fleet, as far as the rule has declared to read it; it always shows the present
   * @param with a value for every declared setting
   * @return the check
   * @throws io.lighthouse.api.InvalidInputException if a setting is wrong
   */
  RuleCheck newCheck(Fleet fleet, Settings with);
}
