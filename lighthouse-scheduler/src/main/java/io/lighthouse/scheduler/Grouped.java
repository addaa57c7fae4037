package io.lighthouse.scheduler;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Values by a key of theirs, grouped when first asked for: most passes never ask what runs on which
 * node.
 */
final class Grouped<T> {
  private final List<T> all;
  private final Function<T, String> key;

  /** Null until asked for. */
  private Map<String, List<T>> groups;

  Grouped(List<T> all, Function<T, String> key) {
    this.all = all;
    this.key = key;
  }

  /** Those of a key, in the order of all; looked up when it is read. */
  List<T> of(String wanted) {
    return new AbstractList<>() {
      @Override
      public T get(int index) {
        return group(wanted).get(index);
      }

      @Override
      public int size() {
        return group(wanted).size();
      }
    };
  }

  private List<T> group(String wanted) {
    if (groups == null) {
      groups = new HashMap<>();
      for (T each : all) {
        groups.computeIfAbsent(key.apply(each), name -> new ArrayList<>()).add(each);
      }
    }
    return groups.getOrDefault(wanted, List.of());
  }
}
