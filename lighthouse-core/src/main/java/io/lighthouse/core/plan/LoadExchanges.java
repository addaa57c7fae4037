package io.lighthouse.core.plan;

import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Exchanges of workloads that lower the load of a node. One workload, or two, leave the node for a
 * less full one, and one or two come back from there. Both nodes are then less full than the first
 * one was. Of the exchanges found, the one is made that adds the least strain, as of {@link
 * LoadMoves}.
 *
 * <p>Exchanges are chosen by the amounts of the {@link NeedTable}, and then tried on the ledger.
 * Each move must be feasible at its turn. Both orders are tried: the workloads of the fuller node
 * leave first, or the others do.
 */
final class LoadExchanges {
  /** The number of nodes that are searched before the best exchange found there is made. */
  private static final int NODES_AT_ONCE = 64;

  /** The workloads of a node at most that leave it as pairs. */
  private static final int PAIRED = 16;

  private static final int NONE = -1;

  private final PlanSession session;
  private final NeedTable needs;
  private final Ledger ledger;
  private final NodeLoads loads;

  /** By slot: after how many moves no exchange of two workloads was found. */
  private final int[] stuck;

  /** By slot: after how many moves no exchange of pairs was found. */
  private final int[] stuckWithPairs;

  LoadExchanges(PlanSession session, NeedTable needs, NodeLoads loads) {
    this.session = session;
    this.needs = needs;
    this.loads = loads;
    ledger = session.ledger;
    stuck = new int[ledger.nodes().slotCount()];
    Arrays.fill(stuck, NONE);
    stuckWithPairs = stuck.clone();
  }

  /** Workloads of one node, and what they need together, by dimension. */
  private record Subset(int[] entries, long[] amounts) {
    Subset and(Subset other) {
      long[] sum = new long[amounts.length];
      Arrays.setAll(sum, d -> amounts[d] + other.amounts[d]);
      return new Subset(new int[] {entries[0], other.entries[0]}, sum);
    }
  }

  /** What leaves a node for another one, and what comes from there. */
  private record Exchange(Subset leaves, int node, Subset comes, int to) {}

  /** One side of an exchange: a node, and what may leave it. */
  private final class Side {
    final int node;
    final List<Subset> subsets = new ArrayList<>();

    /** By dimension, as of {@link NeedTable#spare}: so that the load stays below the fuller one. */
    final long[] spare;

    /** By dimension. */
    private final long[] used = new long[needs.dimensions()];

    private final long[] capacities = new long[used.length];

    Side(int node, long load, boolean pairs) {
      this.node = node;
      spare = needs.spare(node, load);
      for (int entry : ledger.placements().entries(node)) {
        if (session.mayMove(entry)) {
          subsets.add(new Subset(new int[] {entry}, needs.amounts(entry)));
        }
      }
      int paired = pairs ? Math.min(subsets.size(), PAIRED) : 0;
      for (int i = 0; i < paired; i++) {
        for (int j = i + 1; j < paired; j++) {
          subsets.add(subsets.get(i).and(subsets.get(j)));
        }
      }
      NodeAccounts accounts = ledger.accounts();
      Layout layout = accounts.layout(node);
      for (int d = 0; d < used.length; d++) {
        int at = layout.slot(needs.id(d));
        if (at >= 0 && Share.measurable(accounts.capacity(node, at))) {
          capacities[d] = accounts.capacity(node, at);
          used[d] = capacities[d] - accounts.left(node, at);
        }
      }
    }

    /** The strain of the node once some have left it and others have come. */
    long strain(long[] leaves, long[] comes) {
      long sum = 0;
      for (int d = 0; d < used.length; d++) {
        if (capacities[d] > 0) {
          long then = used[d] - leaves[d] + comes[d];
          sum += LoadMoves.strain(Share.positive(then, capacities[d], LoadMoves.STRAIN_BITS));
        }
      }
      return sum;
    }
  }

  /**
   * Makes an exchange that lowers the load of a node.
   *
   * @param pairs whether pairs of workloads may leave and come, too
   * @param mayGoOn whether the search may go on
   */
  boolean exchange(int node, boolean pairs, BooleanSupplier mayGoOn) {
    return session.takes(node) && exchange(node, pairs, pairs ? stuckWithPairs : stuck, mayGoOn);
  }

  private boolean exchange(int node, boolean pairs, int[] stuck, BooleanSupplier mayGoOn) {
    if (stuck[node] == loads.moves() || session.movesLeft() < 2) {
      return false;
    }
    int since = loads.hasChanged(node, stuck[node]) ? NONE : stuck[node];
    int[] targets = loads.changedTargets(node, since);
    for (int from = 0; from < targets.length && mayGoOn.getAsBoolean(); from += NODES_AT_ONCE) {
      int end = Math.min(targets.length, from + NODES_AT_ONCE);
      if (exchange(node, Arrays.copyOfRange(targets, from, end), pairs)) {
        return true;
      }
    }
    stuck[node] = loads.moves();
    return false;
  }

  /** Makes the exchange with one of some nodes that adds the least strain. */
  private boolean exchange(int node, int[] targets, boolean pairs) {
    long load = loads.of(node);
    Side here = new Side(node, load, pairs);
    long[] nothing = new long[needs.dimensions()];
    PlanSession.Mark before = session.mark();
    long least = Long.MAX_VALUE;
    Exchange best = null;
    for (int to : targets) {
      Side there = new Side(to, load, pairs);
      long reads = 1L + (long) here.subsets.size() * there.subsets.size();
      if (!session.mayRead(PlanSession.READS_OF_A_NODE * reads)) {
        break;
      }
      long strain = there.strain(nothing, nothing);
      for (Subset leaves : here.subsets) {
        for (Subset comes : there.subsets) {
          if (!isLower(leaves.amounts, comes.amounts, here.spare, there.spare)) {
            continue;
          }
          long added =
              here.strain(leaves.amounts, comes.amounts)
                  + there.strain(comes.amounts, leaves.amounts)
                  - strain;
          if (added >= least || session.isOver()) {
            continue;
          }
          Exchange exchange = new Exchange(leaves, node, comes, to);
          if (makes(exchange)) {
            session.rollBack(before);
            least = added;
            best = exchange;
          }
        }
      }
    }
    if (best == null || !makes(best)) {
      return false;
    }
    loads.note(session.stepsSince(before));
    return true;
  }

  /** Whether both nodes stay below the load, as far as the amounts show. */
  private static boolean isLower(long[] leaves, long[] comes, long[] here, long[] there) {
    for (int d = 0; d < leaves.length; d++) {
      long change = leaves[d] - comes[d];
      if (change > there[d] || -change > here[d]) {
        return false;
      }
    }
    return true;
  }

  /** Makes an exchange, or changes nothing. */
  private boolean makes(Exchange of) {
    long load = loads.of(of.node);
    PlanSession.Mark before = session.mark();
    boolean made = goes(of.leaves, of.to) && goes(of.comes, of.node);
    if (!made) {
      session.rollBack(before);
      made = goes(of.comes, of.node) && goes(of.leaves, of.to);
    }
    if (made && session.load(of.node, null) < load && session.load(of.to, null) < load) {
      return true;
    }
    session.rollBack(before);
    return false;
  }

  /** Moves workloads that fit; none of them to an averse node, unless it is on one. */
  private boolean goes(Subset subset, int to) {
    for (int entry : subset.entries) {
      boolean isAverse = session.averse(entry);
      if (!session.mayMove(entry)
          || !session.whileAway(
              entry,
              demand -> session.fits(to, demand) && (isAverse || !session.averse(to, demand)))) {
        return false;
      }
      session.move(entry, to);
    }
    return true;
  }
}
