package io.lighthouse.core.plan;

import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.FleetCapacities;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Moves that lower the loads of the nodes. The load of a node is the share in use of its fullest
 * resource. Two fleets are compared by their loads, sorted from the fullest node down: the first
 * that differs decides. So a move is good if it lowers the load of its source, and its target is
 * then less full than the source was before.
 *
 * <p>Of the good moves off a node, the one is made that adds the least to the strain of both nodes:
 * the sum of the fourth powers of all shares in use. So other resources than the fullest count. The
 * move that leaves the fuller of both nodes the emptiest ended at fuller nodes, by an eighth more
 * moves (docs/lab/packings.md, "The choice of rebalance").
 */
final class LoadMoves {
  private static final int NONE = NodeTable.NONE;

  /** For how many workloads room is made before the search ends. */
  private static final int MOST_TRIED = 32;

  /** Shares count in parts of two to the power of this, for the strain. */
  private static final int STRAIN_BITS = 15;

  /** A larger share counts as this, so that the sum of the fourth powers is in range. */
  private static final long MOST_STRAINED = 4L << STRAIN_BITS;

  /** The square of a share loses these bits for that. */
  private static final int LOST_BITS = 6;

  /**
   * Once room was made, this fraction (1 / {@code PARTS}) of the steps is kept to order the moves.
   */
  private static final int PARTS = 4;

  private final PlanSession session;
  private final NeedTable needs;
  private final Ejections ejections;
  private final Ledger ledger;

  /** By slot; -1 for a dead one. */
  private final long[] loads;

  /** By slot: after how many moves the load last changed. */
  private final int[] changed;

  /** By slot: after how many moves no good move off the node was found. */
  private final int[] stuck;

  /** The steps that are kept to order the moves. */
  private final long kept;

  private boolean madeRoom;

  private int moves;

  LoadMoves(PlanSession session, NeedTable needs, Ejections ejections) {
    this.session = session;
    this.needs = needs;
    this.ejections = ejections;
    ledger = session.ledger;
    loads = new long[ledger.nodes().slotCount()];
    changed = new int[loads.length];
    stuck = new int[loads.length];
    kept = session.budget.leftWithReads() / PARTS;
  }

  /**
   * Makes good moves until there is none: always off the fullest node from which one is found.
   *
   * <p>A node without a good move is skipped until another node changes, and then only those that
   * changed are considered as targets. Rules may open a node that did not change, so at the end all
   * nodes are considered once more.
   *
   * @return whether others were moved to make room
   */
  boolean rebalance() {
    if (!session.mayRead(loads.length)) {
      return false;
    }
    for (int node = 0; node < loads.length; node++) {
      loads[node] = ledger.nodes().alive(node) ? session.load(node, null) : -1;
    }
    ejections.keep(kept);
    int movesBefore;
    Arrays.fill(stuck, -1);
    lowerAll();
    do {
      while (lowerByMakingRoom()) {
        madeRoom = true;
        lowerAll();
      }
      movesBefore = moves;
      Arrays.fill(stuck, -1);
      lowerAll();
    } while (moves > movesBefore && mayGoOn());
    return madeRoom;
  }

  private boolean mayGoOn() {
    return session.budget.leftWithReads() > (madeRoom ? kept : 0) && !session.isOver();
  }

  private void lowerAll() {
    for (int top = fullest(); top != NONE; top = fullest()) {
      if (!lower(top)) {
        stuck[top] = moves;
      }
    }
  }

  /**
   * Moves a workload off one of the fullest nodes after others have made room for it. All nodes
   * that this fills must be less full than that node was.
   */
  private boolean lowerByMakingRoom() {
    long most = Arrays.stream(loads).max().orElse(0);
    IntPredicate isFullest = node -> most > 0 && loads[node] == most;
    int tried = 0;
    for (int node : IntStream.range(0, loads.length).filter(isFullest).toArray()) {
      for (int entry : session.largestFirst(ledger.placements().entries(node))) {
        if (!mayGoOn() || !session.mayRead(PlanSession.READS_OF_A_NODE)) {
          return false;
        }
        if (session.mayMove(entry)
            && session.whileAway(entry, demand -> session.load(node, null)) < most) {
          if (tried++ == MOST_TRIED) {
            return false;
          }
          if (lowers(entry, node)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean lowers(int entry, int node) {
    PlanSession.Mark before = session.mark();
    needs.keepBelow(loads[node]);
    IntPredicate isEmptier = to -> to != node && loads[to] < loads[node];
    if (!ejections.makeRoom(entry, isEmptier, Ejections.LONG_CHAINS)) {
      return false;
    }
    List<PlanSession.Step> steps = session.stepsSince(before);
    boolean isLower = true;
    for (PlanSession.Step step : steps) {
      isLower &= session.load(step.to(), null) < loads[node];
      long left = session.load(step.from(), null);
      isLower &= left < loads[node] || (step.from() != node && left <= loads[step.from()]);
    }
    if (!isLower) {
      session.rollBack(before);
      return false;
    }
    moves++;
    steps.forEach(this::readLoads);
    return true;
  }

  private void readLoads(PlanSession.Step move) {
    for (int node : new int[] {move.from(), move.to()}) {
      loads[node] = session.load(node, null);
      changed[node] = moves;
    }
  }

  /** The fullest node from which a good move may be found; none where the search is over. */
  private int fullest() {
    if (session.movesLeft() == 0 || !mayGoOn() || !session.mayRead(loads.length)) {
      return NONE;
    }
    int top = NONE;
    for (int node = 0; node < loads.length; node++) {
      if (loads[node] > 0 && stuck[node] < moves && (top == NONE || loads[node] > loads[top])) {
        top = node;
      }
    }
    return top;
  }

  /** The nodes that are less full than a node and changed after a number of moves. */
  private int[] targets(int node, int since) {
    int[] targets = new int[loads.length];
    int count = 0;
    for (int to = 0; to < loads.length; to++) {
      if (changed[to] > since && loads[to] < loads[node] && session.takes(to)) {
        targets[count++] = to;
      }
    }
    return Arrays.copyOf(targets, count);
  }

  /** The sum of the fourth powers of the shares in use on a node; also with one more, if any. */
  private long strain(int node, Demand added) {
    return FleetCapacities.combined(
        ledger,
        node,
        added,
        STRAIN_BITS,
        (sum, share) -> {
          long counted = Math.min(share, MOST_STRAINED);
          long square = counted * counted >> LOST_BITS;
          return sum + square * square;
        });
  }

  /** Makes the good move off a node that adds the least strain. */
  private boolean lower(int node) {
    if (!session.mayRead(loads.length)) {
      return false;
    }
    int since = changed[node] > stuck[node] ? -1 : stuck[node];
    int[] targets = targets(node, since);
    if (targets.length == 0) {
      return false;
    }
    long[] strains = Arrays.stream(targets).mapToLong(to -> strain(to, null)).toArray();
    long strain = strain(node, null);
    int bestEntry = 0;
    int bestTo = NONE;
    long least = Long.MAX_VALUE;
    for (int entry : ledger.placements().entries(node)) {
      long reads = PlanSession.READS_OF_A_NODE + targets.length;
      if (!session.mayMove(entry) || !session.mayRead(reads)) {
        continue;
      }
      boolean isAverse = session.averse(entry);
      PlanSession.Mark before = session.mark();
      ledger.remove(entry, ledger.demand(entry));
      Demand demand = ledger.demand(entry);
      boolean lowers = session.load(node, null) < loads[node];
      long freed = strain - strain(node, null);
      try (Query query = session.finder.bind(demand)) {
        for (int i = 0; lowers && i < targets.length && !session.isOver(); i++) {
          int to = targets[i];
          long added = strain(to, demand) - strains[i] - freed;
          if (added < least
              && session.load(to, demand) < loads[node]
              && session.fits(query, to)
              && (isAverse || !query.averse(to))) {
            least = added;
            bestEntry = entry;
            bestTo = to;
          }
        }
      }
      session.rollBack(before);
    }
    if (bestTo == NONE) {
      return false;
    }
    session.move(bestEntry, bestTo);
    moves++;
    readLoads(new PlanSession.Step(bestEntry, node, bestTo));
    return true;
  }
}
