package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeTable;
import java.util.Arrays;

/**
 * The candidates of a workload with preferences. Friendly nodes that fit go before averse ones;
 * among these, the candidates are the best by the preferences. They are gathered at the first query
 * of a turn. A few queries cost one pass over the nodes that fit.
 */
final class BestNodes {
  private final Ledger ledger;
  private final Finder finder;
  private final Constraints constraints;

  /** One bit per node. */
  private long[] nodes = new long[0];

  /** The workload of these candidates, and the version that they were gathered at. */
  private Demand demand;

  private long serial;
  private long changes;

  BestNodes(Ledger ledger, Finder finder, Constraints constraints) {
    this.ledger = ledger;
    this.finder = finder;
    this.constraints = constraints;
  }

  /** Gathers the candidates of a workload, unless they are the ones gathered last. */
  private void gather(Demand wanted) {
    constraints.take(wanted);
    if (demand == wanted && serial == wanted.serial() && changes == constraints.changes()) {
      return;
    }
    nodes = fitting(wanted);
    constraints.soft.narrow(nodes);
    demand = wanted;
    serial = wanted.serial();
    changes = constraints.changes();
  }

  /** The nodes that a workload fits: only the friendly ones if there are any. */
  long[] fitting(Demand wanted) {
    long[] bits = new long[(ledger.nodes().slotCount() + 63) >> 6];
    for (boolean friendly : new boolean[] {true, false}) {
      boolean any = false;
      for (int node = finder.next(wanted, 0, friendly);
          node != NodeTable.NONE;
          node = finder.next(wanted, node + 1, friendly)) {
        bits[node >> 6] |= 1L << node;
        any = true;
      }
      if (any) {
        return bits;
      }
    }
    return bits;
  }

  /** The first candidate at or after a node, wrapping round. */
  int first(Demand wanted, int from) {
    int found = next(wanted, from);
    return found == NodeTable.NONE && from > 0 ? next(wanted, 0) : found;
  }

  /** The first candidate at or after a node. */
  int next(Demand wanted, int from) {
    gather(wanted);
    for (int at = from >> 6; at < nodes.length; at++) {
      long word = at == from >> 6 ? nodes[at] & -1L << from : nodes[at];
      if (word != 0) {
        return (at << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return NodeTable.NONE;
  }

  /** The first candidate in an order. */
  int first(Demand wanted, Scores scores, boolean descending) {
    int best = NodeTable.NONE;
    for (int node = next(wanted, 0); node != NodeTable.NONE; node = next(wanted, node + 1)) {
      best = Scan.earlier(scores, node, best, descending);
    }
    return best;
  }

  boolean has(Demand wanted, int node) {
    gather(wanted);
    return (nodes[node >> 6] >>> node & 1) != 0;
  }

  /** Copies the candidates, so that the caller may keep them across later queries. */
  long[] copyOf(Demand wanted) {
    gather(wanted);
    return Arrays.copyOf(nodes, nodes.length);
  }
}
