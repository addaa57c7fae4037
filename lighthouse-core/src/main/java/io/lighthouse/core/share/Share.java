package io.lighthouse.core.share;

import java.math.BigInteger;

/**
 * Shares of one capacity, in fixed point. A share is exact but for being rounded down; the quick
 * one may be a few parts lower still. The division by an invariant is done by multiplication with
 * its reciprocal (Granlund and Montgomery, "Division by Invariant Integers using Multiplication",
 * 1994).
 *
 * <p>Amounts are of magnitude below 2^62, capacities are above 0 and below 2^62, and bits are at
 * most 40, unless stated otherwise.
 */
public final class Share {
  /** A quick share counts in parts of two to the power of this. */
  public static final int BITS = 40;

  /** The number of parts that a quick share is too low at most. */
  public static final int SLACK = 3;

  /** The number of bits of the largest capacity. */
  public static final int LONGEST = 62;

  /** No share is above this: a million times the capacity. */
  public static final long MOST = 1L << (BITS + 20);

  private final long capacity;

  /** 2^(124 - zeros) / capacity, between 2^61 and 2^62, where zeros normalizes the capacity. */
  private final long reciprocal;

  private final int shift;

  /** Shares of a capacity. */
  public Share(long capacity) {
    this.capacity = capacity;
    int log = Long.SIZE - 1 - Long.numberOfLeadingZeros(capacity);
    reciprocal =
        BigInteger.ONE.shiftLeft(61 + log).divide(BigInteger.valueOf(capacity)).longValue();
    shift = 61 + log - BITS;
  }

  /** The share of an amount in parts of 2^{@value #BITS}, at most {@link #SLACK} parts too low. */
  public long quick(long amount) {
    if (Math.abs(amount) >> 20 >= capacity) {
      return amount < 0 ? -MOST : MOST;
    }
    long high = Math.multiplyHigh(amount, reciprocal);
    return shift >= Long.SIZE
        ? high >> (shift - Long.SIZE)
        : high << (Long.SIZE - shift) | (amount * reciprocal) >>> shift;
  }

  /** The capacity that the shares are of, scaled. */
  public long capacity() {
    return capacity;
  }

  /** The share of an amount, in parts of two to the power of {@code bits}, rounded down. */
  public long exact(long amount, int bits) {
    return exact(amount, capacity, bits);
  }

  /**
   * A share of any capacity, in parts of two to the power of {@code bits}, rounded down. A
   * magnitude of more than a million times the capacity counts as that.
   */
  public static long exact(long amount, long capacity, int bits) {
    if (Math.abs(amount) >> 20 >= capacity) {
      return amount < 0 ? -(1L << (bits + 20)) : 1L << (bits + 20);
    }
    long share = Math.floorDiv(amount, capacity);
    long rest = Math.floorMod(amount, capacity);
    int wanted = bits;
    while (wanted > 0) { // As many digits at once as 64 bits allow; nearly always all.
      int step = Math.min(wanted, Long.numberOfLeadingZeros(rest) - 1);
      rest <<= step;
      share = (share << step) + rest / capacity;
      rest %= capacity;
      wanted -= step;
    }
    return share;
  }

  /** A share of a capacity of 2^62 or more, in parts of 2^{@value #BITS}, rounded down. */
  public static long exact(long amount, BigInteger capacity) {
    BigInteger[] share = BigInteger.valueOf(amount).shiftLeft(BITS).divideAndRemainder(capacity);
    return share[0].longValue() - (share[1].signum() < 0 ? 1 : 0);
  }

  /** As {@link #exact(long, long, int)}, with a share below 0 counted as 0. */
  public static long positive(long amount, long capacity, int bits) {
    return amount <= 0 ? 0 : exact(amount, capacity, bits);
  }

  /**
   * The largest amount whose share is below another, which is from 1 to {@code 1 << bits}. The
   * amount is 0 or more, below the capacity.
   */
  public static long amountBelow(long share, long capacity, int bits) {
    long low = share * capacity;
    long high = Math.multiplyHigh(share, capacity) - (low == 0 ? 1 : 0);
    return high << (Long.SIZE - bits) | (low - 1) >>> bits;
  }

  /** Whether shares of a capacity count: it is finite and above 0. */
  public static boolean measurable(long capacity) {
    return capacity > 0 && capacity != Long.MAX_VALUE;
  }
}
