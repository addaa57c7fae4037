package io.lighthouse.api;

import io.lighthouse.api.quantity.Unit;
import java.util.Map;

/**
 * A declared domain at one moment. For every resource, {@code capacity} is exactly {@code left}
 * plus the shared requirements of the workloads on its nodes. Immutable and thread-safe.
 *
 * @param level its level
 * @param name its name
 * @param capacity what it has when nothing is placed on its nodes
 * @param left what is left now
 * @param units the units in which its resources may be required
 * @param cordoned whether its nodes refuse new workloads
 */
public record DomainState(
    String level,
    String name,
    Resources capacity,
    Resources left,
    Map<String, Unit> units,
    boolean cordoned) {
  /** Copies. */
  public DomainState {
    units = Domain.copyOf(units, capacity, "domain '" + name + "'");
  }

  /**
   * The domain from which an equal state can be made: its resources are what is left beside the
   * placed workloads.
   *
   * @return the domain
   */
  public Domain toDomain() {
    return new Domain(level, name, left, units, cordoned);
  }
}
