package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import java.time.Instant;
import java.util.List;

/**
 * Where it is recorded for good that work has been given a node.
 *
 * <p>Promised: a call changes all that it answers or, where it throws, nothing. What it has
 * committed is out of {@link PendingQueue} when the call returns, and what it has put back is in it
 * (read your writes). Whether to try again before it throws is its own business. An answer of null
 * breaks the contract: what was committed is then not started until the running executions name it.
 */
public interface ExecutionStore {
  /**
   * Records in one transaction that executions run and that others were cancelled, and removes all
   * of them from the queue. Wholly or not at all: where it throws, nothing has changed.
   *
   * @param placed what has been given a node
   * @param cancelled what was cancelled in the queue
   * @param when the time
   * @return the executions of {@code placed} that run now, in the order given; without those that
   *     were no longer in the queue, or were cancelled there meanwhile
   */
  List<RunningExecution> commit(
      List<Placement> placed, List<PendingExecution> cancelled, Instant when);

  /**
   * Puts executions back into the queue because their node has refused their tasks again and again.
   * They keep their id, their priority and the time at which they were first queued. They start
   * from their first step when they are placed again. Wholly or not at all.
   *
   * <p>Ids of tasks are unique for good, so the store also records how many tasks were started
   * ({@link RunningExecution.Progress#attempts}). The next {@link #commit} goes on from that
   * number, with {@link RunningExecution#resume}.
   *
   * @param executions executions of which nothing runs
   * @param when the time
   * @return those that are in the queue now and run no longer, in the order given. Executions that
   *     are over by now are left out. So are those for which the queue has no room: they stay where
   *     they are, and are launched there again. A store that puts nothing back returns none
   */
  default List<RunningExecution> requeue(List<RunningExecution> executions, Instant when) {
    return List.of();
  }
}
