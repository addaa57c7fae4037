package io.lighthouse.api.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every law of {@link QuantityLaws} can fail: each fault here is caught by the law meant for it.
 */
class PlantedQuantityFaultsTest {
  private static final List<String> TEXTS =
      List.of(
          "0.1", "-0", "1e3", "01", "+1", " 1", "1.", ".5", "1e", "0x10", "1d", "-", "", "1E-2");

  private static final List<Double> DOUBLES =
      List.of(0.1, 1.0E23, 2.0E23, 1125899906842624.75, 5.0E-324, -1125899906842624.75, 0.3);

  private static final List<BigDecimal> DECIMALS =
      Stream.of("0.1", "0.2", "9223372036854775807", "1", "-3", "9007199254740993", "1e-12")
          .map(BigDecimal::new)
          .toList();

  @Test
  void theTrueOperationsPassOnTheSameSamples() {
    assertThat(TEXTS).allMatch(text -> QuantityLaws.readsAsJson(Quantity::of, text));
    assertThat(DOUBLES).allMatch(value -> QuantityLaws.readsShortestDouble(Quantity::of, value));
    assertThat(holdsForAllPairs(Quantity::plus, BigDecimal::add)).isTrue();
    assertThat(DECIMALS)
        .allMatch(value -> QuantityLaws.printsCanonically(Quantity::toString, value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lenient", "trimming", "binary", "last zero refused"})
  void wrongReadersOfTextAreCaught(String fault) {
    Function<String, Quantity> reader =
        switch (fault) {
          case "lenient" -> PlantedQuantityFaultsTest::lenient;
          case "trimming" -> text -> Quantity.of(text.trim());
          case "binary" ->
              text -> Quantity.of(new BigDecimal(Quantity.of(text).toBigDecimal().doubleValue()));
          default -> text -> text.endsWith("0") ? refuse(text) : Quantity.of(text);
        };

    assertThat(TEXTS).anyMatch(text -> !QuantityLaws.readsAsJson(reader, text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"exact binary value", "seventeen digits", "ties downwards", "fifteen digits"})
  void wrongReadersOfDoublesAreCaught(String fault) {
    Function<Double, Quantity> reader =
        switch (fault) {
          case "exact binary value" -> value -> Quantity.of(new BigDecimal(value));
          case "seventeen digits" -> value -> significant(value, 17, RoundingMode.HALF_EVEN);
          case "ties downwards" -> value -> significant(value, 17, RoundingMode.HALF_DOWN);
          default -> value -> significant(value, 15, RoundingMode.HALF_EVEN);
        };

    assertThat(DOUBLES).anyMatch(value -> !QuantityLaws.readsShortestDouble(reader, value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"floating point", "wrapping", "saturating", "swapped"})
  void wrongSumsAreCaught(String fault) {
    BinaryOperator<Quantity> sum =
        switch (fault) {
          case "floating point" -> (a, b) -> Quantity.of(new BigDecimal(real(a) + real(b)));
          case "wrapping" -> (a, b) -> Quantity.of(whole(a) + whole(b));
          case "saturating" ->
              (a, b) -> {
                Quantity exact = a.plus(b);
                Quantity most = Quantity.of(Long.MAX_VALUE);
                return exact.compareTo(most) > 0 ? most : exact;
              };
          default -> (a, b) -> a.minus(b);
        };

    assertThat(holdsForAllPairs(sum, BigDecimal::add)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"scientific", "trailing zero"})
  void wrongTextsAreCaught(String fault) {
    Function<Quantity, String> print =
        fault.equals("scientific")
            ? quantity -> quantity.toBigDecimal().toString()
            : quantity -> quantity + (quantity.scale() > 0 ? "0" : "");

    assertThat(DECIMALS).anyMatch(value -> !QuantityLaws.printsCanonically(print, value));
  }

  private static boolean holdsForAllPairs(
      BinaryOperator<Quantity> operation, BinaryOperator<BigDecimal> exact) {
    return DECIMALS.stream()
        .allMatch(
            a -> DECIMALS.stream().allMatch(b -> QuantityLaws.agrees(operation, exact, a, b)));
  }

  private static Quantity lenient(String text) {
    try {
      return Quantity.of(new BigDecimal(text));
    } catch (NumberFormatException wrong) {
      return refuse(text);
    }
  }

  private static Quantity refuse(String text) {
    throw new InvalidInputException("quantity", "value", text, "something else");
  }

  private static Quantity significant(double value, int digits, RoundingMode mode) {
    BigDecimal exact = new BigDecimal(value);
    return Quantity.of(exact.setScale(digits - exact.precision() + exact.scale(), mode));
  }

  private static double real(Quantity quantity) {
    return quantity.toBigDecimal().doubleValue();
  }

  private static long whole(Quantity quantity) {
    return quantity.toBigDecimal().longValue();
  }
}
