package io.lighthouse.benchmarks.report;

/**
 * How long a case is measured.
 *
 * @param warmups iterations to get warm
 * @param iterations iterations that count
 * @param seconds the length of each, where the benchmark repeats itself within one
 * @param forks fresh JVMs, one after the other
 */
record Effort(int warmups, int iterations, int seconds, int forks) {
  /** Iterations without repetition within them, for benchmarks that are one long run. */
  static Effort runs(int warmups, int iterations) {
    return new Effort(warmups, iterations, 1, 1);
  }
}
