package io.lighthouse.core.oracle;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A whole number of billionths, or an infinity. It rounds and adds for itself: the engine uses what
 * {@link Quantity} has for that.
 *
 * @param units billionths; 0 for an infinity
 * @param infinity its sign, or 0
 */
public record Nanos(BigInteger units, int infinity) {
  static final Nanos ZERO = new Nanos(BigInteger.ZERO, 0);

  private static final int DIGITS = 9;

  /** Rounded one way. */
  static Nanos of(Quantity quantity, RoundingMode mode) {
    return quantity.isInfinite()
        ? new Nanos(BigInteger.ZERO, quantity.signum())
        : new Nanos(quantity.toBigDecimal().setScale(DIGITS, mode).unscaledValue(), 0);
  }

  /** Requirements, as a ledger takes them. */
  static Map<String, Nanos> up(Resources resources) {
    return all(resources, RoundingMode.CEILING);
  }

  /** By name, in the order of names. */
  static Map<String, Nanos> all(Resources resources, RoundingMode mode) {
    Map<String, Nanos> all = new LinkedHashMap<>();
    for (int i = 0; i < resources.size(); i++) {
      all.put(resources.name(i), of(resources.quantity(i), mode));
    }
    return all;
  }

  Nanos plus(Nanos other) {
    return infinity != 0 ? this : new Nanos(units.add(other.units), other.infinity);
  }

  Nanos minus(Nanos other) {
    return infinity != 0 ? this : new Nanos(units.subtract(other.units), -other.infinity);
  }

  public int sign() {
    return infinity != 0 ? infinity : units.signum();
  }

  /** How many digits after the point it has. */
  int digits() {
    return units.signum() == 0
        ? 0
        : Math.max(0, new BigDecimal(units, DIGITS).stripTrailingZeros().scale());
  }

  Quantity quantity() {
    return infinity > 0
        ? Quantity.INFINITY
        : infinity < 0
            ? Quantity.NEGATIVE_INFINITY
            : units.bitLength() < Long.SIZE
                ? Quantity.ofScaled(units.longValue(), DIGITS)
                : Quantity.of(new BigDecimal(units, DIGITS));
  }

  /** As a value of the api. */
  static Resources resources(Map<String, Nanos> all) {
    Map<String, Quantity> quantities = new LinkedHashMap<>();
    all.forEach((name, nanos) -> quantities.put(name, nanos.quantity()));
    return Resources.of(quantities);
  }
}
