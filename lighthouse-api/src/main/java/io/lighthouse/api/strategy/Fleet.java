package io.lighthouse.api.strategy;

import io.lighthouse.api.Rubric;
import java.util.List;
import java.util.Optional;

/**
 * A strategy's view of the fleet, always in its present state. All state that a strategy needs
 * between calls is kept here, so rolling back and copying are correct by construction.
 *
 * <p>It is valid as long as the placer that received it. It may be used only while the distributor
 * calls the strategy, by the same thread.
 */
public interface Fleet {
  /**
   * The number of nodes.
   *
   * @return 0 or more
   */
  int size();

  /**
   * A node by its place in the order of nodes.
   *
   * @param index from 0 to {@code size() - 1}
   * @return the node
   * @throws IndexOutOfBoundsException if there is no such index
   */
  FleetNode node(int index);

  /**
   * The round-robin position: the index of the node that took the last placed workload. It moves
   * only when a placement succeeds, is kept between calls, and is restored by a rollback.
   *
   * @return the index, or -1 before the first node
   */
  int lastPlaced();

  /**
   * The rubric of the problem.
   *
   * @return the rubric; empty if none was given
   */
  Optional<Rubric> rubric();

  /**
   * The order of the nodes by the score of what they have left, ascending; equal ones by name,
   * ascending. Call this once, when the placer is made: the fleet maintains the order from then on.
   *
   * @param rubric the weights
   * @return the order
   */
  NodeOrder orderBy(Rubric rubric);

  /**
   * The order of the nodes by what they have left of one resource, ascending; a node without it
   * counts as 0; equal ones by name, ascending.
   *
   * @param resource the name of a resource
   * @return the order
   */
  default NodeOrder orderBy(String resource) {
    return orderBy(Rubric.of(resource, 1));
  }

  /**
   * The quantities of the fleet as scaled whole numbers, for a strategy that computes with many of
   * them.
   *
   * @return a view of the present state, like the fleet itself
   * @throws UnsupportedOperationException if the fleet does not belong to a {@link
   *     io.lighthouse.api.Distributor} and has no such numbers
   */
  default Amounts amounts() {
    throw new UnsupportedOperationException("this fleet has no amounts in bulk");
  }

  /**
   * The domains of a level that contain nodes or are declared. Level {@code node} has none here:
   * {@link #node} gives the nodes.
   *
   * @param level the name of a level
   * @return the domains in the order of names; empty if the level is unknown
   */
  default List<FleetDomain> domains(String level) {
    return List.of();
  }
}
