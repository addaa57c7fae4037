package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.problem.Problem;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One batch, from the list of workloads to the answer, on a fresh distributor that the set-up made.
 * Each batch is one sample.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BatchBenchmark extends ProblemState {
  private Problem problem;
  private Distributor distributor;

  /** For JMH. */
  public BatchBenchmark() {}

  /** Makes the problem. */
  @Setup(Level.Trial)
  public void generateProblem() {
    problem = generate();
  }

  /** Makes the distributor. */
  @Setup(Level.Invocation)
  public void freshDistributor() {
    distributor = strategy.distributor(problem);
  }

  /**
   * Assigns the batch.
   *
   * @return the answer
   */
  @Benchmark
  public Assignments assign() {
    return distributor.assign(problem.workloads());
  }

  /** Counts what one more batch places and allocates. */
  @TearDown(Level.Trial)
  public void count() {
    distributor = strategy.distributor(problem);
    Assignments[] answer = new Assignments[1];
    long bytes = AllocatedBytes.of(() -> answer[0] = assign());
    Outcome.add("workloads", answer[0].size());
    Outcome.add("placed", answer[0].placedCount());
    Outcome.add("nodesUsed", Answer.of(problem, answer[0]).nodesUsed());
    Outcome.add("bytesPerAttempt", (double) bytes / answer[0].size());
  }
}
