package io.lighthouse.api.strategy;

import java.util.Comparator;

/**
 * The nodes that a workload fits at its turn: only friendly ones while there are any, else all that
 * fit; never cordoned ones. There is at least one. Iteration visits every candidate, in the order
 * of nodes.
 *
 * <p>{@link #first()}, {@link #firstAfter} and {@link #first(NodeOrder)} are answered by the index
 * without visiting the nodes before. They allocate nothing. May be used only during the call of
 * {@link Placer#choose} that it was handed to, by the same thread.
 */
public interface Candidates extends Iterable<FleetNode> {
  /**
   * The first, in the order of nodes.
   *
   * @return a candidate
   */
  FleetNode first();

  /**
   * The first at or behind the node just after an index, wrapping round once; the node at the index
   * comes last.
   *
   * @param index the index of a node, or -1 for before the first; see {@link Fleet#lastPlaced}
   * @return a candidate
   * @throws IndexOutOfBoundsException if there is no such index
   */
  FleetNode firstAfter(int index);

  /**
   * The first in an order that the fleet keeps.
   *
   * @param order an order of the same fleet
   * @return a candidate
   * @throws IllegalArgumentException if the order is of another fleet
   */
  FleetNode first(NodeOrder order);

  /**
   * The one whose fullest resource would be the emptiest with the workload on it ("worst fit" by
   * the largest share in use). Counted are the node's resources with a finite capacity above 0,
   * each by what would be in use of it as a share of its capacity, in parts of 2^30, rounded down;
   * of equal ones the first in the order of nodes. Answered by an index of loads, which looks at a
   * few nodes only.
   *
   * @return a candidate
   * @throws UnsupportedOperationException where there is no such index
   */
  default FleetNode emptiest() {
    throw new UnsupportedOperationException("these candidates have no index of loads");
  }

  /**
   * The one whose resources would be in use most evenly with the workload on it: with the least
   * variance of their shares. Shares are counted as by {@link #emptiest}, in parts of 2^24, and
   * their variance in parts of 2^22, rounded to the nearest; of equal ones the first in the order
   * of nodes. Answered by an index of loads, which looks at a few nodes only where many nodes have
   * the same capacity, and at most of them where each has its own.
   *
   * @return a candidate
   * @throws UnsupportedOperationException where there is no such index
   */
  default FleetNode mostEven() {
    throw new UnsupportedOperationException("these candidates have no index of loads");
  }

  /**
   * The smallest by a comparator; of equal ones the first in the order of nodes. Visits every
   * candidate.
   *
   * @param comparator compares two candidates
   * @return a candidate
   */
  FleetNode best(Comparator<? super FleetNode> comparator);

  /**
   * The answer of a strategy that wants none of them. A failure unless {@link
   * PlacementStrategy#mayDecline}.
   *
   * @return what to return from {@link Placer#choose}; no candidate
   */
  FleetNode decline();
}
