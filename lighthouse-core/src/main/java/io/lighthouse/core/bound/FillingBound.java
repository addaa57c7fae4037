package io.lighthouse.core.bound;

import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.share.Share;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The fewest nodes of a few kinds that can hold workloads, by prices. Each workload has a price. No
 * node holds more than its most valuable filling, whose value {@link FillingPricing} bounds. So the
 * nodes in use are at least as many as are needed to cover the sum of all prices. This holds for
 * any prices (a Lagrangian bound of covering workloads by fillings).
 *
 * <p>Prices are found by subgradients with an averaged direction (known as the volume algorithm).
 * Workloads that the most valuable fillings hold too often become cheaper, others dearer. Whole
 * numbers decide, and the same input has the same answer.
 *
 * <p>A round costs a pricing for each kind of node. It ends with the budget, or where steps have
 * become too short to help.
 *
 * <p>On 146 public instances of vector packing, the bounds are 1.20 % below the optimum on average,
 * and 10.66 % without it. Those of the public servers are 8 to 17 % lower without it
 * (docs/lab/packings.md, "Bounds by prices").
 */
final class FillingBound {
  private static final long ONE = FillingPricing.ONE;

  /** Numbers of nodes and of copies are counted in parts of two to the power of this. */
  private static final int FRACTION_BITS = 10;

  private static final int PRICE_BITS = FillingPricing.PRICE_BITS;

  /** A share of the largest node is two to the power of this, in parts. */
  private static final int SHARE_BITS = 20;

  /** A step hopes for a bound that is better by one part of two to the power of this. */
  private static final int HOPE_BITS = 4;

  /** Limits that keep products below 2^63. */
  private static final long LARGEST_GRADIENT = 1L << 26;

  private static final long LARGEST_STEP = 1L << 36;

  /** The part of a new filling in the average of fillings is two to the power of minus this. */
  private static final int AVERAGING_BITS = 4;

  /** The first, the longest and the shortest length of a step, in parts of 1024. */
  private static final int FIRST_LENGTH = 768;

  private static final int LONGEST = 2048;
  private static final int SHORTEST = 2;

  /** The steps without a better bound after which steps become shorter. */
  private static final int PATIENCE = 6;

  private final List<FillingPricing> kinds;

  /** The number of nodes of each kind. */
  private final int[] nodes;

  /** The number of workloads of each kind. */
  private final int[] counts;

  private final StepBudget budget;

  /** The most valuable filling of a node of each kind, under the last prices. */
  private final long[] values;

  /** By kind of workload, copies in the nodes that cover the last prices, in fractions. */
  private final long[] covered;

  private final long[] average;

  /** The best bound. */
  private int fewest;

  private FillingBound(List<FillingPricing> kinds, int[] nodes, int[] counts, StepBudget budget) {
    this.kinds = kinds;
    this.nodes = nodes;
    this.counts = counts;
    this.budget = budget;
    values = new long[nodes.length];
    covered = new long[counts.length];
    average = new long[counts.length];
  }

  /**
   * The fewest nodes that hold all workloads.
   *
   * @param capacities by kind of node and resource, 0 or more; at least one
   * @param nodes by kind of node, how many there are, above 0
   * @param needs by kind of workload and resource, 0 or more
   * @param counts by kind of workload, from 1 to {@link FillingPricing#MOST_COPIES}
   * @param budget what may be read; all of it is used if the search does not end before
   * @return a number of nodes; more than there are only if they do not suffice; 0 if some kind of
   *     workload fits no node
   */
  static int fewestNodes(
      long[][] capacities, int[] nodes, long[][] needs, int[] counts, StepBudget budget) {
    List<FillingPricing> kinds =
        Arrays.stream(capacities)
            .map(capacity -> new FillingPricing(capacity, needs, counts, budget))
            .toList();
    long fitting =
        kinds.stream().flatMapToInt(kind -> Arrays.stream(kind.fitting())).distinct().count();
    return fitting < needs.length
        ? 0
        : new FillingBound(kinds, nodes, counts, budget)
            .search(firstPrices(capacities, needs, counts));
  }

  /** Prices by a weighted sum of shares, in which the scarcest resources count most. */
  private static long[] firstPrices(long[][] capacities, long[][] needs, int[] counts) {
    int resources = capacities[0].length;
    long[] totals = new long[resources];
    long[][] shares = new long[needs.length][resources];
    for (int d = 0; d < resources; d++) {
      long largest = 1;
      for (long[] capacity : capacities) {
        largest = Math.max(largest, capacity[d]);
      }
      for (int t = 0; t < needs.length; t++) {
        shares[t][d] = Share.positive(needs[t][d], largest, SHARE_BITS);
        totals[d] += counts[t] * shares[t][d];
      }
    }
    long all = 0;
    long scarcest = Math.max(1, Arrays.stream(totals).max().orElse(1));
    for (int d = 0; d < resources; d++) {
      totals[d] = (totals[d] << FRACTION_BITS) / scarcest;
      for (int square = 0; square < 3; square++) {
        totals[d] = totals[d] * totals[d] >> FRACTION_BITS;
      }
      all += totals[d];
    }
    long[] prices = new long[needs.length];
    for (int t = 0; t < prices.length; t++) {
      for (int d = 0; d < resources; d++) {
        prices[t] += totals[d] * shares[t][d];
      }
      prices[t] = Math.min(ONE, (prices[t] << PRICE_BITS - SHARE_BITS) / Math.max(1, all));
    }
    return prices;
  }

  private int search(long[] first) {
    long[] prices = first;
    long[] center = first;
    long bound = 0;
    int length = FIRST_LENGTH;
    int failed = 0;
    while (length >= SHORTEST && budget.mayRead(8L * counts.length)) {
      long used = cover(prices);
      average(bound, used);
      if (used > bound) {
        bound = used;
        center = normalized(prices);
        failed = 0;
        length = Math.min(LONGEST, length + (length >> 3));
      } else if (++failed == PATIENCE) {
        failed = 0;
        length -= (length >> 2) + 1;
      }
      prices = step(center, bound, length);
    }
    return fewest;
  }

  /**
   * Covers the sum of all prices with the most valuable fillings, those of the largest value first.
   *
   * @return the nodes that this takes, in fractions
   */
  private long cover(long[] prices) {
    long left = 0;
    for (int t = 0; t < counts.length; t++) {
      left += counts[t] * prices[t];
    }
    for (int k = 0; k < nodes.length; k++) {
      values[k] = kinds.get(k).value(prices);
    }
    Arrays.fill(covered, 0);
    long used = 0;
    int whole = 0;
    for (int k : byValue()) {
      if (left > 0 && values[k] > 0) {
        long fraction =
            Math.min((long) nodes[k] << FRACTION_BITS, (left << FRACTION_BITS) / values[k]);
        int[] filling = kinds.get(k).filling();
        for (int t = 0; t < counts.length; t++) {
          covered[t] += fraction * filling[t];
        }
        used += fraction;
        long count = Math.min(nodes[k], (left + values[k] - 1) / values[k]);
        whole += (int) count;
        left -= count * values[k];
      }
    }
    fewest = Math.max(fewest, whole + (left > 0 ? 1 : 0));
    return used;
  }

  private int[] byValue() {
    return IntStream.range(0, values.length)
        .boxed()
        .sorted((a, b) -> Long.compare(values[b], values[a]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Adds the fillings to the average, as many of them as the best bound has nodes. */
  private void average(long bound, long used) {
    int bits = bound == 0 ? 0 : AVERAGING_BITS;
    long factor = (Math.max(bound, used) << FRACTION_BITS) / Math.max(1, used);
    for (int t = 0; t < counts.length; t++) {
      average[t] += (covered[t] * factor >> FRACTION_BITS) - average[t] >> bits;
    }
  }

  /** The prices with which the most valuable filling is worth one. */
  private long[] normalized(long[] prices) {
    long largest = Math.max(1, Arrays.stream(values).max().orElse(1));
    return Arrays.stream(prices).map(price -> Math.min(ONE, price * ONE / largest)).toArray();
  }

  /** Raises the prices of what the average holds too rarely, and lowers the others. */
  private long[] step(long[] center, long bound, int length) {
    long[] gradient = new long[counts.length];
    long norm = 1;
    for (int t = 0; t < counts.length; t++) {
      long wanted = ((long) counts[t] << FRACTION_BITS) - average[t] - (average[t] >> HOPE_BITS);
      wanted = Math.max(-LARGEST_GRADIENT, Math.min(LARGEST_GRADIENT, wanted));
      gradient[t] = wanted < 0 && center[t] == 0 ? 0 : wanted;
      norm += gradient[t] * gradient[t] >> FRACTION_BITS;
    }
    long hope = (bound >> HOPE_BITS) * length << PRICE_BITS - 2 * FRACTION_BITS;
    hope = Math.min(LARGEST_STEP, hope);
    long[] prices = new long[counts.length];
    for (int t = 0; t < counts.length; t++) {
      long price = center[t] + gradient[t] * hope / norm;
      prices[t] = Math.max(0, Math.min(ONE, price));
    }
    return prices;
  }
}
