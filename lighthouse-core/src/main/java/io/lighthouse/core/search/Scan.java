package io.lighthouse.core.search;

import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.order.Scores;
import java.util.function.IntUnaryOperator;

/**
 * Checks single nodes exactly, one after the other. It serves small and new fleets and the few
 * nodes that have a rare resource, and is the reference for the index.
 */
final class Scan {
  /** Some nodes, one after the other: how many there are, and the slot of each. */
  record Nodes(int count, IntUnaryOperator slots) {}

  private Scan() {}

  /** All slots from one on, wrapping round. */
  static Nodes from(int first, Ledger ledger) {
    int slots = ledger.nodes().slotCount();
    return new Nodes(slots, i -> first + i < slots ? first + i : first + i - slots);
  }

  /**
   * The first friendly node that fits; else the first averse one.
   *
   * @param scores the order that decides which is the first; null for that of the nodes
   */
  static int first(Query query, Nodes nodes, Scores scores, boolean descending) {
    int friendly = NodeTable.NONE;
    int averse = NodeTable.NONE;
    for (int i = 0; i < nodes.count(); i++) {
      int node = nodes.slots().applyAsInt(i);
      if (!query.fits(node)) {
        continue;
      }
      if (query.averse(node)) {
        averse = earlier(scores, node, averse, descending);
      } else if (scores == null) {
        return node;
      } else {
        friendly = earlier(scores, node, friendly, descending);
      }
    }
    return friendly != NodeTable.NONE ? friendly : averse;
  }

  static int earlier(Scores scores, int node, int best, boolean descending) {
    return best == NodeTable.NONE
            || (scores != null && scores.compareNodes(node, best, descending) < 0)
        ? node
        : best;
  }

  /** The next node that fits, without wrapping. */
  static int next(Query query, int from, boolean friendlyOnly, int slots) {
    for (int node = from; node < slots; node++) {
      if (query.fits(node) && !(friendlyOnly && query.averse(node))) {
        return node;
      }
    }
    return NodeTable.NONE;
  }
}
