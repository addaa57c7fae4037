package io.lighthouse.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
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
 * own, held against a plain comparison of all nodes. Some nodes lack a resource, or have an endless
 * amount. Some fleets have more resources than the points of the tree. Some workloads are immune to
 * a resource, and some of these require much more than a node has. In some fleets that is more than
 * a million times what it has, where all shares are equal. Some give a resource (they require less
 * than 0). In some fleets a few nodes are larger than others by a factor of millions, and so are
 * some needs. Nodes are cordoned, opened and resized.
 */
class UnequalNodesProperties {
  private static final int BATCHES = 6;

  /** The amount of a node that has an endless one. */
  private static final long ENDLESS = Long.MAX_VALUE / 2;

  /** A larger deviation from the mean counts as this: 16 times the capacity. */
  private static final BigInteger MOST_DEVIATION = BigInteger.ONE.shiftLeft(28);

  /** Immune workloads require less than two to the power of this. */
  private static final int IMMUNE_BITS = 14;

  /** The same in some fleets, far above a million times a capacity. */
  private static final int EXTREME_BITS = 36;

  /** The factor of the large nodes and needs of some fleets, as a power of two. */
  private static final int LARGE_BITS = 24;

  /** A larger share counts as this, in capacities: about a million. */
  private static final int MOST_SHARE_BITS = 20;

  @Property(tries = 30, shrinking = ShrinkingMode.OFF)
  void isTheFirstOfTheBest(@ForAll long seed) {
    Random random = new Random(seed);
    LoadRule rule = random.nextBoolean() ? LoadRule.FULLEST : LoadRule.VARIANCE;
    int size = 20 + random.nextInt(200);
    int resources = random.nextInt(4) == 0 ? 8 : 1 + random.nextInt(4);
    int immuneBits = random.nextInt(3) == 0 ? EXTREME_BITS : IMMUNE_BITS;
    int missing = random.nextInt(3) == 0 ? 10 : Integer.MAX_VALUE;
    int largeBits = immuneBits < EXTREME_BITS && random.nextInt(3) == 0 ? LARGE_BITS : 0;
    long[][] capacities = new long[size][];
    long[][] used = new long[size][resources];
    boolean[] closed = new boolean[size];
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      capacities[i] = capacities(random, resources, missing);
      enlarge(random, capacities[i], largeBits);
      nodes.add(Node.of("n" + i, amounts(capacities[i])));
    }
    Distributor distributor = Distributors.of(new ByLoad(rule)).nodes(nodes).build();
    List<Placed> placed = new ArrayList<>();
    int chosen = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Need> needs = new ArrayList<>();
      List<Workload> workloads = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Need need = Need.of(random, resources, immuneBits);
        enlarge(random, need.amounts, largeBits);
        needs.add(need);
        workloads.add(need.asWorkload("w" + batch + "-" + i));
      }
      Assignments found = distributor.assign(workloads);
      for (int i = 0; i < size; i++) {
        int best = best(rule, capacities, closed, used, needs.get(i));
        assertThat(found.node(i).orElse("none")).isEqualTo(best < 0 ? "none" : "n" + best);
        if (best >= 0) {
          add(used[best], needs.get(i).amounts, 1);
          placed.add(new Placed(workloads.get(i).name(), best, needs.get(i).amounts));
          chosen++;
        }
      }
      List<Change> changes = new ArrayList<>();
      for (int i = 0; i < size / 2 && !placed.isEmpty(); i++) {
        Placed one = placed.remove(random.nextInt(placed.size()));
        changes.add(new Change.Release(one.name));
        add(used[one.node], one.need, -1);
      }
      for (int i = random.nextInt(6); i > 0; i--) {
        int node = random.nextInt(size);
        closed[node] = !closed[node];
        changes.add(closed[node] ? new Change.Cordon("n" + node) : new Change.Uncordon("n" + node));
      }
      distributor.apply(changes);
      for (int i = random.nextInt(6); i > 0; i--) {
        int node = random.nextInt(size);
        for (int r = 0; r < resources; r++) {
          boolean measured = capacities[node][r] > 0 && capacities[node][r] != ENDLESS;
          capacities[node][r] += measured ? random.nextInt(100) : 0;
        }
        Node resized = Node.of("n" + node, amounts(capacities[node]));
        distributor.apply(List.of(new Change.Resize("n" + node, resized.resources())));
      }
    }
    Statistics.label("rule").collect(rule);
    Statistics.label("resources").collect(resources);
    Statistics.label("bits of what immune workloads require").collect(immuneBits);
    Statistics.label("bits of large nodes").collect(largeBits);
    assertThat(chosen).isPositive();
  }

  private static long[] capacities(Random random, int resources, int missing) {
    long[] capacities = new long[resources];
    for (int r = 0; r < resources; r++) {
      boolean unmeasured = random.nextInt(missing) == 0;
      long amount = 50 + random.nextInt(random.nextInt(4) == 0 ? 5_000 : 100);
      capacities[r] = !unmeasured ? amount : random.nextBoolean() ? 0 : ENDLESS;
    }
    return capacities;
  }

  /** Multiplies one of ten rows of amounts. */
  private static void enlarge(Random random, long[] amounts, int bits) {
    if (random.nextInt(10) == 0) {
      for (int r = 0; r < amounts.length; r++) {
        amounts[r] = amounts[r] == ENDLESS ? ENDLESS : amounts[r] << bits;
      }
    }
  }

  /** What a workload requires, and the resource to which it is immune; -1 for none. */
  private record Need(long[] amounts, int immunity) {
    static Need of(Random random, int resources, int immuneBits) {
      long[] amounts = new long[resources];
      boolean gives = random.nextInt(10) == 0;
      for (int r = 0; r < resources; r++) {
        amounts[r] = random.nextInt(3) == 0 ? 0 : random.nextInt(gives ? -20 : 1, 41);
      }
      int immunity = random.nextInt(5) == 0 ? random.nextInt(resources) : -1;
      if (immunity >= 0 && random.nextBoolean()) {
        amounts[immunity] = 1L << random.nextInt(immuneBits);
      }
      return new Need(amounts, immunity);
    }

    Workload asWorkload(String name) {
      Workload workload = Workload.of(name, UnequalNodesProperties.amounts(amounts));
      return immunity < 0 ? workload : workload.withImmunities("r" + immunity);
    }
  }

  private record Placed(String name, int node, long[] need) {}

  /** The amounts other than 0 by name. */
  private static Map<String, Object> amounts(long[] amounts) {
    Map<String, Object> named = new LinkedHashMap<>();
    for (int r = 0; r < amounts.length; r++) {
      if (amounts[r] != 0) {
        named.put("r" + r, amounts[r] == ENDLESS ? Quantity.INFINITY : amounts[r]);
      }
    }
    return named;
  }

  private static void add(long[] used, long[] need, int sign) {
    for (int r = 0; r < used.length; r++) {
      used[r] += sign * need[r];
    }
  }

  private static int best(
      LoadRule rule, long[][] capacities, boolean[] closed, long[][] used, Need need) {
    int best = -1;
    BigInteger bestScore = null;
    for (int i = 0; i < capacities.length; i++) {
      if (!closed[i] && fits(capacities[i], used[i], need)) {
        BigInteger score = score(rule, capacities[i], used[i], need.amounts);
        if (best < 0 || score.compareTo(bestScore) < 0) {
          best = i;
          bestScore = score;
        }
      }
    }
    return best;
  }

  /** A node that lacks a resource has none for an immune workload either. */
  private static boolean fits(long[] capacities, long[] used, Need need) {
    for (int r = 0; r < capacities.length; r++) {
      boolean enough =
          capacities[r] == 0
              ? need.amounts[r] == 0
              : r == need.immunity || need.amounts[r] <= capacities[r] - used[r];
      if (!enough) {
        return false;
      }
    }
    return true;
  }

  /** As {@link LoadRule} says, from the amounts. */
  private static BigInteger score(LoadRule rule, long[] capacities, long[] used, long[] need) {
    List<BigInteger> shares = new ArrayList<>();
    for (int r = 0; r < need.length; r++) {
      if (capacities[r] > 0 && capacities[r] != ENDLESS) {
        BigInteger amount = BigInteger.valueOf(used[r] + need[r]);
        int bits = rule == LoadRule.FULLEST ? 30 : 24;
        BigInteger most = BigInteger.ONE.shiftLeft(bits + MOST_SHARE_BITS);
        shares.add(floor(amount.shiftLeft(bits), capacities[r]).min(most).max(most.negate()));
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
    BigInteger mean =
        floor(shares.stream().reduce(BigInteger.ZERO, BigInteger::add), shares.size());
    BigInteger squares = BigInteger.ZERO;
    for (BigInteger share : shares) {
      squares = squares.add(share.subtract(mean).abs().min(MOST_DEVIATION).pow(2));
    }
    return squares.divide(count).add(BigInteger.ONE.shiftLeft(25)).shiftRight(26);
  }

  private static BigInteger floor(BigInteger number, long divisor) {
    BigInteger divided = BigInteger.valueOf(divisor);
    return number.subtract(number.mod(divided)).divide(divided);
  }
}
