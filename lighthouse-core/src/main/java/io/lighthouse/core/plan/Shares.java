package io.lighthouse.core.plan;

import io.lighthouse.core.fleet.Share;
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

  /** A share in parts; above 2^20 times the capacity it counts as that, below 0 as 0. */
  static long of(long amount, long capacity) {
    return amount <= 0 ? 0 : Share.exact(amount, capacity, BITS);
  }

  /** The largest share in use on a node. */
  static long fullest(Ledger ledger, int node) {
    Layout layout = ledger.accounts().layout(node);
    long fullest = 0;
    for (int at = 0; at < layout.size(); at++) {
      long capacity = ledger.accounts().capacity(node, at);
      if (Share.measurable(capacity)) {
        fullest = Math.max(fullest, of(capacity - ledger.accounts().left(node, at), capacity));
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
