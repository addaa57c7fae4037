package io.lighthouse.core.fleet;

import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.math.BigInteger;

/**
 * Shares of one capacity, in fixed point. A share is exact but for being rounded down; the quick
 * one may be a few parts lower still. The division by an invariant is done by multiplication with
 * its reciprocal (Granlund and Montgomery, "Division by Invariant Integers using Multiplication",
 * 1994).
 */
public final class Share {
  /** A quick share counts in parts of two to the power of this. */
  static final int BITS = 40;

  /** The number of parts that a quick share is too low at most. */
  static final int SLACK = 3;

  /** No share is above this: a million times the capacity. */
  static final long MOST = 1L << (BITS + 20);

  private final long capacity;

  /** 2^(124 - zeros) / capacity, between 2^61 and 2^62, where zeros normalizes the capacity. */
  private final long reciprocal;

  private final int shift;

  /** Of a capacity above 0 and below 2^62. */
  Share(long capacity) {
    this.capacity = capacity;
    int log = Long.SIZE - 1 - Long.numberOfLeadingZeros(capacity);
    reciprocal =
        BigInteger.ONE.shiftLeft(61 + log).divide(BigInteger.valueOf(capacity)).longValue();
    shift = 61 + log - BITS;
  }

  /** The share of an amount, in parts of 2^40, at most {@link #SLACK} too low. */
  long quick(long amount) {
    if (Math.abs(amount) >> 20 >= capacity) {
      return amount < 0 ? -MOST : MOST;
    }
    long high = Math.multiplyHigh(amount, reciprocal);
    return shift >= Long.SIZE
        ? high >> (shift - Long.SIZE)
        : high << (Long.SIZE - shift) | (amount * reciprocal) >>> shift;
  }

  boolean isAbove(Share other) {
    return capacity > other.capacity;
  }

  /** The share of an amount in parts of two to the power of some bits up to 40, rounded down. */
  long exact(long amount, int bits) {
    return exact(amount, capacity, bits);
  }

  /**
   * A share of any capacity.
   *
   * @param amount of magnitude below 2^62
   * @param capacity above 0 and below 2^62
   * @param bits up to 40
   * @return in parts of two to the power of these, rounded down; a magnitude of more than a million
   *     times the capacity counts as that
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

  /** What all nodes have of each resource that has a finite capacity above 0; by resource id. */
  static long[] totals(Ledger ledger) {
    long[] totals = new long[ledger.resources().resourceIds()];
    for (int slot = 0; slot < ledger.nodes().slotCount(); slot++) {
      Layout layout = ledger.accounts().layout(slot);
      for (int at = 0; at < layout.size(); at++) {
        long capacity = ledger.accounts().capacity(slot, at);
        if (measurable(capacity)) {
          totals[layout.id(at)] =
              Math.min(Long.MAX_VALUE >> 1, totals[layout.id(at)] + capacity); // No more is needed.
        }
      }
    }
    for (int id = 0; id < totals.length; id++) {
      totals[id] = Math.min(totals[id], (Long.MAX_VALUE >> 1) - 1);
    }
    return totals;
  }

  /**
   * Whether shares of a capacity count.
   *
   * @param capacity scaled
   * @return true if it is finite and above 0
   */
  public static boolean measurable(long capacity) {
    return capacity > 0 && capacity != Long.MAX_VALUE;
  }
}
