package io.lighthouse.api.rule;

import io.lighthouse.api.strategy.Setting;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is known of an installed rule. Immutable.
 *
 * @param name the name it is asked for by
 * @param description what it asks for, in one line
 * @param settings the settings it understands
 * @param reads what it reads beside the workload
 * @param lasting whether a no stays a no until something is given back
 * @param origin its class, and the module or jar it comes from
 */
public record RuleDescription(
    String name,
    String description,
    List<Setting> settings,
    Set<Reads> reads,
    boolean lasting,
    String origin) {
  /** Copies. */
  public RuleDescription {
    settings = List.copyOf(settings);
    reads = java.util.Collections.unmodifiableSet(new TreeSet<>(reads));
  }
}
