package io.lighthouse.strategies.packing;

import io.lighthouse.api.Gang;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Session;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/** Brings the state of a session to what the engine requires of every answer. */
final class Settlement {
  private final Fleet fleet;
  private final Session session;
  private final Board board;

  Settlement(Fleet fleet, Board board) {
    this.fleet = fleet;
    this.board = board;
    session = board.session;
  }

  /**
   * Places every workload that fits a node, and moves every workload on an averse node to a
   * friendly one that it fits, until neither is possible. This terminates: each turn places one
   * more workload or resolves an aversion. A workload that others depend on stays. The session then
   * settles the result, too. The mirror is not ahead after that, and does not change.
   */
  void settle() {
    settle(load -> true, () -> true);
  }

  /**
   * Does the same, but no workload loses its node. A gang without nodes stays without. A workload
   * does not move to a friendly node if another one would then lose its node ({@code least}).
   *
   * @param unplaced what is unplaced in the session
   */
  void settleAndKeep(LongSupplier unplaced) {
    settle(load -> session.workload(load).terms().gang().isEmpty(), () -> losesNone(unplaced));
  }

  private boolean losesNone(LongSupplier unplaced) {
    long present = unplaced.getAsLong();
    Board.Mark before = board.mark();
    session.settle();
    boolean losesNone = unplaced.getAsLong() <= present;
    board.back(before);
    return losesNone;
  }

  /**
   * Settles.
   *
   * @param mayCome whether a workload without a node may get one
   * @param mayMove whether the workload that has just moved to a friendly node may stay there
   */
  private void settle(IntPredicate mayCome, BooleanSupplier mayMove) {
    board.followInSession();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int load = 0; load < board.loads; load++) {
        if (session.nodeOf(load) < 0) {
          int node = mayCome.test(load) ? firstFor(load) : Board.NOWHERE;
          if (node >= 0) {
            session.assign(load, node);
            changed = true;
          }
        } else if (board.groups[load].length > 0) {
          changed |= befriend(load, mayMove);
        }
      }
    }
    session.settle();
  }

  /** The first candidate of a workload; -1 where there is none. */
  private int firstFor(int load) {
    Candidates candidates = session.candidates(load);
    FleetNode first = candidates.first();
    return first == candidates.decline() ? -1 : first.index();
  }

  private boolean befriend(int load, BooleanSupplier mayMove) {
    int node = session.nodeOf(load);
    if (!session.averse(load, node) || !session.releasable(load)) {
      return false;
    }
    Board.Mark before = board.mark();
    session.release(load);
    int friendly = friendlyFor(load, node);
    if (friendly >= 0) {
      session.assign(load, friendly);
      if (mayMove.getAsBoolean()) {
        board.forget(before);
        return true;
      }
    }
    board.back(before);
    return false;
  }

  /**
   * The first friendly node for a workload that has left one; -1 where there is none. A member of a
   * gang stays in the domain of its gang.
   */
  private int friendlyFor(int load, int left) {
    Optional<String> within = session.workload(load).terms().gang().flatMap(Gang::within);
    Candidates candidates = session.candidates(load);
    if (within.isEmpty()) {
      FleetNode first = candidates.first();
      boolean friendly = first != candidates.decline() && !session.averse(load, first.index());
      return friendly ? first.index() : Board.NOWHERE;
    }
    Optional<String> domain = domain(fleet.node(left), within.get());
    for (FleetNode node : candidates) {
      if (domain.isEmpty() || session.averse(load, node.index())) {
        return Board.NOWHERE; // If one candidate is averse, all are.
      }
      if (domain.equals(domain(node, within.get()))) {
        return node.index();
      }
    }
    return Board.NOWHERE;
  }

  private static Optional<String> domain(FleetNode node, String level) {
    return node.domain(level).map(FleetDomain::name);
  }
}
