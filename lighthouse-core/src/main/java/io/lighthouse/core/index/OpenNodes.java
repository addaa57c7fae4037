package io.lighthouse.core.index;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.ledger.Ledger;

/** The bitmap of the nodes that are not cordoned, which follows the ledger. */
public final class OpenNodes {
  private final Ledger ledger;
  private final NodeAccounts accounts;
  private BitRow open;

  public OpenNodes(Ledger ledger) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    reshaped();
  }

  public BitRow row() {
    return open;
  }

  public void reshaped() {
    open = BitRow.of(ledger.nodes().slotCount(), node -> !accounts.cordoned(node));
  }

  public void nodeAdded(int node) {
    open.reach(node);
    cordonChanged(node);
  }

  public void nodeRemoving(int node) {
    open.clear(node);
  }

  public void cordonChanged(int node) {
    open.set(node, !accounts.cordoned(node));
  }

  public void audit(Audit audit) {
    open.audit(audit, "open nodes", node -> !accounts.cordoned(node), ledger.nodes().slotCount());
  }
}
