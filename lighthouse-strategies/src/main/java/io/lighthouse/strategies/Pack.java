package io.lighthouse.strategies;

import com.google.auto.service.AutoService;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.strategies.packing.Packing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Places a batch on few nodes, or at a low price, by search. It makes several starts, improves each
 * for some steps, and takes the best. It places the remaining workloads by ejection chains, and
 * then empties node after node. Only workloads of the batch move. See {@link Packing}.
 *
 * <p>By its goal, the answer is never worse than those of {@link Prioritized}, {@link RoundRobin},
 * {@link Spread}, {@link Balance} and, where the fleet has a rubric, {@link BinPack}, unless the
 * caller's budget ends it. With a level of machines, that holds for {@link Devices}, too. The
 * number of placed workloads counts, or their size; then, for the goals that have one, the price of
 * the nodes used. Prices are compared after each workload on an averse node has moved to a friendly
 * one that it fits in the end.
 */
@AutoService(PlacementStrategy.class)
public final class Pack implements PlacementStrategy {
  private static final String LEAST_COST = "least-cost";

  /**
   * The most pairs of a node and a workload that one round of a rule compares. Problems with more
   * are large. Without it, the first answer for 100,000 workloads on 10,000 nodes takes half a
   * minute (docs/quality.md, "A large fleet").
   */
  private static final long MOST_PAIRS = 1L << 26;

  private final long mostPairs;

  /** For the service loader. */
  public Pack() {
    this(MOST_PAIRS);
  }

  /** For tests, with another limit of what is large. */
  Pack(long mostPairs) {
    this.mostPairs = mostPairs;
  }

  @Override
  public String name() {
    return "pack";
  }

  @Override
  public String description() {
    return "as many as fit, on as few nodes as a search with a budget of steps finds";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting(
            "steps",
            "nodes and workloads that the search may look at, beside simple rules, 0 or more",
            "1000000"),
        new Setting("seed", "of the search's random numbers, a whole number", "1"),
        new Setting(
            "goal",
            "place-all; fewest-nodes: that, then few nodes; least-cost: that, then cheap ones",
            "fewest-nodes"),
        new Setting(
            "counts",
            "what the goal counts of the placed workloads: number, or size (shares of a node)",
            "number"),
        new Setting("price", "for least-cost: the resource whose capacity is a node's price", ""),
        new Setting(
            "prices",
            "for least-cost, instead of price: NAME=PRICE,... by node, *=PRICE for all others",
            ""),
        new Setting(
            "start",
            "best: of simple rules; first-fit: in the order given, unless another rule does better",
            "best"),
        new Setting(
            "machine", "the level of machines, to try the strategy devices as well", "", true),
        new Setting("device", "with machine: the resource of a node that is a device", "gpu"));
  }

  @Override
  public boolean sequential() {
    return false;
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    long steps = settings.integer("steps", 0, Long.MAX_VALUE);
    long seed = settings.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    String goal = choice(settings, "goal", List.of("place-all", "fewest-nodes", LEAST_COST));
    String start = choice(settings, "start", List.of("best", "first-fit"));
    String counts = choice(settings, "counts", List.of("number", "size"));
    String price = settings.text("price");
    String map = settings.text("prices");
    int priced = (price.isEmpty() ? 0 : 1) + (map.isEmpty() ? 0 : 1);
    if (priced != (goal.equals(LEAST_COST) ? 1 : 0)) {
      throw new InvalidInputException(
          "settings",
          map.isEmpty() ? "price" : "prices",
          "'" + (map.isEmpty() ? price : map) + "'",
          "where the goal is least-cost, the name of a resource as price or a map as prices, not"
              + " both; else neither");
    }
    Prices prices = goal.equals(LEAST_COST) ? new Prices(fleet, price, map) : null;
    List<Placer> simple = new ArrayList<>();
    for (PlacementStrategy each :
        List.of(new Prioritized(), new RoundRobin(), new Spread(), new Balance())) {
      simple.add(each.newPlacer(fleet, settings));
    }
    if (fleet.rubric().isPresent()) {
      simple.add(new BinPack().newPlacer(fleet, settings));
    }
    if (!settings.text("machine").isEmpty()) {
      simple.add(new Devices().newPlacer(fleet, settings));
    }
    return (BatchPlacer)
        session ->
            new Packing(
                    fleet,
                    session,
                    steps,
                    seed,
                    goal.equals("place-all") ? Packing.Goal.PLACE_ALL : Packing.Goal.CHEAPEST,
                    counts.equals("number"),
                    simple,
                    start.equals("first-fit"),
                    prices == null ? equal(fleet) : prices.of(fleet),
                    mostPairs)
                .run();
  }

  private static String choice(Settings settings, String name, List<String> allowed) {
    String value = settings.text(name);
    if (!allowed.contains(value)) {
      throw new InvalidInputException(
          "settings", name, "'" + value + "'", "one of " + String.join(", ", allowed));
    }
    return value;
  }

  private static long[] equal(Fleet fleet) {
    long[] prices = new long[fleet.size()];
    Arrays.fill(prices, 1);
    return prices;
  }
}
