package io.lighthouse.api.strategy;

import io.lighthouse.api.Workload;

/**
 * A placer that looks at the whole batch at once: for search, moves, look-ahead. The engine judges
 * the final state: no refused workload fits anywhere (unless the strategy may decline), and none
 * sits on an averse node while a friendly one fits and the others there can spare it ({@link
 * Session#releasable}). Anything else is a failure, and is rolled back.
 *
 * <p>Rules that are judged at the turn alone ({@code least}, {@code skew} and those of plug-ins)
 * may have let a workload in beside one that was taken away again. The engine looks for an order of
 * the batch in which each fits at its turn, and tells it so; whoever fits at none that it tries
 * comes anew, to the first node that it fits, or is refused. Nobody is to blame for that, nor for
 * the aversion of a node that a workload could leave only if others came anew.
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
   * Not asked: a batch placer places whole batches.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  default FleetNode choose(Workload workload, Candidates candidates) {
    throw new UnsupportedOperationException("a batch placer places whole batches");
  }
}
