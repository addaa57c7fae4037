package io.lighthouse.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.statistics.Statistics;

/**
 * The emptiest and the most even node of a fleet in which nearly every node has capacities of its
 * own, held against a plain comparison of all nodes. Some nodes lack a resource. Some fleets have
 * more resources than the points of the tree.
 */
class UnequalNodesProperties {
  private static final int BATCHES = 6;

  @Property(tries = 30, shrinking = ShrinkingMode.OFF)
  void isTheFirstOfTheBest(@ForAll long seed) {
    Random random = new Random(seed);
    LoadRule rule = random.nextBoolean() ? LoadRule.FULLEST : LoadRule.VARIANCE;
    int size = 20 + random.nextInt(200);
    int resources = random.nextInt(4) == 0 ? 8 : 1 + random.nextInt(4);
    int missing = random.nextInt(3) == 0 ? 10 : Integer.MAX_VALUE;
    long[][] capacities = new long[size][resources];
    long[][] used = new long[size][resources];
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      for (int r = 0; r < resources; r++) {
        boolean absent = random.nextInt(missing) == 0;
        capacities[i][r] = absent ? 0 : 50 + random.nextInt(random.nextInt(4) == 0 ? 5_000 : 100);
      }
      nodes.add(Node.of("n" + i, amounts(capacities[i])));
    }
    Distributor distributor = Distributors.of(new ByLoad(rule)).nodes(nodes).build();
    List<Placed> placed = new ArrayList<>();
    int chosen = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<long[]> needs = new ArrayList<>();
      List<Workload> workloads = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        long[] need = new long[resources];
        for (int r = 0; r < resources; r++) {
          need[r] = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(40);
        }
        needs.add(need);
        workloads.add(Workload.of("w" + batch + "-" + i, amounts(need)));
      }
      Assignments found = distributor.assign(workloads);
      for (int i = 0; i < size; i++) {
        int best = best(rule, capacities, used, needs.get(i));
        assertThat(found.node(i).orElse("none")).isEqualTo(best < 0 ? "none" : "n" + best);
        if (best >= 0) {
          add(used[best], needs.get(i), 1);
          placed.add(new Placed(workloads.get(i).name(), best, needs.get(i)));
          chosen++;
        }
      }
      List<Change> gone = new ArrayList<>();
      for (int i = 0; i < size / 2 && !placed.isEmpty(); i++) {
        Placed one = placed.remove(random.nextInt(placed.size()));
        gone.add(new Change.Release(one.name));
        add(used[one.node], one.need, -1);
      }
      distributor.apply(gone);
    }
    Statistics.label("rule").collect(rule);
    Statistics.label("resources").collect(resources);
    assertThat(chosen).isPositive();
  }

  private record Placed(String name, int node, long[] need) {}

  /** The amounts above 0 by name. */
  private static Map<String, Object> amounts(long[] amounts) {
    Map<String, Object> named = new LinkedHashMap<>();
    for (int r = 0; r < amounts.length; r++) {
      if (amounts[r] > 0) {
        named.put("r" + r, amounts[r]);
      }
    }
    return named;
  }

  private static void add(long[] used, long[] need, int sign) {
    for (int r = 0; r < used.length; r++) {
      used[r] += sign * need[r];
    }
  }

  private static int best(LoadRule rule, long[][] capacities, long[][] used, long[] need) {
    int best = -1;
    BigInteger bestScore = null;
    for (int i = 0; i < capacities.length; i++) {
      if (fits(capacities[i], used[i], need)) {
        BigInteger score = score(rule, capacities[i], used[i], need);
        if (best < 0 || score.compareTo(bestScore) < 0) {
          best = i;
          bestScore = score;
        }
      }
    }
    return best;
  }

  private static boolean fits(long[] capacities, long[] used, long[] need) {
    for (int r = 0; r < need.length; r++) {
      if (need[r] > 0 && used[r] + need[r] > capacities[r]) {
        return false;
      }
    }
    return true;
  }

  /** As {@link LoadRule} says, from the amounts. */
  private static BigInteger score(LoadRule rule, long[] capacities, long[] used, long[] need) {
    List<BigInteger> shares = new ArrayList<>();
    for (int r = 0; r < need.length; r++) {
      if (capacities[r] > 0) {
        BigInteger amount = BigInteger.valueOf(used[r] + need[r]);
        int bits = rule == LoadRule.FULLEST ? 30 : 24;
        shares.add(amount.shiftLeft(bits).divide(BigInteger.valueOf(capacities[r])));
      }
    }
    if (shares.isEmpty()) {
      return BigInteger.ZERO;
    }
    BigInteger largest = shares.stream().max(BigInteger::compareTo).orElseThrow();
    if (rule == LoadRule.FULLEST) {
      return largest;
    }
    BigInteger count = BigInteger.valueOf(shares.size());
    BigInteger mean = shares.stream().reduce(BigInteger.ZERO, BigInteger::add).divide(count);
    BigInteger squares = BigInteger.ZERO;
    for (BigInteger share : shares) {
      squares = squares.add(share.subtract(mean).pow(2));
    }
    return squares.divide(count).add(BigInteger.ONE.shiftLeft(25)).shiftRight(26);
  }

  private record ByLoad(LoadRule rule) implements PlacementStrategy {
    @Override
    public String name() {
      return "by-load";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) ->
          rule == LoadRule.FULLEST ? candidates.emptiest() : candidates.mostEven();
    }
  }
}
