package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.List;

/**
 * The tasks that were launched and have not ended.
 *
 * <p>Promised: what {@link #launched} took in is in {@link #current} from its return until the task
 * is reported to have ended or {@link #refused} is told of it; a task is there at most once; one
 * that never starts is reported as lost, after some time.
 */
public interface TaskRegistry {
  /**
   * All of them.
   *
   * @return the tasks, in any order
   */
  List<Task> current();

  /**
   * Takes in tasks, before the cluster manager hears of them. A task that then never starts is to
   * be reported as lost, after some time. Where it throws, none of them is launched.
   *
   * @param tasks what is about to be launched
   * @param when the time
   */
  void launched(List<Task> tasks, Instant when);

  /**
   * Forgets tasks that the cluster manager refused: they never ran, and use nothing. Unknown ones
   * are ignored. Their executions have been told already.
   *
   * @param tasks tasks of the same pass
   * @param when the time
   */
  void refused(List<Task> tasks, Instant when);
}
