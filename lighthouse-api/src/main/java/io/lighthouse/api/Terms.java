package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a workload requires beyond its node's own resources: shared resources of domains, conditions
 * on the node, and rules about placed workloads. Immutable and thread-safe.
 *
 * @param shared what it takes from its node's domain of each level, finite; in the order of levels,
 *     without levels of which it takes nothing
 * @param groups the groups that it is a member of, besides its aversion groups; in the order of
 *     names
 * @param where the conditions that its node must meet
 * @param rules its hard rules, in the order given
 * @param preferences its soft rules, the most important first
 * @param gang its gang: workloads of its batch that are placed with it, all or none
 */
public record Terms(
    Map<String, Resources> shared,
    Set<String> groups,
    List<Condition> where,
    List<Rule> rules,
    List<Rule> preferences,
    Optional<Gang> gang) {
  /** No terms. */
  public static final Terms NONE =
      new Terms(Map.of(), Set.of(), List.of(), List.of(), List.of(), Optional.empty());

  /**
   * Checks and copies.
   *
   * @throws InvalidInputException if a name is empty or ill-formed, a shared requirement is
   *     infinite or of level {@code node}, a hard rule is a {@link Rule.Where}, or a hard rule's
   *     skew is 0
   */
  public Terms {
    Map<String, Resources> levels = new TreeMap<>(Names.order());
    shared.forEach(
        (level, resources) -> {
          checkShared(level, resources);
          if (!resources.isEmpty()) {
            levels.put(level, resources);
          }
        });
    shared = Collections.unmodifiableMap(levels);
    groups = SortedNames.copyOf(groups, "workload", "groups");
    where = List.copyOf(where);
    rules = List.copyOf(rules);
    preferences = List.copyOf(preferences);
    Objects.requireNonNull(gang, "gang");
    for (int i = 0; i < rules.size(); i++) {
      checkHard(i, rules.get(i));
    }
  }

  private static void checkShared(String level, Resources resources) {
    Names.require(level, "workload", "shared");
    if (level.equals(Rule.NODE)) {
      throw new InvalidInputException(
          "workload", "shared", "'node'", "a level but node, whose resources are its requirements");
    }
    for (int i = 0; i < resources.size(); i++) {
      if (resources.quantity(i).isInfinite()) {
        throw new InvalidInputException(
            "workload",
            "shared." + level + "." + resources.name(i),
            resources.quantity(i).toString(),
            "a finite decimal");
      }
    }
  }

  private static void checkHard(int index, Rule rule) {
    if (rule instanceof Rule.Where) {
      throw new InvalidInputException(
          "workload", "rules[" + index + "]", "where", "where of the workload, or a preference");
    }
    if (rule instanceof Rule.Skew skew && skew.skew() < 1) {
      throw new InvalidInputException(
          "workload", "rules[" + index + "].skew", "0", "a whole number from 1");
    }
  }

  /**
   * The same with another shared requirement of a level.
   *
   * @param level the level, such as {@code rack} or {@code fleet}
   * @param resources what it takes from its domain of that level
   * @return new terms
   */
  public Terms sharing(String level, Resources resources) {
    Map<String, Resources> all = new TreeMap<>(Names.order());
    all.putAll(shared);
    all.put(level, resources);
    return new Terms(all, groups, where, rules, preferences, gang);
  }

  /**
   * The same with these groups.
   *
   * @param names the groups; repeated ones count once
   * @return new terms
   */
  public Terms inGroups(String... names) {
    return inGroups(SortedNames.copyOf(Arrays.asList(names), "workload", "groups"));
  }

  /**
   * The same with these groups.
   *
   * @param names the groups
   * @return new terms
   */
  public Terms inGroups(Set<String> names) {
    return new Terms(shared, names, where, rules, preferences, gang);
  }

  /**
   * The same with these conditions.
   *
   * @param conditions the conditions
   * @return new terms
   */
  public Terms where(Condition... conditions) {
    return new Terms(shared, groups, List.of(conditions), rules, preferences, gang);
  }

  /**
   * The same with these hard rules.
   *
   * @param hard the rules
   * @return new terms
   */
  public Terms rules(Rule... hard) {
    return new Terms(shared, groups, where, List.of(hard), preferences, gang);
  }

  /**
   * The same with these preferences.
   *
   * @param soft the preferences, the most important first
   * @return new terms
   */
  public Terms preferring(Rule... soft) {
    return new Terms(shared, groups, where, rules, List.of(soft), gang);
  }

  /**
   * The same in a gang.
   *
   * @param of the gang
   * @return new terms
   */
  public Terms inGang(Gang of) {
    return new Terms(shared, groups, where, rules, preferences, Optional.of(of));
  }

  /**
   * The same without a gang.
   *
   * @return these terms if they are in no gang, else new terms
   */
  public Terms withoutGang() {
    return gang.isEmpty()
        ? this
        : new Terms(shared, groups, where, rules, preferences, Optional.empty());
  }
}
