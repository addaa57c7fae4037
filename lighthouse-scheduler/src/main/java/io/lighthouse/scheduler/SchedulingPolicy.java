package io.lighthouse.scheduler;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.model.QueueOrder;
import java.time.Duration;
import java.util.Objects;

/**
 * The policy of a scheduling manager. Immutable.
 *
 * @param queueWindow the most entries of the queue that a pass looks at, placed or not; at least 1
 * @param order the order of entries of equal priority
 * @param shortagePasses in how many passes in a row a task must have waited for its node to be
 *     reported as short; at least 1
 * @param reserve whether a node is kept free for work that fits nowhere now
 * @param starvation how long an execution may wait for its next task before it is failed
 * @param nodeGrace how long the node of an execution may be away, not ready or not named, before
 *     the execution is lost; a node that connects under another agent has no grace
 * @param refusals what becomes of executions whose node refuses to launch them
 * @param nodeChoice how the node of an execution from the queue is chosen
 */
public record SchedulingPolicy(
    int queueWindow,
    QueueOrder order,
    int shortagePasses,
    boolean reserve,
    Duration starvation,
    Duration nodeGrace,
    Refusals refusals,
    NodeChoice nodeChoice) {

  /**
   * After {@code most} refusals in a row by one node, an execution goes back to the queue, and
   * avoids the node for a while. Kept in memory: a new manager starts to count anew.
   *
   * @param most the refusals; at least 1
   * @param avoidance for how long the node is avoided
   */
  public record Refusals(int most, Duration avoidance) {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the number is below 1 or the duration is negative
     */
    public Refusals {
      if (most < 1) {
        throw wrong("refusals.most", most, "1 or more");
      }
      notNegative("refusals.avoidance", avoidance);
    }
  }

  /**
   * Scale's: 500 entries, the oldest first, 10 passes, reserving, 10 minutes, no grace, fewest
   * types left. Beside it, 3 refusals and 10 minutes of avoidance.
   */
  public static final SchedulingPolicy DEFAULT =
      new SchedulingPolicy(
          500,
          QueueOrder.FIFO,
          10,
          true,
          Duration.ofMinutes(10),
          Duration.ZERO,
          new Refusals(3, Duration.ofMinutes(10)),
          NodeChoice.fewestTypesLeft());

  /**
   * Checks.
   *
   * @throws InvalidInputException if a number is below 1 or a duration is negative
   */
  public SchedulingPolicy {
    if (queueWindow < 1) {
      throw wrong("queueWindow", queueWindow, "1 or more");
    }
    if (shortagePasses < 1) {
      throw wrong("shortagePasses", shortagePasses, "1 or more");
    }
    notNegative("starvation", starvation);
    notNegative("nodeGrace", nodeGrace);
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(refusals, "refusals");
    Objects.requireNonNull(nodeChoice, "nodeChoice");
  }

  /**
   * The same with another window.
   *
   * @param entries the most entries of the queue that a pass looks at
   * @return a new policy
   * @throws InvalidInputException as the constructor
   */
  public SchedulingPolicy withQueueWindow(int entries) {
    return new SchedulingPolicy(
        entries, order, shortagePasses, reserve, starvation, nodeGrace, refusals, nodeChoice);
  }

  /**
   * The same with another order of the queue.
   *
   * @param other the order of entries of equal priority
   * @return a new policy
   */
  public SchedulingPolicy withOrder(QueueOrder other) {
    return new SchedulingPolicy(
        queueWindow, other, shortagePasses, reserve, starvation, nodeGrace, refusals, nodeChoice);
  }

  /**
   * The same, reserving or not.
   *
   * @param wanted whether a node is kept free for work that fits nowhere now
   * @return a new policy
   */
  public SchedulingPolicy withReserve(boolean wanted) {
    return new SchedulingPolicy(
        queueWindow, order, shortagePasses, wanted, starvation, nodeGrace, refusals, nodeChoice);
  }

  /**
   * The same with another grace for nodes.
   *
   * @param grace how long a node may be away before its executions are lost
   * @return a new policy
   * @throws InvalidInputException as the constructor
   */
  public SchedulingPolicy withNodeGrace(Duration grace) {
    return new SchedulingPolicy(
        queueWindow, order, shortagePasses, reserve, starvation, grace, refusals, nodeChoice);
  }

  /**
   * The same with another way to meet refusals.
   *
   * @param other what becomes of executions whose node refuses them
   * @return a new policy
   */
  public SchedulingPolicy withRefusals(Refusals other) {
    return new SchedulingPolicy(
        queueWindow, order, shortagePasses, reserve, starvation, nodeGrace, other, nodeChoice);
  }

  /**
   * The same with another choice of nodes.
   *
   * @param other how the node of an execution from the queue is chosen
   * @return a new policy
   */
  public SchedulingPolicy withNodeChoice(NodeChoice other) {
    return new SchedulingPolicy(
        queueWindow, order, shortagePasses, reserve, starvation, nodeGrace, refusals, other);
  }

  private static void notNegative(String field, Duration duration) {
    if (Objects.requireNonNull(duration, field).isNegative()) {
      throw wrong(field, duration, "no negative duration");
    }
  }

  private static InvalidInputException wrong(String field, Object found, String allowed) {
    return new InvalidInputException("scheduling policy", field, found.toString(), allowed);
  }
}
