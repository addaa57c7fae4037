package io.lighthouse.scheduler.memory;

import io.lighthouse.scheduler.model.Task;
import java.time.Instant;

/** Receives what becomes of tasks. Called outside of the lock of {@link InMemoryTasks}. */
public interface TaskListener {
  /** How a task ended. */
  enum End {
    /** As it should. */
    FINISHED,
    /** With an error. */
    FAILED,
    /** By our wish, or that of the cluster manager. */
    KILLED,
    /** Unknown: it never started, or its node is gone. It may be tried again. */
    LOST,
    /** It never ran: the cluster manager refused it. It may be tried again. */
    REFUSED
  }

  /**
   * A task is about to be launched. It is not registered yet: {@link InMemoryTasks} does not know
   * it before all listeners have returned. Where a listener throws, no task of the call is
   * launched, and {@link #ended} is called with {@link End#REFUSED} for each call that has
   * returned.
   *
   * @param task the task
   * @param when the time
   */
  default void launched(Task task, Instant when) {}

  /**
   * A task has ended.
   *
   * @param task the task
   * @param end how
   * @param when the time
   */
  default void ended(Task task, End end, Instant when) {}
}
