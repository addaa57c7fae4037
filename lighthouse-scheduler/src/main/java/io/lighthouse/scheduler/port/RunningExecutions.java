package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.RunningExecution;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** The executions that have been given a node and are not finished. */
public interface RunningExecutions {
  /**
   * All of them.
   *
   * @return the executions, best in the order {@link RunningExecution#MOST_IMPORTANT_FIRST}:
   *     sorting them is then cheap
   */
  List<RunningExecution> snapshot();

  /**
   * Takes in executions that the store has committed. One that is known already is ignored.
   *
   * @param executions the new ones
   */
  void add(List<RunningExecution> executions);

  /**
   * Fails executions. Those that are then finished are removed and cleaned up; of the others, the
   * current task is to be killed, and they are finished when it ends.
   *
   * @param executions whom
   * @param cause why: {@code node-lost} or {@code resource-starvation}
   * @param when the time
   */
  void fail(Collection<RunningExecution> executions, String cause, Instant when);

  /**
   * Removes and cleans up executions that a pass found finished: they were cancelled or failed
   * while their task was being launched, and the launch came to nothing.
   *
   * @param executions whom
   * @param when the time
   */
  void finished(Collection<RunningExecution> executions, Instant when);
}
