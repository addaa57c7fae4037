package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;

/**
 * One workload at a time: the whole batch, each workload in a call of its own, from an empty fleet
 * to a full one. Every call is timed by {@code System.nanoTime}, whose own cost of about 25 ns is
 * in the figure. All times are kept: the percentiles are those of all decisions, not of a
 * histogram, and include pauses of the garbage collector.
 */
@BenchmarkMode(Mode.SingleShotTime)
public class DecisionBenchmark extends ProblemState {
  private BenchmarkProblem problem;
  private Distributor distributor;
  private long[] nanos;

  /** Makes the problem. */
  @Setup(Level.Trial)
  public void generateProblem() {
    problem = generate();
    nanos = new long[problem.workloads().size()];
  }

  /** Makes the distributor. */
  @Setup(Level.Iteration)
  public void freshDistributor() {
    distributor = strategy.distributor(problem);
  }

  /** Assigns all workloads, one call each; returns the number of placed ones. */
  @Benchmark
  public int assignOneByOne() {
    int placed = 0;
    int i = 0;
    for (Workload workload : problem.workloads()) {
      long began = System.nanoTime();
      placed += distributor.assign(workload).placedCount();
      nanos[i++] = System.nanoTime() - began;
    }
    keepPercentiles(placed);
    return placed;
  }

  private void keepPercentiles(int placed) {
    Arrays.sort(nanos);
    Outcome.add("placed", placed);
    Outcome.add("p50", percentile(500));
    Outcome.add("p99", percentile(990));
    Outcome.add("p999", percentile(999));
    Outcome.add("worst", nanos[nanos.length - 1]);
  }

  private long percentile(int thousandths) {
    return nanos[(int) ((nanos.length - 1L) * thousandths / 1000)];
  }
}
