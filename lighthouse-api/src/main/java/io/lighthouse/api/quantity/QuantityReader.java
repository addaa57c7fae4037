package io.lighthouse.api.quantity;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;

/** Reads the text of a quantity digit by digit, in time linear in its length. */
final class QuantityReader {
  private static final String ALLOWED =
      "a JSON number, inf, +inf or -inf, of at most "
          + Quantity.MAX_DIGITS
          + " digits before and after the point";

  private QuantityReader() {}

  /** Reads a JSON number: {@code -?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?}. */
  static Quantity read(String text) {
    int end = text.length();
    int at = !text.isEmpty() && text.charAt(0) == '-' ? 1 : 0;
    int whole = digits(text, at);
    if (whole == at || (text.charAt(at) == '0' && whole > at + 1)) {
      throw notANumber(text);
    }
    int mantissa = whole;
    if (whole < end && text.charAt(whole) == '.') {
      mantissa = digits(text, whole + 1);
      if (mantissa == whole + 1) {
        throw notANumber(text);
      }
    }
    int fraction = Math.max(0, mantissa - whole - 1);
    if (mantissa < end) {
      return withExponent(text, mantissa);
    }
    if (whole - at > Quantity.MAX_DIGITS || fraction > 2 * Quantity.MAX_DIGITS) {
      throw tooLong(text);
    }
    if (mantissa - at > 18) {
      return Quantity.of(new BigDecimal(text), text);
    }
    long unscaled = 0;
    for (int i = at; i < mantissa; i++) {
      if (i != whole) {
        unscaled = 10 * unscaled + (text.charAt(i) - '0');
      }
    }
    return Quantity.canonical(at == 1 ? -unscaled : unscaled, fraction);
  }

  private static Quantity withExponent(String text, int mantissa) {
    int at = mantissa + 1;
    if (Character.toLowerCase(text.charAt(mantissa)) != 'e' || at == text.length()) {
      throw notANumber(text);
    }
    boolean signed = text.charAt(at) == '-' || text.charAt(at) == '+';
    int first = signed ? at + 1 : at;
    if (first == text.length() || digits(text, first) != text.length()) {
      throw notANumber(text);
    }
    if (text.chars().limit(mantissa).noneMatch(c -> c >= '1' && c <= '9')) {
      return Quantity.ZERO;
    }
    int significant = first;
    while (significant < text.length() - 1 && text.charAt(significant) == '0') {
      significant++;
    }
    if (mantissa > 3 * Quantity.MAX_DIGITS + 2 || text.length() - significant > 5) {
      throw tooLong(text);
    }
    int exponent = Integer.parseInt(text.substring(significant));
    return Quantity.of(
        new BigDecimal(text.substring(0, mantissa))
            .scaleByPowerOfTen(text.charAt(at) == '-' ? -exponent : exponent),
        text);
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  private static InvalidInputException notANumber(String text) {
    return new InvalidInputException("quantity", "value", "'" + text + "'", ALLOWED);
  }

  /** A number with more digits than a quantity may have. */
  static InvalidInputException tooLong(String text) {
    return new InvalidInputException("quantity", "value", text, ALLOWED);
  }
}
