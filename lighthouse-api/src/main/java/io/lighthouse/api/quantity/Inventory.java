package io.lighthouse.api.quantity;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Computes a capacity of a node or domain, with its unit, from a total, a reserved amount, and an
 * allocation ratio. The ratio is how many times the unreserved part may be given out. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * Inventory cpu = Inventory.ofTotal("32").reserved("2").ratio("4").min("1").max("16").step("0.5");
 * cpu.quantity(); // 120
 * }</pre>
 */
public final class Inventory {
  private final Quantity total;
  private final Quantity reserved;
  private final Quantity ratio;
  private final Unit unit;

  private Inventory(Quantity total, Quantity reserved, Quantity ratio, Unit unit) {
    this.total = total;
    this.reserved = reserved;
    this.ratio = ratio;
    this.unit = unit;
  }

  /**
   * An inventory with this total, nothing reserved, an allocation ratio of 1, and no unit.
   *
   * @param total anything that {@link Quantity#of(Object)} takes
   * @return the inventory
   * @throws InvalidInputException if it is not a quantity
   */
  public static Inventory ofTotal(Object total) {
    return new Inventory(Quantity.of(total), Quantity.ZERO, Quantity.of(1), Unit.ANY);
  }

  /**
   * The same with a reserved amount.
   *
   * @param amount a finite quantity
   * @return a new inventory
   * @throws InvalidInputException if it is infinite
   */
  public Inventory reserved(Object amount) {
    Quantity kept = Quantity.of(amount);
    if (kept.isInfinite()) {
      throw new InvalidInputException("inventory", "reserved", kept.toString(), "a finite decimal");
    }
    return new Inventory(total, kept, ratio, unit);
  }

  /**
   * The same with an allocation ratio.
   *
   * @param times a finite quantity above 0
   * @return a new inventory
   * @throws InvalidInputException if it is not
   */
  public Inventory ratio(Object times) {
    Quantity often = Quantity.of(times);
    if (often.signum() <= 0 || often.isInfinite()) {
      throw new InvalidInputException(
          "inventory", "ratio", often.toString(), "a finite number above 0");
    }
    return new Inventory(total, reserved, often, unit);
  }

  /**
   * The same with the least that may be required.
   *
   * @param least above 0
   * @return a new inventory
   * @throws InvalidInputException if it is not, or above the most
   */
  public Inventory min(Object least) {
    Quantity min = above0("min", least);
    return new Inventory(total, reserved, ratio, new Unit(min, unit.max(), unit.step()));
  }

  /**
   * The same with the most that may be required.
   *
   * @param most above 0
   * @return a new inventory
   * @throws InvalidInputException if it is not, or below the least
   */
  public Inventory max(Object most) {
    Quantity max = above0("max", most);
    return new Inventory(total, reserved, ratio, new Unit(unit.min(), max, unit.step()));
  }

  /**
   * The same with a step: requirements must be whole multiples of it.
   *
   * @param multiple above 0
   * @return a new inventory
   * @throws InvalidInputException if it is not
   */
  public Inventory step(Object multiple) {
    Quantity step = above0("step", multiple);
    return new Inventory(total, reserved, ratio, new Unit(unit.min(), unit.max(), step));
  }

  private static Quantity above0(String part, Object given) {
    Quantity quantity = Quantity.of(given);
    if (quantity.signum() <= 0 || quantity.isInfinite()) {
      throw new InvalidInputException(
          "inventory", part, quantity.toString(), "a finite number above 0");
    }
    return quantity;
  }

  /**
   * The capacity: (total - reserved) x ratio, rounded down at the ninth digit after the point.
   *
   * @return the exact quantity
   * @throws InvalidInputException if it has more than {@link Quantity#MAX_DIGITS} digits before the
   *     point
   */
  public Quantity quantity() {
    if (total.isInfinite()) {
      return total;
    }
    BigDecimal exact =
        total.toBigDecimal().subtract(reserved.toBigDecimal()).multiply(ratio.toBigDecimal());
    return Quantity.of(
        exact.scale() <= Quantity.LEDGER_DIGITS
            ? exact
            : exact.setScale(Quantity.LEDGER_DIGITS, RoundingMode.FLOOR));
  }

  /**
   * The unit in which it may be required.
   *
   * @return its unit; {@link Unit#ANY} if none was set
   */
  public Unit unit() {
    return unit;
  }
}
