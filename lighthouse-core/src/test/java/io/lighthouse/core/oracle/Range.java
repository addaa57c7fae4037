package io.lighthouse.core.oracle;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The range of amounts, added up anew every time; by resource, which one at a level is too. */
final class Range {
  private static final BigDecimal LIMIT = new BigDecimal(BigInteger.TWO.pow(62));

  private BigInteger largest = BigInteger.ZERO;
  private BigInteger sum = BigInteger.ZERO;
  private int digits;

  private Range() {}

  /**
   * Checks a world to which a batch comes.
   *
   * @throws InvalidInputException if a resource is out of range
   */
  static void check(World world, List<Workload> batch) {
    List<Workload> all = new ArrayList<>(batch);
    Set<String> levels = new TreeSet<>(world.declared.keySet());
    world.spots.forEach(spot -> all.addAll(spot.placed));
    all.forEach(workload -> levels.addAll(workload.terms().shared().keySet()));
    check(
        "",
        world.spots.stream().map(spot -> spot.account).toList(),
        all.stream().map(Workload::requirements).toList());
    for (String level : levels) {
      check(
          " of level '" + level + "'",
          world.declared.getOrDefault(level, Map.of()).values(),
          all.stream()
              .map(workload -> workload.terms().shared().getOrDefault(level, Resources.none()))
              .toList());
    }
  }

  private static void check(
      String where, Collection<Account> accounts, List<Resources> requirements) {
    Map<String, Range> ranges = new TreeMap<>();
    for (Account account : accounts) {
      account.capacity.forEach(
          (name, capacity) -> ranges.computeIfAbsent(name, any -> new Range()).has(capacity));
    }
    for (Resources required : requirements) {
      Nanos.up(required)
          .forEach((name, need) -> ranges.computeIfAbsent(name, any -> new Range()).needs(need));
    }
    ranges.forEach(
        (name, range) -> {
          BigDecimal total = new BigDecimal(range.largest.add(range.sum)).movePointLeft(9);
          if (total.compareTo(LIMIT.movePointLeft(range.digits)) >= 0) {
            throw new InvalidInputException(
                "resource '" + name + "'" + where, "sum", total.toPlainString(), "below 2^62");
          }
        });
  }

  private void has(Nanos capacity) {
    largest = largest.max(capacity.units().abs());
    digits = Math.max(digits, capacity.digits());
  }

  private void needs(Nanos need) {
    sum = sum.add(need.units().abs());
    digits = Math.max(digits, need.digits());
  }
}
