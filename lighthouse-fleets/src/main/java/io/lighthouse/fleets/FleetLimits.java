package io.lighthouse.fleets;

import io.lighthouse.api.error.InvalidInputException;
import java.time.Duration;

/**
 * Limits of the fleets of a store. Immutable and thread-safe.
 *
 * @param fleets most fleets
 * @param nodes most nodes of a fleet
 * @param workloads most workloads of a fleet
 * @param turn most commands of one turn
 * @param waiting most commands that wait, of all fleets
 * @param waitingOfOne most commands that wait for one fleet
 * @param decision how long one decision may take
 * @param queue how long a command may wait for its decision: in the queue of its fleet, and behind
 *     other decisions of its turn
 * @param entries most entries of a log that are kept beyond what recovery needs, while they are
 *     older than a day
 * @param retention how long entries are kept beyond what recovery needs; at least a day
 */
public record FleetLimits(
    int fleets,
    int nodes,
    int workloads,
    int turn,
    int waiting,
    int waitingOfOne,
    Duration decision,
    Duration queue,
    long entries,
    Duration retention) {
  /** The longest time: its nanoseconds are a long. */
  private static final Duration MOST_TIME = Duration.ofHours(1_000_000);

  /** The defaults. */
  public static final FleetLimits STANDARD =
      new FleetLimits(
          1_000,
          100_000,
          200_000,
          1_024,
          10_000,
          5_000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          1_000_000,
          Duration.ofDays(7));

  /**
   * Checks.
   *
   * @throws InvalidInputException if a number is below 1, a time is zero or negative or more than
   *     1,000,000 hours, or the retention is below a day
   */
  public FleetLimits {
    require("fleets", fleets);
    require("nodes", nodes);
    require("workloads", workloads);
    require("turn", turn);
    require("waiting", waiting);
    require("waitingOfOne", waitingOfOne);
    require("decision", decision);
    require("queue", queue);
    require("entries", entries);
    if (retention.compareTo(Duration.ofDays(1)) < 0) {
      throw new InvalidInputException("limits", "retention", retention.toString(), "a day or more");
    }
    requireShort("retention", retention);
  }

  /**
   * The same with other sizes.
   *
   * @param ofFleets most fleets
   * @param ofNodes most nodes of a fleet
   * @param ofWorkloads most workloads of a fleet
   * @return new limits
   */
  public FleetLimits withSizes(int ofFleets, int ofNodes, int ofWorkloads) {
    return new FleetLimits(
        ofFleets,
        ofNodes,
        ofWorkloads,
        turn,
        waiting,
        waitingOfOne,
        decision,
        queue,
        entries,
        retention);
  }

  /**
   * The same with another turn, queue and time for a decision.
   *
   * @param ofTurn most commands of one turn
   * @param ofWaiting most commands that wait
   * @param ofDecision how long one decision may take
   * @return new limits
   */
  public FleetLimits withTurns(int ofTurn, int ofWaiting, Duration ofDecision) {
    return new FleetLimits(
        fleets,
        nodes,
        workloads,
        ofTurn,
        ofWaiting,
        waitingOfOne,
        ofDecision,
        queue,
        entries,
        retention);
  }

  /**
   * The same with another queue of each fleet.
   *
   * @param ofOne most commands that wait for one fleet
   * @param ofQueue how long a command may wait for its decision
   * @return new limits
   */
  public FleetLimits withQueue(int ofOne, Duration ofQueue) {
    return new FleetLimits(
        fleets, nodes, workloads, turn, waiting, ofOne, decision, ofQueue, entries, retention);
  }

  private static void require(String name, long value) {
    if (value < 1) {
      throw new InvalidInputException("limits", name, String.valueOf(value), "1 or more");
    }
  }

  private static void require(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new InvalidInputException("limits", name, value.toString(), "more than none");
    }
    requireShort(name, value);
  }

  private static void requireShort(String name, Duration value) {
    if (value.compareTo(MOST_TIME) > 0) {
      throw new InvalidInputException(
          "limits", name, value.toString(), "at most " + MOST_TIME.toHours() + "h");
    }
  }
}
