package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.RunningExecution;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * The executions that have been given a node and are not finished.
 *
 * <p>Promises: {@link #snapshot} names what {@link #add} took in until it is finished or put back
 * into the queue. It returns the same object each time, so that all see a task that the manager
 * started as the current one. When {@link #fail} returns, its executions have the status {@link
 * RunningExecution.Status#FAILED}.
 */
public interface RunningExecutions {
  /**
   * All of them.
   *
   * @return the executions, best in the order {@link RunningExecution#MOST_IMPORTANT_FIRST}:
   *     sorting them is then cheap
   */
  List<RunningExecution> snapshot();

  /**
   * Takes in executions that the store has committed. One that is known already, or over, is
   * ignored.
   *
   * @param executions the new ones
   */
  void add(List<RunningExecution> executions);

  /**
   * Fails executions. Those that are then finished are removed and cleaned up; of the others, the
   * current task is to be killed, and they are finished when it ends.
   *
   * @param executions the executions that fail
   * @param cause the reason: {@code node-lost} or {@code resource-starvation}
   * @param when the time
   */
  void fail(Collection<RunningExecution> executions, String cause, Instant when);

  /**
   * Removes executions that a pass found finished, and cleans up after them: they were cancelled or
   * failed while their task was being launched, and the launch came to nothing. Those that went
   * back to the queue are only removed. One that is known no longer is ignored.
   *
   * @param executions the executions that are over
   * @param when the time
   */
  void finished(Collection<RunningExecution> executions, Instant when);
}
