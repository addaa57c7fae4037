package io.lighthouse.api.quantity;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The laws of quantities. Each takes the operation that it checks as a parameter, so that tests can
 * plant a wrong one. They use only {@link BigDecimal} and the grammar of JSON numbers, and do not
 * depend on how a quantity is stored.
 */
final class QuantityLaws {
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  private QuantityLaws() {}

  /** The decimal that a text stands for; empty if it is not a JSON number within the limits. */
  static Optional<BigDecimal> meaning(String text) {
    if (!JSON_NUMBER.matcher(text).matches()) {
      return Optional.empty();
    }
    BigDecimal value = new BigDecimal(text);
    if (value.signum() == 0) {
      return Optional.of(BigDecimal.ZERO);
    }
    BigDecimal stripped = value.stripTrailingZeros();
    long before = (long) stripped.precision() - stripped.scale();
    return before <= 1000 && stripped.scale() <= 1000 ? Optional.of(stripped) : Optional.empty();
  }

  /** A text is read as the decimal that it stands for, or refused. */
  static boolean readsAsJson(Function<String, Quantity> read, String text) {
    Optional<BigDecimal> expected = meaning(text);
    try {
      Quantity quantity = read.apply(text);
      return expected.isPresent() && quantity.toBigDecimal().compareTo(expected.get()) == 0;
    } catch (InvalidInputException refused) {
      return expected.isEmpty();
    }
  }

  /** A double becomes the shortest decimal that is parsed as the same double. */
  static boolean readsShortestDouble(Function<Double, Quantity> read, double value) {
    return read.apply(value).toBigDecimal().compareTo(IntervalDecimal.of(value)) == 0;
  }

  /** A float becomes the shortest decimal that is parsed as the same float. */
  static boolean readsShortestFloat(Function<Float, Quantity> read, float value) {
    return read.apply(value).toBigDecimal().compareTo(IntervalDecimal.of(value)) == 0;
  }

  /** An operation on two finite quantities gives the same result as on decimals. */
  static boolean agrees(
      BinaryOperator<Quantity> operation,
      BinaryOperator<BigDecimal> exact,
      BigDecimal a,
      BigDecimal b) {
    Quantity result = operation.apply(Quantity.of(a), Quantity.of(b));
    return result.toBigDecimal().compareTo(exact.apply(a, b)) == 0;
  }

  /** A text is the plain decimal, and the shortest one. */
  static boolean printsCanonically(Function<Quantity, String> print, BigDecimal value) {
    String plain = value.setScale(Math.max(0, value.scale())).toPlainString();
    if (plain.contains(".")) {
      plain = plain.replaceFirst("0+$", "").replaceFirst("\\.$", "");
    }
    return print.apply(Quantity.of(value)).equals(value.signum() == 0 ? "0" : plain);
  }
}
