package io.lighthouse.api;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Set;

/**
 * An immutable set of names in their order, in one array: small, and with the same iteration order
 * in every run.
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
