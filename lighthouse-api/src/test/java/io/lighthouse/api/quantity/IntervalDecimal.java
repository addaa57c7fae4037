package io.lighthouse.api.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The shortest decimal of a binary number by its definition. It takes the decimals in the interval
 * that rounds to the number, and of these the ones with the fewest digits. The nearest of them is
 * the result, and of two equally near ones the one with an even last digit. It computes intervals
 * and parses no text, so it shares nothing with the code under test.
 */
final class IntervalDecimal {
  private IntervalDecimal() {}

  static BigDecimal of(double value) {
    double magnitude = Math.abs(value);
    boolean even = (Double.doubleToLongBits(value) & 1) == 0;
    return of(value < 0, magnitude, Math.nextDown(magnitude), Math.ulp(magnitude), even);
  }

  static BigDecimal of(float value) {
    float magnitude = Math.abs(value);
    boolean even = (Float.floatToIntBits(value) & 1) == 0;
    return of(value < 0, magnitude, Math.nextDown(magnitude), Math.ulp(magnitude), even);
  }

  /**
   * From the number, its lower neighbour, and the gap to its upper neighbour; floats are passed as
   * doubles.
   */
  private static BigDecimal of(
      boolean negative, double magnitude, double below, double gapAbove, boolean even) {
    BigDecimal exact = new BigDecimal(magnitude);
    BigDecimal gapBelow = exact.subtract(new BigDecimal(below));
    BigDecimal shortest = within(exact, gapBelow, new BigDecimal(gapAbove), even);
    return negative ? shortest.negate() : shortest;
  }

  private static BigDecimal within(
      BigDecimal exact, BigDecimal gapBelow, BigDecimal gapAbove, boolean even) {
    if (exact.signum() == 0) {
      return BigDecimal.ZERO;
    }
    BigDecimal half = new BigDecimal("0.5");
    BigDecimal lowest = exact.subtract(gapBelow.multiply(half));
    BigDecimal highest = exact.add(gapAbove.multiply(half));
    for (int power = exact.precision() - exact.scale(); ; power--) {
      BigDecimal nearest = null;
      BigInteger last =
          highest.scaleByPowerOfTen(-power).setScale(0, RoundingMode.FLOOR).toBigInteger();
      for (BigInteger digits =
              lowest.scaleByPowerOfTen(-power).setScale(0, RoundingMode.CEILING).toBigInteger();
          digits.compareTo(last) <= 0;
          digits = digits.add(BigInteger.ONE)) {
        BigDecimal decimal = new BigDecimal(digits).scaleByPowerOfTen(power);
        boolean onEdge = decimal.compareTo(lowest) == 0 || decimal.compareTo(highest) == 0;
        if (onEdge && !even || digits.signum() == 0) {
          continue;
        }
        int nearer =
            nearest == null
                ? -1
                : decimal.subtract(exact).abs().compareTo(nearest.subtract(exact).abs());
        if (nearer < 0 || nearer == 0 && !digits.testBit(0)) {
          nearest = decimal;
        }
      }
      if (nearest != null) {
        return nearest;
      }
    }
  }
}
