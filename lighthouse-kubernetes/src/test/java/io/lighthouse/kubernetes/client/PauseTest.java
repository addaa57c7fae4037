package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PauseTest {
  @Test
  void doublesUpToItsBoundAndLeavesOutAHalfAtMost() {
    Pause pause = new Pause(Duration.ofMillis(100), Duration.ofMillis(300));
    assertThat(pause.nextMillis(0)).isBetween(50L, 100L);
    assertThat(pause.nextMillis(0)).isBetween(100L, 200L);
    assertThat(pause.nextMillis(0)).isBetween(150L, 300L);
    assertThat(pause.nextMillis(0)).isBetween(150L, 300L);
    pause.reset();
    assertThat(pause.nextMillis(0)).isBetween(50L, 100L);
  }

  @Test
  void waitsAsLongAsTheServerAsksButNoLongerThanFiveSeconds() {
    assertThat(Pause.betweenCalls().nextMillis(1)).isEqualTo(1_000);
    assertThat(Pause.betweenCalls().nextMillis(5)).isEqualTo(5_000);
    assertThat(Pause.betweenCalls().nextMillis(3_600)).isEqualTo(5_000);
    Pause slow = new Pause(Duration.ofMinutes(1), Duration.ofMinutes(1));
    assertThat(slow.nextMillis(3_600)).isBetween(30_000L, 60_000L);
  }
}
