package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeAccounts;

/** The bitmap of the nodes that are not cordoned, which follows the ledger. */
final class OpenNodes {
  private final Ledger ledger;
  private final NodeAccounts accounts;
  private BitRow open;

  OpenNodes(Ledger ledger) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    reshaped();
  }

  BitRow row() {
    return open;
  }

  void reshaped() {
    int nodes = ledger.nodes().slotCount();
    open = new BitRow((nodes + 63) >> 6);
    for (int node = 0; node < nodes; node++) {
      open.set(node, !accounts.cordoned(node));
    }
  }

  void nodeCame(int node) {
    open.reach(node);
    cordonChanged(node);
  }

  void nodeLeaving(int node) {
    open.clear(node);
  }

  void cordonChanged(int node) {
    open.set(node, !accounts.cordoned(node));
  }

  void audit(Audit audit) {
    open.audit(audit, "open nodes", node -> !accounts.cordoned(node), ledger.nodes().slotCount());
  }
}
