package io.lighthouse.kubernetes.cluster.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.StringNode;

class KubeQuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5",
    "500m, 0.5",
    "1.5Gi, 1610612736",
    "1e3, 1000",
    "1E3, 1000",
    "1E, 1000000000000000000",
    "2Ei, 2305843009213693952",
    "1.5k, 1500",
    ".5, 0.5",
    "5., 5",
    "+3, 3",
    "-3, -3",
    "7u, 0.000007",
    "7n, 0.000000007",
    "12e-1, 1.2",
    "0, 0"
  })
  void readsEveryNotation(String text, String value) {
    assertThat(read(text)).isEqualByComparingTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "1 ", "1mm", "1KiB", "0x10", "1e", "--1", "1,5", "inf", "NaN"})
  void refusesWhatIsNone(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'" + text + "'");
  }

  /** As the API server canonicalises, and the stock scheduler counts. */
  @ParameterizedTest
  @CsvSource({
    "cpu, 1.0005, 1001",
    "cpu, 0.1005, 101",
    "cpu, 100m, 100",
    "memory, 1500m, 2",
    "memory, 1Ki, 1024",
    "cpu, 0, 0",
    "memory, -5, 0"
  })
  void countsInWholeUnitsRoundedUp(String resource, String text, long units) {
    assertThat(KubeQuantity.units(resource, read(text), KubeQuantity.MOST_OF_A_POD))
        .isEqualTo(units);
  }

  @Test
  void aHostileMagnitudeCountsAsTheMost() {
    assertThat(KubeQuantity.units("memory", read("9e999999999"), KubeQuantity.MOST_OF_A_POD))
        .isEqualTo(KubeQuantity.MOST_OF_A_POD);
    assertThat(KubeQuantity.units("memory", read("1e-999999999"), KubeQuantity.MOST_OF_A_POD))
        .isEqualTo(1);
  }

  private static BigDecimal read(String text) {
    return KubeQuantity.read(StringNode.valueOf(text));
  }
}
