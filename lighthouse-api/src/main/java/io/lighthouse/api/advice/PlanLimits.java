package io.lighthouse.api.advice;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import java.util.Set;

/**
 * The limits of a plan. Immutable and thread-safe.
 *
 * @param mostMoves the most moves, 0 or more; new placements do not count
 * @param mostMoved the most of each resource that the moved workloads may require together, a
 *     workload counted once for each of its moves; resources that are not named are not limited. A
 *     resource that no workload requires limits nothing
 * @param pinned names of placed workloads that must not be moved
 * @param avoided names of nodes that take no moved or placed workloads
 * @param mostOfAGroup the most workloads of one aversion group that may be moved in one wave, 1 or
 *     more
 */
public record PlanLimits(
    int mostMoves, Resources mostMoved, Set<String> pinned, Set<String> avoided, int mostOfAGroup) {
  /** No limits. */
  public static final PlanLimits NONE =
      new PlanLimits(Integer.MAX_VALUE, Resources.none(), Set.of(), Set.of(), Integer.MAX_VALUE);

  /**
   * Checks, and copies.
   *
   * @throws InvalidInputException if a number is out of range
   */
  public PlanLimits {
    if (mostMoves < 0) {
      throw new InvalidInputException("limits", "moves", String.valueOf(mostMoves), "0 or more");
    }
    if (mostOfAGroup < 1) {
      throw new InvalidInputException(
          "limits", "of a group", String.valueOf(mostOfAGroup), "1 or more");
    }
    for (int i = 0; i < mostMoved.size(); i++) {
      if (mostMoved.quantity(i).signum() < 0) {
        throw new InvalidInputException(
            "limits", mostMoved.name(i), mostMoved.quantity(i).toString(), "0 or more");
      }
    }
    pinned = Names.setOf(pinned, "limits", "pinned");
    avoided = Names.setOf(avoided, "limits", "avoided");
  }

  /**
   * The same with another limit of moves.
   *
   * @param moves 0 or more
   * @return new limits
   */
  public PlanLimits withMoves(int moves) {
    return new PlanLimits(moves, mostMoved, pinned, avoided, mostOfAGroup);
  }

  /**
   * The same with other limits of the moved amounts.
   *
   * @param most the most of each resource
   * @return new limits
   */
  public PlanLimits withMoved(Resources most) {
    return new PlanLimits(mostMoves, most, pinned, avoided, mostOfAGroup);
  }

  /**
   * The same with these workloads pinned.
   *
   * @param workloads their names
   * @return new limits
   */
  public PlanLimits withPinned(Set<String> workloads) {
    return new PlanLimits(mostMoves, mostMoved, workloads, avoided, mostOfAGroup);
  }

  /**
   * The same with these nodes avoided.
   *
   * @param nodes their names
   * @return new limits
   */
  public PlanLimits withAvoided(Set<String> nodes) {
    return new PlanLimits(mostMoves, mostMoved, pinned, nodes, mostOfAGroup);
  }

  /**
   * The same with a disruption budget.
   *
   * @param most the most workloads of one aversion group in one wave
   * @return new limits
   */
  public PlanLimits withMostOfAGroup(int most) {
    return new PlanLimits(mostMoves, mostMoved, pinned, avoided, most);
  }
}
