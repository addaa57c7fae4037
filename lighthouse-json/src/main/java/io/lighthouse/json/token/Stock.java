package io.lighthouse.json.token;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.json.Rounding;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What stands for a quantity of a node or domain where it is an object.
 *
 * @param quantity what is left, or the capacity
 * @param isCapacity whether it is the capacity
 * @param unit the amounts that a workload may require
 * @param rounding how the capacity was rounded; null where it was not
 */
public record Stock(Quantity quantity, boolean isCapacity, Unit unit, Rounding rounding) {

  /**
   * The same resources, where a workload takes what it requires off those that are capacities.
   *
   * @throws InvalidInputException if what is left has too many digits; its field is the resource
   */
  public static Resources without(
      Resources resources, Map<String, Stock> stocks, Resources required) {
    Resources rest = resources;
    for (int i = 0; i < required.size(); i++) {
      String name = required.name(i);
      Stock stock = stocks.get(name);
      if (stock != null && stock.isCapacity && !stock.quantity.isInfinite()) {
        Quantity taken = required.quantity(i).rounded(RoundingMode.CEILING);
        rest = rest.with(name, difference(name, rest.get(name).orElseThrow(), taken));
      }
    }
    return rest;
  }

  private static Quantity difference(String name, Quantity had, Quantity taken) {
    try {
      return had.minus(taken);
    } catch (InvalidInputException tooLong) {
      throw new InvalidInputException(
          "capacity",
          name,
          had.toString(),
          "a capacity that leaves at most "
              + Quantity.MAX_DIGITS
              + " digits before the point beside the workloads placed there");
    }
  }

  public static Map<String, Unit> units(Map<String, Stock> stocks) {
    if (stocks.isEmpty()) {
      return Map.of();
    }
    Map<String, Unit> units = new LinkedHashMap<>();
    stocks.forEach((name, stock) -> units.put(name, stock.unit));
    return units;
  }

  public static List<Rounding> roundings(Map<String, Stock> stocks) {
    return stocks.values().stream().map(Stock::rounding).filter(Objects::nonNull).toList();
  }
}
