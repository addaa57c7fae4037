package io.lighthouse.core.plan;

import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Placements;
import java.util.Arrays;

/**
 * Which placed workloads fit another node than their own. For each one, the last node that it was
 * found to fit is kept. Without that, a plan for what first fit refuses in a {@code MixedFleet}
 * (100 nodes, 80 %) took 14 times as long on 2026-11-25.
 */
final class OtherNodes {
  private final PlanSession session;
  private final Ledger ledger;
  private final Placements placements;
  private final NeedTable needs;

  /**
   * By entry: 1 more than the node that it was last found to fit beside its own. Where it fitted
   * none, the complement of the number of nodes that had been left then; 0 where that is not known.
   */
  private int[] ways = {};

  OtherNodes(PlanSession session, NeedTable needs) {
    this.session = session;
    this.needs = needs;
    ledger = session.ledger;
    placements = ledger.placements();
  }

  /** Whether any workload that may move fits another node than its own. */
  boolean hasAny() {
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (!session.mayRead(1 + placements.count(node))) {
        break;
      }
      for (int entry : placements.entries(node)) {
        if (session.mayMove(entry) && has(entry)) {
          return true;
        }
      }
    }
    return session.isOver(); // Not settled then.
  }

  /**
   * The same, without what was found before a workload moved. A member of a group that others need
   * may be back on its node since, or one that gives.
   */
  boolean hasAnyNow() {
    if (!session.left.isEmpty()) {
      Arrays.fill(ways, 0);
    }
    return hasAny();
  }

  /**
   * Whether a placed workload fits another node, as far as is known from the last check and the
   * nodes that have been left since.
   */
  boolean has(int entry) {
    if (entry >= ways.length) {
      ways = Arrays.copyOf(ways, Math.max(entry + 1, ways.length + (ways.length >> 1) + 16));
    }
    int here = placements.nodeOf(entry);
    int way = ways[entry];
    if (way > 0 && way - 1 != here && takes(entry, way - 1)) {
      return true;
    }
    boolean known = way < 0;
    int end = known ? session.left.size() : ledger.nodes().slotCount();
    for (int i = known ? ~way : 0; i < end && !session.isOver(); i++) {
      int node = known ? session.left.get(i) : i;
      if (node != here && takes(entry, node)) {
        ways[entry] = node + 1;
        return true;
      }
    }
    if (!session.isOver()) {
      ways[entry] = ~session.left.size();
    }
    return false;
  }

  private boolean takes(int entry, int node) {
    session.budget.mayRead(PlanSession.READS_OF_A_NODE);
    return needs.hasRoom(entry, node) && session.takes(node) && session.moves(entry, node);
  }
}
