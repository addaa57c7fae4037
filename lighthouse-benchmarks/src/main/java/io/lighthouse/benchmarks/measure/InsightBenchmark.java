package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;

/** Queries of a full fleet: the reasons of a refusal, a snapshot, and a copy for trials. */
@BenchmarkMode(Mode.SampleTime)
public class InsightBenchmark extends ProblemState {
  private Distributor distributor;
  private List<Workload> refused;
  private int next;

  /** Fills the fleet. */
  @Setup(Level.Trial)
  public void fill() {
    BenchmarkProblem problem = generate();
    distributor = strategy.distributor(problem);
    refused = fill(distributor, problem, false);
  }

  /** Explains a refusal: every node, every reason. */
  @Benchmark
  public Explanation explain() {
    next = next + 1 < refused.size() ? next + 1 : 0;
    return distributor.explain(refused.get(next));
  }

  @Benchmark
  public Snapshot snapshot() {
    return distributor.snapshot();
  }

  @Benchmark
  public Distributor copy() {
    return distributor.copy();
  }
}
