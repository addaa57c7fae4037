package io.lighthouse.picture;

import io.lighthouse.api.DomainState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts about fleets for people: names and quantities. No method takes or returns null. All methods
 * are thread-safe, and cost time in proportion to the text that they return.
 */
public final class FleetText {
  private FleetText() {}

  /**
   * A domain for people.
   *
   * @param level its level
   * @param domain its name
   * @return such as {@code zone a}; the fleet is one domain, and its level is enough
   */
  public static String nameOf(String level, String domain) {
    return level.equals(Rule.FLEET) ? level : level + " " + domain;
  }

  /**
   * Names with their quantities.
   *
   * @param resources the resources
   * @return such as {@code 2 cpu}, in the order of names
   */
  public static List<String> quantities(Resources resources) {
    List<String> quantities = new ArrayList<>();
    for (int i = 0; i < resources.size(); i++) {
      quantities.add(resources.quantity(i) + " " + resources.name(i));
    }
    return quantities;
  }

  /**
   * The used amounts of each resource of a domain, or its state where it is not a supply.
   *
   * @param domain the domain
   * @return such as {@code 1 of 3 power}, in the order of names
   */
  public static List<String> shares(DomainState domain) {
    List<String> shares = new ArrayList<>();
    for (int i = 0; i < domain.capacity().size(); i++) {
      String name = domain.capacity().name(i);
      Quantity has = domain.capacity().quantity(i);
      Quantity left = domain.left().quantity(i);
      if (has.isInfinite()) {
        shares.add((has.signum() < 0 ? "ward " : "unlimited ") + name);
      } else if (has.signum() == 0 && left.signum() == 0) {
        shares.add("tag " + name);
      } else {
        BigDecimal used = has.toBigDecimal().subtract(left.toBigDecimal());
        shares.add(brief(used) + " of " + brief(has.toBigDecimal()) + " " + name);
      }
    }
    return shares;
  }

  /**
   * A share in percent.
   *
   * @param part the part
   * @param whole the whole; not 0
   * @param digits the number of digits after the point
   * @return the percentage, rounded half up
   */
  public static BigDecimal percent(BigDecimal part, BigDecimal whole, int digits) {
    return part.movePointRight(2).divide(whole, digits, RoundingMode.HALF_UP);
  }

  /**
   * A number for people: rounded to four digits where it is very long.
   *
   * @param number the number
   * @return its digits; with {@code ~} before them where some are left out
   */
  public static String brief(BigDecimal number) {
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    if (stripped.precision() <= 12 && Math.abs(stripped.scale()) <= 12) {
      return stripped.toPlainString();
    }
    BigDecimal rounded = stripped.round(new MathContext(4));
    return (rounded.compareTo(stripped) == 0 ? "" : "~") + rounded;
  }

  /**
   * Escapes control and format characters, which could overwrite other text.
   *
   * @param text any text
   * @return the same text if there are none
   */
  public static String printable(String text) {
    StringBuilder shown = null;
    int end;
    for (int i = 0; i < text.length(); i = end) {
      end = text.offsetByCodePoints(i, 1);
      if (isControl(text.codePointAt(i))) {
        shown = shown == null ? new StringBuilder(text.substring(0, i)) : shown;
        for (int at = i; at < end; at++) {
          shown.append(String.format("\\u%04x", (int) text.charAt(at)));
        }
      } else if (shown != null) {
        shown.append(text, i, end);
      }
    }
    return shown == null ? text : shown.toString();
  }

  private static boolean isControl(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
