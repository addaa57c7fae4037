package io.lighthouse.api;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A domain that has an account, or is closed, or both: all nodes that name it at its level share
 * what it has. Immutable and thread-safe.
 *
 * @param level the level, such as {@code rack}
 * @param name its name; {@code fleet} at the level {@code fleet}
 * @param resources what is left in it
 * @param units how its resources may be asked for; in the order of names
 * @param cordoned whether its nodes take nobody new
 */
public record Domain(
    String level, String name, Resources resources, Map<String, Unit> units, boolean cordoned) {
  /**
   * Checks and copies.
   *
   * @throws InvalidInputException if a name is empty or ill-formed, the level is {@code node}, the
   *     domain of level {@code fleet} has another name than that, or a unit is of a resource that
   *     it does not have
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
