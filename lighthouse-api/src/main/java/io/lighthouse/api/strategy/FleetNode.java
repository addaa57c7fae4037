package io.lighthouse.api.strategy;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.List;
import java.util.Optional;

/**
 * A node as a strategy sees it: always the present. One object stands for one node of one fleet as
 * long as the node is there; compare by identity.
 */
public interface FleetNode {
  /**
   * The name.
   *
   * @return its unique name
   */
  String name();

  /**
   * The place in the order of nodes. It changes when a node before it is removed.
   *
   * @return from 0 to {@code fleet.size() - 1}
   */
  int index();

  /**
   * What is left of one resource.
   *
   * @param resource the name of a resource
   * @return the quantity, or nothing where the node does not have it
   */
  Optional<Quantity> left(String resource);

  /**
   * What the node has of one resource when it is empty.
   *
   * @param resource the name of a resource
   * @return the quantity, or nothing where the node does not have it
   */
  Optional<Quantity> capacity(String resource);

  /**
   * What is left of everything. Cost: an object a resource.
   *
   * @return a copy
   */
  Resources left();

  /**
   * What the node has of everything when it is empty. Cost: an object a resource.
   *
   * @return a copy
   */
  Resources capacity();

  /**
   * The number of workloads placed here.
   *
   * @return 0 or more
   */
  int placedCount();

  /**
   * The workloads placed here, in the order in which they came. Cost: linear in their number.
   *
   * @return a copy
   */
  List<Workload> workloads();

  /**
   * The node's domain of a level.
   *
   * @param level the name of a level
   * @return the domain, or nothing where the node stands in none
   */
  default Optional<FleetDomain> domain(String level) {
    return Optional.empty();
  }
}
