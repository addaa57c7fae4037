package io.lighthouse.core.load;

/** What makes one node better for a workload than another, by the shares of it that are in use. */
public enum LoadRule {
  /** The largest share, in parts of 2^30, rounded down. */
  FULLEST,

  /**
   * The variance of the shares, each in parts of 2^24, in parts of 2^22, rounded to the nearest.
   */
  VARIANCE;

  /**
   * A share counts in parts of two to the power of this.
   *
   * @return the number of bits
   */
  public int bits() {
    return this == FULLEST ? 30 : 24;
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
