package io.lighthouse.core.share;

import java.math.BigInteger;

/**
 * A mean of amounts, for comparing amounts of different resources. It is kept as a fraction, so
 * shares of it do not depend on the unit in which a ledger counts. Immutable.
 */
public final class Mean {
  /** The mean of nothing: the share of any amount is 0. */
  public static final Mean NONE = new Mean(BigInteger.ZERO, 1);

  private static final long LONGEST_AMOUNT = 1L << Share.LONGEST;

  private final BigInteger sum;
  private final long count;

  /** The sum where it is below 2^62; else 0. */
  private final long shortSum;

  private Mean(BigInteger sum, long count) {
    this.sum = sum;
    this.count = count;
    shortSum = sum.bitLength() <= Share.LONGEST ? sum.longValue() : 0;
  }

  /** The mean of amounts, by their sum and number, 0 or more; {@link #NONE} where one is 0. */
  public static Mean of(BigInteger sum, long count) {
    if (sum.signum() == 0 || count == 0) {
      return NONE;
    }
    BigInteger common = sum.gcd(BigInteger.valueOf(count));
    return new Mean(sum.divide(common), count / common.longValue());
  }

  /**
   * The share of an amount; one below 0 counts as 0.
   *
   * @param amount of magnitude below 2^62
   * @param bits up to 40
   * @return in parts of two to the power of these, rounded down; at most a million times the mean
   */
  public long share(long amount, int bits) {
    if (amount <= 0 || this == NONE) {
      return 0;
    }
    if (shortSum > 0 && amount < LONGEST_AMOUNT / count) {
      return Share.exact(amount * count, shortSum, bits);
    }
    BigInteger most = BigInteger.ONE.shiftLeft(bits + 20);
    BigInteger all = BigInteger.valueOf(amount).multiply(BigInteger.valueOf(count)).shiftLeft(bits);
    return all.divide(sum).min(most).longValue();
  }
}
