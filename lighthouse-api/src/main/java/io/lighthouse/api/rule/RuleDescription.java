package io.lighthouse.api.rule;

import io.lighthouse.api.strategy.Setting;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The description of an installed rule. Immutable.
 *
 * @param name the name that problems use for it
 * @param description what it requires, in one line
 * @param settings the settings that it accepts
 * @param reads what it reads besides the workload
 * @param origin its class, and the module or jar it comes from
 */
public record RuleDescription(
    String name, String description, List<Setting> settings, Set<Reads> reads, String origin) {
  /** Copies. */
  public RuleDescription {
    settings = List.copyOf(settings);
    reads = java.util.Collections.unmodifiableSet(new TreeSet<>(reads));
  }
}
