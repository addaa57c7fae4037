package io.lighthouse.core.search;

import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.order.Scores;

/**
 * The candidates of a workload with preferences. Friendly nodes that fit go before averse ones;
 * among these, the candidates are the best by the preferences. They are gathered once per query,
 * which costs one pass over the nodes that fit.
 */
final class BestNodes {
  private final Ledger ledger;
  private final Finder finder;

  BestNodes(Ledger ledger, Finder finder) {
    this.ledger = ledger;
    this.finder = finder;
  }

  /** The candidates, one bit per node. */
  private long[] of(Query query) {
    if (query.candidates() == null) {
      long[] nodes = fitting(query);
      query.preferences.narrow(nodes);
      query.candidates(nodes);
    }
    return query.candidates();
  }

  /** The nodes that a workload fits: only the friendly ones if there are any. */
  private long[] fitting(Query query) {
    long[] bits = new long[(ledger.nodes().slotCount() + 63) >> 6];
    for (boolean friendly : new boolean[] {true, false}) {
      boolean any = false;
      for (int node = finder.next(query, 0, friendly);
          node != NodeTable.NONE;
          node = finder.next(query, node + 1, friendly)) {
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
  int first(Query query, int from) {
    int found = next(query, from);
    return found == NodeTable.NONE && from > 0 ? next(query, 0) : found;
  }

  /** The first candidate at or after a node. */
  int next(Query query, int from) {
    long[] nodes = of(query);
    for (int at = from >> 6; at < nodes.length; at++) {
      long word = at == from >> 6 ? nodes[at] & -1L << from : nodes[at];
      if (word != 0) {
        return (at << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return NodeTable.NONE;
  }

  /** The first candidate in an order. */
  int first(Query query, Scores scores, boolean descending) {
    int best = NodeTable.NONE;
    for (int node = next(query, 0); node != NodeTable.NONE; node = next(query, node + 1)) {
      best = Scan.earlier(scores, node, best, descending);
    }
    return best;
  }

  boolean has(Query query, int node) {
    return (of(query)[node >> 6] >>> node & 1) != 0;
  }
}
