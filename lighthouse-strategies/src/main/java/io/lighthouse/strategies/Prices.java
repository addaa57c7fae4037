package io.lighthouse.strategies;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;

/**
 * The price of using each node: the capacity of a resource, or an entry of a map. The map is a list
 * of {@code NAME=PRICE} separated by commas, where {@code *=PRICE} holds for all nodes that are not
 * named.
 */
final class Prices {
  /** Digits after the point of each price; more where a price has more. */
  private static final int DIGITS = 6;

  /** How many digits of the dearest price are kept at most. */
  private static final int MOST_DIGITS = 18;

  private static final BigDecimal MOST = BigDecimal.TEN.pow(MOST_DIGITS);

  /** The price of a node whose capacity is infinite: more than that of any other. */
  private static final long INFINITE = MOST.longValueExact() + 1;

  private static final String OTHERS = "*";

  private final String resource;
  private final Map<String, BigDecimal> byName = new HashMap<>();
  private BigDecimal others = BigDecimal.ZERO;

  /**
   * Reads the settings.
   *
   * @param fleet the fleet; every node of it must have a price in the map, if there is a map
   * @param resource the name of a resource, or empty
   * @param map the map, or empty
   * @throws InvalidInputException if the map is ill-formed, names a node twice, or a node of the
   *     fleet has no price in it
   */
  Prices(Fleet fleet, String resource, String map) {
    this.resource = resource;
    if (map.isEmpty()) {
      return;
    }
    for (String each : map.split(",", -1)) {
      int equals = each.lastIndexOf('=');
      String name = each.substring(0, Math.max(0, equals)).strip();
      if (name.isEmpty()) {
        throw wrong(each, "NAME=PRICE, or *=PRICE for all others, separated by commas");
      }
      BigDecimal price = price(each, each.substring(equals + 1).strip());
      others = others.max(price); // Nodes added later get the highest price.
      if (byName.put(name, price) != null) {
        throw wrong(each, "each node once");
      }
    }
    if (byName.containsKey(OTHERS)) {
      others = byName.get(OTHERS);
      return;
    }
    for (int node = 0; node < fleet.size(); node++) {
      String name = fleet.node(node).name();
      if (!byName.containsKey(name)) {
        throw wrong(map, "a price for node '" + name + "' too, or *=PRICE for all others");
      }
    }
  }

  private static BigDecimal price(String each, String text) {
    try {
      Quantity price = Quantity.of(text);
      if (price.signum() >= 0 && !price.isInfinite()) {
        return price.toBigDecimal();
      }
    } catch (InvalidInputException notANumber) {
      // Its text allows infinite quantities, too.
    }
    throw wrong(
        each,
        "a price that is a JSON number, 0 or more, of at most "
            + Quantity.MAX_DIGITS
            + " digits before and after the point");
  }

  private static InvalidInputException wrong(String found, String allowed) {
    return new InvalidInputException("settings", "prices", "'" + found + "'", allowed);
  }

  /**
   * The price of each node, in millionths, or in parts that hold all digits of each price. If the
   * dearest price has more digits than a long holds, its first ones count, and all are rounded up.
   */
  long[] of(Fleet fleet) {
    BigDecimal[] finite = new BigDecimal[fleet.size()];
    BigDecimal dearest = BigDecimal.ZERO;
    int digits = DIGITS;
    for (int node = 0; node < finite.length; node++) {
      finite[node] = of(fleet.node(node));
      if (finite[node] != null) {
        dearest = dearest.max(finite[node]);
        digits = Math.max(digits, finite[node].stripTrailingZeros().scale());
      }
    }
    if (dearest.scaleByPowerOfTen(digits).compareTo(MOST) > 0) {
      digits = MOST_DIGITS - (dearest.precision() - dearest.scale());
    }
    long[] prices = new long[finite.length];
    for (int node = 0; node < prices.length; node++) {
      prices[node] =
          finite[node] == null
              ? INFINITE
              : finite[node].setScale(digits, RoundingMode.UP).unscaledValue().longValueExact();
    }
    return prices;
  }

  /** The price of a node; null if it is infinite. */
  private BigDecimal of(FleetNode node) {
    if (!resource.isEmpty()) {
      Quantity capacity = node.capacity(resource).orElse(Quantity.ZERO);
      if (capacity.signum() <= 0) {
        return BigDecimal.ZERO;
      }
      return capacity.isInfinite() ? null : capacity.toBigDecimal();
    }
    return byName.getOrDefault(node.name(), others);
  }
}
