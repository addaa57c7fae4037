package io.lighthouse.api.quantity;

import io.lighthouse.api.error.InvalidInputException;

/**
 * The unit in which a resource may be required: the least, the most and the step of a requirement
 * above 0. It does not apply to a workload that is immune to the resource. Immutable and
 * thread-safe.
 *
 * @param min the least, above 0; or 0 for no bound
 * @param max the most, above 0; plus infinity for no bound
 * @param step what a requirement must be a whole multiple of, above 0; or 0 for none
 */
public record Unit(Quantity min, Quantity max, Quantity step) {
  /** Any requirement. */
  public static final Unit ANY = new Unit(Quantity.ZERO, Quantity.INFINITY, Quantity.ZERO);

  /**
   * Checks.
   *
   * @throws InvalidInputException if a part is negative, the most is 0 or below the least, or the
   *     least or the step is infinite
   */
  public Unit {
    require(min, "min", min.signum() >= 0 && !min.isInfinite(), "a finite number from 0");
    require(max, "max", max.signum() > 0, "a number above 0, or inf");
    require(step, "step", step.signum() >= 0 && !step.isInfinite(), "a finite number from 0");
    if (max.compareTo(min) < 0) {
      String most = InvalidInputException.shortened(max.toString());
      throw new InvalidInputException(
          "unit", "min", min.toString(), "at most max, which is " + most);
    }
  }

  private static void require(Quantity part, String name, boolean good, String allowed) {
    if (!good) {
      throw new InvalidInputException("unit", name, part.toString(), allowed);
    }
  }

  /**
   * Whether a requirement obeys the unit.
   *
   * @param required the requirement
   * @return true if it is 0 or less, or at least the least, at most the most, and a whole multiple
   *     of the step; plus infinity is no multiple of any step
   */
  public boolean allows(Quantity required) {
    if (required.signum() <= 0) {
      return true;
    }
    return required.compareTo(min) >= 0
        && required.compareTo(max) <= 0
        && (step.signum() == 0
            || !required.isInfinite()
                && required.toBigDecimal().remainder(step.toBigDecimal()).signum() == 0);
  }
}
