package io.lighthouse.strategies;

import com.google.auto.service.AutoService;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.strategies.packing.Packing;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;

/**
 * Places a batch on few nodes, or at the least price, by search: the best of some one-pass rules,
 * ejection chains for what they leave out, then node after node is emptied. Only workloads of the
 * batch move. See {@link Packing}.
 */
@AutoService(PlacementStrategy.class)
public final class Pack implements PlacementStrategy {
  private static final int PRICE_DIGITS = 6;
  private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);

  /** For the service loader. */
  public Pack() {}

  @Override
  public String name() {
    return "pack";
  }

  @Override
  public String description() {
    return "as many as fit, on as few nodes as a search of so many steps finds";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting(
            "steps", "nodes and workloads that the search may look at, 0 or more", "1000000"),
        new Setting("seed", "of the search's random numbers, a whole number", "1"),
        new Setting(
            "goal",
            "place-all; fewest-nodes: that, then few nodes; least-cost: that, then cheap ones",
            "fewest-nodes"),
        new Setting("price", "for least-cost: the resource whose capacity is a node's price", ""));
  }

  @Override
  public boolean sequential() {
    return false;
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    long steps = settings.integer("steps", 0, Long.MAX_VALUE);
    long seed = settings.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    String goal = settings.text("goal");
    String price = settings.text("price");
    if (!List.of("place-all", "fewest-nodes", "least-cost").contains(goal)) {
      throw new InvalidInputException(
          "settings", "goal", "'" + goal + "'", "place-all, fewest-nodes or least-cost");
    }
    if (goal.equals("least-cost") == price.isEmpty()) {
      throw new InvalidInputException(
          "settings",
          "price",
          "'" + price + "'",
          "the name of a resource where the goal is least-cost, else nothing");
    }
    return (BatchPlacer)
        session ->
            new Packing(
                    fleet,
                    session,
                    steps,
                    seed,
                    goal.equals("place-all") ? Packing.Goal.PLACE_ALL : Packing.Goal.CHEAPEST,
                    prices(fleet, price))
                .run();
  }

  /** By node its price, in millionths; 1 each where there is no resource for it. */
  private static long[] prices(Fleet fleet, String price) {
    long[] prices = new long[fleet.size()];
    Arrays.fill(prices, 1);
    for (int node = 0; node < prices.length && !price.isEmpty(); node++) {
      prices[node] = fleet.node(node).capacity(price).map(Pack::millionths).orElse(0L);
    }
    return prices;
  }

  private static long millionths(Quantity price) {
    if (price.signum() <= 0 || price.isInfinite()) {
      return 0;
    }
    return price
        .toBigDecimal()
        .min(MOST)
        .setScale(PRICE_DIGITS, RoundingMode.UP)
        .unscaledValue()
        .longValue();
  }
}
