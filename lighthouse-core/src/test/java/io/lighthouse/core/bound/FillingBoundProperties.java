package io.lighthouse.core.bound;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.budget.StepBudget;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Bounds by fillings beside the optimum of small problems, which is found by trying all ways. */
class FillingBoundProperties {
  private static final long[] BUDGETS = {0, 1, 3, 10, 10_000};

  /** The last budget, in which every search of a small problem ends. */
  private static final long AMPLE = 10_000;

  private static final int SEEDS = 300;

  /** Copies of which a node of these problems may hold several. */
  private static final int MANY_COPIES = 8;

  /** A few kinds of nodes and of workloads, with counts. */
  private static final class Problem {
    final long[][] capacities;
    final int[] nodes;
    final long[][] needs;
    final int[] counts;

    Problem(Random random) {
      this(random, 2);
    }

    Problem(Random random, int mostCopies) {
      int resources = 1 + random.nextInt(3);
      capacities = new long[1 + random.nextInt(3)][resources];
      nodes = new int[capacities.length];
      for (int k = 0; k < nodes.length; k++) {
        nodes[k] = 1 + random.nextInt(2);
        fill(capacities[k], 6, 12, random);
      }
      needs = new long[1 + random.nextInt(4)][resources];
      counts = new int[needs.length];
      for (int t = 0; t < counts.length; t++) {
        counts[t] = 1 + random.nextInt(mostCopies);
        fill(needs[t], 0, 8, random);
      }
    }

    private static void fill(long[] amounts, int least, int most, Random random) {
      for (int d = 0; d < amounts.length; d++) {
        amounts[d] = least + random.nextInt(most - least + 1);
      }
    }

    int bound(long steps) {
      return FillingBound.fewestNodes(capacities, nodes, needs, counts, new StepBudget(steps));
    }

    /** The fewest nodes that hold all; more than there are if they do not suffice. */
    int optimum() {
      int all = Arrays.stream(nodes).sum();
      long[][] left = new long[all][];
      int at = 0;
      for (int k = 0; k < nodes.length; k++) {
        for (int i = 0; i < nodes[k]; i++) {
          left[at++] = capacities[k].clone();
        }
      }
      return place(0, 0, left, new boolean[all], 0, all + 1);
    }

    private int place(int kind, int copy, long[][] left, boolean[] used, int count, int best) {
      if (count >= best) {
        return best;
      }
      if (kind == counts.length) {
        return count;
      }
      boolean isLast = copy + 1 == counts[kind];
      int fewest = best;
      for (int node = 0; node < left.length; node++) {
        if (add(left[node], needs[kind], -1)) {
          boolean before = used[node];
          used[node] = true;
          int next = count + (before ? 0 : 1);
          fewest =
              isLast
                  ? place(kind + 1, 0, left, used, next, fewest)
                  : place(kind, copy + 1, left, used, next, fewest);
          used[node] = before;
        }
        add(left[node], needs[kind], 1);
      }
      return fewest;
    }

    /** The largest sum of prices on an empty node of the first kind. */
    long mostValuable(long[] prices) {
      return mostValuable(0, prices, capacities[0].clone());
    }

    private long mostValuable(int kind, long[] prices, long[] left) {
      if (kind == counts.length) {
        return 0;
      }
      long best = 0;
      int copies = 0;
      boolean fits = true;
      while (fits) {
        best = Math.max(best, copies * prices[kind] + mostValuable(kind + 1, prices, left));
        fits = copies < counts[kind] && add(left, needs[kind], -1);
        copies += fits ? 1 : 0;
        if (!fits && copies < counts[kind]) {
          add(left, needs[kind], 1);
        }
      }
      for (int i = 0; i < copies; i++) {
        add(left, needs[kind], 1);
      }
      return best;
    }

    /** Adds a multiple; returns whether nothing is below 0. */
    private static boolean add(long[] left, long[] need, int times) {
      boolean fits = true;
      for (int d = 0; d < left.length; d++) {
        left[d] += times * need[d];
        fits &= left[d] >= 0;
      }
      return fits;
    }

    FillingPricing pricing(long steps) {
      return new FillingPricing(capacities[0], needs, counts, new StepBudget(steps));
    }

    long[] prices(Random random) {
      return random.longs(counts.length, 0, FillingPricing.ONE + 1).toArray();
    }

    static long worth(int[] filling, long[] prices) {
      long worth = 0;
      for (int t = 0; t < prices.length; t++) {
        worth += filling[t] * prices[t];
      }
      return worth;
    }
  }

  @Property(tries = 1000)
  void noAnswerHasFewerNodes(@ForAll long seed, @ForAll @IntRange(max = 4) int budget) {
    Problem problem = new Problem(new Random(seed));
    assertThat(problem.bound(BUDGETS[budget])).isLessThanOrEqualTo(problem.optimum());
  }

  @Property(tries = 1000)
  void noFillingIsWorthMore(@ForAll long seed, @ForAll @IntRange(max = 4) int budget) {
    Random random = new Random(seed);
    Problem problem = new Problem(random, MANY_COPIES);
    long[] prices = problem.prices(random);
    long optimum = problem.mostValuable(prices);
    FillingPricing pricing = problem.pricing(BUDGETS[budget]);
    long bound = pricing.value(prices);
    assertThat(bound).isGreaterThanOrEqualTo(optimum);
    assertThat(Problem.worth(pricing.filling(), prices)).isLessThanOrEqualTo(optimum);
    if (BUDGETS[budget] == AMPLE) {
      assertThat(bound).isLessThanOrEqualTo(optimum + (optimum >> 9) + 1);
    }
  }

  /** Where volume alone needs fewer nodes than sizes that do not fit beside each other. */
  @Example
  void isAboveTheVolume() {
    long[][] nodes = {{10}};
    long[][] needs = {{4}};
    int bound =
        FillingBound.fewestNodes(
            nodes, new int[] {20}, needs, new int[] {10}, new StepBudget(AMPLE));
    assertThat(bound).isEqualTo(5);
  }

  /** Larger nodes are taken first, and only as many as there are. */
  @Example
  void countsTheNodesOfEachKind() {
    long[][] nodes = {{4}, {9}};
    long[][] needs = {{4}};
    int[] counts = {2, 5};
    int bound =
        FillingBound.fewestNodes(nodes, counts, needs, new int[] {12}, new StepBudget(AMPLE));
    assertThat(bound).isEqualTo(7);
  }

  /** Every law above catches its fault on some of the problems. */
  @Example
  void plantedFaultsAreCaught() {
    int undivided = 0;
    int incumbent = 0;
    int oneKind = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Problem problem = new Problem(random);
      long[] prices = problem.prices(random);
      int optimum = problem.optimum();
      // Prices that are not divided by the value of the most valuable filling.
      long sum = Problem.worth(problem.counts, prices);
      long ceiling = (sum + FillingPricing.ONE - 1) / FillingPricing.ONE;
      undivided += ceiling > optimum ? 1 : 0;
      // The best filling found, where the search ended before the proof.
      FillingPricing pricing = problem.pricing(0);
      pricing.value(prices);
      long found = Problem.worth(pricing.filling(), prices);
      incumbent += found < problem.mostValuable(prices) ? 1 : 0;
      // Only the first kind of node is priced.
      FillingPricing first = problem.pricing(AMPLE);
      long value = Math.max(1, first.value(prices));
      oneKind += (sum + value - 1) / value > optimum ? 1 : 0;
    }
    assertThat(undivided).isPositive();
    assertThat(incumbent).isPositive();
    assertThat(oneKind).isPositive();
  }
}
