package io.lighthouse.scheduler.choice;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Vectors as rows of whole numbers, so that many comparisons are cheap and still exact.
 *
 * <p>The columns are the resources that requests name, each scaled by the smallest power of ten
 * that makes every request a whole number. What a node has may be finer or larger: it is rounded
 * down, and cut off at {@link #MOST}. Neither changes an answer: for a whole number x, {@code have
 * >= x} holds exactly when {@code floor(have) >= x} does, and every x asked about is below {@link
 * #MOST}.
 */
final class Grid {
  /** The largest number in a row of what a node has. */
  private static final long MOST = 1L << 62;

  /** The largest number in a request: a need and a type together stay below {@link #MOST}. */
  private static final long LARGEST_REQUEST = (1L << 60) - 1;

  private final String[] names;

  /** Digits after the point; [column]. */
  private final int[] digits;

  private final boolean exact;

  Grid(List<Resources> requests) {
    Map<String, Integer> scales = new TreeMap<>(Names.order());
    for (Resources request : requests) {
      for (int i = 0; i < request.size(); i++) {
        scales.merge(request.name(i), request.quantity(i).scale(), Math::max);
      }
    }
    names = scales.keySet().toArray(String[]::new);
    digits = scales.values().stream().mapToInt(Integer::intValue).toArray();
    exact = requests.stream().allMatch(this::fits);
  }

  /** Whether every request is small enough for a row; if not, the rows are of no use. */
  boolean isExact() {
    return exact;
  }

  int columns() {
    return names.length;
  }

  String name(int column) {
    return names[column];
  }

  /** The row of a request; a column that it does not name holds {@code missing}. */
  long[] request(Resources request, long missing) {
    long[] row = new long[names.length];
    for (int column = 0; column < names.length; column++) {
      Quantity asked = request.get(names[column]).orElse(null);
      row[column] = asked == null ? missing : asked.scaledTo(digits[column]);
    }
    return row;
  }

  /** Writes what a node has into its row; what it does not have is 0. */
  void write(Resources have, long[] rows, int at) {
    // Both stand in the order of names: one walk along both.
    int i = 0;
    for (int column = 0; column < names.length; column++) {
      int order = -1;
      while (i < have.size() && (order = Names.compare(have.name(i), names[column])) < 0) {
        i++;
      }
      rows[at + column] =
          i < have.size() && order == 0 ? floor(have.quantity(i), digits[column]) : 0;
    }
  }

  private static long floor(Quantity quantity, int digits) {
    if (quantity.scale() <= digits && !quantity.isInfinite()) {
      try {
        return Math.max(-MOST, Math.min(MOST, quantity.scaledTo(digits)));
      } catch (ArithmeticException tooLarge) {
        return quantity.signum() * MOST;
      }
    }
    if (quantity.isInfinite()) {
      return quantity.signum() * MOST;
    }
    return floor(Quantity.of(quantity.toBigDecimal().setScale(digits, RoundingMode.FLOOR)), digits);
  }

  private boolean fits(Resources request) {
    for (int i = 0; i < request.size(); i++) {
      int column = Arrays.binarySearch(names, request.name(i), Names.order());
      Quantity largest = Quantity.ofScaled(LARGEST_REQUEST, digits[column]);
      if (request.quantity(i).compareTo(largest) > 0) {
        return false;
      }
    }
    return true;
  }
}
