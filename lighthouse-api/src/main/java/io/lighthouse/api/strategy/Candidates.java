package io.lighthouse.api.strategy;

import java.util.Comparator;

/**
 * The nodes that a workload fits at its turn: the friendly ones if there are any, else all that
 * fit. They are never cordoned, and there is at least one. Iteration visits every candidate, in the
 * order of nodes.
 *
 * <p>{@link #first()}, {@link #firstAfter} and {@link #first(NodeOrder)} use an index: they do not
 * visit the nodes before the result, and allocate nothing. Candidates may be used only during the
 * call of {@link Placer#choose} that received them, by the same thread.
 */
public interface Candidates extends Iterable<FleetNode> {
  /**
   * The first candidate in the order of nodes.
   *
   * @return a candidate
   */
  FleetNode first();

  /**
   * The first candidate after an index, wrapping round once. The node at the index itself comes
   * last.
   *
   * @param index the index of a node, or -1 for before the first; see {@link Fleet#lastPlaced}
   * @return a candidate
   * @throws IndexOutOfBoundsException if there is no such index
   */
  FleetNode firstAfter(int index);

  /**
   * The first candidate in an order that the fleet maintains.
   *
   * @param order an order of the same fleet
   * @return a candidate
   * @throws IllegalArgumentException if the order is of another fleet
   */
  FleetNode first(NodeOrder order);

  /**
   * The candidate whose fullest resource would be the emptiest with the workload on it ("worst fit"
   * by the largest share in use). Only the node's resources with a finite capacity above 0 count. A
   * share is the amount in use with the workload, divided by the capacity, in parts of 2^30,
   * rounded down. Of equal candidates it is the first in the order of nodes. Cost: an index of
   * loads visits a few nodes only.
   *
   * @return a candidate
   * @throws UnsupportedOperationException where there is no such index
   */
  default FleetNode emptiest() {
    throw new UnsupportedOperationException("these candidates have no index of loads");
  }

  /**
   * The candidate whose resources would be in use most evenly with the workload on it: with the
   * least variance of their shares. Shares are those of {@link #emptiest}, in parts of 2^24. Their
   * variance is in parts of 2^22, rounded to the nearest. A deviation from the mean of more than 16
   * times the capacity counts as that. Of equal candidates it is the first in the order of nodes.
   * Cost: an index of loads visits a few nodes only. If all capacities differ, it also compares the
   * shares of many nodes: a tenth with three resources, most with six.
   *
   * @return a candidate
   * @throws UnsupportedOperationException where there is no such index
   */
  default FleetNode mostEven() {
    throw new UnsupportedOperationException("these candidates have no index of loads");
  }

  /**
   * The smallest candidate by a comparator; of equal ones the first in the order of nodes. Visits
   * every candidate.
   *
   * @param comparator compares two candidates
   * @return a candidate
   */
  FleetNode best(Comparator<? super FleetNode> comparator);

  /**
   * Declines all candidates. This is a failure unless {@link PlacementStrategy#mayDecline}.
   *
   * @return the value to return from {@link Placer#choose}; it is not a candidate
   */
  FleetNode decline();
}
