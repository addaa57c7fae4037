package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of a simulation. Immutable.
 *
 * @param end when nothing more could happen
 * @param passes how many passes were made
 * @param endings how executions ended
 * @param never what never ran
 * @param waiting how long executions waited in the queue, by priority
 * @param usage what was used
 * @param failures what failed in passes, and how often; the first hundred different messages
 */
public record SimulationResult(
    Duration end,
    int passes,
    Endings endings,
    Never never,
    Map<Integer, Waiting> waiting,
    Utilisation usage,
    Map<String, Integer> failures) {
  /** Copies. */
  public SimulationResult {
    waiting = Collections.unmodifiableMap(new TreeMap<>(waiting));
    failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
  }

  /**
   * How executions ended.
   *
   * @param completed how many ended as they should
   * @param failed how many failed
   * @param cancelled how many were cancelled
   */
  public record Endings(int completed, int failed, int cancelled) {}

  /**
   * What never ran.
   *
   * @param executions the ids of the executions that were still in the queue at the end, as they
   *     were submitted
   * @param systemTasks the names of the system tasks that had not finished at the end, as they
   *     became due
   */
  public record Never(List<String> executions, List<String> systemTasks) {
    /** Copies. */
    public Never {
      executions = List.copyOf(executions);
      systemTasks = List.copyOf(systemTasks);
    }

    /**
     * Whether everything ran.
     *
     * @return true if nothing is named
     */
    public boolean isNothing() {
      return executions.isEmpty() && systemTasks.isEmpty();
    }
  }

  /**
   * How long the executions of one priority waited from their submission until they were given a
   * node.
   *
   * @param placed how many were; at least 1
   * @param mean the mean of their times, rounded down to a nanosecond
   * @param median half of them waited no longer
   * @param p95 95 of a hundred waited no longer
   * @param longest none waited longer
   */
  public record Waiting(
      int placed, Duration mean, Duration median, Duration p95, Duration longest) {
    static Waiting of(List<Duration> times) {
      List<Duration> sorted = times.stream().sorted().toList();
      Duration sum = sorted.stream().reduce(Duration.ZERO, Duration::plus);
      return new Waiting(
          sorted.size(),
          sum.dividedBy(sorted.size()),
          rank(sorted, 50),
          rank(sorted, 95),
          rank(sorted, 100));
    }

    /** The smallest time such that {@code percent} of all are no larger. */
    private static Duration rank(List<Duration> sorted, int percent) {
      return sorted.get((int) (((long) sorted.size() * percent + 99) / 100 - 1));
    }
  }

  /**
   * What was used.
   *
   * @param sums over the time of the simulation, exact; by resource
   * @param course what was used from when on, at the times at which that changed; of more than some
   *     thousands of times every second one is left out, as often as needed
   */
  public record Utilisation(Map<String, Use> sums, List<Usage> course) {
    /** Copies. */
    public Utilisation {
      Map<String, Use> sorted = new TreeMap<>(Names.order());
      sorted.putAll(sums);
      sums = Collections.unmodifiableMap(sorted);
      course = List.copyOf(course);
    }
  }

  /**
   * The use of a resource over the time of the simulation.
   *
   * @param used by running tasks, times seconds
   * @param total what the connected nodes had, times seconds
   */
  public record Use(BigDecimal used, BigDecimal total) {}

  /**
   * What was used from a time on.
   *
   * @param at the time
   * @param used by running tasks
   * @param total what the connected nodes had
   * @param nodes the connected nodes
   */
  public record Usage(Duration at, Resources used, Resources total, NodeCount nodes) {}

  /**
   * How many nodes were connected.
   *
   * @param all all of them
   * @param busy those on which a task ran
   */
  public record NodeCount(int all, int busy) {}
}
