package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.List;

/**
 * Tasks that run somewhere in the cluster and come before all new work.
 *
 * <p>Promised: each task once, and one that was launched is not due again until it has ended or was
 * refused. As long as one is due and finds no place, nothing new is placed.
 */
@FunctionalInterface
public interface SystemTasks {
  /**
   * What is due and not yet launched. A task that finds no place is proposed again, under the same
   * id.
   *
   * @param when the time
   * @return system tasks, the most urgent first
   */
  List<Task> due(Instant when);
}
