package io.lighthouse.core.bound;

import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.share.Share;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What the most valuable filling of one kind of node is worth, where each workload has a price: a
 * knapsack with several resources and copies. The answer is an upper bound, proven in whole
 * numbers.
 *
 * <p>A branch and bound over the kinds of workloads, the largest price for its size first. A
 * weighted sum of resources turns several capacities into one, and a fractional knapsack with it
 * bounds each branch. The weights of resources of which the fractional filling uses too much are
 * raised. A branch that could gain at most a 512th is not searched. It counts for the bound, as do
 * all open branches where the reads end.
 */
final class FillingPricing {
  /** A price of one is two to the power of this. */
  static final int PRICE_BITS = 24;

  static final long ONE = 1L << PRICE_BITS;

  /** The most copies of one kind of workload that count. */
  static final int MOST_COPIES = 1 << 16;

  /** The reads that the search of one filling may take, some 0.01 seconds of one thread. */
  private static final long READS = 1 << 20;

  /** A branch is not searched where it could gain at most one part of two to the power of this. */
  private static final int CLOSE_BITS = 9;

  /** A capacity is two to the power of this, in parts. */
  private static final int PART_BITS = 20;

  /** The sum of all weights, at most. */
  private static final int WEIGHTS = 1 << 10;

  private static final int TUNING_ROUNDS = 12;

  /** What it costs to sort the kinds of workloads, in reads of each. */
  private static final int SORT_READS = 4;

  /** While weights are tuned, a weight of one is two to the power of this. */
  private static final int FINE_BITS = 10;

  private static final long LEAST_FINE = 1 << 4;

  private final long[] capacity;

  /** By kind of workload and resource, exact. */
  private final long[][] needs;

  private final int[] counts;
  private final StepBudget budget;

  /** In parts of the capacity, rounded down; [kind][resource]. */
  private final long[][] parts;

  /** The kinds of workloads of which a copy fits an empty node. */
  private final int[] fitting;

  private final long[] weights;

  /** By kind, the weighted sum of its parts. */
  private final long[] sizes;

  private final int[] taken;
  private final int[] most;
  private long[] prices;
  private long best;
  private long open;
  private long reads;

  /** The reads that the budget knows of. */
  private long counted;

  /**
   * The fillings of a kind of node.
   *
   * @param capacity by resource, 0 or more
   * @param needs by kind of workload and resource, 0 or more
   * @param counts by kind of workload, how many there are, up to {@link #MOST_COPIES}
   * @param budget what may be read
   */
  FillingPricing(long[] capacity, long[][] needs, int[] counts, StepBudget budget) {
    this.capacity = capacity;
    this.needs = needs;
    this.counts = counts;
    this.budget = budget;
    parts = new long[needs.length][capacity.length];
    sizes = new long[needs.length];
    taken = new int[needs.length];
    most = new int[needs.length];
    weights = new long[capacity.length];
    Arrays.fill(weights, WEIGHTS / Math.max(1, capacity.length));
    fitting = IntStream.range(0, needs.length).filter(t -> fits(t, capacity)).toArray();
    for (int t : fitting) {
      for (int d = 0; d < capacity.length; d++) {
        parts[t][d] = needs[t][d] > 0 ? Share.positive(needs[t][d], capacity[d], PART_BITS) : 0;
      }
    }
  }

  /** Whether a copy fits what is left of each resource. */
  private boolean fits(int kind, long[] left) {
    for (int d = 0; d < left.length; d++) {
      if (needs[kind][d] > left[d]) {
        return false;
      }
    }
    return true;
  }

  /** The kinds of workloads that fit an empty node. */
  int[] fitting() {
    return fitting;
  }

  /** By kind, the copies in the most valuable filling that the last search found. */
  int[] filling() {
    return most;
  }

  /**
   * No filling is worth more.
   *
   * @param prices by kind of workload, from 0 to {@link #ONE}
   * @return the bound, 0 or more
   */
  long value(long[] prices) {
    this.prices = prices;
    tuneWeights();
    best = 0;
    open = 0;
    reads = 0;
    counted = 0;
    Arrays.fill(most, 0);
    int[] list = byDensity();
    search(list, list.length, capacity.clone(), room(), 0);
    return Math.max(best, open);
  }

  private long room() {
    return Arrays.stream(weights).sum() << PART_BITS;
  }

  private void measure() {
    for (int t : fitting) {
      sizes[t] = 0;
      for (int d = 0; d < weights.length; d++) {
        sizes[t] += weights[d] * parts[t][d];
      }
    }
  }

  /** The kinds that fit and have a price, the largest price for its size first, then by kind. */
  private int[] byDensity() {
    return Arrays.stream(fitting)
        .filter(t -> prices[t] > 0)
        .boxed()
        .sorted((a, b) -> Long.compare(prices[b] * sizes[a], prices[a] * sizes[b]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Looks for the weights with the lowest bound of an empty node. */
  private void tuneWeights() {
    long[] fine = Arrays.stream(weights).map(weight -> weight << FINE_BITS).toArray();
    long[] kept = weights.clone();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < TUNING_ROUNDS; round++) {
      if (!budget.mayRead(fitting.length * (2L * weights.length + SORT_READS))) {
        break;
      }
      measure();
      long[] used = new long[weights.length];
      long value = fractional(used);
      if (value < least) {
        least = value;
        System.arraycopy(weights, 0, kept, 0, kept.length);
      }
      long sum = 0;
      for (int d = 0; d < used.length; d++) {
        long over = Math.min(used[d], 4L << PART_BITS) - (1L << PART_BITS);
        fine[d] = Math.max(LEAST_FINE, fine[d] + fine[d] * over / (round + 2L << PART_BITS));
        sum += fine[d];
      }
      for (int d = 0; d < used.length; d++) {
        fine[d] = fine[d] * (WEIGHTS << FINE_BITS) / sum;
        weights[d] = fine[d] >> FINE_BITS;
      }
    }
    System.arraycopy(kept, 0, weights, 0, kept.length);
    measure();
  }

  /** The value of the fractional filling of an empty node, and what it uses of each resource. */
  private long fractional(long[] used) {
    long room = room();
    long value = 0;
    for (int t : byDensity()) {
      long copies = sizes[t] == 0 ? counts[t] : Math.min(counts[t], room / sizes[t]);
      value += copies * prices[t];
      room -= copies * sizes[t];
      boolean isLast = copies < counts[t];
      for (int d = 0; d < used.length; d++) {
        used[d] += copies * parts[t][d] + (isLast ? parts[t][d] * room / sizes[t] : 0);
      }
      if (isLast) {
        return value + prices[t] * room / sizes[t];
      }
    }
    return value;
  }

  /** Fills what is left of a node with kinds of a list, in each way that may be worth more. */
  private void search(int[] list, int count, long[] left, long room, long value) {
    int[] next = new int[count];
    for (int i = 0; i < count; i++) {
      int kind = list[i];
      if (isClosed(value + bound(list, i, count, room))) {
        return;
      }
      long all = copies(kind, left);
      for (long copies = all; copies > 0; copies--) {
        long worth = value + copies * prices[kind];
        long roomLeft = room - copies * sizes[kind];
        if (copies < all && isClosed(worth + bound(list, i + 1, count, roomLeft))) {
          return; // No kind left is denser, so fewer copies have no larger bound.
        }
        take(kind, copies, left);
        if (worth > best) {
          best = worth;
          System.arraycopy(taken, 0, most, 0, taken.length);
        }
        reads += count - i;
        int fit = 0;
        for (int at = i + 1; at < count; at++) {
          next[fit] = list[at];
          fit += fits(list[at], left) ? 1 : 0;
        }
        search(next, fit, left, roomLeft, worth);
        take(kind, -copies, left);
      }
    }
  }

  /** Whether a branch is not searched; then its bound counts. */
  private boolean isClosed(long bound) {
    boolean isOver = !budget.mayRead(reads - counted) || reads > READS;
    boolean isClosed = isOver || bound <= best + (best >> CLOSE_BITS);
    counted = reads;
    open = isClosed ? Math.max(open, bound) : open;
    return isClosed;
  }

  /** The most copies that fit what is left. */
  private long copies(int kind, long[] left) {
    long copies = counts[kind];
    for (int d = 0; d < left.length; d++) {
      copies = needs[kind][d] > 0 ? Math.min(copies, left[d] / needs[kind][d]) : copies;
    }
    return copies;
  }

  private void take(int kind, long copies, long[] left) {
    taken[kind] += (int) copies;
    for (int d = 0; d < left.length; d++) {
      left[d] -= copies * needs[kind][d];
    }
  }

  /** What the kinds from an index on can add at most, in the room that is left. */
  private long bound(int[] list, int from, int to, long room) {
    long value = 0;
    long left = room;
    for (int at = from; at < to; at++) {
      int kind = list[at];
      long copies = counts[kind];
      if (copies * sizes[kind] > left) {
        reads += at - from + 1;
        return value + prices[kind] * left / sizes[kind] + 1;
      }
      value += copies * prices[kind];
      left -= copies * sizes[kind];
    }
    reads += to - from + 1;
    return value;
  }
}
