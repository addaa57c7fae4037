package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/**
 * Every requirement above 0 obeys the unit of its resource on the node, unless the workload is
 * immune to the resource.
 */
final class NodeUnits extends Constraint {
  private final Ledger ledger;
  private final NodeAccounts accounts;
  private Workload workload;

  NodeUnits(Ledger ledger) {
    this.ledger = ledger;
    accounts = ledger.accounts();
  }

  @Override
  boolean prepare(Demand demand) {
    if (!accounts.units().any()) {
      return false;
    }
    workload = demand.workload();
    return true;
  }

  @Override
  boolean concernsPlain() {
    return false;
  }

  @Override
  boolean admits(int node) {
    return accounts.units().allow(node, workload.requirements(), workload.immunities());
  }

  /** The condition is the index of a requirement. */
  @Override
  void reportBroken(int node, Broken broken) {
    Resources required = workload.requirements();
    for (int i = 0; i < required.size(); i++) {
      if (!accounts.units().allows(node, required, i, workload.immunities())) {
        broken.add(this, i, Reason.Kind.UNIT, ledger.resources().find(required.name(i)), 1, 0);
      }
    }
  }

  @Override
  public Reason reason(int node, int condition) {
    String name = workload.requirements().name(condition);
    return new Reason.OffUnit(
        name, workload.requirements().quantity(condition), accounts.units().unit(node, name));
  }

  @Override
  String about(int key) {
    return ledger.resources().resource(key);
  }
}
