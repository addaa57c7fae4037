package io.lighthouse.core.ledger;

/**
 * Is notified of every change of the accounts except placements, just after it. Of those, a {@link
 * PlacementListener} is notified. State derived from the accounts is kept by listeners, outside the
 * ledger.
 */
public interface LedgerListener {
  /** A node was cordoned or opened. */
  default void cordonChanged(int node) {}

  /**
   * A node was added or restored, or got other accounts. The workloads that it brings along are
   * already on it. Its slot may be a new one after the last.
   */
  default void nodeAdded(int node) {}

  /**
   * A node is about to be removed or to get other accounts: this is the last notice of the present
   * ones. A node about to be removed holds no workload, unless its addition is taken back.
   */
  default void nodeRemoving(int node) {}

  /**
   * A change outside the nodes' accounts may let a node take workloads that it did not take before.
   * For example, a domain got resources back or was opened, or a bound was removed.
   */
  default void loosened() {}

  /** A removed node will not be restored; from now on, another node may get its slot. */
  default void slotFreed(int node) {}

  /**
   * The slots were renumbered; {@link #reshaped} follows. The array has the new slot of each old
   * one, -1 for a dead slot.
   */
  default void renumbered(int[] renumbered) {}

  /**
   * Many nodes were added at once, slots were renumbered, or a scale changed. All derived state is
   * stale.
   */
  default void reshaped() {}
}
