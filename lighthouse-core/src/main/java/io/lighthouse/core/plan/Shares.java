package io.lighthouse.core.plan;

import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.math.BigInteger;

/** Shares of capacities, in whole parts, rounded down; the same on every machine. */
final class Shares {
  /** A share counts in parts of two to the power of this. */
  static final int BITS = 30;

  private static final int NANO_DIGITS = 9;
  private static final BigInteger NANOS = BigInteger.TEN.pow(NANO_DIGITS);

  private Shares() {}

  /** Whether shares of a capacity count: it is finite and above 0. */
  static boolean measurable(long capacity) {
    return capacity > 0 && capacity != Long.MAX_VALUE;
  }

  /** A share in parts; above 2^20 times the capacity it counts as that, below 0 as 0. */
  static long of(long amount, long capacity) {
    if (amount <= 0) {
      return 0;
    }
    if (amount >> 20 >= capacity) {
      return 1L << (BITS + 20);
    }
    long share = amount / capacity;
    long rest = amount % capacity;
    int wanted = BITS;
    while (wanted > 0) {
      int step = Math.min(wanted, Long.numberOfLeadingZeros(rest) - 1);
      rest <<= step;
      share = (share << step) + rest / capacity;
      rest %= capacity;
      wanted -= step;
    }
    return share;
  }

  /** The largest share in use on a node, with a change of what is left by resource id or null. */
  static long fullest(Ledger ledger, int node) {
    Layout layout = ledger.layout(node);
    long fullest = 0;
    for (int at = 0; at < layout.size(); at++) {
      long capacity = ledger.capacity(node, at);
      if (measurable(capacity)) {
        fullest = Math.max(fullest, of(capacity - ledger.left(node, at), capacity));
      }
    }
    return fullest;
  }

  /** A share in billionths, rounded up. */
  static long nanos(BigInteger amount, BigInteger capacity) {
    BigInteger[] parts = amount.multiply(NANOS).divideAndRemainder(capacity);
    BigInteger nanos = parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
    return nanos.min(BigInteger.valueOf(Long.MAX_VALUE >> 1)).max(BigInteger.ZERO).longValue();
  }
}
