package io.lighthouse.benchmarks.problem;

import io.lighthouse.api.Node;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import java.util.List;

/**
 * A placement problem, as a caller holds it. Immutable.
 *
 * @param nodes the fleet, in its order
 * @param workloads the batch, in its order
 * @param rubric the weights for bin-pack
 */
public record BenchmarkProblem(List<Node> nodes, List<Workload> workloads, Rubric rubric) {
  /** Copies. */
  public BenchmarkProblem {
    nodes = List.copyOf(nodes);
    workloads = List.copyOf(workloads);
  }

  /** Whether all nodes have the same resources. */
  public boolean hasEqualNodes() {
    return nodes.stream().map(Node::resources).distinct().count() == 1;
  }
}
