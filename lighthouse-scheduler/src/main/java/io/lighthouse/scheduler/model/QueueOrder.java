package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import java.util.Comparator;

/** The order of the queue: the most important first, then by time; what is left, by id. */
public enum QueueOrder implements Comparator<PendingExecution> {
  /** Of equal priority, the oldest first. */
  FIFO(Comparator.comparing(PendingExecution::queued)),
  /** Of equal priority, the newest first. */
  LIFO(Comparator.comparing(PendingExecution::queued).reversed());

  private final Comparator<PendingExecution> order;

  QueueOrder(Comparator<PendingExecution> byTime) {
    order =
        Comparator.comparingInt(PendingExecution::priority)
            .thenComparing(byTime)
            .thenComparing(PendingExecution::id, Names.order());
  }

  @Override
  public int compare(PendingExecution a, PendingExecution b) {
    return order.compare(a, b);
  }
}
