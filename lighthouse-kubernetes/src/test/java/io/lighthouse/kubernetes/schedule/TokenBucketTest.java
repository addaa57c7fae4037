package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private long now;

  private int taken(TokenBucket bucket) {
    int taken = 0;
    while (bucket.take() == 0) {
      taken++;
    }
    return taken;
  }

  @Test
  void givesASecondsWorthAtOnceAndTheRestEvenly() {
    TokenBucket bucket = new TokenBucket(10, () -> now);
    assertThat(taken(bucket)).isEqualTo(10);
    now += 500_000_000L;
    assertThat(taken(bucket)).isEqualTo(5);
    now += 150_000_000L;
    assertThat(taken(bucket)).isEqualTo(1);
    assertThat(bucket.take()).isEqualTo(50_000_000L);
    now += 50_000_000L;
    assertThat(taken(bucket)).isEqualTo(1);
    now += 3_600_000_000_000L;
    assertThat(taken(bucket)).isEqualTo(10);
  }
}
