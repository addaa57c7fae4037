package io.lighthouse.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ShareProperties {
  private static final long MOST_CAPACITY = (1L << 62) - 1;

  /** By the definition of a share, with numbers of any length. */
  private static BigInteger share(long amount, long capacity, int bits) {
    return BigInteger.valueOf(amount).shiftLeft(bits).divide(BigInteger.valueOf(capacity));
  }

  @Property
  void theLargestAmountBelowAShareIsBelowItAndTheNextIsNot(
      @ForAll @LongRange(min = 1, max = MOST_CAPACITY) long capacity,
      @ForAll @IntRange(min = 1, max = 40) int bits,
      @ForAll long seed) {
    long share = 1 + Math.floorMod(seed, 1L << bits);
    long amount = Share.amountBelow(share, capacity, bits);
    assertThat(amount).isBetween(0L, capacity - 1);
    assertThat(share(amount, capacity, bits)).isLessThan(BigInteger.valueOf(share));
    assertThat(share(amount + 1, capacity, bits)).isGreaterThanOrEqualTo(BigInteger.valueOf(share));
    assertThat(Share.exact(amount, capacity, bits)).isLessThan(share);
    assertThat(Share.exact(amount + 1, capacity, bits)).isGreaterThanOrEqualTo(share);
  }
}
