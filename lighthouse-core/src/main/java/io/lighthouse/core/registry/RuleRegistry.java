package io.lighthouse.core.registry;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.RuleDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The rules that were found, by name; two of one name are an error when that name is used. */
public final class RuleRegistry {
  /** By name; more than one where names clash. */
  private final Map<String, List<InstalledRule>> byName = new TreeMap<>(Names.order());

  /** A registry of rules, which come in any order. */
  public RuleRegistry(List<InstalledRule> rules) {
    rules.forEach(
        rule ->
            byName.computeIfAbsent(rule.description().name(), name -> new ArrayList<>()).add(rule));
  }

  /** What is known of each usable rule, by name. */
  public List<RuleDescription> rules() {
    return byName.values().stream()
        .filter(same -> same.size() == 1)
        .map(same -> same.get(0).description())
        .collect(Collectors.toUnmodifiableList());
  }

  /** All rules that were found, those whose names clash included, by name. */
  public List<InstalledRule> installed() {
    return byName.values().stream().flatMap(List::stream).collect(Collectors.toUnmodifiableList());
  }

  /** A message for each name that is there more than once. */
  public List<String> faults() {
    return byName.entrySet().stream()
        .filter(entry -> entry.getValue().size() > 1)
        .map(entry -> clash(entry.getKey(), entry.getValue()))
        .collect(Collectors.toUnmodifiableList());
  }

  /**
   * A rule by name.
   *
   * @param name its name
   * @return the rule
   * @throws InvalidInputException if there is none
   * @throws LighthouseException if there is more than one
   */
  public InstalledRule find(String name) {
    List<InstalledRule> same = byName.get(name);
    if (same == null) {
      throw new InvalidInputException(
          Thing.rule(name),
          "name",
          "'" + name + "', which is not installed",
          byName.isEmpty()
              ? "none, no rule is installed"
              : "one of " + String.join(", ", byName.keySet()));
    }
    if (same.size() > 1) {
      throw new LighthouseException(clash(name, same));
    }
    return same.get(0);
  }

  private static String clash(String name, List<InstalledRule> same) {
    return "rule '"
        + name
        + "' is there more than once: "
        + same.stream().map(one -> one.description().origin()).collect(Collectors.joining(" and "))
        + "; remove all but one";
  }
}
