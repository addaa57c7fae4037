package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.kubernetes.client.ExecCredentials.Issued;
import io.lighthouse.kubernetes.control.Bench;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When a credential is used again, renewed, and given up. */
class ExecCredentialsTest {
  private static final Instant START = Instant.parse("2026-11-24T10:00:00Z");

  /** Seconds since the start, on both clocks. */
  private volatile long seconds;

  /** How long a credential is valid, in seconds; 0 for one without an end. */
  private volatile long valid = 600;

  private volatile boolean fails;
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private final AtomicInteger runs = new AtomicInteger();
  private final ExecCredentials credentials =
      new ExecCredentials(this::issue, new Wall(), () -> TimeUnit.SECONDS.toNanos(seconds));

  /** A clock that stands at {@link #seconds}. */
  private final class Wall extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return START.plusSeconds(seconds);
    }
  }

  private Issued issue() throws IOException {
    Instant expires = valid == 0 ? null : START.plusSeconds(seconds + valid);
    int run = runs.incrementAndGet();
    try {
      gate.await();
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
    if (fails) {
      throw new IOException("no login");
    }
    return new Issued(new Credential("token-" + run, null), expires);
  }

  private Credential current(long millis) throws IOException {
    return credentials.current(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private String token() throws IOException {
    return current(20_000).token();
  }

  @Test
  void isUsedUntilItExpiresAndRenewedAMinuteBefore() throws Exception {
    assertThat(token()).isEqualTo("token-1");
    seconds = 539;
    assertThat(token()).isEqualTo("token-1");
    assertThat(runs).hasValue(1);
    seconds = 541;
    gate = new CountDownLatch(1);
    assertThat(token()).as("while the next is issued").isEqualTo("token-1");
    gate.countDown();
    Bench.until(() -> token().equals("token-2"), () -> "not renewed");
    assertThat(runs).hasValue(2);
    seconds = 5_000;
    assertThat(token()).as("expired").isEqualTo("token-3");
  }

  @Test
  void oneWithoutAnEndIsUsedUntilItIsRefused() throws Exception {
    valid = 0;
    Credential first = current(20_000);
    seconds = 1_000_000;
    assertThat(current(20_000)).isSameAs(first);
    assertThat(credentials.renew(first)).isTrue();
    assertThat(token()).isEqualTo("token-2");
    assertThat(credentials.renew(first)).as("another is there already").isTrue();
    assertThat(token()).isEqualTo("token-2");
    assertThat(credentials.renew(current(20_000))).as("just issued").isFalse();
    assertThat(token()).isEqualTo("token-2");
  }

  @Test
  void oneThatExpiresAtOnceDoesNotRunTheProgramForEachCall() throws Exception {
    valid = -100;
    assertThat(token()).isEqualTo("token-1");
    assertThat(token()).isEqualTo("token-1");
    seconds = ExecCredentials.LEAST.toSeconds();
    assertThat(token()).isEqualTo("token-2");
  }

  @Test
  void aFailureIsReportedAndTriedAgainAfterAPause() throws Exception {
    fails = true;
    assertThatThrownBy(this::token).hasMessage("no login");
    assertThatThrownBy(this::token).hasMessage("no login");
    assertThat(runs).hasValue(1);
    fails = false;
    seconds = ExecCredentials.LEAST.toSeconds();
    assertThat(token()).isEqualTo("token-2");
    fails = true;
    seconds = 550;
    assertThat(token()).as("still valid").isEqualTo("token-2");
  }

  @Test
  void aCallWaitsNoLongerThanItsTimeAndAllCallsWaitForOneRun() throws Exception {
    gate = new CountDownLatch(1);
    assertThatThrownBy(() -> current(50)).hasMessageContaining("no credential in time");
    assertThatThrownBy(() -> current(50)).hasMessageContaining("no credential in time");
    gate.countDown();
    assertThat(token()).isEqualTo("token-1");
    assertThat(runs).hasValue(1);
  }
}
