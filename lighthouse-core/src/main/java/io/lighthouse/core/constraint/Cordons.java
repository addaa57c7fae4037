package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.index.OpenNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/** A cordoned node takes no new workloads. */
public final class Cordons extends Constraint {
  private final Ledger ledger;
  private final NodeAccounts accounts;
  private final OpenNodes open;

  public Cordons(Ledger ledger, OpenNodes open) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    this.open = open;
  }

  @Override
  public boolean prepare(Demand demand) {
    return open.row().count() < ledger.nodes().slotCount();
  }

  @Override
  boolean admits(int node) {
    return !accounts.cordoned(node);
  }

  @Override
  boolean sameForEqualDemands() {
    return true;
  }

  @Override
  boolean changesWithPlacements() {
    return false;
  }

  @Override
  public void addRows(RowScan rows) {
    rows.add(open.row());
  }

  @Override
  public boolean mayAdmit(int node) {
    return open.row().has(node);
  }

  @Override
  void reportBroken(int node, Broken broken) {
    if (accounts.cordoned(node)) {
      broken.add(this, 0, Reason.Kind.CORDONED, 0, 0, 1);
    }
  }

  @Override
  public Reason reason(int node, int condition) {
    return new Reason.Cordoned();
  }
}
