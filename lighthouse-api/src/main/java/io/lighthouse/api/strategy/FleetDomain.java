package io.lighthouse.api.strategy;

import io.lighthouse.api.Resources;
import java.util.List;

/**
 * A strategy's or rule's view of a domain, always in its present state. Views of one domain are
 * equal.
 */
public interface FleetDomain {
  /**
   * The level.
   *
   * @return its name
   */
  String level();

  /**
   * The name.
   *
   * @return its name, unique at its level
   */
  String name();

  /**
   * What is left of all resources.
   *
   * @return a copy; no resources if the domain is not declared
   */
  Resources left();

  /**
   * Its capacity of all resources when nothing is placed.
   *
   * @return a copy; no resources if the domain is not declared
   */
  Resources capacity();

  /**
   * The nodes in it. Cost: linear in their number, and once after each change of the fleet in the
   * nodes of the fleet.
   *
   * @return the nodes in their order
   */
  List<FleetNode> nodes();

  /**
   * How many members of a group are placed on its nodes.
   *
   * @param group the name of a group
   * @return 0 or more
   */
  int members(String group);
}
