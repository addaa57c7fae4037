package io.lighthouse.core.ledger;

/** Told of every change of the accounts, just after it. What is derived from them lives outside. */
public interface LedgerListener {
  /**
   * What is left of one resource of one node has changed; it is and stays finite.
   *
   * @param node the slot of the node
   * @param slot the place of the account in the node's layout
   * @param before what was left, scaled
   * @param after what is left now, scaled
   */
  default void leftChanged(int node, int slot, long before, long after) {}

  /**
   * A placement on a node, or its end, is accounted for: all its changes have been told.
   *
   * @param node the slot of the node
   */
  default void settled(int node) {}

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
