package io.lighthouse.api;

import io.lighthouse.api.quantity.Unit;
import java.util.List;
import java.util.Map;

/**
 * A node of a distributor at one moment. For every resource, {@code capacity} is exactly {@code
 * left} plus the requirements of {@code workloads}. Immutable and thread-safe.
 *
 * @param name the name of the node
 * @param capacity what it has when empty
 * @param left what is left now
 * @param workloads the workloads placed on it, in the order of their arrival
 * @param cordoned whether it refuses new workloads
 * @param domains the name of its domain by level, for each level at which it has one; in the order
 *     of levels
 * @param units the units in which its resources may be required; in the order of names
 */
public record NodeState(
    String name,
    Resources capacity,
    Resources left,
    List<Workload> workloads,
    boolean cordoned,
    Map<String, String> domains,
    Map<String, Unit> units) {
  /** Copies. */
  public NodeState {
    workloads = List.copyOf(workloads);
    domains = SortedNames.copyOf(domains);
    units = SortedNames.copyOf(units);
  }

  /**
   * A node without domains.
   *
   * @param name the name of the node
   * @param capacity what it has when empty
   * @param left what is left now
   * @param workloads the workloads placed on it, in the order of their arrival
   * @param cordoned whether it refuses new workloads
   */
  public NodeState(
      String name, Resources capacity, Resources left, List<Workload> workloads, boolean cordoned) {
    this(name, capacity, left, workloads, cordoned, Map.of(), Map.of());
  }

  /**
   * The node from which an equal state can be made: its resources are what is left, and its
   * workloads are on it.
   *
   * @return the node
   */
  public Node toNode() {
    return new Node(name, left, workloads, cordoned, domains, units);
  }

  /** All components by name; domains and units only if there are any. */
  @Override
  public String toString() {
    return "NodeState[name="
        + name
        + ", capacity="
        + capacity
        + ", left="
        + left
        + ", workloads="
        + workloads
        + ", cordoned="
        + cordoned
        + (domains.isEmpty() ? "" : ", domains=" + domains)
        + (units.isEmpty() ? "]" : ", units=" + units + "]");
  }
}
