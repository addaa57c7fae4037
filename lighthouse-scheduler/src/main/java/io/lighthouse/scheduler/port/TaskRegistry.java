package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.List;

/**
 * The tasks that were launched and have not ended.
 *
 * <p>A registry promises: {@link #current} names a task once from the return of {@link #launched}
 * on. It does so until the task is reported to have ended, or {@link #refused} is called with it. A
 * task that never starts is reported as lost after some time.
 */
public interface TaskRegistry {
  /**
   * All of them.
   *
   * @return the tasks, in any order
   */
  List<Task> current();

  /**
   * Takes in tasks, before they are launched. A task that then never starts is to be reported as
   * lost, after some time. Where this throws, none of them is launched. A registry that throws must
   * not name them afterwards, or must report them as lost later.
   *
   * <p>A store that outlives the process records the tasks here, and with each job task the {@link
   * io.lighthouse.scheduler.model.RunningExecution#progress} of its execution, of which the task is
   * the current one already. If the process stops before the launch, the engine does not know the
   * task: it is lost, and the step runs under a new id. If it stops afterwards, the task is known
   * to have started. So no step runs twice.
   *
   * @param tasks what is about to be launched
   * @param when the time
   */
  void launched(List<Task> tasks, Instant when);

  /**
   * Forgets tasks that the cluster manager refused: they never ran, and use nothing. Unknown ones
   * are ignored. Their executions have already taken them back.
   *
   * @param tasks tasks of the same pass
   * @param when the time
   */
  void refused(List<Task> tasks, Instant when);
}
