package io.lighthouse.kubernetes.monitor;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Why a term cannot go on, though its loop runs: a thread of it has ended by an exception, or what
 * it knows may be wrong. The first reason counts. A thread that ends by an Error is left to the
 * service. Thread-safe.
 */
public final class TermFailure implements UncaughtExceptionHandler {
  private final UncaughtExceptionHandler crashed;
  private final AtomicReference<IllegalStateException> reason = new AtomicReference<>();

  /**
   * No failure yet.
   *
   * @param crashed takes the threads that end by an Error
   */
  public TermFailure(UncaughtExceptionHandler crashed) {
    this.crashed = crashed;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable cause) {
    if (cause instanceof RuntimeException) {
      String why = thread.getName() + " has ended: " + cause;
      reason.compareAndSet(null, new IllegalStateException(why, cause));
    } else {
      crashed.uncaughtException(thread, cause);
    }
  }

  /** The term cannot go on. */
  public void fail(String why) {
    reason.compareAndSet(null, new IllegalStateException(why));
  }

  /** Whether there is a reason. */
  public boolean isPresent() {
    return reason.get() != null;
  }

  /**
   * Ends the term where there is a reason.
   *
   * @throws IllegalStateException if there is one
   */
  public void throwIfPresent() {
    IllegalStateException present = reason.get();
    if (present != null) {
      throw present;
    }
  }
}
