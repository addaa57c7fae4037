package io.lighthouse.api.strategy;

import java.util.Comparator;

/**
 * A total order of the nodes of one fleet, by score, then by name. The fleet keeps it up to date.
 * As a comparator it compares exactly, allocates nothing, and never returns 0 for two nodes.
 */
public interface NodeOrder extends Comparator<FleetNode> {
  /**
   * The same with the highest score first; equal ones still by name, ascending.
   *
   * @return the other order; of a descending one, the ascending
   */
  NodeOrder descending();
}
