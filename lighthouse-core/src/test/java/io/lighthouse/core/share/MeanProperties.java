package io.lighthouse.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;

class MeanProperties {
  private static final long MOST = (1L << 62) - 1;

  @Property
  void aShareIsExactWhateverTheUnit(
      @ForAll @LongRange(min = 1, max = MOST) long amount,
      @ForAll @LongRange(min = 1, max = MOST) long sum,
      @ForAll @IntRange(min = 1, max = 3) int times,
      @ForAll @IntRange(min = 1, max = 1_000_000) int count,
      @ForAll @IntRange(max = 40) int bits) {
    BigInteger total = BigInteger.valueOf(sum).pow(times);
    // amount / (total / count) = scaled / total, compared without a division.
    BigInteger scaled = BigInteger.valueOf(amount).multiply(BigInteger.valueOf(count));
    long share = Mean.of(total, count).share(amount, bits);
    BigInteger below = BigInteger.valueOf(share).multiply(total);
    boolean isMost = share == 1L << (bits + 20);
    Statistics.label("at the most").collect(isMost);
    Statistics.label("short").collect(scaled.bitLength() < 63);
    assertThat(share).isBetween(0L, 1L << (bits + 20));
    assertThat(below).isLessThanOrEqualTo(scaled.shiftLeft(bits));
    assertThat(isMost || below.add(total).compareTo(scaled.shiftLeft(bits)) > 0).isTrue();

    long unit = 1 + Math.floorMod(sum, 1000);
    if (amount <= MOST / unit) {
      assertThat(
              Mean.of(total.multiply(BigInteger.valueOf(unit)), count).share(amount * unit, bits))
          .isEqualTo(share);
    }
  }

  @Test
  void nothingHasAShareOfNothing() {
    assertThat(Mean.of(BigInteger.ZERO, 7)).isSameAs(Mean.NONE);
    assertThat(Mean.of(BigInteger.TEN, 0)).isSameAs(Mean.NONE);
    assertThat(Mean.NONE.share(MOST, 40)).isZero();
    assertThat(Mean.of(BigInteger.TEN, 7).share(0, 40)).isZero();
    assertThat(Mean.of(BigInteger.TEN, 7).share(-5, 40)).isZero();
  }

  @Test
  void aMeanBelowOneCounts() {
    assertThat(Mean.of(BigInteger.valueOf(8), 1000).share(8, 10)).isEqualTo(1000L << 10);
  }
}
