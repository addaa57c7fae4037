package io.lighthouse.benchmarks.run;

import java.util.Arrays;
import java.util.Map;

/**
 * What a case gave.
 *
 * @param of the case
 * @param taken where and when
 * @param median nanoseconds, the median over all samples
 * @param min the shortest
 * @param max the longest
 * @param samples how many there were
 * @param values what else the benchmark found out, by name: medians where it was found several
 *     times
 * @param printed the tables that a program printed; empty where the figures are the values
 */
public record Measurement(
    Case of,
    Facts taken,
    double median,
    double min,
    double max,
    long samples,
    Map<String, Double> values,
    String printed) {
  public Measurement(
      Case of,
      Facts taken,
      double median,
      double min,
      double max,
      long samples,
      Map<String, Double> values) {
    this(of, taken, median, min, max, samples, values, "");
  }

  /** Of single samples, in nanoseconds and in any order. */
  public static Measurement of(Case of, Facts taken, double[] nanos, Map<String, Double> values) {
    double[] sorted = nanos.clone();
    Arrays.sort(sorted);
    int samples = sorted.length;
    return new Measurement(
        of, taken, sorted[samples / 2], sorted[0], sorted[samples - 1], samples, values);
  }

  public double value(String name) {
    Double value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(of + " has no " + name + ", but " + values.keySet());
    }
    return value;
  }

  /** Of a batch: nanoseconds for one attempt. */
  public double nanosPerAttempt() {
    return median / value("workloads");
  }

  /** Of a batch: workloads that were tried, placed or not, in a second. */
  public double attemptsPerSecond() {
    return value("workloads") * 1e9 / median;
  }

  /** Of a batch: workloads that found a node, in a second. */
  public double placementsPerSecond() {
    return value("placed") * 1e9 / median;
  }
}
