package io.lighthouse.core.plan;

import io.lighthouse.core.fleet.Share;
import io.lighthouse.core.ledger.Ledger;
import java.util.Set;
import java.util.function.IntPredicate;

/** The moves for each goal, made on the desk, one after the other. */
final class Improving {
  private final Desk desk;
  private final Ledger ledger;

  Improving(Desk desk) {
    this.desk = desk;
    ledger = desk.ledger;
  }

  // ---- away from nodes ----

  /**
   * Empties a node, or changes nothing.
   *
   * @param leaving nodes that nobody is moved to
   * @param inUse whether only nodes that hold somebody take anybody
   */
  boolean drain(int node, Set<Integer> leaving, boolean inUse) {
    int[] entries = desk.largestFirst(node);
    if (entries.length > desk.movesLeft()) {
      return false;
    }
    Desk.Mark before = desk.mark();
    for (int entry : entries) {
      if (!leave(entry, leaving, inUse, node)) {
        desk.back(before);
        return false;
      }
    }
    return true;
  }

  /** Moves a workload off its node, to one that is not leaving. */
  boolean leave(int entry, Set<Integer> leaving) {
    return leave(entry, leaving, false, ledger.placements().nodeOf(entry));
  }

  private boolean leave(int entry, Set<Integer> leaving, boolean inUse, int from) {
    if (!desk.mayMove(entry)) {
      return false;
    }
    IntPredicate used =
        node -> node != from && !leaving.contains(node) && ledger.placements().held(node) > 0;
    int to = desk.tightest(entry, used, inUse && !desk.averse(entry));
    if (to == Desk.NOWHERE && !inUse) {
      to = desk.tightest(entry, node -> node != from && !leaving.contains(node), false);
    }
    if (to != Desk.NOWHERE) {
      desk.move(entry, to);
      return true;
    }
    return makeRoom(entry, used);
  }

  /**
   * Moves a workload to a node, or places it there, after one other has left that node for another.
   */
  private boolean makeRoom(int entry, IntPredicate allowed) {
    boolean placed = ledger.placements().nodeOf(entry) >= 0;
    if (desk.movesLeft() < (placed ? 2 : 1)) {
      return false;
    }
    for (int node = 0; node < ledger.nodes().slotCount() && desk.steps > 0; node++) {
      if (node == ledger.placements().nodeOf(entry) || !desk.takes(node) || !allowed.test(node)) {
        continue;
      }
      for (int other : ledger.placements().entries(node)) {
        if (desk.mayMove(other) && swapOut(other, entry, node, allowed)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean swapOut(int other, int entry, int node, IntPredicate allowed) {
    Desk.Mark before = desk.mark();
    if (ledger.placements().nodeOf(entry) >= 0) {
      ledger.remove(entry, ledger.load(entry, desk.demand));
    }
    ledger.remove(other, ledger.load(other, desk.demand));
    boolean opens = desk.fits(entry, node) && !desk.averse(node, desk.demand);
    desk.back(before);
    if (!opens) {
      return false;
    }
    int to = desk.tightest(other, at -> at != node && allowed.test(at), true);
    if (to == Desk.NOWHERE) {
      return false;
    }
    desk.move(other, to);
    if (ledger.placements().nodeOf(entry) < 0 ? desk.fits(entry, node) : desk.moves(entry, node)) {
      desk.move(entry, node);
      return true;
    }
    desk.back(before);
    return false;
  }

  /** Frees nodes, the one with the fewest workloads first, until none can be freed any more. */
  void consolidate() {
    boolean[] failed = new boolean[ledger.nodes().slotCount()];
    while (desk.movesLeft() > 0 && desk.steps > 0) {
      int next = fewest(failed);
      if (next == Desk.NOWHERE) {
        return;
      }
      failed[next] = !drain(next, Set.of(), true);
    }
  }

  private int fewest(boolean[] failed) {
    int found = Desk.NOWHERE;
    long least = Long.MAX_VALUE;
    for (int node = 0; node < failed.length; node++) {
      int held = ledger.placements().held(node);
      if (failed[node] || !ledger.nodes().alive(node) || held == 0 || held > desk.movesLeft()) {
        continue;
      }
      if (found == Desk.NOWHERE || held < ledger.placements().held(found)) {
        found = node;
        least = Shares.fullest(ledger, node);
      } else if (held == ledger.placements().held(found)) {
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
   * Places a workload on one of some nodes, after one other has made room where that is needed;
   * that one goes to one of them, too.
   */
  boolean place(int entry, IntPredicate allowed) {
    int to = desk.tightest(entry, allowed, false);
    if (to != Desk.NOWHERE) {
      desk.move(entry, to);
      return true;
    }
    return makeRoom(entry, allowed);
  }

  // ---- aversion ----

  /** Moves workloads from averse nodes to friendly ones. */
  void repair() {
    boolean changed = true;
    while (changed) { // Each move ends a quarrel.
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

  /** Moves somebody off the fullest node, as long as that lowers it and fills nobody as much. */
  void rebalance() {
    long[] fullest = new long[ledger.nodes().slotCount()];
    for (int node = 0; node < fullest.length; node++) {
      fullest[node] = ledger.nodes().alive(node) ? Shares.fullest(ledger, node) : -1;
    }
    boolean moved = true;
    while (moved && desk.movesLeft() > 0 && desk.steps > 0) {
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
      for (int to = 0; without < best && to < fullest.length; to++) {
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

  /** The largest share in use on a node with the demand at hand on it. */
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
