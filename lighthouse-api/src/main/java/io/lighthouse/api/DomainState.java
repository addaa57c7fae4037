package io.lighthouse.api;

import java.util.Map;

/**
 * A declared domain at one moment. For every resource, {@code capacity} is exactly {@code left}
 * plus what the workloads on its nodes share of it. Immutable and thread-safe.
 *
 * @param level its level
 * @param name its name
 * @param capacity what it has when nothing is placed on its nodes
 * @param left what is left now
 * @param units how its resources may be asked for
 * @param cordoned whether its nodes take nobody new
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
   * The domain from which an equal state is made: what is left, with all that is placed there.
   *
   * @return the domain
   */
  public Domain toDomain() {
    return new Domain(level, name, left, units, cordoned);
  }
}
