package io.lighthouse.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of bodies and answers that may be in memory at one time. Thread-safe. */
public final class ByteBudget {
  private final long most;
  private final AtomicLong used = new AtomicLong();

  /**
   * An unused budget.
   *
   * @param most most bytes
   */
  public ByteBudget(long most) {
    this.most = most;
  }

  /**
   * Takes bytes, all or none.
   *
   * @param bytes how many
   * @return false where there are not enough
   */
  public boolean take(long bytes) {
    if (used.addAndGet(bytes) <= most) {
      return true;
    }
    used.addAndGet(-bytes);
    return false;
  }

  /**
   * Takes bytes even beyond the budget: other requests get none until they are given back.
   *
   * @param bytes how many
   */
  public void takeAnyway(long bytes) {
    used.addAndGet(bytes);
  }

  /**
   * Whether a number of bytes fits into the whole budget.
   *
   * @param bytes how many
   * @return false where they are more than the whole budget
   */
  public boolean covers(long bytes) {
    return bytes <= most;
  }

  /**
   * Gives bytes back.
   *
   * @param bytes how many were taken
   */
  public void giveBack(long bytes) {
    used.addAndGet(-bytes);
  }

  /**
   * The bytes in use.
   *
   * @return 0 or more
   */
  public long used() {
    return used.get();
  }
}
