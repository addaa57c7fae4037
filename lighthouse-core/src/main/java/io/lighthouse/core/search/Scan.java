package io.lighthouse.core.search;

import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeTable;
import io.lighthouse.core.order.Scores;

/**
 * The plain scan, which checks every node exactly, one after the other. It serves small and new
 * fleets, and is the reference for the index.
 */
final class Scan {
  private final Ledger ledger;

  Scan(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * The first friendly node that fits, from a node on, wrapping round; else the first averse one.
   */
  int first(Query query, int from) {
    int nodes = ledger.nodes().slotCount();
    int averse = NodeTable.NONE;
    for (int i = 0, node = from; i < nodes; i++, node++) {
      if (node >= nodes) {
        node = 0;
      }
      if (query.fits(node)) {
        if (!query.averse(node)) {
          return node;
        }
        averse = averse == NodeTable.NONE ? node : averse;
      }
    }
    return averse;
  }

  /** The first friendly node that fits, in an order; else the first averse one. */
  int first(Query query, Scores scores, boolean descending) {
    int friendly = NodeTable.NONE;
    int averse = NodeTable.NONE;
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (!query.fits(node)) {
        continue;
      }
      if (!query.averse(node)) {
        friendly = earlier(scores, node, friendly, descending);
      } else if (friendly == NodeTable.NONE) {
        averse = earlier(scores, node, averse, descending);
      }
    }
    return friendly != NodeTable.NONE ? friendly : averse;
  }

  static int earlier(Scores scores, int node, int best, boolean descending) {
    return best == NodeTable.NONE || scores.compareNodes(node, best, descending) < 0 ? node : best;
  }

  /** The next node that fits, without wrapping. */
  int next(Query query, int from, boolean friendlyOnly) {
    for (int node = from; node < ledger.nodes().slotCount(); node++) {
      if (query.fits(node) && !(friendlyOnly && query.averse(node))) {
        return node;
      }
    }
    return NodeTable.NONE;
  }
}
