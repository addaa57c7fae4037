package io.lighthouse.api.strategy;

import io.lighthouse.api.Workload;

/**
 * A placer for the whole batch at once: for searches, moves and look-ahead. The engine verifies the
 * final state by two conditions:
 *
 * <ul>
 *   <li>No refused workload fits any node, unless the strategy may decline.
 *   <li>No workload is on an averse node while a friendly one fits and the workload is {@linkplain
 *       Session#releasable releasable}.
 * </ul>
 *
 * <p>Any other state is a failure of the strategy, and is rolled back.
 *
 * <p>Some rules are evaluated only at a workload's turn: {@code least}, {@code skew} and those of
 * plug-ins. They may have admitted a workload beside another one that was released later. The
 * engine therefore searches for an order of the batch in which each workload fits at its turn, and
 * reports the changes in that order. A workload that fits in none of the orders tried is placed
 * again, on the first node that it fits, or refused. That is not a failure of the strategy. Neither
 * is an averse node that a workload could leave only if other workloads were placed again.
 */
@FunctionalInterface
public interface BatchPlacer extends Placer {
  /**
   * Places the workloads of a batch, by {@link Session#assign} and {@link Session#release}.
   *
   * @param session the batch; may be used only during this call, by the same thread
   */
  void place(Session session);

  /**
   * Never called: a batch placer places whole batches.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  default FleetNode choose(Workload workload, Candidates candidates) {
    throw new UnsupportedOperationException("a batch placer places whole batches");
  }
}
