package io.lighthouse.api;

import java.util.List;
import java.util.Map;

/**
 * A node of a distributor at one moment. For every resource, {@code capacity} is exactly {@code
 * left} plus the requirements of {@code workloads}. Immutable and thread-safe.
 *
 * @param name the name of the node
 * @param capacity what it has when empty
 * @param left what is left now
 * @param workloads those placed on it, in the order in which they came
 * @param cordoned whether it takes nobody new
 * @param domains the name of its domain at each level at which it stands in one
 * @param units how its resources may be asked for
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
  }

  /**
   * A node that stands in no domain.
   *
   * @param name the name of the node
   * @param capacity what it has when empty
   * @param left what is left now
   * @param workloads those placed on it, in the order in which they came
   * @param cordoned whether it takes nobody new
   */
  public NodeState(
      String name, Resources capacity, Resources left, List<Workload> workloads, boolean cordoned) {
    this(name, capacity, left, workloads, cordoned, Map.of(), Map.of());
  }

  /**
   * The node from which an equal state is made: what is left, with its workloads on it.
   *
   * @return the node
   */
  public Node toNode() {
    return new Node(name, left, workloads, cordoned, domains, units);
  }

  /** All parts by name; domains and units only where there are any. */
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
