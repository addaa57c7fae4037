package io.lighthouse.api;

import java.util.List;

/**
 * A node of a distributor at one moment. For every resource, {@code capacity} is exactly {@code
 * left} plus the requirements of {@code workloads}. Immutable and thread-safe.
 *
 * @param name the name of the node
 * @param capacity what it has when empty
 * @param left what is left now
 * @param workloads those placed on it, in the order in which they came
 * @param cordoned whether it takes nobody new
 */
public record NodeState(
    String name, Resources capacity, Resources left, List<Workload> workloads, boolean cordoned) {
  /** Copies. */
  public NodeState {
    workloads = List.copyOf(workloads);
  }

  /**
   * The node from which an equal state is made: what is left, with its workloads on it.
   *
   * @return the node
   */
  public Node toNode() {
    return new Node(name, left, workloads, cordoned);
  }
}
