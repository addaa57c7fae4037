package io.lighthouse.core.index;

import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;
import io.lighthouse.core.ledger.Topology;

/**
 * Checks by the accounts alone whether a node takes a workload that has only requirements. An audit
 * compares with it what earlier searches have left.
 */
public final class ExactNeeds {
  private final NodeTable nodes;
  private final NodeAccounts accounts;
  private final Topology topology;

  public ExactNeeds(Ledger ledger) {
    nodes = ledger.nodes();
    accounts = ledger.accounts();
    topology = ledger.topology();
  }

  /**
   * Whether a node and its domains are open and have nothing below 0, and the node has this much.
   * Needs are 0 or more.
   */
  public boolean fit(int node, int[] ids, long[] needs) {
    if (!nodes.alive(node) || !isSound(accounts, node) || !areDomainsSound(node)) {
      return false;
    }
    for (int i = 0; i < ids.length; i++) {
      int slot = accounts.layout(node).slot(ids[i]);
      if (slot < 0 || accounts.left(node, slot) < needs[i]) {
        return false;
      }
    }
    return true;
  }

  private boolean areDomainsSound(int node) {
    for (int i = 0; i < topology.levelCount(); i++) {
      Level level = topology.level(i);
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
