package io.lighthouse.api.strategy;

import io.lighthouse.api.Workload;
import java.util.function.BooleanSupplier;

/**
 * A batch that is placed as a whole. Workloads are identified by their index in the batch as given,
 * nodes by their index in the fleet. Only workloads of the batch can be moved. The ledger checks
 * and accounts every change made here, and can roll it back.
 */
public interface Session {
  /**
   * The number of workloads in the batch.
   *
   * @return 0 or more
   */
  int size();

  /**
   * A workload of the batch.
   *
   * @param workload from 0 to {@code size() - 1}
   * @return the workload
   */
  Workload workload(int workload);

  /**
   * The node of a workload of the batch.
   *
   * @param workload from 0 to {@code size() - 1}
   * @return the index of its node, or -1 if it is not placed
   */
  int nodeOf(int workload);

  /**
   * Whether a workload fits a node now.
   *
   * @param workload from 0 to {@code size() - 1}, not placed
   * @param node the index of a node
   * @return true if it fits
   */
  boolean fits(int workload, int node);

  /**
   * Whether a node holds another workload that shares an aversion group with this one.
   *
   * @param workload from 0 to {@code size() - 1}
   * @param node the index of a node
   * @return true if the node is averse to it
   */
  boolean averse(int workload, int node);

  /**
   * Whether a placed workload could leave its node: the other workloads of the batch there could
   * have been placed one after the other without it. This is always true for a workload without
   * requirements below 0. If others depend on what its negative requirements add, it must stay, and
   * the engine accepts an averse node for it ({@link BatchPlacer}). Changes nothing. Cost: constant
   * without negative requirements, else linear in the batch. If several workloads on the node have
   * both negative and positive requirements, a search is added.
   *
   * @param workload from 0 to {@code size() - 1}, placed
   * @return true if no other workload there needs it
   * @throws IllegalStateException if it is not placed
   */
  default boolean releasable(int workload) {
    return true;
  }

  /**
   * The nodes that a workload fits now: the friendly ones if there are any, else all. Valid until
   * the next change. Unlike the candidates passed to a placer, they may be empty. Then every method
   * that chooses a node returns {@link Candidates#decline}, and iteration visits none.
   *
   * @param workload from 0 to {@code size() - 1}, not placed
   * @return the candidates
   */
  Candidates candidates(int workload);

  /**
   * Places a workload on a node that it fits.
   *
   * @param workload from 0 to {@code size() - 1}, not placed
   * @param node the index of a node
   * @throws IllegalStateException if it does not fit, or is placed already
   */
  void assign(int workload, int node);

  /**
   * Removes a workload of the batch from its node.
   *
   * @param workload from 0 to {@code size() - 1}, placed
   * @throws IllegalStateException if it is not placed
   */
  void release(int workload);

  /**
   * Places the batch one by one, as the engine does for a strategy with this placer. Workloads take
   * their turns in the placer's {@linkplain Placer#order order}, gangs as a whole. Every choice is
   * checked, and a wrong one is a failure of the strategy, even if it catches the exception. So a
   * search can begin with the answer of a simple rule, or return to it. {@link Fleet#lastPlaced}
   * begins with its value before the batch. Each turn is one step, and so is each attempt to place
   * a member of a gang. A run of equal workloads that {@link Placer#FIRST} puts on one node is one
   * turn.
   *
   * @param placer chooses the nodes; not a {@link BatchPlacer}. It must not use this session
   * @throws IllegalStateException if a workload of the batch is placed
   * @throws IllegalArgumentException if it is a {@link BatchPlacer}
   * @throws BudgetOverException if the budget is spent; some workloads may be placed then
   * @throws UnsupportedOperationException if this session cannot do that
   */
  default void placeInTurn(Placer placer) {
    placeInTurn(placer, () -> true);
  }

  /**
   * Does the same, and may stop early: so a search does not wait for the end of an answer that it
   * can no longer use. Where it has stopped, the later workloads have no node, and a gang may be
   * placed in part.
   *
   * @param placer chooses the nodes; not a {@link BatchPlacer}. It must not use this session
   * @param goesOn called before each turn; false stops. It must not use this session
   * @throws IllegalStateException if a workload of the batch is placed
   * @throws IllegalArgumentException if it is a {@link BatchPlacer}
   * @throws BudgetOverException if the budget is spent; some workloads may be placed then
   * @throws UnsupportedOperationException if this session cannot do that
   */
  default void placeInTurn(Placer placer, BooleanSupplier goesOn) {
    throw new UnsupportedOperationException("this session does not place in turn");
  }

  /**
   * Turns the present state into the answer that the engine would make of it. Gangs that are placed
   * in part, or in more than one domain, lose their nodes, and other workloads may get these. Rules
   * that are judged at a workload's turn alone may cost a workload its node ({@link BatchPlacer}).
   * Afterwards {@link #nodeOf} returns the nodes that count. One step. Cost: linear in the nodes
   * and the batch; with such rules or gangs, that of placing the batch several times.
   *
   * @throws BudgetOverException if the budget is spent
   */
  default void settle() {}

  /**
   * Marks the present state, to be restored by {@link #rollBack}. Savepoints without a change in
   * between are one savepoint: forgetting one of them forgets all.
   *
   * @return a savepoint for {@link #rollBack}
   */
  int savepoint();

  /**
   * Takes back everything since a savepoint. The savepoint stays valid; later ones become invalid.
   *
   * @param savepoint what {@link #savepoint} returned
   * @throws IllegalStateException if the savepoint is invalid
   */
  void rollBack(int savepoint);

  /**
   * Forgets savepoints; the changes since then stay. A search that never returns to most of its
   * savepoints should forget them, since the way back to each of them takes memory.
   *
   * @param savepoint what {@link #savepoint} returned; it and all later ones are invalid afterwards
   * @throws IllegalStateException if the savepoint is invalid already
   */
  default void forget(int savepoint) {}

  /**
   * What a workload requires, by the ids of {@link Amounts}.
   *
   * @param workload from 0 to {@code size() - 1}
   * @param into filled with the scaled requirement by resource id; {@link Amounts#ABSENT} for a
   *     resource that it does not require
   * @throws UnsupportedOperationException if the fleet has no {@link Fleet#amounts}
   */
  default void required(int workload, long[] into) {
    throw new UnsupportedOperationException("this session has no amounts in bulk");
  }

  /**
   * How many steps of the caller's budget are left. Every call of {@link #fits}, {@link
   * #releasable}, {@link #candidates}, {@link #assign}, {@link #release} and {@link #settle} is one
   * step; {@link #placeInTurn} takes one for each turn.
   *
   * @return 0 or more; {@link Long#MAX_VALUE} if there is no limit
   */
  default long stepsLeft() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether the caller's budget is spent, in steps or in time. From then on, the calls that count
   * as steps throw {@link BudgetOverException}.
   *
   * @return true if it is
   */
  default boolean over() {
    return false;
  }

  /**
   * Keeps the present state as the answer if the budget is spent before the strategy returns. Cost:
   * linear in the batch.
   */
  default void keep() {}
}
