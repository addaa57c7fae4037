package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.NodeSet;
import java.util.Arrays;
import java.util.List;

/**
 * The nodes that hold somebody of a workload's aversion groups. Of a few groups each is asked; of
 * many the nodes are gathered once for a question, in one row of bits.
 */
final class Aversion {
  /** More groups are gathered. */
  private static final int FEW = 8;

  private Demand demand;

  /** A bit for each node that holds nobody of these groups; good where gathered. */
  private long[] free = new long[0];

  private boolean gathered;

  /** Takes up a demand, for nodes in so many words. */
  void ask(Demand wanted, int words) {
    demand = wanted;
    List<NodeSet> rivals = demand.rivals();
    gathered = rivals.size() > FEW;
    if (gathered) {
      if (free.length < words) {
        free = new long[words];
      }
      Arrays.fill(free, -1L);
      for (int i = 0; i < rivals.size(); i++) {
        rivals.get(i).clearFrom(free);
      }
    }
  }

  /** Whether any node may be averse. */
  boolean any() {
    return !demand.rivals().isEmpty();
  }

  /** Whether a node is averse. */
  boolean has(int node) {
    return gathered ? (free[node >> 6] >>> node & 1) == 0 : Fit.averse(node, demand);
  }

  /** Adds rows of the friendly nodes, behind those that are there. */
  void addRows(RowScan scan, int words) {
    if (gathered) {
      scan.append(free);
      return;
    }
    for (int i = 0; i < demand.rivals().size(); i++) {
      long[] of = demand.rivals().get(i).free(words);
      if (of != null) {
        scan.append(of);
      }
    }
  }
}
