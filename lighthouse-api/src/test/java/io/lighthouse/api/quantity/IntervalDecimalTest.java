package io.lighthouse.api.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * The oracle for doubles is itself compared with the JDK, whose texts are shortest since version
 * 19.
 */
class IntervalDecimalTest {

  @Test
  @EnabledForJreRange(min = JRE.JAVA_19, disabledReason = "older JDKs print too many digits")
  void theTextOfANewJdkIsTheShortestDecimal() {
    SplittableRandom random = new SplittableRandom(20);
    int compared = 0;
    while (compared < 20_000) {
      double value = Double.longBitsToDouble(random.nextLong());
      float small = Float.intBitsToFloat(random.nextInt());
      if (!Double.isFinite(value) || !Float.isFinite(small)) {
        continue;
      }
      // The JDK prints two digits where one would do (4.9E-324), and then the nearer two.
      if (IntervalDecimal.of(value).precision() > 1) {
        assertThat(IntervalDecimal.of(value))
            .isEqualByComparingTo(new BigDecimal(Double.toString(value)));
      }
      if (IntervalDecimal.of(small).precision() > 1) {
        assertThat(IntervalDecimal.of(small))
            .isEqualByComparingTo(new BigDecimal(Float.toString(small)));
      }
      compared++;
    }
  }

  @Test
  void theSmallestNumbersHaveOneDigit() {
    assertThat(IntervalDecimal.of(Double.MIN_VALUE)).isEqualByComparingTo("5e-324");
    assertThat(IntervalDecimal.of(Float.MIN_VALUE)).isEqualByComparingTo("1e-45");
    assertThat(IntervalDecimal.of(-0.0)).isEqualByComparingTo("0");
    assertThat(IntervalDecimal.of(-0.1)).isEqualByComparingTo("-0.1");
  }
}
