package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.Map;

/**
 * Weights by resource, which turn a map of quantities into one score: the sum of weight times
 * quantity over the names of the rubric. A name missing from the quantities counts as 0; a name
 * missing from the rubric does not count.
 *
 * <p>A weight of 0 contributes 0, even for an infinite quantity. If the products include both
 * infinities, the score is minus infinity. Scores are exact. An empty rubric is valid: all its
 * scores are 0. Immutable and thread-safe.
 *
 * @param weights each 0, or of magnitude 1e-30 to 1e30 with at most {@value #MAX_DIGITS}
 *     significant digits
 */
public record Rubric(Resources weights) {
  /** The most significant digits that a weight may have. */
  public static final int MAX_DIGITS = 18;

  private static final Quantity SMALLEST = Quantity.of("1e-30");
  private static final Quantity LARGEST = Quantity.of("1e30");

  /**
   * Checks the weights.
   *
   * @throws InvalidInputException if a weight is out of range, infinite, or has too many digits; it
   *     is never rounded
   */
  public Rubric {
    for (int i = 0; i < weights.size(); i++) {
      if (!isWeight(weights.quantity(i))) {
        throw new InvalidInputException(
            "rubric",
            weights.name(i),
            weights.quantity(i).toString(),
            "0, or a magnitude from 1e-30 to 1e30 with at most "
                + MAX_DIGITS
                + " significant digits");
      }
    }
  }

  /**
   * Names and weights in turn: {@code Rubric.of("cpu", 1, "mem", "0.5")}.
   *
   * @param namesAndWeights a name, its weight (anything that {@link Quantity#of(Object)} takes),
   *     the next name, and so on
   * @return the rubric
   * @throws InvalidInputException if a name is ill-formed or repeated, or a weight is not allowed
   */
  public static Rubric of(Object... namesAndWeights) {
    return new Rubric(Resources.of(namesAndWeights));
  }

  /**
   * The entries of a map.
   *
   * @param weights anything that {@link Quantity#of(Object)} takes, by resource
   * @return the rubric
   * @throws InvalidInputException if a name is ill-formed or a weight is not allowed
   */
  public static Rubric of(Map<String, ?> weights) {
    return new Rubric(Resources.of(weights));
  }

  private static boolean isWeight(Quantity weight) {
    if (weight.isInfinite()) {
      return false;
    }
    Quantity magnitude = weight.signum() < 0 ? weight.negated() : weight;
    return weight.signum() == 0
        || (magnitude.compareTo(SMALLEST) >= 0
            && magnitude.compareTo(LARGEST) <= 0
            && weight.toBigDecimal().stripTrailingZeros().precision() <= MAX_DIGITS);
  }
}
