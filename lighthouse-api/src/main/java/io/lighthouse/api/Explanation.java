package io.lighthouse.api;

import java.util.List;
import java.util.Optional;

/**
 * The verdict of every node on one workload, and the node that it would be placed on. Immutable and
 * thread-safe.
 *
 * @param workload the name of the workload
 * @param nodes the verdict of every node, in the order of nodes
 * @param summary the verdicts of all nodes as counts, and the nearest nodes; present even if a node
 *     was chosen. For a member of a gang that is not placed no node is chosen, and with a strategy
 *     that places workloads one by one it has the reason. Its counts are those of all nodes
 */
public record Explanation(String workload, List<NodeVerdict> nodes, Refusal summary) {
  /** Copies. */
  public Explanation {
    nodes = List.copyOf(nodes);
  }

  /**
   * The same explanation for a workload with another name. The verdicts stay as they are; they
   * depend on the name only if a strategy or rule of a plug-in goes by names.
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
   * The chosen node.
   *
   * @return its name; empty if no node takes the workload
   */
  public Optional<String> chosen() {
    return nodes.stream().filter(NodeVerdict::chosen).map(NodeVerdict::node).findFirst();
  }
}
