package io.lighthouse.api.quantity;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.Predicate;

/** The shortest decimal that is parsed as the same binary number, the same on every JDK. */
final class ShortestDecimal {
  private ShortestDecimal() {}

  static BigDecimal of(double value) {
    return of(new BigDecimal(value), text -> Double.parseDouble(text.toString()) == value);
  }

  static BigDecimal of(float value) {
    return of(new BigDecimal(value), text -> Float.parseFloat(text.toString()) == value);
  }

  /**
   * Of the shortest decimals that are parsed as the same number, the nearest to the exact value; of
   * two equally near ones, the even one. Both neighbours are tried: just below a power of two the
   * nearer one may be parsed as another number.
   */
  private static BigDecimal of(BigDecimal exact, Predicate<BigDecimal> readsBack) {
    for (int precision = 1; precision < exact.precision(); precision++) {
      int scale = exact.scale() - exact.precision() + precision;
      BigDecimal near = exact.setScale(scale, RoundingMode.HALF_EVEN);
      if (readsBack.test(near)) {
        return near;
      }
      boolean nearIsAbove = near.compareTo(exact) > 0;
      BigDecimal far =
          exact.setScale(scale, nearIsAbove ? RoundingMode.FLOOR : RoundingMode.CEILING);
      if (readsBack.test(far)) {
        return far;
      }
    }
    return exact;
  }
}
