package io.lighthouse.api.strategy;

import io.lighthouse.api.Workload;

/**
 * A placer that looks at the whole batch at once: for search, moves, look-ahead. The engine judges
 * the final state: no refused workload fits anywhere (unless the strategy may decline), and none
 * sits on an averse node while a friendly one fits and the others there can spare it ({@link
 * Session#releasable}). Anything else is a failure, and is rolled back.
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
