package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.simulation.SimulationResult.NodeCount;
import io.lighthouse.scheduler.simulation.SimulationResult.Usage;
import io.lighthouse.scheduler.simulation.SimulationResult.Use;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is used over time: exact sums, and a course of a bounded number of points. When the course
 * is full, every second point is left out, and {@code stride} doubles.
 */
final class UsageLog {
  /** Most points of the course. */
  static final int MOST_POINTS = 4096;

  private final Map<String, Use> sums = new TreeMap<>(Names.order());
  private final List<Usage> course = new ArrayList<>();

  /** What holds since the last change; null before the first. */
  private Usage last;

  /** How many changes make one point. */
  private int stride = 1;

  private int changes;

  void add(Duration at, Resources used, Resources total, NodeCount nodes) {
    Usage now = new Usage(at, used, total, nodes);
    if (last != null && now.equals(new Usage(at, last.used(), last.total(), last.nodes()))) {
      return;
    }
    close(at);
    last = now;
    if (changes++ % stride == 0) {
      course.add(last);
      if (course.size() == MOST_POINTS) {
        thinOut();
      }
    }
  }

  /** Adds what has held since the last change to the sums. */
  private void close(Duration until) {
    if (last == null) {
      return;
    }
    BigDecimal seconds = seconds(until.minus(last.at()));
    Resources total = last.total();
    for (int i = 0; i < total.size(); i++) {
      BigDecimal used =
          last.used().get(total.name(i)).orElse(Quantity.ZERO).toBigDecimal().multiply(seconds);
      BigDecimal there = total.quantity(i).toBigDecimal().multiply(seconds);
      sums.merge(
          total.name(i),
          new Use(used, there),
          (a, b) -> new Use(a.used().add(b.used()), a.total().add(b.total())));
    }
  }

  private void thinOut() {
    List<Usage> kept = new ArrayList<>();
    for (int i = 0; i < course.size(); i += 2) {
      kept.add(course.get(i));
    }
    course.clear();
    course.addAll(kept);
    stride *= 2;
  }

  List<Usage> course() {
    return course;
  }

  /** The sums until the end. */
  Map<String, Use> sums(Duration end) {
    close(end);
    last = null;
    return sums;
  }

  private static BigDecimal seconds(Duration time) {
    return BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), 9));
  }
}
