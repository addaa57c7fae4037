package io.lighthouse.core.load;

import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.share.Share;

/** What makes one node better for a workload than another, by the shares of it that are in use. */
public enum LoadRule {
  /** The largest share, in parts of 2^30, rounded down. */
  FULLEST,

  /**
   * The variance of the shares, each in parts of 2^24, in parts of 2^22, rounded to the nearest.
   */
  VARIANCE;

  /** A share counts in parts of two to the power of this. */
  public int bits() {
    return this == FULLEST ? 30 : 24;
  }

  /** The score of a node with a workload on it, read from the accounts; the lowest is the best. */
  long score(NodeAccounts accounts, int node, Demand workload) {
    Layout layout = accounts.layout(node);
    long[] parts = new long[layout.size()];
    int count = 0;
    for (int at = 0; at < layout.size(); at++) {
      long capacity = accounts.capacity(node, at);
      if (Share.measurable(capacity)) {
        int required = workload.indexOf(layout.id(at));
        long amount =
            capacity - accounts.left(node, at) + (required < 0 ? 0 : workload.need(required));
        parts[count++] = Share.exact(amount, capacity, bits());
      }
    }
    return score(parts, count);
  }

  /** The score of the first {@code count} shares, each in the parts of this rule. */
  long score(long[] parts, int count) {
    long largest = count == 0 ? 0 : parts[0];
    long sum = 0;
    for (int i = 0; i < count; i++) {
      largest = Math.max(largest, parts[i]);
      sum += parts[i];
    }
    if (this == FULLEST || count == 0) {
      return largest;
    }
    long mean = Math.floorDiv(sum, count);
    long squares = 0;
    for (int i = 0; i < count; i++) {
      squares += square(parts[i] - mean);
    }
    return variance(squares, count);
  }

  /** The square of a deviation; one above 16 times the capacity counts as that. */
  static long square(long deviation) {
    long capped = Math.max(-(1L << 28), Math.min(1L << 28, deviation));
    return capped * capped;
  }

  /** The variance of {@code count} shares in parts of 2^24, from the sum of squared deviations. */
  static long variance(long squares, int count) {
    return (squares / count + (1L << 25)) >> 26;
  }

  /** The least sum of squared deviations of {@code count} shares with a variance above a limit. */
  static long leastSquares(long limit, int count) {
    long above = Math.min(limit, 1L << 30) + 1;
    return count * ((above << 26) - (1L << 25));
  }
}
