package io.lighthouse.core.plan;

import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.FleetCapacities;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

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

  /** The reads that a look at a target counts as, for one workload. */
  private static final int READS_OF_A_TARGET = 4;

  /** Shares count in parts of two to the power of this, for the strain. */
  static final int STRAIN_BITS = 15;

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
  private final NodeLoads loads;
  private final LoadExchanges exchanges;

  /** By slot: after how many moves no good move off the node was found. */
  private final int[] stuck;

  /** The steps that are kept to order the moves. */
  private final long kept;

  /** After how many moves room was sought the last time. */
  private int noRoom = -1;

  /** Whether other workloads were moved for one, or in exchange. */
  private boolean movedOthers;

  /** The loads are read, so a pass over the nodes must be allowed. */
  LoadMoves(PlanSession session, NeedTable needs, Ejections ejections) {
    this.session = session;
    this.needs = needs;
    this.ejections = ejections;
    ledger = session.ledger;
    loads = new NodeLoads(session);
    exchanges = new LoadExchanges(session, needs, loads);
    stuck = new int[ledger.nodes().slotCount()];
    kept = session.budget.leftWithReads() / PARTS;
  }

  /**
   * Makes good moves until there is none: always off the fullest node from which one is found.
   * Where none leaves the fullest node of all, workloads are exchanged there. Where nothing else
   * helps, pairs are exchanged there, and then others make room for one of its workloads.
   *
   * <p>A node without a good move is skipped until a workload leaves another node, and then only
   * such nodes are considered as targets. Rules may open other nodes, so at the end all nodes are
   * considered once more for single moves.
   *
   * @return whether others were moved, too
   */
  boolean rebalance() {
    ejections.keep(kept);
    int before;
    do {
      before = loads.moves();
      Arrays.fill(stuck, -1);
      do {
        lowerAll();
      } while (mayGoOn() && (exchangesPairs() || lowerByMakingRoom()));
    } while (loads.moves() > before && mayGoOn());
    return movedOthers;
  }

  /** Exchanges pairs of workloads of one of the nodes with the highest load. */
  private boolean exchangesPairs() {
    for (int node : loads.fullestFirst()) {
      if (!isFullest(node)) {
        return false;
      }
      if (exchanges(node, true)) {
        return true;
      }
    }
    return false;
  }

  private boolean exchanges(int node, boolean pairs) {
    boolean found = exchanges.exchange(node, pairs, this::mayGoOn);
    movedOthers |= found;
    return found;
  }

  private boolean isFullest(int node) {
    return loads.of(node) > 0 && loads.of(node) == loads.most();
  }

  private boolean mayGoOn() {
    return session.budget.leftWithReads() > (movedOthers ? kept : 0) && !session.isOver();
  }

  private void lowerAll() {
    boolean isLower = true;
    while (isLower) {
      isLower = lowerFullest();
    }
  }

  /**
   * Makes a good move off the fullest node from which one is found, or an exchange with the fullest
   * node of all.
   */
  private boolean lowerFullest() {
    for (int node : loads.fullestFirst()) {
      if (loads.of(node) <= 0 || session.movesLeft() == 0 || !mayGoOn() || !session.mayRead(1)) {
        return false;
      }
      if (stuck[node] < loads.moves()) {
        if (lower(node)) {
          return true;
        }
        stuck[node] = loads.moves();
      }
      if (isFullest(node) && exchanges(node, false)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Moves a workload off one of the fullest nodes after others have made room for it. All nodes
   * that this fills must be less full than that node was.
   */
  private boolean lowerByMakingRoom() {
    if (noRoom == loads.moves()) {
      return false;
    }
    noRoom = loads.moves();
    long most = loads.most();
    int tried = 0;
    for (int node : loads.fullestFirst()) {
      if (!isFullest(node)) {
        return false;
      }
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
            movedOthers = true;
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean lowers(int entry, int node) {
    PlanSession.Mark before = session.mark();
    needs.keepBelow(loads.of(node));
    IntPredicate isEmptier = to -> to != node && loads.of(to) < loads.of(node);
    if (!ejections.makeRoom(entry, isEmptier, Ejections.LONG_CHAINS)) {
      return false;
    }
    List<PlanSession.Step> steps = session.stepsSince(before);
    boolean isLower = true;
    for (PlanSession.Step step : steps) {
      isLower &= session.load(step.to(), null) < loads.of(node);
      long left = session.load(step.from(), null);
      isLower &= left < loads.of(node) || (step.from() != node && left <= loads.of(step.from()));
    }
    if (!isLower) {
      session.rollBack(before);
      return false;
    }
    loads.note(steps);
    return true;
  }

  /** The sum of the fourth powers of the shares in use on a node; also with one more, if any. */
  private long strain(int node, Demand added) {
    return FleetCapacities.combined(
        ledger, node, added, STRAIN_BITS, (sum, share) -> sum + strain(share));
  }

  /** The fourth power of a share that counts in parts of two to the power of the bits. */
  static long strain(long share) {
    long counted = Math.min(share, MOST_STRAINED);
    long square = counted * counted >> LOST_BITS;
    return square * square;
  }

  /** Makes the good move off a node that adds the least strain. */
  private boolean lower(int node) {
    int[] targets = loads.targets(node, loads.hasChanged(node, stuck[node]) ? -1 : stuck[node]);
    if (targets.length == 0
        || !session.mayRead((long) PlanSession.READS_OF_A_NODE * targets.length)) {
      return false;
    }
    long load = loads.of(node);
    long[] strains = Arrays.stream(targets).mapToLong(to -> strain(to, null)).toArray();
    long[][] spares =
        Arrays.stream(targets).mapToObj(to -> needs.spare(to, load)).toArray(long[][]::new);
    long strain = strain(node, null);
    int bestEntry = 0;
    int bestTo = NONE;
    long least = Long.MAX_VALUE;
    for (int entry : ledger.placements().entries(node)) {
      long reads = PlanSession.READS_OF_A_NODE + READS_OF_A_TARGET * (long) targets.length;
      if (!session.mayMove(entry) || !session.mayRead(reads) || !needs.fitsAny(entry, spares)) {
        continue;
      }
      boolean isAverse = session.averse(entry);
      PlanSession.Mark before = session.mark();
      ledger.remove(entry, ledger.demand(entry));
      Demand demand = ledger.demand(entry);
      boolean lowers = session.load(node, null) < load;
      long freed = strain - strain(node, null);
      try (Query query = session.finder.bind(demand)) {
        for (int i = 0; lowers && i < targets.length && !session.isOver(); i++) {
          int to = targets[i];
          long added = strain(to, demand) - strains[i] - freed;
          if (added < least
              && session.load(to, demand) < load
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
    loads.note(List.of(new PlanSession.Step(bestEntry, node, bestTo)));
    return true;
  }
}
