package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RubricTest {

  @Test
  void itIsMadeFromNamesAndWeightsOrFromAMap() {
    Rubric rubric = Rubric.of("mem", "0.5", "cpu", 1);

    assertThat(rubric).isEqualTo(Rubric.of(Map.of("cpu", 1.0, "mem", 0.5)));
    assertThat(rubric).hasToString("Rubric[weights={cpu: 1, mem: 0.5}]");
    assertThat(Rubric.of().weights()).isEqualTo(Resources.none());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0.0",
        "1e-30",
        "-1e-30",
        "1e30",
        "-1e30",
        "999999999999999999",
        "-0.5",
        "1.23456789012345678",
        "1.23456789012345678e-13",
        "999999999999999999e12",
        "1000e27"
      })
  void weightsWithinTheRangeAreTakenExactly(String weight) {
    assertThatNoException().isThrownBy(() -> Rubric.of("cpu", weight));
    assertThat(Rubric.of("cpu", weight).weights().get("cpu")).contains(Quantity.of(weight));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "inf",
        "-inf",
        "1.0000000000000001e30",
        "-1.1e30",
        "9e-31",
        "-9.99999e-31",
        "1e-31",
        "1e400",
        "1234567890123456789",
        "0.1234567890123456789",
        "1000000000000000001"
      })
  void otherWeightsAreRefusedNeverRounded(String weight) {
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> Rubric.of("mem", 1, "cpu", weight))
        .withMessage(
            "rubric: cpu is %s; allowed: 0, or a magnitude from 1e-30 to 1e30 with at most 18"
                + " significant digits",
            found(weight));
  }

  @Test
  void whatIsNoNumberOrNoNameIsRefused() {
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> Rubric.of("cpu", Double.NaN));
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> Rubric.of("cpu", 1, "cpu", 2));
    assertThatExceptionOfType(InvalidInputException.class).isThrownBy(() -> Rubric.of("", 1));
  }

  /** The weight in plain digits, shortened as in every message. */
  private static String found(String weight) {
    String plain = Quantity.of(weight).toString();
    return plain.length() <= 200
        ? plain
        : plain.substring(0, 200) + "... (" + plain.length() + " characters)";
  }
}
