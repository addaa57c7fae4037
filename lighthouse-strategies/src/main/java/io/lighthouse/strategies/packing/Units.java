package io.lighthouse.strategies.packing;

import io.lighthouse.api.Names;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.Session;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Amounts as the search counts them: in a unit of their own, and in parts of a mean capacity. */
final class Units {
  /** A share of the mean capacity of a node counts in parts of two to the power of this. */
  private static final int PART_BITS = 16;

  private static final long MOST_PARTS = 1L << (PART_BITS + 4);

  /** Sums of amounts stay below two to the power of 64 less this. */
  private static final int SPARE_BITS = 4;

  private Units() {}

  /** The ids of the resources that a batch requires, those that most require first. */
  static int[] required(Session session, Amounts amounts) {
    long[] required = new long[amounts.ids()];
    int[] counts = new int[amounts.ids()];
    for (int load = 0; load < session.size(); load++) {
      session.required(load, required);
      for (int id = 0; id < required.length; id++) {
        if (required[id] != Amounts.ABSENT && required[id] != 0) {
          counts[id]++;
        }
      }
    }
    return IntStream.range(0, counts.length)
        .filter(id -> counts[id] > 0)
        .boxed()
        .sorted(
            Comparator.comparingInt((Integer id) -> -counts[id])
                .thenComparing(amounts::resource, Names.order()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * Brings the amounts of a resource to one unit: their greatest common divisor, divided by the
   * largest power of two that leaves their sums well within a long.
   *
   * @param d the resource, one of so many; each array has its amounts at that distance
   * @param measured what the unit is found from
   * @param asked is in that unit afterwards, too
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

  /** A sum of absolute amounts; the largest long where it is beyond. */
  static long plus(long sum, long amount) {
    long more = sum + Math.abs(amount);
    return more < 0 ? Long.MAX_VALUE : more;
  }

  /** A share in parts, rounded down; one of more than 16 times the capacity counts as that. */
  static long parts(long amount, long of) {
    if (amount <= 0) {
      return 0;
    }
    if (amount >> 4 >= of) {
      return MOST_PARTS;
    }
    int shift = Math.max(0, PART_BITS + 1 - Long.numberOfLeadingZeros(amount));
    return ((amount >> shift) << PART_BITS) / Math.max(1, of >> shift);
  }
}
