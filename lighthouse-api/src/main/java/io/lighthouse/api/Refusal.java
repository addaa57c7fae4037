package io.lighthouse.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a workload found no node, at its turn. Immutable and thread-safe.
 *
 * @param workload the name of the workload
 * @param nodes how many nodes the fleet had
 * @param counts on how many nodes each (kind, level, resource or group or place) stood; by kind,
 *     level, then name. A node counts once for every condition that it breaks
 * @param nearest the nodes that came nearest, at most three: fewest broken conditions first, then
 *     the smallest largest shortfall relative to the requirement (no requirement to measure it
 *     against counts as infinitely far, a cordon as no shortfall), then the order of nodes
 * @param gang why its gang was not placed; empty where it has none. The counts and nodes are then
 *     those of this member in the best attempt, on the nodes of the domain that the gang stood in,
 *     if in one; and empty where it found a node there
 */
public record Refusal(
    String workload,
    int nodes,
    List<ReasonCount> counts,
    List<NodeVerdict> nearest,
    Optional<GangRefusal> gang) {
  /** Copies. */
  public Refusal {
    counts = List.copyOf(counts);
    nearest = List.copyOf(nearest);
    Objects.requireNonNull(gang, "gang");
  }

  /**
   * The refusal of a workload without a gang.
   *
   * @param workload the name of the workload
   * @param nodes how many nodes the fleet had
   * @param counts on how many nodes each (kind, level, about) stood
   * @param nearest the nodes that came nearest, at most three
   */
  public Refusal(String workload, int nodes, List<ReasonCount> counts, List<NodeVerdict> nearest) {
    this(workload, nodes, counts, nearest, Optional.empty());
  }
}
