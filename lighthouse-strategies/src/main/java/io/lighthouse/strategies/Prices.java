package io.lighthouse.strategies;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The price of using each node: the capacity of a resource, or an entry of a map. The map is a list
 * of {@code NAME=PRICE} separated by commas, where {@code *=PRICE} holds for all nodes that are not
 * named.
 */
final class Prices {
  private static final int DIGITS = 6;
  private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);
  private static final String OTHERS = "*";

  private final String resource;
  private final Map<String, Long> byName = new HashMap<>();
  private long others;

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
      long price = price(each, each.substring(equals + 1).strip());
      others = Math.max(others, price); // Nodes added later get the highest price.
      if (byName.put(name, price) != null) {
        throw wrong(each, "each node once");
      }
    }
    if (byName.containsKey(OTHERS)) {
      others = byName.get(OTHERS);
      return;
    }
    List<String> missing = new ArrayList<>();
    for (int node = 0; node < fleet.size(); node++) {
      if (!byName.containsKey(fleet.node(node).name())) {
        missing.add(fleet.node(node).name());
      }
    }
    if (!missing.isEmpty()) {
      throw wrong(map, "a price for node '" + missing.get(0) + "' too, or *=PRICE for all others");
    }
  }

  private static long price(String each, String text) {
    Quantity price;
    try {
      price = Quantity.of(text);
    } catch (InvalidInputException notANumber) {
      throw wrong(each, "a price that is " + notANumber.allowed());
    }
    if (price.signum() < 0 || price.isInfinite()) {
      throw wrong(each, "a finite price of 0 or more");
    }
    return millionths(price);
  }

  private static InvalidInputException wrong(String found, String allowed) {
    return new InvalidInputException("settings", "prices", "'" + found + "'", allowed);
  }

  /** The price of each node, in millionths, rounded up. */
  long[] of(Fleet fleet) {
    long[] prices = new long[fleet.size()];
    for (int node = 0; node < prices.length; node++) {
      prices[node] = of(fleet.node(node));
    }
    return prices;
  }

  private long of(FleetNode node) {
    return resource.isEmpty()
        ? byName.getOrDefault(node.name(), others)
        : node.capacity(resource).map(Prices::millionths).orElse(0L);
  }

  private static long millionths(Quantity price) {
    if (price.signum() <= 0 || price.isInfinite()) {
      return 0;
    }
    return price
        .toBigDecimal()
        .min(MOST)
        .setScale(DIGITS, RoundingMode.UP)
        .unscaledValue()
        .longValue();
  }
}
