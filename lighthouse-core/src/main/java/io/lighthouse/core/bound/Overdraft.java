package io.lighthouse.core.bound;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/** Whether the workloads of a node take more than it has. */
public final class Overdraft {
  private Overdraft() {}

  /** Whether some node is overdrawn: then what is placed proves nothing. */
  public static boolean any(Ledger ledger) {
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      for (int at = 0; at < ledger.accounts().layout(node).size(); at++) {
        if (at(ledger, node, at)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether the workloads of a node take more of a resource than it has, less what they give. A
   * ward has nothing for those that the node has brought along. What immune workloads take does not
   * count, as bounds take their need for 0.
   */
  static boolean at(Ledger ledger, int node, int at) {
    long capacity = ledger.accounts().capacity(node, at);
    // A node that owes has less than 0 left, and is overdrawn only if it holds something.
    if (capacity != Long.MIN_VALUE && ledger.accounts().left(node, at) >= Math.min(0, capacity)) {
      return false;
    }
    int id = ledger.accounts().layout(node).id(at);
    long taken = 0;
    for (int entry : ledger.placements().entries(node)) {
      Demand demand = ledger.demand(entry);
      int of = demand.indexOf(id);
      if (of >= 0 && (demand.need(of) < 0 || !demand.isImmune(of))) {
        taken += demand.need(of);
      }
    }
    return taken > Math.max(0, capacity);
  }
}
