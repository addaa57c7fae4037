package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One batch, from the list of workloads to the answer, on a fresh distributor that the set-up made.
 * Each batch is one sample.
 */
@BenchmarkMode(Mode.SampleTime)
public class BatchBenchmark extends ProblemState {
  private BatchRun run;

  /** Makes the problem. */
  @Setup(Level.Trial)
  public void generateProblem() {
    run = new BatchRun(generate(), strategy);
  }

  /** Makes the distributor. */
  @Setup(Level.Invocation)
  public void freshDistributor() {
    run.freshDistributor();
  }

  /** Assigns the batch. */
  @Benchmark
  public Assignments assign() {
    return run.assign();
  }

  /** Counts what the batch allocated. */
  @TearDown(Level.Invocation)
  public void countBytes() {
    run.countBytes();
  }

  /** Records what the last batch placed and allocated. */
  @TearDown(Level.Trial)
  public void tell() {
    run.tell();
  }
}
