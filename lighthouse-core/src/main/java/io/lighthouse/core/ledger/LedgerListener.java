package io.lighthouse.core.ledger;

/** Told of every change of the accounts, just after it. What is derived from them lives outside. */
public interface LedgerListener {
  /**
   * Placements on a node, or their end, are accounted for: of each required resource so much less
   * or more is left as is required so many times, where that is finite.
   *
   * @param node the slot of the node
   * @param demand what the workload needs, located in the node's layout; good during the call
   * @param times how many were placed one after the other, more than one only of those without
   *     rules; negative for ends
   */
  default void charged(int node, Demand demand, int times) {}

  /**
   * Whether it is to be told of placements and their ends; asked once.
   *
   * @return false where {@link #charged} does nothing
   */
  default boolean followsPlacements() {
    return true;
  }

  /**
   * A node was cordoned or opened.
   *
   * @param node the slot of the node
   */
  default void cordonChanged(int node) {}

  /**
   * A node has come, or has come back with other accounts; whoever it brings along is on it.
   *
   * @param node its slot, which may be one behind the last
   */
  default void nodeCame(int node) {}

  /**
   * A node is about to go, or to be given other accounts: they are told of for the last time. A
   * node that goes holds nobody.
   *
   * @param node its slot
   */
  default void nodeLeaving(int node) {}

  /**
   * Something outside the accounts of nodes may let a node take what it did not take before: a
   * domain has got something back or was opened, a bound has gone.
   */
  default void loosened() {}

  /**
   * A node that has gone does not come back: its slot may be another's from now on.
   *
   * @param node the slot that it had
   */
  default void slotFreed(int node) {}

  /**
   * The slots are about to be numbered anew.
   *
   * @param renumbered by slot the new one; -1 for a dead one
   */
  default void renumbered(int[] renumbered) {}

  /**
   * Many nodes came at once, slots were numbered anew, or a scale changed: all derived is stale.
   */
  default void reshaped() {}
}
