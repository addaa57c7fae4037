package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of a simulation. Immutable.
 *
 * @param end when nothing more could happen
 * @param passes how many passes were made
 * @param completed how many executions ended as they should
 * @param failed how many failed
 * @param cancelled how many were cancelled
 * @param neverPlaced the ids of the executions that were still in the queue at the end, as they
 *     were submitted
 * @param waiting how long executions waited in the queue, by priority
 * @param usage what was used, at every time at which that changed
 */
public record SimulationResult(
    Duration end,
    int passes,
    int completed,
    int failed,
    int cancelled,
    List<String> neverPlaced,
    Map<Integer, Waiting> waiting,
    List<Usage> usage) {
  /** Copies. */
  public SimulationResult {
    neverPlaced = List.copyOf(neverPlaced);
    waiting = Collections.unmodifiableMap(new TreeMap<>(waiting));
    usage = List.copyOf(usage);
  }

  /**
   * How long the executions of one priority waited from their submission until they were given a
   * node.
   *
   * @param placed how many were
   * @param mean the mean of their times, rounded down to a nanosecond; 0 for none
   * @param median half of them waited no longer
   * @param p95 95 of a hundred waited no longer
   * @param longest nobody waited longer
   */
  public record Waiting(
      int placed, Duration mean, Duration median, Duration p95, Duration longest) {
    static Waiting of(List<Duration> times) {
      if (times.isEmpty()) {
        return new Waiting(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
      }
      List<Duration> sorted = new ArrayList<>(times);
      Collections.sort(sorted);
      Duration sum = sorted.stream().reduce(Duration.ZERO, Duration::plus);
      return new Waiting(
          sorted.size(),
          sum.dividedBy(sorted.size()),
          rank(sorted, 50),
          rank(sorted, 95),
          rank(sorted, 100));
    }

    /** The smallest of which so many percent are no larger. */
    private static Duration rank(List<Duration> sorted, int percent) {
      return sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }
  }

  /**
   * What was used from a time on.
   *
   * @param at the time
   * @param used by running tasks
   * @param total what the connected nodes had
   */
  public record Usage(Duration at, Resources used, Resources total) {}
}
