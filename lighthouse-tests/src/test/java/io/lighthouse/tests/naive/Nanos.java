package io.lighthouse.tests.naive;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;

/**
 * A whole number of billionths, or an infinity.
 *
 * @param units billionths; 0 for an infinity
 * @param infinity its sign, or 0
 */
record Nanos(BigInteger units, int infinity) {
  static final Nanos ZERO = new Nanos(BigInteger.ZERO, 0);

  private static final int DIGITS = 9;

  static Nanos of(Quantity quantity, RoundingMode mode) {
    return quantity.isInfinite()
        ? new Nanos(BigInteger.ZERO, quantity.signum())
        : new Nanos(
            quantity
                .toBigDecimal()
                .setScale(DIGITS, mode)
                .movePointRight(DIGITS)
                .toBigIntegerExact(),
            0);
  }

  /** Requirements, as a ledger takes them. */
  static Map<String, Nanos> up(Resources resources) {
    return all(resources, RoundingMode.CEILING);
  }

  static Map<String, Nanos> all(Resources resources, RoundingMode mode) {
    Map<String, Nanos> all = new TreeMap<>();
    resources.asMap().forEach((name, quantity) -> all.put(name, of(quantity, mode)));
    return all;
  }

  Nanos plus(Nanos other) {
    return infinity != 0 ? this : new Nanos(units.add(other.units), other.infinity);
  }

  Nanos minus(Nanos other) {
    return plus(new Nanos(other.units.negate(), -other.infinity));
  }

  int sign() {
    return infinity != 0 ? infinity : units.signum();
  }

  Quantity quantity() {
    return infinity > 0
        ? Quantity.INFINITY
        : infinity < 0 ? Quantity.NEGATIVE_INFINITY : Quantity.of(new BigDecimal(units, DIGITS));
  }
}
