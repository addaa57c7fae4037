package io.lighthouse.core.index;

import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.Requirements;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;

/**
 * Checks by the accounts alone whether a node takes a workload that has only requirements. An audit
 * compares with it what earlier searches have left.
 */
public final class ExactNeeds {
  private ExactNeeds() {}

  /**
   * Whether a node and its domains are open and have nothing below 0, and the node has this much.
   * Needs are 0 or more.
   */
  public static boolean fit(Ledger ledger, int node, Requirements required) {
    NodeAccounts accounts = ledger.accounts();
    if (!ledger.nodes().alive(node) || !isSound(accounts, node)) {
      return false;
    }
    for (int i = 0; i < required.size(); i++) {
      int slot = accounts.layout(node).slot(required.id(i));
      if (slot < 0 || accounts.left(node, slot) < required.need(i)) {
        return false;
      }
    }
    for (int i = 0; i < ledger.topology().levelCount(); i++) {
      Level level = ledger.topology().level(i);
      int domain = level.domainOf(node);
      if (domain != NodeTable.NONE && !isSound(level.accounts(), domain)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSound(NodeAccounts of, int slot) {
    return !of.cordoned(slot) && of.negatives(slot) == 0;
  }
}
