package io.lighthouse.core.plan;

import io.lighthouse.core.fleet.Share;
import io.lighthouse.core.ledger.Ledger;
import java.util.Set;
import java.util.function.IntPredicate;

/** The moves for each goal, made on the desk, one after the other. */
final class Improving {
  private final Desk desk;
  private final Ledger ledger;
  private final Ejections ejections;

  Improving(Desk desk, Ejections ejections) {
    this.desk = desk;
    this.ejections = ejections;
    ledger = desk.ledger;
  }

  // ---- away from nodes ----

  /**
   * Empties a node, or changes nothing.
   *
   * @param leaving nodes that no workload is moved to
   * @param inUse whether only nodes that hold workloads take others
   * @param effort how far room is made, as of {@link Ejections}
   */
  boolean drain(int node, Set<Integer> leaving, boolean inUse, int effort) {
    int[] entries = desk.largestFirst(node);
    if (entries.length > desk.movesLeft()) {
      return false;
    }
    Desk.Mark before = desk.mark();
    for (int entry : entries) {
      if (!leave(entry, leaving, inUse, node, effort)) {
        desk.back(before);
        return false;
      }
    }
    return true;
  }

  /** Moves a workload off its node, to one that is not leaving. */
  boolean leave(int entry, Set<Integer> leaving) {
    return leave(entry, leaving, false, ledger.placements().nodeOf(entry), Ejections.LONG_CHAINS);
  }

  private boolean leave(int entry, Set<Integer> leaving, boolean inUse, int from, int effort) {
    if (!desk.mayMove(entry)) {
      return false;
    }
    IntPredicate stays = node -> node != from && !leaving.contains(node);
    IntPredicate used = node -> stays.test(node) && ledger.placements().count(node) > 0;
    int to = desk.tightest(entry, used, inUse && !desk.averse(entry));
    if (to == Desk.NOWHERE && !inUse) {
      to = desk.tightest(entry, stays, false);
    }
    if (to != Desk.NOWHERE) {
      desk.move(entry, to);
      return true;
    }
    return ejections.makeRoom(entry, inUse ? used : stays, effort);
  }

  /**
   * Frees nodes, the one with the fewest workloads first, until none can be freed any more: first
   * those for which one workload at a time makes room, then by longer chains.
   */
  void consolidate() {
    for (int effort : new int[] {Ejections.ONE, Ejections.CHAINS}) {
      boolean[] failed = new boolean[ledger.nodes().slotCount()];
      int next = fewest(failed);
      while (next != Desk.NOWHERE && desk.movesLeft() > 0 && !desk.isOver()) {
        desk.budget.spend(1);
        failed[next] = !drain(next, Set.of(), true, effort);
        next = fewest(failed);
      }
    }
  }

  private int fewest(boolean[] failed) {
    int found = Desk.NOWHERE;
    long least = Long.MAX_VALUE;
    for (int node = 0; node < failed.length; node++) {
      int held = ledger.placements().count(node);
      if (failed[node] || !ledger.nodes().alive(node) || held == 0 || held > desk.movesLeft()) {
        continue;
      }
      if (found == Desk.NOWHERE || held < ledger.placements().count(found)) {
        found = node;
        least = Shares.fullest(ledger, node);
      } else if (held == ledger.placements().count(found)) {
        long load = Shares.fullest(ledger, node);
        if (load < least) {
          found = node;
          least = load;
        }
      }
    }
    return found;
  }

  // ---- newcomers ----

  /**
   * Places a workload on one of some nodes, after others have made room where that is needed; they
   * go to some of them, too.
   *
   * @param effort how far room is made, as of {@link Ejections}
   */
  boolean place(int entry, IntPredicate allowed, int effort) {
    int to = desk.tightest(entry, allowed, false);
    if (to != Desk.NOWHERE) {
      desk.move(entry, to);
      return true;
    }
    return ejections.makeRoom(entry, allowed, effort);
  }

  // ---- aversion ----

  /** Moves workloads from averse nodes to friendly ones. */
  void repair() {
    boolean changed = true;
    while (changed && !desk.isOver()) { // Each move ends a quarrel.
      changed = false;
      for (int node = 0; node < ledger.nodes().slotCount(); node++) {
        for (int entry : ledger.placements().entries(node)) {
          if (desk.averse(entry) && desk.mayMove(entry)) {
            int to = desk.tightest(entry, at -> true, true);
            if (to != Desk.NOWHERE) {
              desk.move(entry, to);
              changed = true;
            }
          }
        }
      }
    }
  }

  // ---- balance ----

  /** Moves workloads off the fullest node, as long as that lowers it and fills no other as much. */
  void rebalance() {
    long[] fullest = new long[ledger.nodes().slotCount()];
    for (int node = 0; node < fullest.length; node++) {
      fullest[node] = ledger.nodes().alive(node) ? Shares.fullest(ledger, node) : -1;
    }
    boolean moved = true;
    while (moved && desk.movesLeft() > 0 && !desk.isOver()) {
      int top = 0;
      for (int node = 1; node < fullest.length; node++) {
        top = fullest[node] > fullest[top] ? node : top;
      }
      moved = fullest.length > 0 && lower(top, fullest);
    }
  }

  /** Moves the workload off a node that leaves the fuller of both nodes the emptiest. */
  private boolean lower(int node, long[] fullest) {
    int bestEntry = Desk.NOWHERE;
    int bestTo = Desk.NOWHERE;
    long best = fullest[node];
    for (int entry : ledger.placements().entries(node)) {
      if (!desk.mayMove(entry)) {
        continue;
      }
      boolean quarrels = desk.averse(entry);
      Desk.Mark before = desk.mark();
      ledger.remove(entry, ledger.load(entry, desk.demand));
      long without = Shares.fullest(ledger, node);
      for (int to = 0; without < best && to < fullest.length && !desk.isOver(); to++) {
        if (to == node
            || fullest[to] >= best
            || !desk.takes(to)
            || !desk.fits(entry, to)
            || (!quarrels && desk.averse(to, desk.demand))) {
          continue;
        }
        long after = Math.max(without, with(to));
        if (after < best) {
          best = after;
          bestEntry = entry;
          bestTo = to;
        }
      }
      desk.back(before);
    }
    if (bestEntry == Desk.NOWHERE) {
      return false;
    }
    desk.move(bestEntry, bestTo);
    fullest[node] = Shares.fullest(ledger, node);
    fullest[bestTo] = Shares.fullest(ledger, bestTo);
    return true;
  }

  /** The largest share in use on a node with the current demand on it. */
  private long with(int node) {
    long largest = 0;
    var layout = ledger.accounts().layout(node);
    for (int at = 0; at < layout.size(); at++) {
      long capacity = ledger.accounts().capacity(node, at);
      if (Share.measurable(capacity)) {
        int asked = desk.demand.indexOf(layout.id(at));
        long need = asked < 0 ? 0 : desk.demand.need(asked);
        largest =
            Math.max(
                largest, Shares.of(capacity - ledger.accounts().left(node, at) + need, capacity));
      }
    }
    return largest;
  }
}
