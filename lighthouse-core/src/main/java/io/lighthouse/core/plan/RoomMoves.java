package io.lighthouse.core.plan;

import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.Mean;
import io.lighthouse.core.share.Share;

/**
 * Moves that gather the room of nodes where newcomers can use it. The room of a node is the number
 * of average newcomers that fit by its scarcest resource, with fractions. A move is good if it adds
 * to the room of its source and its target together. So workloads that need much of one resource go
 * where another one is scarce.
 *
 * <p>First fit leaves nodes full by one resource each. Ejection chains alone placed 5 % of what it
 * refuses on fleets at 95 %; with these moves before them, 98 % (docs/lab/packings.md, "Room by
 * plans").
 */
final class RoomMoves {
  /** Rooms count in parts of two to the power of this. */
  private static final int ROOM_BITS = 20;

  /** An eighth of an average newcomer. Moves that add less wait until none adds more. */
  private static final long MUCH = 1L << (ROOM_BITS - 3);

  private final PlanSession session;
  private final Ledger ledger;
  private final NeedTable needs;

  /** By dimension of the needs: the mean need of a newcomer. */
  private final Mean[] means;

  /** By dimension what the workload to be moved takes; an immune one takes it, too. */
  private final long[] taken;

  /** The steps that must be left, with their reads. */
  private final long kept;

  RoomMoves(PlanSession session, NeedTable needs, int[] newcomers, long kept) {
    this.session = session;
    this.needs = needs;
    this.kept = kept;
    ledger = session.ledger;
    means = needs.means(newcomers);
    taken = new long[means.length];
  }

  /**
   * Makes good moves until there is none, those that add much first. Each workload in turn goes to
   * the node where its move adds the most.
   */
  void gather() {
    for (long least : new long[] {MUCH, 1}) {
      while (pass(least)) {
        // Each pass adds to the room of the fleet, which is finite.
      }
    }
  }

  /**
   * Moves each workload that can move without a loss of room. That opens other moves where no good
   * one is left.
   */
  void shift() {
    pass(0);
  }

  /** Moves what can be moved in one pass over the nodes; returns whether anything was moved. */
  private boolean pass(long least) {
    boolean moved = false;
    for (int node = 0; node < ledger.nodes().slotCount() && mayGoOn(1); node++) {
      for (int entry : ledger.placements().entries(node)) {
        if (session.mayMove(entry) && mayGoOn(1)) {
          int to = best(entry, node, least);
          if (to != NodeTable.NONE) {
            session.move(entry, to);
            moved = true;
          }
        }
      }
    }
    return moved && mayGoOn(1);
  }

  private boolean mayGoOn(long nodes) {
    return session.movesLeft() > 0
        && session.budget.leftWithReads() > kept
        && session.mayRead(PlanSession.READS_OF_A_NODE * nodes);
  }

  /** The node where the move of a workload adds the most room, and at least some. */
  private int best(int entry, int from, long least) {
    Demand placed = ledger.demand(entry);
    readTaken(placed);
    // No newcomer uses the room of a node that takes none.
    long freed = session.takes(from) ? room(from, 1) - room(from, 0) : 0;
    if (freed < least || !mayGoOn(ledger.nodes().slotCount())) {
      return NodeTable.NONE;
    }
    int found = NodeTable.NONE;
    long most = least - 1;
    boolean isAverse = session.averse(entry);
    PlanSession.Mark before = session.mark();
    ledger.remove(entry, placed);
    try (Query query = session.finder.bind(ledger.demand(entry))) {
      for (int to = 0; to < ledger.nodes().slotCount() && !session.isOver(); to++) {
        if (to != from && needs.hasRoom(entry, to) && session.takes(to)) {
          long added = freed + room(to, -1) - room(to, 0);
          if (added > most && session.fits(query, to) && (isAverse || !query.averse(to))) {
            most = added;
            found = to;
          }
        }
      }
    }
    session.rollBack(before);
    return found;
  }

  private void readTaken(Demand demand) {
    for (int d = 0; d < taken.length; d++) {
      int at = demand.indexOf(needs.id(d));
      taken[d] = at < 0 ? 0 : demand.need(at);
    }
  }

  /** The room of a node once the workload has left it (1) or has come (-1), or as it is (0). */
  private long room(int node, int sign) {
    Layout layout = ledger.accounts().layout(node);
    long room = Long.MAX_VALUE;
    for (int d = 0; d < means.length; d++) {
      if (means[d] != Mean.NONE) {
        int at = layout.slot(needs.id(d));
        long capacity = at < 0 ? 0 : ledger.accounts().capacity(node, at);
        if (Share.measurable(capacity)) {
          long left = ledger.accounts().left(node, at) + sign * taken[d];
          room = Math.min(room, means[d].share(left, ROOM_BITS));
        } else if (capacity <= 0) {
          return 0;
        }
      }
    }
    return room == Long.MAX_VALUE ? 0 : room;
  }
}
