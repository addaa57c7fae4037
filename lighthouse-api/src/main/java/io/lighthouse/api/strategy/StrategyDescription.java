package io.lighthouse.api.strategy;

import java.util.List;

/**
 * What is known of an installed strategy. Immutable.
 *
 * @param name the name it is asked for by
 * @param description what it does, in one line
 * @param settings the settings it understands
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
