package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.List;

/** The tasks that were launched and have not ended. */
public interface TaskRegistry {
  /**
   * All of them.
   *
   * @return the tasks, in any order
   */
  List<Task> current();

  /**
   * Takes in tasks, before the cluster manager hears of them. A task that then never starts is to
   * be reported as lost, after some time.
   *
   * @param tasks what is about to be launched
   * @param when the time
   */
  void launched(List<Task> tasks, Instant when);
}
