package io.lighthouse.api.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;

/**
 * Quantities compared with {@link BigDecimal}, the grammar of JSON, and the definition of the
 * shortest decimal.
 */
class QuantityProperties {

  @Property
  void jsonNumbersAreReadExactly(@ForAll("numbers") String text) {
    assertThat(QuantityLaws.readsAsJson(Quantity::of, text)).as(text).isTrue();
  }

  @Property
  void whatIsAlmostANumberIsRefusedUnlessItIsOne(@ForAll("almostNumbers") String text) {
    assertThat(QuantityLaws.readsAsJson(Quantity::of, text)).as(text).isTrue();
  }

  @Property
  void aDoubleMeansTheShortestDecimalThatReadsBack(@ForAll("doubles") double value) {
    Quantity quantity = Quantity.of(value);

    assertThat(QuantityLaws.readsShortestDouble(d -> quantity, value)).as("%s", value).isTrue();
    assertThat(Double.parseDouble(quantity.toString())).isEqualTo(value + 0.0);
    assertThat(Quantity.of(-value)).isEqualTo(quantity.negated());
  }

  @Property
  void aFloatMeansTheShortestDecimalThatReadsBack(@ForAll("floats") float value) {
    Quantity quantity = Quantity.of(value);

    assertThat(QuantityLaws.readsShortestFloat(f -> quantity, value)).as("%s", value).isTrue();
    assertThat(Float.parseFloat(quantity.toString())).isEqualTo(value + 0.0f);
    assertThat(Quantity.of(-value)).isEqualTo(quantity.negated());
  }

  @Property
  void equalValuesAreEqualObjectsWhateverWayTheyWereMade(@ForAll("decimals") BigDecimal value) {
    Quantity quantity = Quantity.of(value);
    for (Quantity same : madeOtherwise(value)) {
      assertThat(same).isEqualTo(quantity).hasSameHashCodeAs(quantity).hasToString(quantity + "");
      assertThat(same).isEqualByComparingTo(quantity);
      assertThat(same.scale()).isEqualTo(quantity.scale());
    }
  }

  @Property
  void orderAndEqualityAreThoseOfTheValues(
      @ForAll("decimals") BigDecimal a, @ForAll("decimals") BigDecimal b) {
    assertThat(Quantity.of(a).equals(Quantity.of(b))).isEqualTo(a.compareTo(b) == 0);
    assertThat(
            QuantityLaws.agrees(
                (x, y) -> Quantity.of(Integer.signum(x.compareTo(y))),
                (x, y) -> BigDecimal.valueOf(x.compareTo(y)),
                a,
                b))
        .isTrue();
  }

  @Property
  void everyFiniteQuantityStandsBetweenTheInfinities(@ForAll("decimals") BigDecimal value) {
    Quantity quantity = Quantity.of(value);

    assertThat(quantity).isGreaterThan(Quantity.NEGATIVE_INFINITY);
    assertThat(quantity).isLessThan(Quantity.INFINITY);
    assertThat(Quantity.INFINITY).isGreaterThan(quantity);
    assertThat(Quantity.NEGATIVE_INFINITY).isLessThan(quantity);
    assertThat(quantity.plus(Quantity.INFINITY)).isEqualTo(Quantity.INFINITY);
    assertThat(Quantity.NEGATIVE_INFINITY.plus(quantity)).isEqualTo(Quantity.NEGATIVE_INFINITY);
    assertThat(quantity.minus(Quantity.INFINITY)).isEqualTo(Quantity.NEGATIVE_INFINITY);
  }

  @Property
  void sumsAndDifferencesAreExact(
      @ForAll("decimals") BigDecimal a, @ForAll("decimals") BigDecimal b) {
    assertThat(QuantityLaws.agrees(Quantity::plus, BigDecimal::add, a, b)).isTrue();
    assertThat(QuantityLaws.agrees(Quantity::minus, BigDecimal::subtract, a, b)).isTrue();
    assertThat(QuantityLaws.agrees((x, y) -> x.negated(), (x, y) -> x.negate(), a, b)).isTrue();
    assertThat(Quantity.of(a).plus(Quantity.of(b))).isEqualTo(Quantity.of(a.add(b)));
    assertThat(Quantity.of(a).minus(Quantity.of(b))).isEqualTo(Quantity.of(a.subtract(b)));
  }

  @Property
  void theTextIsThePlainDecimalAndReadsBack(@ForAll("decimals") BigDecimal value) {
    assertThat(QuantityLaws.printsCanonically(Quantity::toString, value)).isTrue();
    assertThat(Quantity.of(Quantity.of(value).toString())).isEqualTo(Quantity.of(value));
  }

  @Property
  void scalingIsExactOrRefused(
      @ForAll("decimals") BigDecimal value, @ForAll @IntRange(max = 18) int digits) {
    Quantity quantity = Quantity.of(value);
    BigDecimal product = value.movePointRight(digits).stripTrailingZeros();
    boolean whole = product.scale() <= 0;
    if (whole && product.toBigInteger().bitLength() < Long.SIZE) {
      assertThat(quantity.scaledTo(digits)).isEqualTo(product.longValueExact());
      assertThat(quantity.scaledTo(digits, 77)).isEqualTo(product.longValueExact());
      assertThat(Quantity.ofScaled(quantity.scaledTo(digits), digits)).isEqualTo(quantity);
    } else {
      assertThatThrownBy(() -> quantity.scaledTo(digits)).isInstanceOf(ArithmeticException.class);
      assertThat(quantity.scaledTo(digits, 77)).isEqualTo(77);
    }
  }

  @Property
  void roundingGoesToTheLedgersDigits(
      @ForAll("decimals") BigDecimal value, @ForAll RoundingMode mode) {
    Quantity quantity = Quantity.of(value);
    if (mode != RoundingMode.UNNECESSARY) {
      assertThat(quantity.rounded(mode)).isEqualTo(Quantity.of(value.setScale(9, mode)));
    }
    if (quantity.scale() <= 9) {
      assertThat(quantity.rounded(mode)).isSameAs(quantity);
    }
  }

  @Property
  void theSignIsTheSignOfTheValue(@ForAll("decimals") BigDecimal value) {
    assertThat(Quantity.of(value).signum()).isEqualTo(value.signum());
    assertThat(Quantity.of(value).scale())
        .isEqualTo(Math.max(0, value.stripTrailingZeros().scale()));
  }

  /** The same value made from other scales, texts, longs and sums. */
  private static List<Quantity> madeOtherwise(BigDecimal value) {
    List<Quantity> made = new ArrayList<>();
    made.add(Quantity.of(value.setScale(value.scale() + 3)));
    made.add(Quantity.of(value.toString()));
    made.add(Quantity.of(value.toPlainString()));
    made.add(Quantity.of((Object) value));
    made.add(Quantity.of(value.add(BigDecimal.TEN)).minus(Quantity.of(10)));
    made.add(Quantity.of(value.negate()).negated());
    made.add(Quantity.of(value).plus(Quantity.of("1e-30")).minus(Quantity.of("1e-30")));
    BigInteger unscaled = value.unscaledValue();
    if (unscaled.bitLength() < Long.SIZE && value.scale() >= 0 && value.scale() <= 18) {
      made.add(Quantity.ofScaled(unscaled.longValue(), value.scale()));
    }
    if (value.scale() <= 0 && value.toBigInteger().bitLength() < Long.SIZE) {
      made.add(Quantity.of(value.longValueExact()));
      made.add(Quantity.of((Object) value.toBigInteger()));
    }
    return made;
  }

  @Provide
  Arbitrary<String> numbers() {
    Arbitrary<String> digits =
        Arbitraries.oneOf(
            Arbitraries.strings().withCharRange('0', '9').ofMinLength(1).ofMaxLength(25),
            Arbitraries.strings().withChars('0', '9').ofMinLength(990).ofMaxLength(1003));
    Arbitrary<String> fraction =
        Arbitraries.oneOf(Arbitraries.just(""), digits.map(text -> "." + text));
    Arbitrary<String> exponent =
        Arbitraries.oneOf(
            Arbitraries.just(""),
            Combinators.combine(
                    Arbitraries.of("e", "E", "e+", "E-", "e-0", "e00"),
                    Arbitraries.oneOf(
                        Arbitraries.integers().between(0, 30),
                        Arbitraries.integers().between(980, 1010)))
                .as((sign, value) -> sign + value));
    return Combinators.combine(Arbitraries.of("", "-"), digits, fraction, exponent)
        .as((sign, whole, part, power) -> sign + whole.replaceFirst("^0+(?=.)", "") + part + power);
  }

  @Provide
  Arbitrary<String> almostNumbers() {
    return Arbitraries.strings()
        .withChars('0', '1', '9', '-', '+', '.', 'e', 'E', ' ', 'x', '\u0661', '\n')
        .ofMaxLength(6);
  }

  @Provide
  Arbitrary<Double> doubles() {
    Arbitrary<Double> anyBits =
        Arbitraries.longs()
            .withDistribution(RandomDistribution.uniform())
            .map(Double::longBitsToDouble);
    Arbitrary<Double> besidePowersOfTwo =
        Combinators.combine(
                Arbitraries.integers().between(-1074, 1023), Arbitraries.integers().between(-2, 2))
            .as(
                (power, steps) ->
                    Math.scalb(1.0, power) + steps * Math.ulp(Math.scalb(1.0, power)));
    Arbitrary<Double> halfWayBetweenShortOnes =
        Arbitraries.longs().between(1L << 52, 1L << 53).map(quarters -> quarters / 4.0);
    Arbitrary<Double> typed =
        Combinators.combine(
                Arbitraries.longs().between(-99999, 99999), Arbitraries.integers().between(-30, 30))
            .as((digits, power) -> Double.parseDouble(digits + "e" + power));
    return Arbitraries.oneOf(anyBits, besidePowersOfTwo, halfWayBetweenShortOnes, typed)
        .filter(Double::isFinite);
  }

  @Provide
  Arbitrary<Float> floats() {
    Arbitrary<Float> anyBits =
        Arbitraries.integers()
            .withDistribution(RandomDistribution.uniform())
            .map(Float::intBitsToFloat);
    Arbitrary<Float> halfWayBetweenShortOnes =
        Arbitraries.integers().between(1 << 23, 1 << 24).map(quarters -> quarters / 4.0f);
    Arbitrary<Float> wholeBeyondTheSignificand =
        Arbitraries.longs().between(1L << 24, 1L << 54).map(whole -> (float) whole);
    return Arbitraries.oneOf(anyBits, halfWayBetweenShortOnes, wholeBeyondTheSignificand)
        .filter(Float::isFinite);
  }

  @Provide
  Arbitrary<BigDecimal> decimals() {
    Arbitrary<BigDecimal> small =
        Combinators.combine(
                Arbitraries.longs().between(-100_000, 100_000),
                Arbitraries.integers().between(-3, 12))
            .as(BigDecimal::valueOf);
    Arbitrary<BigDecimal> besideLimits =
        Combinators.combine(
                Arbitraries.of(
                    BigInteger.ONE.shiftLeft(63),
                    BigInteger.ONE.shiftLeft(62),
                    BigInteger.TEN.pow(18),
                    BigInteger.TEN.pow(19),
                    BigInteger.TEN.pow(900)),
                Arbitraries.integers().between(-2, 2),
                Arbitraries.integers().between(-2, 20),
                Arbitraries.of(false, true))
            .as(
                (limit, step, scale, negative) -> {
                  BigInteger digits = limit.add(BigInteger.valueOf(step));
                  return new BigDecimal(negative ? digits.negate() : digits, scale);
                });
    Arbitrary<BigDecimal> long18 =
        Combinators.combine(
                Arbitraries.longs().withDistribution(RandomDistribution.uniform()),
                Arbitraries.integers().between(0, 18))
            .as(BigDecimal::valueOf);
    Arbitrary<BigDecimal> fine =
        Combinators.combine(Arbitraries.bigIntegers(), Arbitraries.integers().between(0, 960))
            .as(BigDecimal::new);
    // Edge cases are covered by besideLimits; the generators' own pairs would outnumber all tries.
    return Arbitraries.oneOf(small, besideLimits, long18, fine).withoutEdgeCases();
  }
}
