package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/**
 * The plain scan: every node checked exactly, one after the other. It serves small and young
 * fleets, and is what the index is held against.
 */
final class Scan {
  private Scan() {}

  /**
   * The first friendly node that fits, from a node on, wrapping round; else the first averse one.
   */
  static int first(Ledger ledger, Demand demand, int from) {
    int nodes = ledger.slotCount();
    int averse = Finder.NONE;
    for (int i = 0, node = from; i < nodes; i++, node++) {
      if (node >= nodes) {
        node = 0;
      }
      if (Fit.fits(ledger, node, demand)) {
        if (!Fit.averse(node, demand)) {
          return node;
        }
        averse = averse == Finder.NONE ? node : averse;
      }
    }
    return averse;
  }

  /** The first friendly node that fits, in an order; else the first averse one. */
  static int first(Ledger ledger, Demand demand, Scores scores, boolean descending) {
    int friendly = Finder.NONE;
    int averse = Finder.NONE;
    for (int node = 0; node < ledger.slotCount(); node++) {
      if (!Fit.fits(ledger, node, demand)) {
        continue;
      }
      if (!Fit.averse(node, demand)) {
        friendly = earlier(scores, node, friendly, descending);
      } else if (friendly == Finder.NONE) {
        averse = earlier(scores, node, averse, descending);
      }
    }
    return friendly != Finder.NONE ? friendly : averse;
  }

  static int earlier(Scores scores, int node, int best, boolean descending) {
    return best == Finder.NONE || scores.compareNodes(node, best, descending) < 0 ? node : best;
  }

  /** The next node that fits, without wrapping. */
  static int next(Ledger ledger, Demand demand, int from, boolean friendlyOnly) {
    for (int node = from; node < ledger.slotCount(); node++) {
      if (Fit.fits(ledger, node, demand) && !(friendlyOnly && Fit.averse(node, demand))) {
        return node;
      }
    }
    return Finder.NONE;
  }
}
