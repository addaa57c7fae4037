package io.lighthouse.api.strategy;

import io.lighthouse.api.Workload;

/**
 * A batch that is being placed at once. Workloads go by their index in the batch as given, nodes by
 * their index in the fleet. Only workloads of the batch can be moved. Whatever is done here is
 * checked and accounted by the ledger, and can be taken back.
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
   * Where a workload of the batch is.
   *
   * @param workload from 0 to {@code size() - 1}
   * @return the index of its node, or -1
   */
  int nodeOf(int workload);

  /**
   * Whether a workload would fit a node now: not placed itself, the node open, everything there.
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
   * Whether a placed workload could leave its node: the others of the batch that are there could
   * have come one after the other without it. Always so where it gives nothing, that is, has no
   * requirement below 0; where others live on what it gives, it has to stay, and is not judged for
   * the aversion of its node ({@link BatchPlacer}). Changes nothing. Cost: constant where it gives
   * nothing; else linear in the batch, and a search where several on the node both give and take.
   *
   * @param workload from 0 to {@code size() - 1}, placed
   * @return true if nobody there needs it
   * @throws IllegalStateException if it is not placed
   */
  default boolean releasable(int workload) {
    return true;
  }

  /**
   * The nodes that a workload fits now: only friendly ones while there are any. Good until the next
   * change. Unlike the candidates that a placer is handed, they may be none; then every question
   * but iteration and {@link Candidates#decline} answers {@link Candidates#decline}.
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
   * Takes a workload of the batch from its node.
   *
   * @param workload from 0 to {@code size() - 1}, placed
   * @throws IllegalStateException if it is not placed
   */
  void release(int workload);

  /**
   * The present state, to come back to. Savepoints of one state, with no change in between, are one
   * savepoint: who forgets it forgets it for all.
   *
   * @return a savepoint for {@link #rollBack}
   */
  int savepoint();

  /**
   * Takes back everything since a savepoint. The savepoint stays good; later ones are gone.
   *
   * @param savepoint what {@link #savepoint} returned
   * @throws IllegalStateException if the savepoint is gone
   */
  void rollBack(int savepoint);

  /**
   * Forgets savepoints: what has been done stands. A search that makes savepoints and never comes
   * back to most of them should say so, since the way back to each is kept.
   *
   * @param savepoint what {@link #savepoint} returned; it and all later ones are gone afterwards
   * @throws IllegalStateException if the savepoint is gone already
   */
  default void forget(int savepoint) {}

  /**
   * What a workload requires, by the ids of {@link Amounts}.
   *
   * @param workload from 0 to {@code size() - 1}
   * @param into filled with the scaled requirement by resource id; {@link Amounts#ABSENT} where it
   *     requires nothing of a resource
   * @throws UnsupportedOperationException where the fleet has no {@link Fleet#amounts}
   */
  default void required(int workload, long[] into) {
    throw new UnsupportedOperationException("this session has no amounts in bulk");
  }

  /**
   * How many steps are left of the caller's budget: every call of {@link #fits}, {@link
   * #releasable}, {@link #candidates}, {@link #assign} and {@link #release} is one.
   *
   * @return 0 or more; {@link Long#MAX_VALUE} where there is no limit
   */
  default long stepsLeft() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether the caller's budget is over, in steps or in time. The calls that are steps throw {@link
   * BudgetOverException} from then on.
   *
   * @return true if it is
   */
  default boolean over() {
    return false;
  }

  /**
   * Keeps the present state: if the budget ends before the strategy does, this is the answer. Cost:
   * linear in the batch.
   */
  default void keep() {}

  /**
   * The older word for {@link #savepoint}.
   *
   * @return a savepoint
   * @deprecated say {@link #savepoint}
   */
  @Deprecated
  default int mark() {
    return savepoint();
  }

  /**
   * The older word for {@link #rollBack}.
   *
   * @param mark what {@link #mark} returned
   * @throws IllegalStateException if it is gone
   * @deprecated say {@link #rollBack}
   */
  @Deprecated
  default void back(int mark) {
    rollBack(mark);
  }
}
