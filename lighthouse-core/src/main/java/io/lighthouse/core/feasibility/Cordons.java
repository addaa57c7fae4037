package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeAccounts;

/** A cordoned node takes no new workloads. */
final class Cordons extends Constraint {
  private final Ledger ledger;
  private final NodeAccounts accounts;
  private BitRow open;

  Cordons(Ledger ledger) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    reshaped();
  }

  @Override
  boolean ask(Demand demand) {
    return open.count() < ledger.nodes().slotCount();
  }

  @Override
  boolean admits(int node) {
    return !accounts.cordoned(node);
  }

  @Override
  boolean uniform() {
    return true;
  }

  @Override
  void addRows(RowScan rows) {
    rows.add(open);
  }

  @Override
  boolean rowsAreExact() {
    return true;
  }

  @Override
  boolean mayAdmit(int node) {
    return open.has(node);
  }

  @Override
  void tell(int node, Broken told) {
    if (accounts.cordoned(node)) {
      told.add(this, 0, Reason.Kind.CORDONED, 0, 0, 1);
    }
  }

  @Override
  Reason reason(int node, int condition) {
    return new Reason.Cordoned();
  }

  @Override
  void reshaped() {
    int nodes = ledger.nodes().slotCount();
    open = new BitRow((nodes + 63) >> 6);
    for (int node = 0; node < nodes; node++) {
      open.set(node, !accounts.cordoned(node));
    }
  }

  @Override
  void nodeCame(int node) {
    open.reach(node);
    cordonChanged(node);
  }

  @Override
  void nodeLeaving(int node) {
    open.clear(node);
  }

  @Override
  void cordonChanged(int node) {
    open.set(node, !accounts.cordoned(node));
  }

  void audit(Audit audit) {
    open.audit(audit, "open nodes", node -> !accounts.cordoned(node), ledger.nodes().slotCount());
  }
}
