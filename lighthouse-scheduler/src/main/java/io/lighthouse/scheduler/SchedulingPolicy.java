package io.lighthouse.scheduler;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.scheduler.model.QueueOrder;
import java.time.Duration;

/**
 * What a scheduling manager can be told. Immutable.
 *
 * @param queueWindow the most entries of the queue that a pass looks at, placed or not; at least 1
 * @param order the order of entries of equal priority
 * @param shortagePasses in how many passes in a row a task must have waited for its node to be
 *     reported as short; at least 1
 * @param reserve whether a node is kept free for work that fits nowhere now
 * @param starvation how long an execution may wait for its next task before it is failed
 * @param nodeChoice how the node of an execution from the queue is chosen
 */
public record SchedulingPolicy(
    int queueWindow,
    QueueOrder order,
    int shortagePasses,
    boolean reserve,
    Duration starvation,
    NodeChoice nodeChoice) {
  /**
   * Scale's: 500 entries, the oldest first, 10 passes, reserving, 10 minutes, fewest types left.
   */
  public static final SchedulingPolicy DEFAULT =
      new SchedulingPolicy(
          500, QueueOrder.FIFO, 10, true, Duration.ofMinutes(10), NodeChoice.fewestTypesLeft());

  /**
   * Checks.
   *
   * @throws InvalidInputException if a number is below 1 or the duration is negative
   */
  public SchedulingPolicy {
    if (queueWindow < 1) {
      throw wrong("queueWindow", queueWindow, "1 or more");
    }
    if (shortagePasses < 1) {
      throw wrong("shortagePasses", shortagePasses, "1 or more");
    }
    if (starvation.isNegative()) {
      throw wrong("starvation", starvation, "no negative duration");
    }
  }

  /**
   * The same with another window.
   *
   * @param entries the most entries of the queue that a pass looks at
   * @return a new policy
   * @throws InvalidInputException as the constructor
   */
  public SchedulingPolicy withQueueWindow(int entries) {
    return new SchedulingPolicy(entries, order, shortagePasses, reserve, starvation, nodeChoice);
  }

  /**
   * The same with another order of the queue.
   *
   * @param other the order of entries of equal priority
   * @return a new policy
   */
  public SchedulingPolicy withOrder(QueueOrder other) {
    return new SchedulingPolicy(
        queueWindow, other, shortagePasses, reserve, starvation, nodeChoice);
  }

  /**
   * The same, reserving or not.
   *
   * @param wanted whether a node is kept free for work that fits nowhere now
   * @return a new policy
   */
  public SchedulingPolicy withReserve(boolean wanted) {
    return new SchedulingPolicy(queueWindow, order, shortagePasses, wanted, starvation, nodeChoice);
  }

  /**
   * The same with another choice of nodes.
   *
   * @param other how the node of an execution from the queue is chosen
   * @return a new policy
   */
  public SchedulingPolicy withNodeChoice(NodeChoice other) {
    return new SchedulingPolicy(queueWindow, order, shortagePasses, reserve, starvation, other);
  }

  private static InvalidInputException wrong(String field, Object found, String allowed) {
    return new InvalidInputException("scheduling policy", field, found.toString(), allowed);
  }
}
