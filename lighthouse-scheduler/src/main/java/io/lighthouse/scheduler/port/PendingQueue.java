package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.QueueOrder;
import java.util.List;
import java.util.Set;

/**
 * Work that waits. What leaves the queue leaves it through {@link ExecutionStore#commit}.
 *
 * <p>Promised: each id once, never more entries than the limit, none of an excluded type, and none
 * that a commit has taken (read your writes). Entries that do not fit stay where they are, so the
 * same head is read in each pass until something changes.
 */
public interface PendingQueue {
  /**
   * Cancelled entries, whatever their type.
   *
   * @param limit the most to return
   * @return cancelled entries
   */
  List<PendingExecution> cancelled(int limit);

  /**
   * The head of the queue.
   *
   * @param order the order
   * @param excluded names of job types to leave out
   * @param limit the most to return
   * @return the first entries of other types that are not cancelled, in order
   */
  List<PendingExecution> head(QueueOrder order, Set<String> excluded, int limit);
}
