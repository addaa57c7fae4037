package io.lighthouse.api;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * An immutable set of names in their order, in one array: small, and with the same iteration order
 * in every run. Also copies maps into that order.
 */
final class SortedNames extends AbstractSet<String> {
  private static final SortedNames EMPTY = new SortedNames(new String[0]);

  /** Ascending by {@link Names#order()}, each once. */
  private final String[] names;

  private SortedNames(String[] names) {
    this.names = names;
  }

  static Set<String> copyOf(Collection<String> given, String subject, String field) {
    if (given instanceof SortedNames sorted) {
      return sorted;
    }
    if (given.isEmpty()) {
      return EMPTY;
    }
    String[] sorted = given.toArray(String[]::new);
    for (String name : sorted) {
      Names.require(name, subject, field);
    }
    Arrays.sort(sorted, Names.order());
    int count = 1;
    for (int i = 1; i < sorted.length; i++) {
      if (!sorted[i].equals(sorted[i - 1])) {
        sorted[count++] = sorted[i];
      }
    }
    return new SortedNames(Arrays.copyOf(sorted, count));
  }

  /** An immutable copy of a map, in the order of its names; without null. */
  static <V> Map<String, V> copyOf(Map<String, V> given) {
    if (given.isEmpty()) {
      return Map.of();
    }
    Map<String, V> sorted = new TreeMap<>(Names.order());
    given.forEach((name, value) -> sorted.put(name, Objects.requireNonNull(value, name)));
    return Collections.unmodifiableMap(sorted);
  }

  @Override
  public boolean contains(Object name) {
    return name instanceof String text && Arrays.binarySearch(names, text, Names.order()) >= 0;
  }

  @Override
  public Iterator<String> iterator() {
    return Arrays.asList(names).iterator();
  }

  @Override
  public int size() {
    return names.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SortedNames sorted
        ? Arrays.equals(names, sorted.names)
        : super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode(); // That of every set with these names.
  }
}
