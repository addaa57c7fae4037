package io.lighthouse.core.ledger;

import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NameTable;
import java.util.List;
import java.util.Set;

/**
 * Charges a placement to everything that counts it, or returns what it was charged: the accounts of
 * the node and of its domains, and the counts of groups. Notifies the listeners.
 */
final class Charges {
  private final Ledger ledger;

  Charges(Ledger ledger) {
    this.ledger = ledger;
  }

  /** What a placed or restored workload needs; restoring it (sign 1) settles its scales first. */
  Demand demand(int entry, int sign) {
    Workload workload = ledger.placements.workload(entry);
    if (sign > 0) {
      // Its end may have removed the last need for a digit, or made room for a finer scale.
      ledger.admission.admitWorkloads(List.of(workload));
      if (workload.terms() != Terms.NONE) {
        ledger.topology.admitShares(List.of(workload));
      }
    }
    return ledger.demand(entry);
  }

  /** Charges a placement (sign 1), or returns it (-1). Never fails for settled scales. */
  void charge(int node, Demand needed, int sign, boolean notify) {
    ledger.accounts.charge(node, needed, sign);
    if (notify) {
      ledger.notifyCharged(node, needed, sign);
    }
    if (needed.hasTerms()) {
      ledger.topology.charge(node, needed, sign);
    }
    Members members = ledger.members;
    if (members.isCounting()) {
      Set<String> averse =
          needed.hasAversionGroups() ? needed.workload().aversionGroups() : Set.of();
      members.account(averse, needed.terms(), node, sign);
    }
    for (int i = 0; i < needed.groupCount(); i++) {
      members.countAverse(aversionGroup(needed, i), node, sign);
    }
  }

  /** The id of an aversion group, even of one that had none when the demand was compiled. */
  private int aversionGroup(Demand needed, int index) {
    int id = needed.group(index);
    return id != NameTable.NONE
        ? id
        : ledger.members.intern(List.copyOf(needed.workload().aversionGroups()).get(index));
  }
}
