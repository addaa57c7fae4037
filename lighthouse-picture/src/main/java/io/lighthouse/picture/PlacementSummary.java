package io.lighthouse.picture;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.error.Plural;

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
    return new PlacementSummary(
        after.placedCount() - batch.placedCount(),
        batch.placedCount(),
        batch.refusedCount(),
        inUse(after),
        after.nodes().size());
  }

  private static long inUse(Snapshot fleet) {
    return fleet.nodes().stream().filter(node -> !node.workloads().isEmpty()).count();
  }

  /** How many nodes of a fleet are in use, such as {@code 9 of 10 nodes in use}. */
  static String nodesInUse(Snapshot fleet) {
    return nodesInUse(inUse(fleet), fleet.nodes().size());
  }

  private static String nodesInUse(long used, long nodes) {
    return used + " of " + Plural.of(nodes, "node") + " in use";
  }

  /**
   * The figures in words.
   *
   * @param strategy the strategy that placed the batch
   * @return such as {@code 1 placed before, 21 placed now, 4 refused by bin-pack; 9 of 10 nodes in
   *     use}
   */
  public String words(String strategy) {
    return "%s placed before, %s placed now, %s refused by %s; %s"
        .formatted(before, now, refused, strategy, nodesInUse(nodesInUse, nodes));
  }
}
