package io.lighthouse.core.ledger;

/** Told of every change of the accounts, just after it. What is derived from them lives outside. */
public interface LedgerListener {
  /**
   * What is left of one resource of one node has changed; it is and stays finite.
   *
   * @param node the index of the node
   * @param slot the place of the account in the node's layout
   * @param before what was left, scaled
   * @param after what is left now, scaled
   */
  void leftChanged(int node, int slot, long before, long after);

  /**
   * A placement on a node, or its end, is accounted for: all its changes have been told.
   *
   * @param node the index of the node
   */
  void settled(int node);

  /**
   * A node was cordoned or opened.
   *
   * @param node the index of the node
   */
  void cordonChanged(int node);

  /**
   * Nodes came, went or changed their capacity, or a scale changed: all that is derived is stale.
   */
  void reshaped();
}
