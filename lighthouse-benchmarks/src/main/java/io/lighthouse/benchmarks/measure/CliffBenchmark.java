package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.Cliff;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Assigns one workload at a time, and releases it again if it got a node. So no search can reuse
 * the result of an earlier one. Runs on a plain fleet, and on fleets that provoke a search of every
 * node.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
public class CliffBenchmark {
  /** The fleet. */
  @Param("PLAIN")
  public Cliff cliff;

  /** The number of nodes. */
  @Param("10000")
  public int nodes;

  private Distributor distributor;
  private List<Workload> asked;
  private AssignOption[] options;
  private int next;

  /** Makes the fleet, and assigns workloads until its index is built. */
  @Setup(Level.Trial)
  public void make() {
    Cliff.Fleet fleet = cliff.fleet(nodes);
    distributor = fleet.distributor();
    asked = fleet.asked();
    options =
        cliff == Cliff.EXPLAINED ? new AssignOption[] {AssignOption.EXPLAIN} : new AssignOption[0];
    for (int i = 0; i < 100; i++) {
      comeAndGo();
    }
  }

  /** Assigns one workload, and releases it if it got a node. */
  @Benchmark
  public Assignments comeAndGo() {
    Workload workload = asked.get(next);
    next = next + 1 < asked.size() ? next + 1 : 0;
    Assignments answer = distributor.assign(List.of(workload), options);
    if (answer.placedCount() > 0) {
      distributor.release(workload.name());
    }
    return answer;
  }
}
