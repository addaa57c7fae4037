package io.lighthouse.scheduler;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * How full a node would be with a request on it, for {@link
 * io.lighthouse.api.strategy.Candidates#emptiest} and {@link
 * io.lighthouse.api.strategy.Candidates#mostEven}: the shares in use of what it has, in fixed
 * point. Counted are the resources of which it has a finite quantity above 0.
 */
final class SharesInUse {
  private static final int FULLEST_BITS = 30;
  private static final int EVEN_BITS = 24;

  /** A share of more than a million times the capacity counts as that: two to the power of this. */
  private static final int MOST_BITS = 20;

  /** A deviation of more than 16 times the capacity counts as that. */
  private static final long MOST_DEVIATION = 16L << EVEN_BITS;

  private SharesInUse() {}

  /** The largest share, in parts of 2^30, rounded down; 0 where no resource counts. */
  static long fullest(Resources capacity, Resources left, Resources request) {
    long[] shares = shares(capacity, left, request, FULLEST_BITS);
    long largest = shares.length == 0 ? 0 : shares[0];
    for (long share : shares) {
      largest = Math.max(largest, share);
    }
    return largest;
  }

  /**
   * The variance of the shares, each in parts of 2^24, in parts of 2^22, rounded to the nearest; 0
   * where no resource counts.
   */
  static long variance(Resources capacity, Resources left, Resources request) {
    long[] shares = shares(capacity, left, request, EVEN_BITS);
    if (shares.length == 0) {
      return 0;
    }
    long sum = 0;
    for (long share : shares) {
      sum += share;
    }
    long mean = Math.floorDiv(sum, shares.length);
    long squares = 0;
    for (long share : shares) {
      long deviation = Math.max(-MOST_DEVIATION, Math.min(MOST_DEVIATION, share - mean));
      squares += deviation * deviation;
    }
    return (squares / shares.length + (1L << 25)) >> 26;
  }

  private static long[] shares(Resources capacity, Resources left, Resources request, int bits) {
    long[] shares = new long[capacity.size()];
    int count = 0;
    for (int i = 0; i < shares.length; i++) {
      Quantity has = capacity.quantity(i);
      if (has.signum() > 0 && !has.isInfinite()) {
        String name = capacity.name(i);
        Quantity rest = left.get(name).orElse(Quantity.ZERO);
        Quantity asked = request.get(name).orElse(Quantity.ZERO);
        shares[count++] = share(has, rest, asked, bits);
      }
    }
    return Arrays.copyOf(shares, count);
  }

  /** (has - rest + asked) / has, rounded down. */
  private static long share(Quantity has, Quantity rest, Quantity asked, int bits) {
    int digits = Math.max(has.scale(), Math.max(rest.scale(), asked.scale()));
    if (digits <= Quantity.LEDGER_DIGITS) {
      long most = 1L << (Long.SIZE - 4 - bits);
      long whole = has.scaledTo(digits, Long.MAX_VALUE);
      long restWhole = rest.scaledTo(digits, Long.MAX_VALUE);
      long askedWhole = asked.scaledTo(digits, Long.MAX_VALUE);
      if (whole < most && Math.abs(restWhole) < most && Math.abs(askedWhole) < most) {
        return cut(Math.floorDiv((whole - restWhole + askedWhole) << bits, whole), bits);
      }
    }
    BigDecimal used = has.toBigDecimal().subtract(rest.toBigDecimal()).add(asked.toBigDecimal());
    BigInteger share =
        used.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(bits)))
            .divide(has.toBigDecimal(), 0, RoundingMode.FLOOR)
            .toBigInteger();
    return cut(
        share.bitLength() < Long.SIZE ? share.longValue() : share.signum() * Long.MAX_VALUE, bits);
  }

  private static long cut(long share, int bits) {
    long most = 1L << (bits + MOST_BITS);
    return Math.max(-most, Math.min(most, share));
  }
}
