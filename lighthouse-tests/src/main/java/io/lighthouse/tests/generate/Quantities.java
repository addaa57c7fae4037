package io.lighthouse.tests.generate;

import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generators of quantities: whole ones mostly, tenths, thousandths, and some of twelve digits. */
public final class Quantities {
  /** Digits after the point that a ledger rounds away. */
  private static final int FINEST = 12;

  private Quantities() {}

  /**
   * Finite quantities of a range.
   *
   * @param lowest the lowest, a whole number
   * @param highest the highest, a whole number
   * @return shrinks towards whole numbers, and towards 0 or the bound next to it
   */
  public static Arbitrary<Quantity> between(int lowest, int highest) {
    Arbitrary<Quantity> whole = Arbitraries.integers().between(lowest, highest).map(Quantity::of);
    return Arbitraries.frequencyOf(
        Tuple.of(5, whole),
        Tuple.of(3, scaled(lowest, highest, 1)),
        Tuple.of(1, scaled(lowest, highest, 3)),
        Tuple.of(1, fine(lowest, highest)));
  }

  private static Arbitrary<Quantity> scaled(int lowest, int highest, int digits) {
    int factor = (int) Math.pow(10, digits);
    return Arbitraries.integers()
        .between(lowest * factor, highest * factor)
        .map(value -> Quantity.of(BigDecimal.valueOf(value, digits)));
  }

  /** A whole number or a tenth, and a little more or less in the twelfth digit. */
  private static Arbitrary<Quantity> fine(int lowest, int highest) {
    return Combinators.combine(
            Arbitraries.integers().between(lowest, highest - 1),
            Arbitraries.of(1L, 100_000_000_001L, 333_333_333_333L, 999_999_999_999L))
        .as(
            (whole, rest) ->
                Quantity.of(BigDecimal.valueOf(whole).add(BigDecimal.valueOf(rest, FINEST))));
  }
}
