package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.io.IOException;
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
  private BenchmarkProblem problem;
  private Distributor distributor;
  private Assignments answered;
  private long bytesBefore;
  private long bytes;

  /** Makes the problem. */
  @Setup(Level.Trial)
  public void makeProblem() throws IOException {
    problem = problem();
  }

  /** The problem, whose making is not timed. */
  BenchmarkProblem problem() throws IOException {
    return generate();
  }

  /** Makes the distributor. */
  @Setup(Level.Invocation)
  public void freshDistributor() {
    answered = null;
    distributor = strategy.distributor(problem);
    bytesBefore = AllocatedBytes.soFar();
  }

  /** Assigns the batch. */
  @Benchmark
  public Assignments assign() {
    answered = distributor.assign(problem.workloads());
    return answered;
  }

  /** Counts what the batch allocated. */
  @TearDown(Level.Invocation)
  public void countBytes() {
    bytes = AllocatedBytes.soFar() - bytesBefore;
  }

  /** Records what the last batch placed and allocated. */
  @TearDown(Level.Trial)
  public void tell() {
    Answer answer = Answer.of(problem, answered::node);
    int workloads = problem.workloads().size();
    Outcome.add("nodes", problem.nodes().size());
    Outcome.add("workloads", workloads);
    Outcome.add("placed", answer.placed());
    Outcome.add("nodesUsed", answer.nodesUsed());
    Outcome.add("besideAverse", answer.besideAverse(problem));
    Outcome.add("bytesPerAttempt", (double) bytes / workloads);
  }
}
