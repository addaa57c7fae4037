package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
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
 * The cost of trying out one change, with ten placements on each node: a node that is resized, or a
 * workload that is moved. It should not depend on the number of nodes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
public class TryOutBenchmark {
  private static final int PER_NODE = 10;

  /** How many nodes there are. */
  @Param({"100", "1000", "10000"})
  public int nodes;

  private Distributor fleet;
  private List<Change> resized;
  private List<Change> moved;

  /** Fills the fleet. */
  @Setup(Level.Trial)
  public void fill() {
    List<Node> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      all.add(Node.of("n" + i, Resources.of("cpu", PER_NODE + 1, "mem", 64)));
    }
    fleet = Distributors.of(Distributors.installed().find("round-robin")).nodes(all).build();
    Workload one = Workload.of("w", Resources.of("cpu", 1, "mem", 4));
    fleet.assign(one.replicas(PER_NODE * nodes));
    int middle = nodes / 2;
    resized = List.of(new Change.Resize("n" + middle, Resources.of("cpu", 32, "mem", 64)));
    String held = fleet.node("n" + middle).workloads().get(0).name();
    moved = List.of(new Change.Move(held, "n" + middle, "n0"));
  }

  @Benchmark
  public long resizesANode() {
    return fleet.tryOut(resized, Distributor::generation);
  }

  @Benchmark
  public long movesAWorkload() {
    return fleet.tryOut(moved, Distributor::generation);
  }
}
