package io.lighthouse.benchmarks.run;

import java.util.stream.Stream;

/** How thorough a run is. */
public enum Profile {
  /** Whether everything runs at all: small fleets, a moment each. Its figures mean nothing. */
  SMOKE(new int[] {50, 100}, 1, 1),
  /** All tables, the main cases. */
  QUICK(new int[] {100, 1_000, 10_000, 100_000}, 2, 3);

  private final int[] sizes;
  private final int warmups;
  private final int iterations;

  Profile(int[] sizes, int warmups, int iterations) {
    this.sizes = sizes;
    this.warmups = warmups;
    this.iterations = iterations;
  }

  /** The sizes of fleets, ascending. */
  int[] sizes() {
    return sizes.clone();
  }

  /** A size, or the largest there is. */
  public int atMost(int nodes) {
    return Math.min(nodes, sizes[sizes.length - 1]);
  }

  public Effort effort(Case wanted) {
    String benchmark = wanted.benchmark();
    boolean large = wanted.nodes() >= 100_000;
    if (Stream.of("MemoryBenchmark", "PeerBenchmark", "DecisionBenchmark")
        .anyMatch(benchmark::startsWith)) {
      return Effort.runs(1, large ? 2 : iterations);
    }
    if (benchmark.startsWith("ComparedBenchmark")) {
      return Effort.runs(0, 1);
    }
    if (benchmark.startsWith("NodeChangeBenchmark")) {
      return this == SMOKE ? Effort.runs(1, 1) : Effort.runs(60, 20);
    }
    if (benchmark.equals(CommandRun.BENCHMARK)) {
      return Effort.runs(0, iterations);
    }
    if (QualityRun.takes(wanted)) {
      return Effort.runs(0, 1);
    }
    if (benchmark.startsWith("SessionBenchmark")) {
      return this == SMOKE ? Effort.runs(0, 1) : Effort.runs(3, 5);
    }
    if (benchmark.startsWith("SchedulingBenchmark")) {
      // A pass over the smaller ones is short, and the compiler wants to have seen some.
      int passes = wanted.nodes() > 1_000 || wanted.number("running") > 10_000 ? 15 : 60;
      return this == SMOKE ? Effort.runs(1, 2) : Effort.runs(passes, passes);
    }
    return large ? new Effort(1, iterations, 2) : new Effort(warmups, iterations, 1);
  }
}
