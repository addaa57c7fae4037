package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageTest {

  private static String row(String capacity, String required, String immunities) {
    String fleet =
        """
        {"nodes": [{"name": "n", "resources": {"x": %s}}],
         "workloads": [{"name": "w", "requirements": {"x": %s}, "immunities": [%s]}]}
        """
            .formatted(capacity, required, immunities);
    return Run.reading(fleet, "assign", "-")
        .out()
        .lines()
        .filter(line -> line.startsWith("  x "))
        .findFirst()
        .orElse("");
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10, 30, '100.0 %   10 of 10'",
    "10, 0, 0, '0.0 %   0 of 10'",
    "100000, 99999.99, 29, '100.0 %   99999.99 of 100000'",
    "100000, 0.01, 1, '0.0 %   0.01 of 100000'",
    "3, 1, 10, '33.3 %   1 of 3'",
    "3, 2, 20, '66.7 %   2 of 3'",
    "4000000000000000000, 1, 1, '0.0 %   1 of 4E+18'",
    "0.3, 0.1, 10, '33.3 %   0.1 of 0.3'",
    "2000, 1, 1, '0.1 %   1 of 2000'",
    "10000, 1234, 4, '12.3 %   1234 of 10000'",
    "10000, 1235, 4, '12.4 %   1235 of 10000'",
    "3, -3, 0, '-100.0 %   -3 of 3'"
  })
  void isFullOrEmptyOnlyWhereItIs(String capacity, String required, int cells, String figures) {
    String bar = "#".repeat(cells) + ".".repeat(30 - cells);

    assertThat(row(capacity, required, "")).startsWith("  x         " + bar).endsWith(figures);
  }

  @Test
  void showsMoreThanThereIs() {
    assertThat(row("2", "5", "\"x\""))
        .isEqualTo("  x         " + "#".repeat(30) + "  250.0 %   5 of 2");
  }

  @Test
  void shortensWhatNobodyReads() {
    assertThat(row("1.000000001", "0.123456789", ""))
        .endsWith(" 12.3 %   0.123456789 of 1.000000001");
    assertThat(row("123456789012345", "0.5", "")).endsWith("0.5 of ~1.235E+14");
  }
}
