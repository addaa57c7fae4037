package io.lighthouse.api.quantity;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Objects;

/**
 * An exact decimal number, or plus or minus infinity; never NaN, never binary floating point.
 *
 * <p>Equality and order are by value: {@code 1.0} is {@code 1.00}. A quantity keeps every digit
 * given, up to {@value #MAX_DIGITS} before and after the point; a ledger works with at most {@link
 * #LEDGER_DIGITS} after the point and rounds a finer one on entry ({@link #rounded}).
 *
 * <p>The text of a quantity is its plain decimal without needless zeros ({@code 12.5}, {@code -3}),
 * or {@code inf} or {@code -inf}. Immutable and thread-safe.
 */
public final class Quantity implements Comparable<Quantity> {
  /** The most digits that a quantity may have before the point, and the most after it. */
  public static final int MAX_DIGITS = 1000;

  /** The most digits after the point that a ledger works with. */
  public static final int LEDGER_DIGITS = 9;

  /** Zero: the quantity of a tag. */
  public static final Quantity ZERO = new Quantity(0, 0, null);

  /** One: what a workload requires of a semaphore. */
  public static final Quantity ONE = new Quantity(1, 0, null);

  /** Plus infinity: never used up. */
  public static final Quantity INFINITY = new Quantity(1, Quantity.INFINITE, null);

  /** Minus infinity: the quantity of a ward. */
  public static final Quantity NEGATIVE_INFINITY = new Quantity(-1, Quantity.INFINITE, null);

  /** A number with more bits has more than three times {@link #MAX_DIGITS} digits. */
  private static final int MOST_BITS = 10 * MAX_DIGITS;

  /** The scale that marks an infinity. */
  private static final int INFINITE = -1;

  private static final long[] POWERS = new long[19];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  /** The value times 10^scale where {@code big} is null; the sign of an infinity. */
  private final long unscaled;

  /** Digits after the point, without trailing zeros; {@link #INFINITE} for an infinity. */
  private final int scale;

  /** The value where its digits do not fit {@code unscaled}, stripped of zeros; else null. */
  private final BigDecimal big;

  private Quantity(long unscaled, int scale, BigDecimal big) {
    this.unscaled = unscaled;
    this.scale = scale;
    this.big = big;
  }

  /**
   * A whole number.
   *
   * @param value the number
   * @return its quantity
   */
  public static Quantity of(long value) {
    return value == 0 ? ZERO : value == 1 ? ONE : new Quantity(value, 0, null);
  }

  /**
   * The shortest decimal that reads back as the same double, the same on every JDK: 0.1 is one
   * tenth. Of several shortest ones, the nearest to the double; of two as near, the one with the
   * even last digit. Cost: up to 17 roundings.
   *
   * @param value a double; infinities are allowed
   * @return its quantity
   * @throws InvalidInputException if it is NaN
   */
  public static Quantity of(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
      return of((long) value);
    }
    if (Double.isNaN(value)) {
      throw notANumber();
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? INFINITY : NEGATIVE_INFINITY;
    }
    return of(ShortestDecimal.of(value));
  }

  /**
   * The shortest decimal that reads back as the same float; see {@link #of(double)}.
   *
   * @param value a float; infinities are allowed
   * @return its quantity
   * @throws InvalidInputException if it is NaN
   */
  public static Quantity of(float value) {
    if (!Float.isFinite(value) || (value == Math.rint(value) && Math.abs(value) < 1 << 24)) {
      return of((double) value);
    }
    return of(ShortestDecimal.of(value));
  }

  /**
   * A decimal, exactly.
   *
   * @param value the number
   * @return its quantity
   * @throws InvalidInputException if it has more than {@link #MAX_DIGITS} digits before or after
   *     the point
   */
  public static Quantity of(BigDecimal value) {
    return of(value, value);
  }

  /** A decimal; {@code found} is the input, for the message. */
  static Quantity of(BigDecimal value, Object found) {
    if (value.signum() == 0) {
      return ZERO;
    }
    // The checks come first: later steps would write out the zeros of a large exponent, and already
    // the number of its digits costs much of a very long number.
    int bits = value.unscaledValue().bitLength();
    if (bits > MOST_BITS) {
      throw QuantityReader.tooLong("a number of " + bits + " bits");
    }
    long before = (long) value.precision() - value.scale();
    if (before > MAX_DIGITS || value.precision() > 3 * MAX_DIGITS) {
      throw QuantityReader.tooLong(found.toString());
    }
    BigDecimal stripped = value.stripTrailingZeros();
    if (stripped.scale() > MAX_DIGITS) {
      throw QuantityReader.tooLong(found.toString());
    }
    return ofStripped(stripped);
  }

  /** A decimal without trailing zeros, of any length. */
  private static Quantity ofStripped(BigDecimal stripped) {
    BigDecimal plain = stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    BigInteger digits = plain.unscaledValue();
    return digits.bitLength() < Long.SIZE
        ? canonical(digits.longValue(), plain.scale())
        : new Quantity(plain.signum(), plain.scale(), plain);
  }

  /**
   * A JSON number, or {@code inf}, {@code +inf} or {@code -inf}. No blanks, no other notation.
   *
   * @param text the number, in at most a few thousand characters
   * @return its quantity
   * @throws InvalidInputException if the text is anything else, or has more than {@link
   *     #MAX_DIGITS} digits before or after the point
   */
  public static Quantity of(String text) {
    return switch (text) {
      case "inf", "+inf" -> INFINITY;
      case "-inf" -> NEGATIVE_INFINITY;
      default -> QuantityReader.read(text);
    };
  }

  /**
   * A number of any of these types: a {@link Quantity}, a {@link String} as in {@link #of(String)},
   * or one of the JDK's {@link Byte}, {@link Short}, {@link Integer}, {@link Long}, {@link
   * BigInteger}, {@link BigDecimal}, {@link Float}, {@link Double}.
   *
   * @param value the number
   * @return its quantity
   * @throws InvalidInputException if it is none of these, or NaN, or a text that is no number
   */
  public static Quantity of(Object value) {
    if (value instanceof Quantity quantity) {
      return quantity;
    }
    if (value instanceof String text) {
      return of(text);
    }
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return of(((Number) value).longValue());
    }
    if (value instanceof Double number) {
      return of(number.doubleValue());
    }
    if (value instanceof Float number) {
      return of(number.floatValue());
    }
    if (value instanceof BigDecimal number) {
      return of(number);
    }
    if (value instanceof BigInteger number) {
      return of(new BigDecimal(number));
    }
    throw new InvalidInputException(
        "quantity",
        "value",
        value == null ? "null" : "a " + value.getClass().getName(),
        "a Quantity, a String, or a number of the JDK");
  }

  /**
   * Whether this is plus or minus infinity.
   *
   * @return true for an infinity
   */
  public boolean isInfinite() {
    return scale == INFINITE;
  }

  /**
   * The sign.
   *
   * @return -1, 0 or 1, also for infinities
   */
  public int signum() {
    return Long.signum(unscaled);
  }

  /**
   * The number of digits after the point, needless zeros left out: 12.50 has one.
   *
   * @return from 0 to {@link #MAX_DIGITS}; 0 for an infinity
   */
  public int scale() {
    return Math.max(scale, 0);
  }

  /**
   * The value as a decimal, without needless zeros after the point.
   *
   * @return the decimal
   * @throws ArithmeticException if this is infinite
   */
  public BigDecimal toBigDecimal() {
    if (isInfinite()) {
      throw new ArithmeticException(this + " is no decimal");
    }
    return big != null ? big : BigDecimal.valueOf(unscaled, scale);
  }

  /**
   * The value times a power of ten, as a whole number: 12.5 at two digits is 1250. Cost: a
   * multiplication.
   *
   * @param digits the power, from 0 to 18
   * @return the exact product
   * @throws ArithmeticException if this is infinite, has more digits after the point, or the
   *     product does not fit a long
   * @throws IndexOutOfBoundsException if there is no such power
   */
  public long scaledTo(int digits) {
    Objects.checkIndex(digits, POWERS.length);
    if (big != null || scale > digits || scale == INFINITE) {
      return toBigDecimal().movePointRight(digits).longValueExact();
    }
    return Math.multiplyExact(unscaled, POWERS[digits - scale]);
  }

  /**
   * Like {@link #scaledTo(int)}, but returns another value where that throws an {@link
   * ArithmeticException}.
   *
   * @param digits the power, from 0 to 18
   * @param otherwise returned if this is infinite, has more digits after the point, or the product
   *     does not fit a long
   * @return the exact product, or {@code otherwise}
   * @throws IndexOutOfBoundsException if there is no such power
   */
  public long scaledTo(int digits, long otherwise) {
    Objects.checkIndex(digits, POWERS.length);
    if (big != null || scale > digits || scale == INFINITE) {
      return otherwise;
    }
    long power = POWERS[digits - scale];
    long scaled = unscaled * power;
    return Math.multiplyHigh(unscaled, power) == scaled >> 63 ? scaled : otherwise;
  }

  /**
   * A whole number of units of 10^-digits, the inverse of {@link #scaledTo}.
   *
   * @param scaled the number of units
   * @param digits the power, from 0 to 18
   * @return the quantity
   * @throws IndexOutOfBoundsException if there is no such power
   */
  public static Quantity ofScaled(long scaled, int digits) {
    return canonical(scaled, Objects.checkIndex(digits, POWERS.length));
  }

  /** The canonical form of {@code scaled / 10^digits}: without trailing zeros after the point. */
  static Quantity canonical(long scaled, int digits) {
    long unscaled = scaled;
    int scale = digits;
    while (scale > 0 && unscaled % 10 == 0) {
      unscaled /= 10;
      scale--;
    }
    return scale == 0 ? of(unscaled) : new Quantity(unscaled, scale, null);
  }

  /**
   * This quantity with at most {@link #LEDGER_DIGITS} digits after the point. A ledger rounds
   * requirements up ({@link RoundingMode#CEILING}) and quantities of nodes down ({@link
   * RoundingMode#FLOOR}), so that no node is ever overcommitted.
   *
   * @param mode the rounding mode
   * @return the rounded quantity; this if it has no more digits. Where rounding carries over {@link
   *     #MAX_DIGITS} nines before the point, it has one digit more before the point
   * @throws ArithmeticException if the mode is {@link RoundingMode#UNNECESSARY} and it has more
   *     digits
   */
  public Quantity rounded(RoundingMode mode) {
    return scale <= LEDGER_DIGITS
        ? this
        : ofStripped(toBigDecimal().setScale(LEDGER_DIGITS, mode).stripTrailingZeros());
  }

  /**
   * The sum.
   *
   * @param other what to add
   * @return the exact sum; an infinity stays as it is
   * @throws ArithmeticException if the two are opposite infinities
   * @throws InvalidInputException if it has more than {@link #MAX_DIGITS} digits before the point
   */
  public Quantity plus(Quantity other) {
    if (isInfinite() || other.isInfinite()) {
      if (isInfinite() && other.isInfinite() && signum() != other.signum()) {
        throw new ArithmeticException(this + " plus " + other + " has no value");
      }
      return isInfinite() ? this : other;
    }
    if (big == null && other.big == null && scale == other.scale) {
      long sum = unscaled + other.unscaled;
      if (((unscaled ^ sum) & (other.unscaled ^ sum)) >= 0) {
        return canonical(sum, scale);
      }
    }
    return of(toBigDecimal().add(other.toBigDecimal()));
  }

  /**
   * The difference.
   *
   * @param other what to take away
   * @return the exact difference; an infinity stays as it is
   * @throws ArithmeticException if the two are the same infinity
   * @throws InvalidInputException if it has more than {@link #MAX_DIGITS} digits before the point
   */
  public Quantity minus(Quantity other) {
    return plus(other.negated());
  }

  /**
   * The same magnitude with the other sign.
   *
   * @return minus this
   */
  public Quantity negated() {
    if (this == INFINITY) {
      return NEGATIVE_INFINITY;
    }
    if (this == NEGATIVE_INFINITY) {
      return INFINITY;
    }
    return big != null || unscaled == Long.MIN_VALUE
        ? ofStripped(toBigDecimal().negate())
        : unscaled == 0 ? this : new Quantity(-unscaled, scale, null);
  }

  @Override
  public int compareTo(Quantity other) {
    if (isInfinite() || other.isInfinite()) {
      return Integer.compare(
          isInfinite() ? 2 * signum() : signum(),
          other.isInfinite() ? 2 * other.signum() : other.signum());
    }
    return big == null && other.big == null && scale == other.scale
        ? Long.compare(unscaled, other.unscaled)
        : toBigDecimal().compareTo(other.toBigDecimal());
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof Quantity other
        && unscaled == other.unscaled
        && scale == other.scale
        && (big == null ? other.big == null : big.equals(other.big));
  }

  @Override
  public int hashCode() {
    return big == null ? 31 * Long.hashCode(unscaled) + scale : big.hashCode();
  }

  @Override
  public String toString() {
    if (isInfinite()) {
      return unscaled > 0 ? "inf" : "-inf";
    }
    return scale == 0 && big == null ? Long.toString(unscaled) : toBigDecimal().toPlainString();
  }

  private static InvalidInputException notANumber() {
    return new InvalidInputException("quantity", "value", "NaN", "a decimal, inf or -inf");
  }
}
