package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import java.time.Instant;
import java.util.List;

/** Where it is recorded for good that work has been given a node. */
public interface ExecutionStore {
  /**
   * Records in one transaction that executions run and that others were cancelled, and removes all
   * of them from the queue. Wholly or not at all: where it throws, nothing has changed. Whether to
   * try again before it throws is its own business.
   *
   * @param placed what has been given a node
   * @param cancelled what was cancelled in the queue
   * @param when the time
   * @return the executions that run now, in the order given; without those that were no longer in
   *     the queue, or were cancelled there meanwhile
   */
  List<RunningExecution> commit(
      List<Placement> placed, List<PendingExecution> cancelled, Instant when);
}
