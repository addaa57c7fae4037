package io.lighthouse.api.strategy;

import io.lighthouse.api.Resources;
import java.util.List;

/** A domain as a strategy or rule sees it: always the present. */
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
   * What is left of everything.
   *
   * @return a copy; nothing where the domain is not declared
   */
  Resources left();

  /**
   * What it has of everything when nothing is placed.
   *
   * @return a copy; nothing where the domain is not declared
   */
  Resources capacity();

  /**
   * The nodes that stand in it.
   *
   * @return in the order of nodes
   */
  List<FleetNode> nodes();

  /**
   * How many placed members of a group stand on its nodes.
   *
   * @param group the name of a group
   * @return 0 or more
   */
  int members(String group);
}
