package io.lighthouse.core.search;

import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.order.Scores;
import java.util.BitSet;

/**
 * The candidates of a workload with preferences. Friendly nodes that fit go before averse ones;
 * among these, the candidates are the best by the preferences. They are gathered once per query,
 * which costs one pass over the nodes that fit.
 */
final class BestNodes {
  private final Finder finder;

  BestNodes(Finder finder) {
    this.finder = finder;
  }

  /** The slots of the candidates. */
  private BitSet of(Query query) {
    if (query.candidates() == null) {
      BitSet friendly = fitting(query, true);
      BitSet nodes = friendly.isEmpty() ? fitting(query, false) : friendly;
      query.preferences.narrow(nodes);
      query.candidates(nodes);
    }
    return query.candidates();
  }

  private BitSet fitting(Query query, boolean friendly) {
    BitSet nodes = new BitSet();
    for (int node = finder.next(query, 0, friendly);
        node != NodeTable.NONE;
        node = finder.next(query, node + 1, friendly)) {
      nodes.set(node);
    }
    return nodes;
  }

  /** The first candidate at or after a node, wrapping round. */
  int first(Query query, int from) {
    int found = next(query, from);
    return found == NodeTable.NONE && from > 0 ? next(query, 0) : found;
  }

  /** The first candidate at or after a node. */
  int next(Query query, int from) {
    return of(query).nextSetBit(from);
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
    return of(query).get(node);
  }
}
