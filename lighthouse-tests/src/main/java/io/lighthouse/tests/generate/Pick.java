package io.lighthouse.tests.generate;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitraries that nodes and workloads share. */
final class Pick {
  private Pick() {}

  /** A value in this percentage of the cases, else nothing; shrinks to nothing. */
  static <T> Arbitrary<Optional<T>> sometimes(int percent, Arbitrary<T> values) {
    return Arbitraries.frequencyOf(
        Tuple.of(100 - percent, Arbitraries.just(Optional.<T>empty())),
        Tuple.of(percent, values.map(Optional::of)));
  }

  /** Some of these names with their quantities. */
  static Arbitrary<Resources> resources(Map<String, Arbitrary<Optional<Quantity>>> byName) {
    List<String> names = List.copyOf(byName.keySet());
    return Combinators.combine(List.copyOf(names.stream().map(byName::get).toList()))
        .as(
            quantities -> {
              Map<String, Quantity> present = new LinkedHashMap<>();
              for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                quantities.get(i).ifPresent(quantity -> present.put(name, quantity));
              }
              return Resources.of(present);
            });
  }

  /** Some of these names, each in its percentage of the cases. */
  static Arbitrary<Set<String>> names(Map<String, Integer> percents) {
    return Combinators.combine(
            percents.entrySet().stream()
                .map(entry -> sometimes(entry.getValue(), Arbitraries.just(entry.getKey())))
                .toList())
        .as(
            chosen -> {
              Set<String> names = new TreeSet<>();
              chosen.forEach(name -> name.ifPresent(names::add));
              return names;
            });
  }
}
