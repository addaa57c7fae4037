package io.lighthouse.api.strategy;

import java.util.List;

/**
 * A way to choose among the nodes that fit. It is found through {@link java.util.ServiceLoader}, or
 * passed as an instance.
 *
 * <p>The placers of some strategies that come with Lighthouse. Here {@code tightest} is {@code
 * fleet.orderBy(rubric)}.
 *
 * <pre>{@code
 * prioritized:  Placer.FIRST
 * round-robin:  (workload, candidates) -> candidates.firstAfter(fleet.lastPlaced())
 * bin-pack:     (workload, candidates) -> candidates.first(tightest), the largest workload first
 * balance:      (workload, candidates) -> candidates.mostEven()
 * }</pre>
 *
 * <p>A strategy must be deterministic: the same nodes, workloads and settings in the same order
 * give the same placements. One instance may serve many distributors in many threads, so it has no
 * mutable state.
 */
public interface PlacementStrategy {
  /**
   * The name that callers use for the strategy.
   *
   * @return lower-case letters, digits and hyphens, beginning with a letter, such as {@code
   *     bin-pack}
   */
  String name();

  /**
   * What it does, in one line, for people.
   *
   * @return the line; empty by default
   */
  default String description() {
    return "";
  }

  /**
   * The settings that it accepts. Other settings are refused before {@link #newPlacer} is called.
   *
   * @return the settings; none by default
   */
  default List<Setting> settings() {
    return List.of();
  }

  /**
   * Whether a batch gives the same placements as its workloads one by one.
   *
   * @return true by default; false if the batch is sorted or placed as a whole
   */
  default boolean sequential() {
    return true;
  }

  /**
   * Whether it may decline candidates, and so refuse a workload that fits somewhere.
   *
   * @return false by default; then declining is a failure
   */
  default boolean mayDecline() {
    return false;
  }

  /**
   * Makes a placer for one fleet. Called when a distributor is made or copied.
   *
   * @param fleet the fleet; it is valid as long as the placer, and always shows the present state
   * @param settings a value for every declared setting
   * @return a placer that keeps no state of its own
   * @throws io.lighthouse.api.error.InvalidInputException if a setting is wrong, or an input that
   *     the strategy needs, such as a rubric, is missing
   */
  Placer newPlacer(Fleet fleet, Settings settings);
}
