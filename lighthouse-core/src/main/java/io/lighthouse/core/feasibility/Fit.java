package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeSet;
import java.util.List;

/** The exact check of one node: the last word on whether a workload fits it. */
public final class Fit {
  private Fit() {}

  /**
   * Whether a workload fits a node: the node is open, has everything required, and nothing that the
   * workload is not immune to would be left below zero.
   *
   * @param ledger the accounts
   * @param node the index of a node
   * @param demand what the workload needs
   * @return true if it fits; cost linear in what is required, and in what the node has where
   *     something on it is negative
   */
  public static boolean fits(Ledger ledger, int node, Demand demand) {
    return ledger.fits(node, demand);
  }

  /**
   * Whether a node holds a workload that shares an aversion group with this one.
   *
   * @param node the index of a node
   * @param demand what the workload needs
   * @return true if the node is averse to it
   */
  public static boolean averse(int node, Demand demand) {
    List<NodeSet> rivals = demand.rivals();
    for (int i = 0; i < rivals.size(); i++) {
      if (rivals.get(i).has(node)) {
        return true;
      }
    }
    return false;
  }
}
