package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How messages are cut. */
class DecisionTest {
  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 Insufficient cpu, ", "ü, ", "部屋がない。", "🚢"})
  void aMessageHasAtMostTheBytesThatAnEventTakes(String part) {
    for (int before = 0; before < 30; before++) {
      String text = "x".repeat(before) + part.repeat(1_000);
      String cut = Decision.cut(text);
      assertThat(bytes(cut)).isBetween(Decision.MOST_BYTES - 30, Decision.MOST_BYTES);
      String kept = cut.substring(0, cut.length() - 3);
      assertThat(cut).endsWith("...");
      assertThat(text).startsWith(kept);
      assertThat(Character.isHighSurrogate(kept.charAt(kept.length() - 1))).isFalse();
    }
  }

  @Test
  void aMessageThatFitsStays() {
    String text = "ü".repeat(Decision.MOST_BYTES / 2);
    assertThat(Decision.cut(text)).isEqualTo(text);
  }
}
