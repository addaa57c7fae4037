package io.lighthouse.api;

import java.util.List;

/**
 * Why a workload found no node, at its turn. Immutable and thread-safe.
 *
 * @param workload the name of the workload
 * @param nodes how many nodes the fleet had
 * @param counts on how many nodes each (kind, resource) stood; by kind, then by resource name. A
 *     node counts once for every condition that it breaks
 * @param nearest the nodes that came nearest, at most three: fewest broken conditions first, then
 *     the smallest largest shortfall relative to the requirement (no requirement to measure it
 *     against counts as infinitely far, a cordon as no shortfall), then the order of nodes
 */
public record Refusal(
    String workload, int nodes, List<ReasonCount> counts, List<NodeVerdict> nearest) {
  /** Copies. */
  public Refusal {
    counts = List.copyOf(counts);
    nearest = List.copyOf(nearest);
  }
}
