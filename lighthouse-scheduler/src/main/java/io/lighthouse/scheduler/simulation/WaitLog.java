package io.lighthouse.scheduler.simulation;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** How long executions waited in the queue, by priority: eight bytes an execution. */
final class WaitLog {
  private final Map<Integer, Times> byPriority = new TreeMap<>();

  /** Waiting times in nanoseconds. */
  static final class Times {
    private long[] nanos = new long[16];
    private int count;

    void add(Duration time) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, count * 2);
      }
      nanos[count++] = time.toNanos();
    }

    SimulationResult.Waiting sum() {
      return SimulationResult.Waiting.of(Arrays.copyOf(nanos, count));
    }
  }

  void add(int priority, Duration time) {
    byPriority.computeIfAbsent(priority, same -> new Times()).add(time);
  }

  Map<Integer, SimulationResult.Waiting> sums() {
    Map<Integer, SimulationResult.Waiting> sums = new TreeMap<>();
    byPriority.forEach((priority, times) -> sums.put(priority, times.sum()));
    return sums;
  }
}
