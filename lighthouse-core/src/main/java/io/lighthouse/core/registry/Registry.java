package io.lighthouse.core.registry;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.LighthouseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Strategies or rules by name; two of one name are an error only when that name is used. */
public final class Registry<P, D> {
  private final String kind;

  /** By name; more than one where names clash. */
  private final Map<String, List<Installed<P, D>>> byName = new TreeMap<>(Names.order());

  /**
   * A registry of what was found.
   *
   * @param kind what it is, such as {@code rule}
   * @param found in any order
   */
  public Registry(String kind, List<Installed<P, D>> found) {
    this.kind = kind;
    found.forEach(one -> byName.computeIfAbsent(one.name(), name -> new ArrayList<>()).add(one));
  }

  /** What is known of each that is usable, by name. */
  public List<D> usable() {
    return byName.values().stream()
        .filter(same -> same.size() == 1)
        .map(same -> same.get(0).description())
        .toList();
  }

  /** All that were found, those whose names clash included, by name. */
  public List<Installed<P, D>> installed() {
    return byName.values().stream().flatMap(List::stream).toList();
  }

  /** The names of all that were found, in order. */
  public Set<String> names() {
    return byName.keySet();
  }

  /** A message for each name that is there more than once. */
  List<String> clashes() {
    return byName.values().stream().filter(same -> same.size() > 1).map(this::clash).toList();
  }

  /**
   * The one of a name; empty if there is none.
   *
   * @throws LighthouseException if there is more than one
   */
  public Optional<Installed<P, D>> find(String name) {
    List<Installed<P, D>> same = byName.getOrDefault(name, List.of());
    if (same.size() > 1) {
      throw new LighthouseException(clash(same));
    }
    return same.stream().findFirst();
  }

  private String clash(List<Installed<P, D>> same) {
    return kind
        + " '"
        + same.get(0).name()
        + "' is there more than once: "
        + same.stream().map(Installed::origin).collect(Collectors.joining(" and "))
        + "; remove all but one";
  }
}
