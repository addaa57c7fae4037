package io.lighthouse.json;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
   * @throws InvalidInputException if a value is no quantity; where it has a unit, it says what to
   *     write
   */
  public static Resources resources(Map<String, String> amounts) {
    try {
      return Resources.of(amounts);
    } catch (InvalidInputException wrong) {
      for (Map.Entry<String, String> amount : amounts.entrySet()) {
        Optional<String> hint = UnitHint.of(amount.getValue());
        if (hint.isPresent()) {
          throw new InvalidInputException(
              wrong.subject(), amount.getKey(), "'" + amount.getValue() + "'", hint.get());
        }
      }
      throw wrong;
    }
  }
}
