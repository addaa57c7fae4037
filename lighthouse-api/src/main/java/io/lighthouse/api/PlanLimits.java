package io.lighthouse.api;

import java.util.Set;

/**
 * What a plan may do. Immutable and thread-safe.
 *
 * @param mostMoves how many moves it may have, 0 or more; new placements do not count
 * @param mostMoved how much of each resource the moved workloads may require together, a workload
 *     counted once for each of its moves; what is not named is not limited
 * @param pinned names of placed workloads that stay where they are
 * @param avoided names of nodes that nobody is moved or placed to
 * @param mostOfAGroup how many workloads of one aversion group may be on their way at the same
 *     time, that is, moved in one wave; 1 or more
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
    pinned = SortedNames.copyOf(pinned, "limits", "pinned");
    avoided = SortedNames.copyOf(avoided, "limits", "avoided");
  }

  /**
   * The same with a limit of moves.
   *
   * @param moves 0 or more
   * @return new limits
   */
  public PlanLimits withMoves(int moves) {
    return new PlanLimits(moves, mostMoved, pinned, avoided, mostOfAGroup);
  }

  /**
   * The same with a limit to what is moved.
   *
   * @param most of each resource
   * @return new limits
   */
  public PlanLimits withMoved(Resources most) {
    return new PlanLimits(mostMoves, most, pinned, avoided, mostOfAGroup);
  }

  /**
   * The same with workloads that stay.
   *
   * @param workloads their names
   * @return new limits
   */
  public PlanLimits withPinned(Set<String> workloads) {
    return new PlanLimits(mostMoves, mostMoved, workloads, avoided, mostOfAGroup);
  }

  /**
   * The same with nodes that take nobody.
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
   * @param most how many of one aversion group are moved in one wave
   * @return new limits
   */
  public PlanLimits withMostOfAGroup(int most) {
    return new PlanLimits(mostMoves, mostMoved, pinned, avoided, most);
  }
}
