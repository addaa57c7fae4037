package io.lighthouse.picture;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;

/**
 * The figures of a fleet after a batch, in the words that every summary uses: tables, drawings and
 * pages. The page's {@code page-model.js} has the same words. Immutable and thread-safe.
 *
 * @param before the workloads that were on nodes before the batch
 * @param now the workloads of the batch that were placed
 * @param refused the workloads of the batch that found no node
 * @param nodesInUse the nodes that hold a workload
 * @param nodes all nodes
 */
public record PlacementSummary(long before, long now, long refused, long nodesInUse, long nodes) {

  /**
   * Counts.
   *
   * @param after the fleet after the batch
   * @param batch the answer for the batch
   * @return the figures
   */
  public static PlacementSummary of(Snapshot after, Assignments batch) {
    long there = 0;
    long used = 0;
    for (NodeState node : after.nodes()) {
      there += node.workloads().size();
      used += node.workloads().isEmpty() ? 0 : 1;
    }
    return new PlacementSummary(
        there - batch.placedCount(),
        batch.placedCount(),
        batch.refusedCount(),
        used,
        after.nodes().size());
  }

  /**
   * The figures in words.
   *
   * @param strategy the strategy that placed the batch
   * @return such as {@code 1 placed before, 21 placed now, 4 refused by bin-pack; 9 of 10 nodes in
   *     use}
   */
  public String words(String strategy) {
    return before
        + " placed before, "
        + now
        + " placed now, "
        + refused
        + " refused by "
        + strategy
        + "; "
        + nodesInUse
        + " of "
        + FleetText.plural(nodes, "node")
        + " in use";
  }
}
