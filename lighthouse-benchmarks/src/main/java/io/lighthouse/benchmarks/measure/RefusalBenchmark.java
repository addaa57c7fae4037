package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The cost of a refusal on a full fleet: once where the engine remembers that nothing fits, and
 * once where it searches all nodes. It changes nothing, so it can be repeated without end, and
 * JMH's gc profiler measures exactly the allocations of the attempts.
 */
@BenchmarkMode(Mode.AverageTime)
public class RefusalBenchmark extends ProblemState {
  /** Workloads in the batch. */
  @Param("100")
  public int batch;

  private Distributor distributor;
  private List<Workload> refused;
  private String node;

  /** Fills the fleet. */
  @Setup(Level.Trial)
  public void fill() {
    BenchmarkProblem problem = generate();
    distributor = strategy.distributor(problem);
    node = problem.nodes().get(0).name();
    refused = fill(distributor, problem, false);
    if (refused.size() < batch) {
      throw new IllegalStateException(
          "only " + refused.size() + " workloads were refused, wanted " + batch);
    }
    refused = List.copyOf(refused.subList(0, batch));
  }

  /** Tries a batch of which nothing fits. */
  @Benchmark
  public Assignments refuse() {
    return distributor.assign(refused);
  }

  /**
   * The same after a node was closed and opened, so that nothing is remembered; both calls count.
   */
  @Benchmark
  public Assignments refuseAnew() {
    distributor.cordon(node);
    distributor.uncordon(node);
    return distributor.assign(refused);
  }
}
