package io.lighthouse.tests.referee;

import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The referee's own number: a decimal of any size, or an infinity.
 *
 * @param finite the decimal; 0 for an infinity
 * @param infinity the sign of an infinity; 0 for a decimal
 */
record Amount(BigDecimal finite, int infinity) implements Comparable<Amount> {
  static final Amount ZERO = new Amount(BigDecimal.ZERO, 0);

  private static final int DIGITS = 9;

  /** What a ledger makes of a requirement: rounded up. */
  static Amount required(Quantity quantity) {
    return of(quantity, RoundingMode.CEILING);
  }

  /** What a ledger makes of a quantity of a node: rounded down. */
  static Amount offered(Quantity quantity) {
    return of(quantity, RoundingMode.FLOOR);
  }

  private static Amount of(Quantity quantity, RoundingMode mode) {
    if (quantity.isInfinite()) {
      return new Amount(BigDecimal.ZERO, quantity.signum());
    }
    BigDecimal value = quantity.toBigDecimal();
    return new Amount(value.scale() > DIGITS ? value.setScale(DIGITS, mode) : value, 0);
  }

  /** The sum; an infinity stays as it is. */
  Amount plus(Amount other) {
    return infinity != 0
        ? this
        : other.infinity != 0 ? other : new Amount(finite.add(other.finite), 0);
  }

  /** The difference; an infinity stays as it is. */
  Amount minus(Amount other) {
    return plus(new Amount(other.finite.negate(), -other.infinity));
  }

  /** The product with a weight: 0 for a weight of 0, whatever this is. */
  Amount times(BigDecimal weight) {
    return new Amount(finite.multiply(weight), infinity * weight.signum());
  }

  int signum() {
    return infinity != 0 ? infinity : finite.signum();
  }

  Quantity toQuantity() {
    return infinity > 0
        ? Quantity.INFINITY
        : infinity < 0 ? Quantity.NEGATIVE_INFINITY : Quantity.of(finite);
  }

  @Override
  public int compareTo(Amount other) {
    return infinity != other.infinity
        ? Integer.compare(infinity, other.infinity)
        : finite.compareTo(other.finite);
  }
}
