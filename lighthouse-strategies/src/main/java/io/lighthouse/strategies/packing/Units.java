package io.lighthouse.strategies.packing;

import io.lighthouse.api.Names;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.Session;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Conversions of amounts to the units of the search: a unit for each resource, and parts of a mean
 * capacity.
 */
final class Units {
  /** Shares of a node's mean capacity are in parts of two to the power of this. */
  private static final int PART_BITS = 16;

  /** A mean capacity in parts. */
  static final long ONE = 1L << PART_BITS;

  /** A share is at most two to the power of this times the capacity. */
  static final int MOST_CAPACITIES_BITS = 4;

  private static final long MOST_PARTS = ONE << MOST_CAPACITIES_BITS;

  /** Sums of amounts stay below two to the power of 64 minus this. */
  private static final int SPARE_BITS = 4;

  private Units() {}

  /** The ids of the resources that a batch requires, the most frequently required first. */
  static int[] required(Session session, Amounts amounts) {
    Map<String, Long> counts =
        IntStream.range(0, session.size())
            .boxed()
            .flatMap(load -> session.workload(load).requirements().asMap().entrySet().stream())
            .filter(required -> required.getValue().signum() != 0)
            .collect(Collectors.groupingBy(Map.Entry::getKey, HashMap::new, Collectors.counting()));
    return sorted(
        IntStream.range(0, amounts.ids()).filter(id -> counts.containsKey(amounts.resource(id))),
        Comparator.comparingLong((Integer id) -> -counts.get(amounts.resource(id)))
            .thenComparing(amounts::resource, Names.order()));
  }

  /** Numbers in an order; equal ones as given. */
  static int[] sorted(IntStream numbers, Comparator<Integer> order) {
    return numbers.boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }

  /**
   * Converts the amounts of a resource to one unit in place: their greatest common divisor, divided
   * by the largest power of two that keeps their sums well within a long.
   *
   * @param d the index of the resource
   * @param dims the number of resources; the amounts of one are this far apart in each array
   * @param measured the arrays that determine the unit
   * @param asked converted to the same unit, but does not determine it
   */
  static void rescale(int d, int dims, List<long[]> measured, long[] asked) {
    long divisor = 0;
    for (long[] amounts : measured) {
      for (int at = d; at < amounts.length; at += dims) {
        divisor = gcd(divisor, amounts[at]);
      }
    }
    if (divisor == 0) {
      return;
    }
    long sum = 0;
    for (long[] amounts : measured) {
      for (int at = d; at < amounts.length; at += dims) {
        sum = plus(sum, isInfinite(amounts[at]) ? 0 : amounts[at] / divisor);
      }
    }
    int shift = Math.max(0, Long.numberOfLeadingZeros(sum) - SPARE_BITS);
    for (long[] amounts : measured) {
      rescale(amounts, d, dims, divisor, shift);
    }
    rescale(asked, d, dims, divisor, shift);
  }

  private static void rescale(long[] amounts, int d, int dims, long divisor, int shift) {
    for (int at = d; at < amounts.length; at += dims) {
      amounts[at] = isInfinite(amounts[at]) ? amounts[at] : amounts[at] / divisor << shift;
    }
  }

  private static boolean isInfinite(long amount) {
    return amount == Amounts.INFINITY || amount == Amounts.NEGATIVE_INFINITY;
  }

  /** The greatest common divisor, by Euclid; of an infinite amount and another, the other. */
  private static long gcd(long divisor, long amount) {
    long a = divisor;
    long b = isInfinite(amount) ? 0 : Math.abs(amount);
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  /** A sum of absolute amounts; {@code Long.MAX_VALUE} on overflow. */
  static long plus(long sum, long amount) {
    long more = sum + Math.abs(amount);
    return more < 0 ? Long.MAX_VALUE : more;
  }

  /** Compares a fraction with another one, of numbers from 0, exactly. */
  static int compare(long a, long overA, long b, long overB) {
    int high = Long.compare(Math.multiplyHigh(a, overB), Math.multiplyHigh(b, overA));
    return high != 0 ? high : Long.compareUnsigned(a * overB, b * overA);
  }

  /** A share in parts, rounded down and capped at 16 times the capacity. */
  static long parts(long amount, long of) {
    if (amount <= 0) {
      return 0;
    }
    if (amount >> MOST_CAPACITIES_BITS >= of) {
      return MOST_PARTS;
    }
    int shift = Math.max(0, PART_BITS + 1 - Long.numberOfLeadingZeros(amount));
    return ((amount >> shift) << PART_BITS) / Math.max(1, of >> shift);
  }
}
