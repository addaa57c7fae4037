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
   * The same of a workload by another name, which it does not depend on.
   *
   * @param name the name
   * @return a new explanation
   */
  public Explanation as(String name) {
    Refusal refusal =
        new Refusal(name, summary.nodes(), summary.counts(), summary.nearest(), summary.gang());
    return new Explanation(name, nodes, refusal);
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
