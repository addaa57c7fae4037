package io.lighthouse.api;

import java.util.List;
import java.util.Optional;

/**
 * What every node says to one workload, and where it would go. Immutable and thread-safe.
 *
 * @param workload the name of the workload
 * @param nodes the verdict of every node, in the order of nodes
 * @param summary the same over all nodes: counts and nearest; present also where a node was chosen
 */
public record Explanation(String workload, List<NodeVerdict> nodes, Refusal summary) {
  /** Copies. */
  public Explanation {
    nodes = List.copyOf(nodes);
  }

  /**
   * The node that the workload goes to.
   *
   * @return its name, or nothing where no node takes it
   */
  public Optional<String> chosen() {
    return nodes.stream().filter(NodeVerdict::chosen).map(NodeVerdict::node).findFirst();
  }
}
