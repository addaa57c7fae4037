package io.lighthouse.core.plan;

import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Ledger;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** The moves for each goal, made in the session, one after the other. */
final class PlanMoves {
  private final PlanSession session;
  private final Ledger ledger;
  private final Ejections ejections;

  PlanMoves(PlanSession session, Ejections ejections) {
    this.session = session;
    this.ejections = ejections;
    ledger = session.ledger;
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
    int held = ledger.placements().count(node);
    if (held > session.movesLeft() || !session.mayRead(held)) {
      return false;
    }
    PlanSession.Mark before = session.mark();
    for (int entry : session.largestFirst(ledger.placements().entries(node))) {
      if (!leave(entry, leaving, inUse, effort)) {
        session.rollBack(before);
        return false;
      }
    }
    return true;
  }

  /** Moves a workload off its node, to one that is not leaving. */
  boolean leave(int entry, Set<Integer> leaving) {
    return leave(entry, leaving, false, Ejections.LONG_CHAINS);
  }

  private boolean leave(int entry, Set<Integer> leaving, boolean inUse, int effort) {
    if (!session.mayMove(entry)) {
      return false;
    }
    int from = ledger.placements().nodeOf(entry);
    IntPredicate stays = node -> node != from && !leaving.contains(node);
    IntPredicate used = node -> stays.test(node) && ledger.placements().count(node) > 0;
    int to = session.tightest(entry, used, inUse && !session.averse(entry));
    if (to == NodeTable.NONE && !inUse) {
      to = session.tightest(entry, stays, false);
    }
    if (to != NodeTable.NONE) {
      session.move(entry, to);
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
      while (session.movesLeft() > 0 && session.mayRead(failed.length)) {
        int next = fewest(failed);
        if (next == NodeTable.NONE) {
          break;
        }
        session.budget.spend(1);
        failed[next] = !drain(next, Set.of(), true, effort);
      }
    }
  }

  private int fewest(boolean[] failed) {
    int found = NodeTable.NONE;
    long least = Long.MAX_VALUE;
    for (int node = 0; node < failed.length; node++) {
      int held = ledger.placements().count(node);
      if (failed[node] || !ledger.nodes().alive(node) || held == 0 || held > session.movesLeft()) {
        continue;
      }
      int fewer = found == NodeTable.NONE ? 1 : ledger.placements().count(found) - held;
      if (fewer >= 0) {
        long load = session.load(node, null);
        if (fewer > 0 || load < least) {
          found = node;
          least = load;
        }
      }
    }
    return found;
  }

  // ---- newcomers ----

  /**
   * Places a workload on one of some nodes, after others have made room where that is needed.
   *
   * @param others nodes that others may go to
   * @param effort how far room is made, as of {@link Ejections}
   */
  boolean place(int entry, IntPredicate allowed, IntPredicate others, int effort) {
    int to = session.tightest(entry, allowed, false);
    if (to != NodeTable.NONE) {
      session.move(entry, to);
      return true;
    }
    return ejections.makeRoom(entry, allowed, others, effort);
  }

  /**
   * Makes the changes since a mark anew, with the same result and each workload moved once where
   * that is possible. If that does not lead to the same result, the changes stay as they are.
   *
   * @param aside whether a workload may go to any node for a while where all wait for each other
   */
  void moveAtOnce(PlanSession.Mark before, boolean aside) {
    List<PlanSession.Step> steps = session.stepsSince(before);
    session.rollBack(before);
    // Without steps aside, each of the old moves may be followed by a look at all workloads.
    boolean isLong = (long) steps.size() * steps.size() > session.budget.left();
    if (!(aside && isLong) && makesAtOnce(steps, false)) {
      return;
    }
    session.rollBack(before);
    if (!aside || !makesAtOnce(steps, true) || session.stepsSince(before).size() > steps.size()) {
      session.redo(before, steps);
    }
  }

  /**
   * Moves each workload to the node where it ends as soon as it fits there. Where none does, one
   * steps aside, or else the next one of the old moves is made.
   *
   * @return whether all are where they should be
   */
  private boolean makesAtOnce(List<PlanSession.Step> steps, boolean aside) {
    Map<Integer, Integer> ends = new LinkedHashMap<>();
    Map<Integer, Integer> newcomers = new LinkedHashMap<>();
    for (PlanSession.Step step : steps) {
      boolean isNew = step.from() == NodeTable.NONE || newcomers.containsKey(step.entry());
      (isNew ? newcomers : ends).put(step.entry(), step.to());
    }
    Iterator<PlanSession.Step> old = steps.iterator();
    Set<Integer> asideOnce = new LinkedHashSet<>(ends.keySet());
    boolean goesOn = true;
    while (goesOn && !ends.isEmpty() && !session.isOver()) {
      goesOn = ends.entrySet().removeIf(end -> goes(end.getKey(), end.getValue()));
      if (!goesOn && aside) {
        asideOnce.retainAll(ends.keySet());
        goesOn = stepsAside(asideOnce);
      }
      while (!goesOn && old.hasNext()) {
        PlanSession.Step step = old.next();
        goesOn = ends.containsKey(step.entry()) && goes(step.entry(), step.to());
      }
    }
    newcomers.entrySet().removeIf(end -> goes(end.getKey(), end.getValue()));
    return ends.isEmpty() && newcomers.isEmpty();
  }

  /** Moves one of some workloads to the emptiest node, and removes it; returns whether it did. */
  private boolean stepsAside(Set<Integer> entries) {
    int[] all = entries.stream().mapToInt(Integer::intValue).toArray();
    if (!session.mayRead((long) PlanSession.READS_OF_A_NODE * all.length)) {
      return false;
    }
    for (int entry : session.largestFirst(all)) {
      int to = session.emptiest(entry);
      if (to != NodeTable.NONE) {
        session.move(entry, to);
        entries.remove(entry);
        return true;
      }
    }
    return false;
  }

  /** Whether a workload is on a node, or can go there; it is moved there then. */
  private boolean goes(int entry, int to) {
    int here = ledger.placements().nodeOf(entry);
    if (here == to) {
      return true;
    }
    boolean fits =
        !session.isOver()
            && (here < 0 ? session.fits(to, ledger.demand(entry)) : session.moves(entry, to));
    if (fits) {
      session.move(entry, to);
    }
    return fits;
  }

  // ---- aversion ----

  /**
   * Moves workloads from averse nodes to friendly ones: first where one has room, then after others
   * have made room there.
   */
  void repair() {
    while (repair(false) || repair(true)) {
      // Each move to a friendly node ends an aversion.
    }
  }

  /** Moves what can be moved in one pass over the nodes; returns whether anything was moved. */
  private boolean repair(boolean byMakingRoom) {
    boolean changed = false;
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (!session.mayRead(1 + ledger.placements().count(node))) {
        return false;
      }
      for (int entry : ledger.placements().entries(node)) {
        if (session.averse(entry) && session.mayMove(entry)) {
          int to = session.tightest(entry, at -> true, true);
          if (to != NodeTable.NONE) {
            session.move(entry, to);
            changed = true;
          } else if (byMakingRoom) {
            changed |= ejections.makeRoom(entry, at -> true, Ejections.LONG_CHAINS);
          }
        }
      }
    }
    return changed;
  }
}
