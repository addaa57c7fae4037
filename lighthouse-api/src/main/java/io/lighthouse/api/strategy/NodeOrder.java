package io.lighthouse.api.strategy;

import java.util.Comparator;

/**
 * A total order of the nodes of one fleet, which the fleet keeps up to date: by score, then by
 * name. As a comparator it compares exactly, allocates nothing, and never finds two nodes equal.
 */
public interface NodeOrder extends Comparator<FleetNode> {
  /**
   * The same with the highest score first; equal ones still by name, ascending.
   *
   * @return the other order; of a descending one, the ascending
   */
  NodeOrder descending();
}
