package io.lighthouse.json;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pairs of names and values, in words that a person types: {@code cpu=8,mem=32}. */
public final class Pairs {
  private Pairs() {}

  /**
   * Reads pairs.
   *
   * @param entries the pairs, each {@code NAME=VALUE}
   * @return values by name, in the order given
   * @throws InvalidInputException if an entry is no pair, or a name is given twice; its found value
   *     is the entry
   */
  public static Map<String, String> of(List<String> entries) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String entry : entries) {
      int equals = entry.indexOf('=');
      String name = entry.substring(0, Math.max(equals, 0));
      if (equals < 1 || pairs.put(name, entry.substring(equals + 1)) != null) {
        throw new InvalidInputException(
            "pairs", "text", "'" + entry + "'", "NAME=VALUE, each name once");
      }
    }
    return pairs;
  }

  /**
   * Reads pairs with commas between them.
   *
   * @param text such as {@code zone=a,rack=r1}
   * @return values by name, in the order given
   * @throws InvalidInputException if an entry is no pair, or a name is given twice
   */
  public static Map<String, String> of(String text) {
    return of(List.of(text.strip().split("\\s*,\\s*", -1)));
  }

  /**
   * Makes resources of pairs.
   *
   * @param amounts quantities by name
   * @return the resources
   * @throws InvalidInputException if a value is no quantity; its field is the name, and where the
   *     value has a unit, it says what to write
   */
  public static Resources resources(Map<String, String> amounts) {
    return resources("", amounts);
  }

  /**
   * Makes resources of pairs that are a part of something.
   *
   * @param path what stands before the name in the field of a mistake, such as {@code resources.}
   * @param amounts quantities by name
   * @return the resources
   * @throws InvalidInputException as for {@link #resources(Map)}
   */
  static Resources resources(String path, Map<String, String> amounts) {
    Map<String, Quantity> quantities = new LinkedHashMap<>();
    amounts.forEach((name, value) -> quantities.put(name, quantity(path + name, value)));
    return Resources.of(quantities);
  }

  private static Quantity quantity(String field, String value) {
    try {
      return Quantity.of(value);
    } catch (InvalidInputException wrong) {
      throw new InvalidInputException(
          "resources", field, wrong.found(), UnitHint.of(value).orElse(wrong.allowed()));
    }
  }
}
