package io.lighthouse.kubernetes.schedule;

import java.util.function.LongSupplier;

/**
 * Limits a rate: a token bucket, filled evenly, that never blocks. Thread-safe.
 *
 * <p>Source: the leaky bucket as a meter, J. Turner, "New directions in communications", IEEE
 * Communications Magazine 24(10), 1986.
 */
final class TokenBucket {
  private static final long SECOND = 1_000_000_000L;

  private final long nanosEach;
  private final long most;
  private final LongSupplier clock;

  /** Nanoseconds' worth of tokens there are. */
  private long filled;

  private long lookedAt;

  /**
   * A full bucket.
   *
   * @param perSecond how many a second, and at once; at least 1
   * @param clock monotonic, in nanoseconds
   */
  TokenBucket(int perSecond, LongSupplier clock) {
    this.nanosEach = SECOND / perSecond;
    this.most = nanosEach * perSecond;
    this.clock = clock;
    this.filled = most;
    this.lookedAt = clock.getAsLong();
  }

  /**
   * Takes a token.
   *
   * @return 0 if one was taken; otherwise in how many nanoseconds there will be one
   */
  synchronized long take() {
    long now = clock.getAsLong();
    filled = Math.min(most, filled + (now - lookedAt));
    lookedAt = now;
    if (filled < nanosEach) {
      return nanosEach - filled;
    }
    filled -= nanosEach;
    return 0;
  }
}
