package io.lighthouse.api;

import java.util.List;

/**
 * Moves that carry a fleet from here to there, in an order in which each is feasible at its turn.
 * Nothing has been done yet: {@link Distributor#apply(Plan)} carries it out.
 *
 * <p>The changes of one wave may be carried out at the same time, in any order: no node is both
 * left and taken in it, and nobody in it gives room or ignores a lack of it unless it is alone.
 *
 * @param goal what was asked for
 * @param generation that of the fleet it was made for
 * @param waves the changes, wave by wave; moves, and placements of new workloads
 * @param unmet names of what was asked for and is not reached: of workloads without a node, nodes
 *     that still hold somebody, workloads that still are on an averse node; in the order of the
 *     fleet
 * @param before the fleet as it is
 * @param after the fleet as it will be
 * @param bound what no plan could do better than, within these limits
 */
public record Plan(
    PlanGoal goal,
    long generation,
    List<List<Change>> waves,
    List<String> unmet,
    Figures before,
    Figures after,
    Bound bound) {
  /** Copies. */
  public Plan {
    waves = waves.stream().map(List::copyOf).toList();
    unmet = List.copyOf(unmet);
  }

  /**
   * All changes, in an order in which each is feasible at its turn. To carry out a plan that is
   * stale, each of them checked in the state that is there by then, {@link Distributor#apply(List)
   * apply} these.
   *
   * @return the changes of all waves
   */
  public List<Change> changes() {
    return waves.stream().flatMap(List::stream).toList();
  }

  /**
   * How many workloads change their node.
   *
   * @return the number of moves; new placements do not count
   */
  public long moves() {
    return changes().stream().filter(Change.Move.class::isInstance).count();
  }

  /**
   * Whether no plan could do better within these limits, which is proven.
   *
   * @return false where that is not known
   */
  public boolean optimal() {
    return bound.reached();
  }

  /**
   * A fleet in figures.
   *
   * @param placed how many workloads are placed
   * @param nodesInUse how many nodes hold somebody
   * @param fullest the largest share of a resource in use on any node, in parts of one, rounded up
   *     at the ninth digit; 0 where nothing is measurable
   * @param averse how many workloads are on a node that holds another one of a group of theirs
   */
  public record Figures(int placed, int nodesInUse, Quantity fullest, int averse) {}

  /**
   * What no plan could do better than.
   *
   * @param figure what is counted: {@code placed}, {@code emptied}, {@code nodesInUse}, {@code
   *     fullest}, {@code moved} or {@code averse}
   * @param best the best that could be; the highest for what is placed, emptied or moved, else the
   *     lowest
   * @param reached whether the plan reaches it
   */
  public record Bound(String figure, Quantity best, boolean reached) {}
}
