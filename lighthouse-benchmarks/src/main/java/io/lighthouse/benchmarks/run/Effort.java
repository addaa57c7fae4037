package io.lighthouse.benchmarks.run;

/**
 * How long a case is measured.
 *
 * @param warmups iterations to get warm
 * @param iterations iterations that count
 * @param seconds the length of each, where the benchmark repeats itself within one
 */
public record Effort(int warmups, int iterations, int seconds) {
  /** Iterations without repetition within them, for benchmarks that are one long run. */
  public static Effort runs(int warmups, int iterations) {
    return new Effort(warmups, iterations, 1);
  }
}
