package io.lighthouse.core.oracle;

import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** An exact decimal or an infinity, by {@link BigDecimal}: slow, plain, and none of core's code. */
public record Amount(int infinite, BigDecimal value) implements Comparable<Amount> {
  public static final Amount ZERO = of(BigDecimal.ZERO);

  public static Amount of(BigDecimal value) {
    return new Amount(0, value);
  }

  /** What a node offers: no finer than nine digits, never more than given. */
  public static Amount offered(Quantity quantity) {
    return quantity.isInfinite()
        ? new Amount(quantity.signum(), BigDecimal.ZERO)
        : of(quantity.toBigDecimal().setScale(9, RoundingMode.FLOOR));
  }

  /** What a workload requires: no finer than nine digits, never less than given. */
  public static BigDecimal required(Quantity quantity) {
    return quantity.toBigDecimal().setScale(9, RoundingMode.CEILING);
  }

  public Amount plus(BigDecimal more) {
    return infinite != 0 ? this : of(value.add(more));
  }

  public Amount minus(BigDecimal less) {
    return infinite != 0 ? this : of(value.subtract(less));
  }

  public int signum() {
    return infinite != 0 ? infinite : value.signum();
  }

  /** The same as a quantity of the api. */
  public Quantity quantity() {
    return infinite > 0
        ? Quantity.INFINITY
        : infinite < 0 ? Quantity.NEGATIVE_INFINITY : Quantity.of(value);
  }

  @Override
  public int compareTo(Amount other) {
    return infinite != other.infinite
        ? Integer.compare(infinite, other.infinite)
        : value.compareTo(other.value);
  }
}
