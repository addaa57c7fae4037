package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.quantity.Quantity;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A workload to be placed on a node: a unique name and its requirements.
 *
 * <p>It fits a node that has every resource named in {@code requirements}, if no resource except
 * those in {@code immunities} would be left below zero. A node that holds a workload of one of its
 * aversion groups is averse to it, and is used only if no other node fits. Immutable and
 * thread-safe.
 *
 * @param name non-empty; unique among all workloads of a distributor
 * @param requirements what it takes from its node: finite quantities; a negative one adds to what
 *     is left
 * @param immunities names of resources whose quantity it ignores; kept in the order of names
 * @param aversionGroups free-form names of groups; kept in the order of names
 * @param terms its conditions and rules on domains and on placed workloads; {@link Terms#NONE} for
 *     none
 */
public record Workload(
    String name,
    Resources requirements,
    Set<String> immunities,
    Set<String> aversionGroups,
    Terms terms) {

  /**
   * Checks and copies.
   *
   * @throws InvalidInputException if a name is empty or ill-formed, or a requirement is infinite
   */
  public Workload {
    Names.require(name, "workload", "name");
    for (int i = 0; i < requirements.size(); i++) {
      if (requirements.quantity(i).isInfinite()) {
        throw new InvalidInputException(
            Thing.workload(name),
            "requirements." + requirements.name(i),
            requirements.quantity(i).toString(),
            "a finite decimal");
      }
    }
    immunities = SortedNames.copyOf(immunities, "workload '" + name + "'", "immunities");
    aversionGroups =
        SortedNames.copyOf(aversionGroups, "workload '" + name + "'", "aversionGroups");
    terms = terms.equals(Terms.NONE) ? Terms.NONE : terms;
  }

  /**
   * A workload without terms.
   *
   * @param name non-empty; unique among all workloads of a distributor
   * @param requirements what it takes from its node: finite quantities; a negative one adds to what
   *     is left
   * @param immunities names of resources whose quantity it ignores
   * @param aversionGroups free-form names of groups
   * @throws InvalidInputException if a name is empty or ill-formed, or a requirement is infinite
   */
  public Workload(
      String name, Resources requirements, Set<String> immunities, Set<String> aversionGroups) {
    this(name, requirements, immunities, aversionGroups, Terms.NONE);
  }

  /**
   * A workload without immunities and aversion groups.
   *
   * @param name its name
   * @param requirements what it requires
   * @return the workload
   * @throws InvalidInputException as the constructor
   */
  public static Workload of(String name, Resources requirements) {
    return new Workload(name, requirements, Set.of(), Set.of());
  }

  /**
   * A workload without immunities and aversion groups, its requirements from a map.
   *
   * @param name its name
   * @param requirements anything that {@link Quantity#of(Object)} takes, by resource
   * @return the workload
   * @throws InvalidInputException as the constructor
   */
  public static Workload of(String name, Map<String, ?> requirements) {
    return of(name, Resources.of(requirements));
  }

  /**
   * A workload from a map, like pylighthouse's {@code from_dict}.
   *
   * @param map {@code name} (a text), {@code requirements} (a map), and optionally {@code
   *     immunities} and {@code aversion_groups} (collections of texts)
   * @return the workload
   * @throws InvalidInputException if a key is missing, unknown or of another type, or as the
   *     constructor
   */
  public static Workload fromMap(Map<String, ?> map) {
    MapReader reader =
        new MapReader(
            "workload", map, List.of("name", "requirements", "immunities", "aversion_groups"));
    return new Workload(
        reader.text("name"),
        reader.resources("requirements"),
        new LinkedHashSet<>(reader.names("immunities")),
        new LinkedHashSet<>(reader.names("aversion_groups")));
  }

  /**
   * Workloads from maps, like pylighthouse's {@code from_list}.
   *
   * @param maps a map for each, as in {@link #fromMap}
   * @return the workloads, in the order given
   * @throws InvalidInputException as {@link #fromMap}
   */
  public static List<Workload> fromList(List<? extends Map<String, ?>> maps) {
    return maps.stream().map(Workload::fromMap).collect(Collectors.toUnmodifiableList());
  }

  /**
   * The same with these immunities instead of its own.
   *
   * @param names names of resources
   * @return a new workload
   */
  public Workload withImmunities(String... names) {
    return new Workload(name, requirements, setOf("immunities", names), aversionGroups, terms);
  }

  /**
   * The same with these aversion groups instead of its own.
   *
   * @param names names of groups
   * @return a new workload
   */
  public Workload withAversionGroups(String... names) {
    return new Workload(name, requirements, immunities, setOf("aversionGroups", names), terms);
  }

  /**
   * The same under another name.
   *
   * @param other the name
   * @return a new workload
   * @throws InvalidInputException if the name is empty or ill-formed
   */
  public Workload named(String other) {
    return new Workload(other, requirements, immunities, aversionGroups, terms);
  }

  /**
   * The same with these terms instead of its own.
   *
   * @param other the terms
   * @return a new workload
   */
  public Workload withTerms(Terms other) {
    return new Workload(name, requirements, immunities, aversionGroups, other);
  }

  /**
   * Copies of this workload, named {@code name-1} to {@code name-n}.
   *
   * @param n how many, 0 or more
   * @return the workloads, in that order
   * @throws InvalidInputException if the number is negative
   */
  public List<Workload> replicas(int n) {
    if (n < 0) {
      throw new InvalidInputException(
          Thing.workload(name), "replicas", String.valueOf(n), "a whole number from 0");
    }
    return java.util.stream.IntStream.rangeClosed(1, n)
        .mapToObj(i -> named(name + "-" + i))
        .collect(Collectors.toUnmodifiableList());
  }

  private Set<String> setOf(String field, String... names) {
    return SortedNames.copyOf(Arrays.asList(names), "workload '" + name + "'", field);
  }

  /** All components by name; the terms only if there are any. */
  @Override
  public String toString() {
    return "Workload[name="
        + name
        + ", requirements="
        + requirements
        + ", immunities="
        + immunities
        + ", aversionGroups="
        + aversionGroups
        + (terms == Terms.NONE ? "]" : ", terms=" + terms + "]");
  }
}
