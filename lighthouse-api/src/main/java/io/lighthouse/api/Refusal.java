package io.lighthouse.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a workload found no node, at its turn. Immutable and thread-safe.
 *
 * @param workload the name of the workload
 * @param nodes how many nodes the fleet had
 * @param counts on how many nodes each reason applied; sorted by kind, level, then name. A node
 *     that breaks several conditions counts once for each kind, level and name among them
 * @param nearest the nodes that came nearest, at most three. They are sorted by three keys: the
 *     fewest broken conditions, the smallest shortfall, the order of nodes. A node's shortfall is
 *     its largest one, relative to the magnitude of the requirement. It is infinite if there is no
 *     requirement to measure it by, and 0 for a cordon
 * @param gang why its gang was not placed; empty if it has none. With a gang, {@code counts} and
 *     {@code nearest} describe this member in the gang's best attempt. They cover the nodes of the
 *     domain of that attempt, if there was one. They are empty if the member found a node in that
 *     attempt. In an {@link Explanation} they always cover all nodes
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
   * @param counts on how many nodes each reason applied; sorted by kind, level, then name
   * @param nearest the nodes that came nearest, at most three
   */
  public Refusal(String workload, int nodes, List<ReasonCount> counts, List<NodeVerdict> nearest) {
    this(workload, nodes, counts, nearest, Optional.empty());
  }
}
