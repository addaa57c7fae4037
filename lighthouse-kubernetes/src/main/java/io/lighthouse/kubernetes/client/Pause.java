package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Waits between tries. Each wait is twice as long as the one before, up to a bound. A random part
 * of it, a half at most, is left out, so that many waiting threads do not call at once. For one
 * thread.
 */
public final class Pause {
  /**
   * The longest wait that a server may ask for, in seconds: a maintenance page may ask for hours.
   */
  private static final int LONGEST_ASKED = 5;

  private final long first;
  private final long longest;
  private long next;

  public Pause(Duration first, Duration longest) {
    this.first = first.toMillis();
    this.longest = longest.toMillis();
    this.next = this.first;
  }

  /** The waits between the attempts of a call: 50 ms at first, and 2 s at most. */
  public static Pause betweenCalls() {
    return new Pause(Duration.ofMillis(50), Duration.ofSeconds(2));
  }

  /** The next wait is the first again. */
  public void reset() {
    next = first;
  }

  /**
   * Waits.
   *
   * @param asked seconds that the server asks for; 0 for none; more than 5 count as 5
   */
  public void sleep(int asked) throws InterruptedException {
    Thread.sleep(nextMillis(asked));
  }

  /** Waits after a call that failed, at least for as long as the server asks. */
  public void sleep(IOException failed) throws InterruptedException {
    sleep(failed instanceof ApiException refused ? refused.retryAfter() : 0);
  }

  /** The next wait; see {@link #sleep(int)}. */
  long nextMillis(int asked) {
    long half = Math.max(1, next / 2);
    long millis = half + ThreadLocalRandom.current().nextLong(half);
    next = Math.min(longest, next * 2);
    return Math.max(millis, Math.min(asked, LONGEST_ASKED) * 1_000L);
  }
}
