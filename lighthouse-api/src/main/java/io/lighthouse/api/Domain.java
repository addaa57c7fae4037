package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Unit;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A declared domain: it has an account, or is cordoned, or both. All nodes that name it at its
 * level share its resources. Immutable and thread-safe.
 *
 * @param level the level, such as {@code rack}
 * @param name its name; {@code fleet} at the level {@code fleet}
 * @param resources what is left in it
 * @param units the units in which its resources may be required; in the order of names
 * @param cordoned whether its nodes refuse new workloads
 */
public record Domain(
    String level, String name, Resources resources, Map<String, Unit> units, boolean cordoned) {
  /**
   * Checks and copies.
   *
   * @throws InvalidInputException if a name is empty or ill-formed, the level is {@code node}, a
   *     domain of level {@code fleet} is not named {@code fleet}, or a unit is of a missing
   *     resource
   */
  public Domain {
    Names.require(level, "domain", "level");
    Names.require(name, "domain", "name");
    Objects.requireNonNull(resources, "resources");
    String subject = "domain '" + name + "' of level '" + level + "'";
    if (level.equals(Rule.NODE)) {
      throw new InvalidInputException(
          subject, "level", "'node'", "another level; nodes are declared as nodes");
    }
    if (level.equals(Rule.FLEET) && !name.equals(Rule.FLEET)) {
      throw new InvalidInputException(subject, "name", "'" + name + "'", "'fleet'");
    }
    units = copyOf(units, resources, subject);
  }

  static Map<String, Unit> copyOf(Map<String, Unit> units, Resources resources, String subject) {
    if (units.isEmpty()) {
      return Map.of();
    }
    Map<String, Unit> sorted = new TreeMap<>(Names.order());
    units.forEach(
        (resource, unit) -> {
          if (!resources.has(resource)) {
            throw new InvalidInputException(
                subject, "units", "'" + resource + "'", "one of its resources");
          }
          if (!unit.equals(Unit.ANY)) {
            sorted.put(resource, unit);
          }
        });
    return Collections.unmodifiableMap(sorted);
  }

  /**
   * An open domain.
   *
   * @param level the level
   * @param name its name
   * @param resources what is left in it
   * @return the domain
   * @throws InvalidInputException as the constructor
   */
  public static Domain of(String level, String name, Resources resources) {
    return new Domain(level, name, resources, Map.of(), false);
  }

  /**
   * The same, cordoned.
   *
   * @return a new domain
   */
  public Domain asCordoned() {
    return new Domain(level, name, resources, units, true);
  }
}
