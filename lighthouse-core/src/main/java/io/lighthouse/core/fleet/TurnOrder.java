package io.lighthouse.core.fleet;

import io.lighthouse.api.Names;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.core.feasibility.Scores;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Ledger;
import java.math.BigInteger;
import java.util.Arrays;

/** The order in which the workloads of a batch take their turns. */
final class TurnOrder {
  private TurnOrder() {}

  private static final int DIGIT_BITS = 11;
  private static final int DIGIT = (1 << DIGIT_BITS) - 1;

  /** The indexes of the batch in the order of their turns; null for as given. */
  static int[] of(BatchOrder order, Batch batch, Ledger ledger) {
    if (!(order instanceof BatchOrder.ScoreDescending byScore)) {
      return null;
    }
    Scores scores = new Scores(byScore.rubric(), ledger);
    return scores.wide() ? wide(scores, batch) : exact(scores, batch);
  }

  private static int[] wide(Scores scores, Batch batch) {
    int size = batch.size();
    long[] high = new long[size];
    long[] low = new long[size];
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      scores.computeWorkload(batch, i);
      high[i] = scores.high();
      low[i] = scores.low();
      order[i] = i;
    }
    if (!sortedBySmall(order, high, low)) {
      mergeSort(order, (a, b) -> Scores.compare(high[b], low[b], high[a], low[a]));
    }
    int start = 0;
    for (int end = 1; end <= size; end++) {
      if (end == size
          || high[order[end]] != high[order[start]]
          || low[order[end]] != low[order[start]]) {
        byName(order, start, end, batch);
        start = end;
      }
    }
    return order;
  }

  /**
   * Sorts, stably, digit by digit, where all scores and their distances fit 64 bits. Else it
   * changes nothing and answers false.
   */
  private static boolean sortedBySmall(int[] order, long[] high, long[] low) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (int i = 0; i < order.length; i++) {
      if (high[i] != low[i] >> 63) {
        return false;
      }
      least = Math.min(least, low[i]);
      most = Math.max(most, low[i]);
    }
    long range = most - least;
    if (range < 0) {
      return order.length == 0;
    }
    long[] fromKeys = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      fromKeys[i] = most - low[i];
    }
    long[] toKeys = new long[order.length];
    int[] from = order;
    int[] to = new int[order.length];
    for (int shift = 0; shift < Long.SIZE && range >>> shift != 0; shift += DIGIT_BITS) {
      int[] ends = new int[1 << DIGIT_BITS];
      for (long key : fromKeys) {
        ends[(int) (key >>> shift) & DIGIT]++;
      }
      for (int digit = 1; digit <= DIGIT; digit++) {
        ends[digit] += ends[digit - 1];
      }
      for (int i = order.length - 1; i >= 0; i--) {
        int at = --ends[(int) (fromKeys[i] >>> shift) & DIGIT];
        toKeys[at] = fromKeys[i];
        to[at] = from[i];
      }
      long[] keys = fromKeys;
      fromKeys = toKeys;
      toKeys = keys;
      int[] indexes = from;
      from = to;
      to = indexes;
    }
    System.arraycopy(from, 0, order, 0, order.length);
    return true;
  }

  /** Sorts a run of equal scores by name; most often it is sorted already. */
  private static void byName(int[] order, int start, int end, Batch batch) {
    boolean sorted = true;
    for (int i = start + 1; sorted && i < end; i++) {
      sorted = compareNames(batch, order[i - 1], order[i]) < 0;
    }
    if (!sorted) {
      int[] run = Arrays.copyOfRange(order, start, end);
      mergeSort(run, (a, b) -> compareNames(batch, a, b));
      System.arraycopy(run, 0, order, start, run.length);
    }
  }

  private static int[] exact(Scores scores, Batch batch) {
    BigInteger[] score = new BigInteger[batch.size()];
    int[] order = new int[score.length];
    for (int i = 0; i < score.length; i++) {
      score[i] = scores.workloadScore(batch, i);
      order[i] = i;
    }
    mergeSort(
        order,
        (a, b) -> {
          int compared = score[b].compareTo(score[a]);
          return compared != 0 ? compared : compareNames(batch, a, b);
        });
    return order;
  }

  private static int compareNames(Batch batch, int a, int b) {
    return Names.compare(batch.names()[a], batch.names()[b]);
  }

  /** Compares two indexes without boxing them. */
  @FunctionalInterface
  private interface IndexComparator {
    int compare(int a, int b);
  }

  /** Stable, bottom up; runs that are in order already are not touched. */
  private static void mergeSort(int[] values, IndexComparator comparator) {
    int[] from = values;
    int[] to = new int[values.length];
    for (int width = 1; width < values.length; width *= 2) {
      for (int start = 0; start < values.length; start += 2 * width) {
        int middle = Math.min(start + width, values.length);
        int end = Math.min(start + 2 * width, values.length);
        if (middle == end || comparator.compare(from[middle - 1], from[middle]) <= 0) {
          System.arraycopy(from, start, to, start, end - start);
          continue;
        }
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
          boolean takeLeft =
              left < middle && (right == end || comparator.compare(from[left], from[right]) <= 0);
          to[at] = takeLeft ? from[left++] : from[right++];
        }
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    if (from != values) {
      System.arraycopy(from, 0, values, 0, values.length);
    }
  }
}
