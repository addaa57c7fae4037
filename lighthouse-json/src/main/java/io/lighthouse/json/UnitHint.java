package io.lighthouse.json;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to write for a quantity that was given with a unit, such as {@code 8Gi} or {@code 500m}. */
public final class UnitHint {
  private static final Pattern WITH_UNIT =
      Pattern.compile("([+-]?[0-9]{1,30}(?:[.][0-9]{1,30})?) ?(?:([kKMGTPE]i?)[bB]?|(m))");

  private static final Map<Character, Integer> POWERS =
      Map.of('k', 1, 'K', 1, 'M', 2, 'G', 3, 'T', 4, 'P', 5, 'E', 6);

  private UnitHint() {}

  /**
   * What is allowed in place of a quantity with a unit.
   *
   * @param text what was given
   * @return the number to write; nothing where the text is no number with a unit
   */
  public static Optional<String> of(String text) {
    Matcher given = WITH_UNIT.matcher(text);
    if (!given.matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(given.group(1));
    String unit = given.group(2) != null ? given.group(2) : given.group(3);
    BigDecimal written = number.multiply(factor(unit)).stripTrailingZeros();
    return Optional.of(
        "a number without a unit: "
            + written.toPlainString()
            + ", or "
            + number.toPlainString()
            + " where the resource is counted in "
            + unit
            + " everywhere");
  }

  private static BigDecimal factor(String unit) {
    if (unit.equals("m")) {
      return new BigDecimal("0.001");
    }
    BigDecimal thousand = BigDecimal.valueOf(unit.endsWith("i") ? 1024 : 1000);
    return thousand.pow(POWERS.get(unit.charAt(0)));
  }
}
