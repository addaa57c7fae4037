package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
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
    if (ledger.cordoned(node) || !demand.locate(ledger.layout(node))) {
      return false;
    }
    long[] left = ledger.accounts(node);
    for (int i = 0; i < demand.size(); i++) {
      if (left[demand.slot(i)] < demand.need(i) && !demand.immune(i)) {
        return false;
      }
    }
    return ledger.negatives(node) == 0 || negativesAreBorne(ledger, node, demand);
  }

  /** Whether every negative resource of a node is required (and so checked) or tolerated. */
  private static boolean negativesAreBorne(Ledger ledger, int node, Demand demand) {
    Layout layout = ledger.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (ledger.left(node, slot) < 0 && demand.indexOf(id) < 0 && !demand.immuneTo(id)) {
        return false;
      }
    }
    return true;
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
