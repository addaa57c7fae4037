package io.lighthouse.api.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  @Test
  void threeTenthsMinusThreeTimesOneTenthIsZero() {
    Quantity tenth = Quantity.of(0.1);

    assertThat(Quantity.of(0.3).minus(tenth).minus(tenth).minus(tenth)).isEqualTo(Quantity.ZERO);
  }

  @Nested
  class ReadingText {
    @ParameterizedTest
    @CsvSource({
      "0,0",
      "-0,0",
      "0.0,0",
      "-0.000,0",
      "0e99999999999999999999,0",
      "-0.0E-9999999999,0",
      "6,6",
      "-3,-3",
      "12.50,12.5",
      "0.1,0.1",
      "1e3,1000",
      "1E+3,1000",
      "1.5e-3,0.0015",
      "100e-2,1",
      "1.000,1",
      "12e0,12",
      "12e-0,12",
      "5e000000000000000000001,50",
      "9223372036854775807,9223372036854775807",
      "-9223372036854775808,-9223372036854775808",
      "9223372036854775808,9223372036854775808",
      "999999999999999999,999999999999999999",
      "0.999999999999999999,0.999999999999999999",
      "inf,inf",
      "+inf,inf",
      "-inf,-inf"
    })
    void theValueIsExactAndTheTextCanonical(String text, String canonical) {
      assertThat(Quantity.of(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "-",
          "+",
          "+1",
          "--1",
          "01",
          "-01",
          "00",
          ".5",
          "-.5",
          "1.",
          "1.e3",
          "1e",
          "1e+",
          "1e-",
          "1e1.5",
          "1ee3",
          "1 ",
          " 1",
          "1\n",
          "1,5",
          "1_000",
          "0x10",
          "1d",
          "1f",
          "1L",
          "NaN",
          "nan",
          "Infinity",
          "-Infinity",
          "INF",
          "Inf",
          "- inf",
          "++inf",
          "inf ",
          "\u0661",
          "\uff11",
          "1\u212a3",
          "true",
          "e5",
          "0-1"
        })
    void anythingElseIsRefusedWithTheTextAndWhatIsAllowed(String text) {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(text))
          .withMessage(
              "quantity: value is '%s'; allowed: a JSON number, inf, +inf or -inf, of at most 1000"
                  + " digits before and after the point",
              text);
    }

    @Test
    void aLongTextIsShortenedInTheMessage() {
      assertThatThrownBy(() -> Quantity.of("x".repeat(1_000_000)))
          .isInstanceOf(InvalidInputException.class)
          .message()
          .hasSizeLessThan(500)
          .contains("(1000002 characters)");
    }
  }

  @Nested
  class Limits {
    @Test
    void aThousandDigitsOnBothSidesOfThePointAreKept() {
      String text = "9".repeat(1000) + "." + "9".repeat(1000);

      assertThat(Quantity.of(text)).hasToString(text);
      assertThat(Quantity.of("-" + text)).hasToString("-" + text);
      assertThat(Quantity.of("1e999").toString()).isEqualTo("1" + "0".repeat(999));
      assertThat(Quantity.of("1e-1000").scale()).isEqualTo(1000);
      assertThat(Quantity.of("0." + "0".repeat(500) + "1e-499").scale()).isEqualTo(1000);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "1e1000",
          "-1e1000",
          "1e-1001",
          "10e999",
          "0.1e1001",
          "0.1e-1000",
          "1e99999",
          "1e-99999",
          "1e100000",
          "1e2147483648",
          "1e-2147483649",
          "1e9999999999999999999",
          "12345e-1004"
        })
    void oneDigitMoreIsRefused(String text) {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(text))
          .withMessageContaining("is " + text + ";")
          .withMessageContaining("at most 1000 digits before and after the point");
    }

    @Test
    void oneDigitMoreIsRefusedInPlainTextToo() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of("1" + "0".repeat(1000)));
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of("0." + "0".repeat(1000) + "1"));
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of("1".repeat(1_000_000)));
    }

    @Test
    void needlessZerosDoNotCount() {
      assertThat(Quantity.of("0." + "5".repeat(1000) + "0".repeat(500)).scale()).isEqualTo(1000);
      assertThat(Quantity.of("1" + "0".repeat(500) + "e-1500").scale()).isEqualTo(1000);
      String zeros = "-" + "9".repeat(1001) + "." + "9".repeat(999) + "00";
      assertThat(Quantity.of(zeros + "E-1"))
          .isEqualTo(Quantity.of("-" + "9".repeat(1000) + "." + "9".repeat(1000)));
    }

    @Test
    void zerosBeyondAllReasonAreRefusedUnread() {
      assertThat(Quantity.of("0." + "5".repeat(1000) + "0".repeat(1000)).scale()).isEqualTo(1000);
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of("0." + "5".repeat(1000) + "0".repeat(1001)));
      assertThat(Quantity.of(new BigDecimal("1." + "0".repeat(2999)))).isEqualTo(Quantity.ONE);
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(new BigDecimal("1." + "0".repeat(3000))));
    }

    @Test
    void decimalsWithHugeExponentsAreRefusedWithoutWritingThemOut() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE)))
          .withMessageContaining("1E+2147483648");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(new BigDecimal(BigInteger.TEN, Integer.MAX_VALUE)));
      assertThat(Quantity.of(new BigDecimal(BigInteger.ZERO, Integer.MIN_VALUE)))
          .isEqualTo(Quantity.ZERO);
      assertThat(Quantity.of(new BigDecimal(BigInteger.ZERO, Integer.MAX_VALUE)))
          .isEqualTo(Quantity.ZERO);
    }

    /** To count or write out the digits of such a number takes minutes. */
    @Test
    void hugeWholeNumbersAreRefusedWithoutWritingThemOut() {
      BigInteger huge = BigInteger.ONE.shiftLeft(20_000_000);

      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(huge))
          .withMessageContaining("value is a number of 20000001 bits; allowed: a JSON number");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(new BigDecimal(huge, Integer.MAX_VALUE)))
          .withMessageContaining("a number of 20000001 bits");
    }

    @Test
    void aSumBeyondThemIsRefusedNotRounded() {
      Quantity most = Quantity.of("9".repeat(1000));

      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> most.plus(Quantity.ONE));
      assertThat(most.minus(Quantity.ONE)).hasToString("9".repeat(999) + "8");
    }
  }

  @Nested
  class ReadingDoubles {
    /** Some of these are misprinted by {@code Double.toString} of JDK 17. */
    @ParameterizedTest
    @CsvSource({
      "2.0E-3,0.002",
      "1.0E23,100000000000000000000000",
      "2.0E23,200000000000000000000000",
      "8.41E21,8410000000000000000000",
      "5.0E22,50000000000000000000000",
      "9.007199254740993E15,9007199254740992",
      "2.82879384806159E17,282879384806159000",
      "1.387364135037754E18,1387364135037754000",
      "0.1,0.1",
      "-0.0,0",
      "0.30000000000000004,0.30000000000000004",
      "123456789.125,123456789.125",
      "9.5E-5,0.000095"
    })
    void theShortestDecimalIsTaken(double value, String expected) {
      assertThat(Quantity.of(value)).hasToString(expected);
      assertThat(Quantity.of((Object) value)).isEqualTo(Quantity.of(expected));
    }

    @Test
    void theSmallestAndGreatestDoublesAreReadToo() {
      assertThat(Quantity.of(Double.MIN_VALUE)).isEqualTo(Quantity.of("5e-324"));
      assertThat(Quantity.of(2 * Double.MIN_VALUE)).isEqualTo(Quantity.of("1e-323"));
      assertThat(Quantity.of(Double.MIN_NORMAL)).isEqualTo(Quantity.of("2.2250738585072014e-308"));
      assertThat(Quantity.of(Double.MAX_VALUE)).isEqualTo(Quantity.of("1.7976931348623157e308"));
    }

    /** Below a power of two numbers lie closer, so the nearer decimal may be another number. */
    @Test
    void atAPowerOfTwoTheFartherDecimalMayBeTheOneThatReadsBack() {
      assertThat(Quantity.of(Math.scalb(1.0, -44))).isEqualTo(Quantity.of("5.684341886080802e-14"));
      assertThat(Quantity.of(-Math.scalb(1.0, -44)))
          .isEqualTo(Quantity.of("-5.684341886080802e-14"));
    }

    @Test
    void ofTwoAsNearTheOneWithTheEvenLastDigitIsTaken() {
      assertThat(Quantity.of(1125899906842624.25)).hasToString("1125899906842624.2");
      assertThat(Quantity.of(1125899906842624.75)).hasToString("1125899906842624.8");
      assertThat(Quantity.of(-1125899906842624.75)).hasToString("-1125899906842624.8");
      assertThat(Quantity.of(2097152.75f)).hasToString("2097152.8");
      assertThat(Quantity.of(-2097152.25f)).hasToString("-2097152.2");
    }

    @Test
    void aFloatIsReadAsAFloat() {
      assertThat(Quantity.of(0.1f)).hasToString("0.1");
      assertThat(Quantity.of((Object) 0.1f)).hasToString("0.1");
      assertThat(Quantity.of(1e30f)).isEqualTo(Quantity.of("1e30"));
      assertThat(Quantity.of(123456790f)).hasToString("123456790");
      assertThat(Quantity.of(16777216f)).hasToString("16777216");
      assertThat(Quantity.of(Float.MIN_VALUE)).isEqualTo(Quantity.of("1e-45"));
      assertThat(Quantity.of(Float.MAX_VALUE)).isEqualTo(Quantity.of("3.4028235e38"));
      assertThat(Quantity.of(Float.NEGATIVE_INFINITY)).isSameAs(Quantity.NEGATIVE_INFINITY);
    }

    @Test
    void infinitiesAreWelcomeAndNanIsRefused() {
      assertThat(Quantity.of(Double.POSITIVE_INFINITY)).isSameAs(Quantity.INFINITY);
      assertThat(Quantity.of(Double.NEGATIVE_INFINITY)).isSameAs(Quantity.NEGATIVE_INFINITY);
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(Double.NaN))
          .withMessage("quantity: value is NaN; allowed: a decimal, inf or -inf");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(Float.NaN))
          .withMessageContaining("NaN");
    }
  }

  @Nested
  class ReadingAnyNumber {
    @Test
    void everyNumberOfTheJdkIsTaken() {
      Quantity five = Quantity.of(5);

      assertThat(Quantity.of((Object) (byte) 5)).isEqualTo(five);
      assertThat(Quantity.of((Object) (short) 5)).isEqualTo(five);
      assertThat(Quantity.of((Object) 5)).isEqualTo(five);
      assertThat(Quantity.of((Object) 5L)).isEqualTo(five);
      assertThat(Quantity.of((Object) 5f)).isEqualTo(five);
      assertThat(Quantity.of((Object) 5d)).isEqualTo(five);
      assertThat(Quantity.of((Object) new BigDecimal("5.00"))).isEqualTo(five);
      assertThat(Quantity.of((Object) BigInteger.valueOf(5))).isEqualTo(five);
      assertThat(Quantity.of((Object) "5.0")).isEqualTo(five);
      assertThat(Quantity.of((Object) five)).isSameAs(five);
    }

    @Test
    void anythingElseIsRefusedByItsType() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(new AtomicLong(5)))
          .withMessage(
              "quantity: value is a java.util.concurrent.atomic.AtomicLong; allowed: a Quantity, a"
                  + " String, or a number of the JDK");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of((Object) null))
          .withMessageContaining("is null");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Quantity.of(true))
          .withMessageContaining("java.lang.Boolean");
    }
  }

  @Nested
  class Infinities {
    @Test
    void theyStandAtTheEndsAndEqualThemselves() {
      assertThat(Quantity.INFINITY)
          .isEqualTo(Quantity.of("inf"))
          .isEqualByComparingTo(Quantity.of("+inf"))
          .isGreaterThan(Quantity.NEGATIVE_INFINITY)
          .isNotEqualTo(Quantity.ONE);
      assertThat(Quantity.NEGATIVE_INFINITY)
          .isEqualByComparingTo(Quantity.of("-inf"))
          .isNotEqualTo(Quantity.of(-1))
          .isLessThan(Quantity.of(Long.MIN_VALUE));
      assertThat(Quantity.INFINITY.signum()).isEqualTo(1);
      assertThat(Quantity.NEGATIVE_INFINITY.signum()).isEqualTo(-1);
      assertThat(Quantity.INFINITY.isInfinite()).isTrue();
      assertThat(Quantity.INFINITY.scale()).isZero();
      assertThat(Quantity.ONE.isInfinite()).isFalse();
      assertThat(Quantity.of("0.1").isInfinite()).isFalse();
    }

    @Test
    void theyStayAsTheyAreInSums() {
      assertThat(Quantity.INFINITY.plus(Quantity.INFINITY)).isSameAs(Quantity.INFINITY);
      assertThat(Quantity.NEGATIVE_INFINITY.minus(Quantity.INFINITY))
          .isSameAs(Quantity.NEGATIVE_INFINITY);
      assertThat(Quantity.INFINITY.negated()).isSameAs(Quantity.NEGATIVE_INFINITY);
      assertThat(Quantity.NEGATIVE_INFINITY.negated()).isSameAs(Quantity.INFINITY);
      assertThat(Quantity.INFINITY.rounded(RoundingMode.UP)).isSameAs(Quantity.INFINITY);
    }

    @Test
    void whatHasNoValueIsAnError() {
      assertThatThrownBy(() -> Quantity.INFINITY.plus(Quantity.NEGATIVE_INFINITY))
          .isInstanceOf(ArithmeticException.class)
          .hasMessage("inf plus -inf has no value");
      assertThatThrownBy(() -> Quantity.INFINITY.minus(Quantity.INFINITY))
          .isInstanceOf(ArithmeticException.class);
      assertThatThrownBy(Quantity.INFINITY::toBigDecimal)
          .isInstanceOf(ArithmeticException.class)
          .hasMessage("inf is no decimal");
      assertThatThrownBy(() -> Quantity.NEGATIVE_INFINITY.scaledTo(3))
          .isInstanceOf(ArithmeticException.class);
      assertThat(Quantity.NEGATIVE_INFINITY.scaledTo(3, -7)).isEqualTo(-7);
    }
  }

  @Nested
  class BesideTheLimitsOfLong {
    @Test
    void theGreatestLongAndItsNeighbourHaveOneWayOfBeingEach() {
      Quantity most = Quantity.of(Long.MAX_VALUE);

      assertThat(most.plus(Quantity.ONE)).isEqualTo(Quantity.of("9223372036854775808"));
      assertThat(most.plus(Quantity.ONE).minus(Quantity.ONE)).isEqualTo(most);
      assertThat(Quantity.of(Long.MIN_VALUE).negated()).isEqualTo(most.plus(Quantity.ONE));
      assertThat(most.plus(Quantity.ONE).negated()).isEqualTo(Quantity.of(Long.MIN_VALUE));
      assertThat(Quantity.of(Long.MIN_VALUE).minus(Quantity.ONE))
          .hasToString("-9223372036854775809");
      assertThat(Quantity.of(Long.MIN_VALUE).scaledTo(0)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void scalingThatDoesNotFitALongIsAnError() {
      assertThat(Quantity.of("9.223372036854775807").scaledTo(18)).isEqualTo(Long.MAX_VALUE);
      assertThatThrownBy(() -> Quantity.of("9.223372036854775808").scaledTo(18))
          .isInstanceOf(ArithmeticException.class);
      assertThatThrownBy(() -> Quantity.of(10).scaledTo(18))
          .isInstanceOf(ArithmeticException.class);
      assertThatThrownBy(() -> Quantity.of("0.5").scaledTo(0))
          .isInstanceOf(ArithmeticException.class);
      assertThatThrownBy(() -> Quantity.of("1e-1000").scaledTo(18))
          .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void unitsOfAPowerOfTenLoseTheirNeedlessZeros() {
      assertThat(Quantity.ofScaled(1250, 2)).isEqualTo(Quantity.of("12.5"));
      assertThat(Quantity.ofScaled(-1000, 3)).isEqualTo(Quantity.of(-1));
      assertThat(Quantity.ofScaled(0, 18)).isSameAs(Quantity.ZERO);
      assertThat(Quantity.ofScaled(Long.MIN_VALUE, 18)).hasToString("-9.223372036854775808");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 19, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aPowerOutsideTheRangeIsAnError(int digits) {
      assertThatThrownBy(() -> Quantity.ofScaled(5, digits))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Quantity.of("0.5").scaledTo(digits))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Quantity.of(5).scaledTo(digits))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Quantity.of(5).scaledTo(digits, 7))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Quantity.INFINITY.scaledTo(digits, 7))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Nested
  class Rounding {
    @Test
    void requirementsGoUpAndNodesDown() {
      Quantity fine = Quantity.of("0.1234567891");

      assertThat(fine.rounded(RoundingMode.CEILING)).hasToString("0.12345679");
      assertThat(fine.rounded(RoundingMode.FLOOR)).hasToString("0.123456789");
      assertThat(fine.negated().rounded(RoundingMode.CEILING)).hasToString("-0.123456789");
      assertThat(fine.negated().rounded(RoundingMode.FLOOR)).hasToString("-0.12345679");
      assertThat(Quantity.of("1e-1000").rounded(RoundingMode.CEILING)).hasToString("0.000000001");
      assertThat(Quantity.of("1e-1000").rounded(RoundingMode.FLOOR)).isEqualTo(Quantity.ZERO);
    }

    @Test
    void mayCarryOverTheLongestRowOfNines() {
      String nines = "9".repeat(Quantity.MAX_DIGITS);
      Quantity most = Quantity.of(nines + ".9999999999");

      assertThat(most.rounded(RoundingMode.FLOOR)).hasToString(nines + ".999999999");
      assertThat(most.rounded(RoundingMode.CEILING))
          .hasToString("1" + "0".repeat(Quantity.MAX_DIGITS))
          .isGreaterThan(most);
      assertThat(most.negated().rounded(RoundingMode.FLOOR)).isLessThan(most.negated());
      assertThat(most.rounded(RoundingMode.CEILING).negated())
          .isEqualTo(most.negated().rounded(RoundingMode.FLOOR));
      assertThat(Quantity.of(nines).minus(most.rounded(RoundingMode.CEILING))).hasToString("-1");
      assertThatThrownBy(() -> most.rounded(RoundingMode.UNNECESSARY))
          .isInstanceOf(ArithmeticException.class);
    }
  }

  @Test
  void hashCodesTellQuantitiesApart() {
    assertThat(IntStream.range(0, 1000).map(i -> Quantity.ofScaled(i, 2).hashCode()).distinct())
        .hasSizeGreaterThan(900);
  }

  @Test
  void aQuantityEqualsNoNumberOfTheJdk() {
    assertThat((Object) Quantity.ONE)
        .isNotEqualTo(1)
        .isNotEqualTo(BigDecimal.ONE)
        .isNotEqualTo(null);
  }

  @Test
  void takesAllDigitsAllowedBesideAnExponent() {
    String text = "-" + "9".repeat(999) + "." + "9".repeat(1000) + "e1";

    assertThat(Quantity.of(text).toBigDecimal()).isEqualByComparingTo(new BigDecimal(text));
  }
}
