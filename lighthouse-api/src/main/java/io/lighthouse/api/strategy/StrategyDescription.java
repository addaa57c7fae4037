package io.lighthouse.api.strategy;

import java.util.List;

/**
 * The description of an installed strategy. Immutable.
 *
 * @param name the name that callers use for it
 * @param description what it does, in one line
 * @param settings the settings that it accepts
 * @param sequential whether a batch gives the same placements as its workloads one by one
 * @param mayDecline whether it may refuse a workload that fits somewhere
 * @param origin its class, and the module or jar it comes from
 */
public record StrategyDescription(
    String name,
    String description,
    List<Setting> settings,
    boolean sequential,
    boolean mayDecline,
    String origin) {
  /** Copies. */
  public StrategyDescription {
    settings = List.copyOf(settings);
  }
}
