package io.lighthouse.api.strategy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.List;
import java.util.Optional;

/**
 * A strategy's view of a node, always in its present state. There is one object for each node of a
 * fleet as long as the node exists, so compare by identity.
 */
public interface FleetNode {
  /**
   * The name.
   *
   * @return its unique name
   */
  String name();

  /**
   * The index in the order of nodes. It changes when a node before it is removed.
   *
   * @return from 0 to {@code fleet.size() - 1}
   */
  int index();

  /**
   * What is left of one resource.
   *
   * @param resource the name of a resource
   * @return the quantity; empty if the node does not have it
   */
  Optional<Quantity> left(String resource);

  /**
   * The node's capacity of one resource when it is empty.
   *
   * @param resource the name of a resource
   * @return the quantity; empty if the node does not have it
   */
  Optional<Quantity> capacity(String resource);

  /**
   * What is left of all resources. Cost: one object for each resource.
   *
   * @return a copy
   */
  Resources left();

  /**
   * The node's capacity of all resources when it is empty. Cost: one object for each resource.
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
   * The workloads placed here, in the order of their arrival. Cost: linear in their number.
   *
   * @return a copy
   */
  List<Workload> workloads();

  /**
   * The node's domain of a level. It has none of level {@code node}, which is the node itself.
   *
   * @param level the name of a level
   * @return the domain; empty if the node is in none
   */
  default Optional<FleetDomain> domain(String level) {
    return Optional.empty();
  }
}
