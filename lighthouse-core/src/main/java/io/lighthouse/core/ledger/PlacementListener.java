package io.lighthouse.core.ledger;

/** Is notified of placements and of their ends, just after they were accounted for. */
public interface PlacementListener {
  /**
   * Placements on a node, or their ends, were accounted for. What is left of each finite required
   * resource changed by the requirement, multiplied by {@code times}.
   *
   * @param node the slot of the node
   * @param demand what the workload needs; valid during the call
   * @param times how many were placed one after the other, above 1 only for workloads without
   *     rules; negative for ends
   */
  void charged(int node, Demand demand, int times);
}
