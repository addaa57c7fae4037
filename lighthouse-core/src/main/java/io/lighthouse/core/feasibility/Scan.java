package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeTable;

/**
 * The plain scan, which checks every node exactly, one after the other. It serves small and new
 * fleets, and is the reference for the index.
 */
final class Scan {
  private final Ledger ledger;
  private final Constraints constraints;

  /** A scan of a ledger for the workload that its rules have prepared. */
  Scan(Ledger ledger, Constraints constraints) {
    this.ledger = ledger;
    this.constraints = constraints;
  }

  /**
   * The first friendly node that fits, from a node on, wrapping round; else the first averse one.
   */
  int first(int from) {
    int nodes = ledger.nodes().slotCount();
    int averse = NodeTable.NONE;
    for (int i = 0, node = from; i < nodes; i++, node++) {
      if (node >= nodes) {
        node = 0;
      }
      if (constraints.admits(node)) {
        if (!constraints.averse(node)) {
          return node;
        }
        averse = averse == NodeTable.NONE ? node : averse;
      }
    }
    return averse;
  }

  /** The first friendly node that fits, in an order; else the first averse one. */
  int first(Scores scores, boolean descending) {
    int friendly = NodeTable.NONE;
    int averse = NodeTable.NONE;
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (!constraints.admits(node)) {
        continue;
      }
      if (!constraints.averse(node)) {
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
  int next(int from, boolean friendlyOnly) {
    for (int node = from; node < ledger.nodes().slotCount(); node++) {
      if (constraints.admits(node) && !(friendlyOnly && constraints.averse(node))) {
        return node;
      }
    }
    return NodeTable.NONE;
  }
}
