package io.lighthouse.core.view;

import java.util.concurrent.CancellationException;

/** Ends the calls of interrupted threads. The flag stays set. */
public final class Interruption {
  private Interruption() {}

  /**
   * Ends the call if its thread is interrupted. Costs a plain read.
   *
   * @throws CancellationException if it is
   */
  public static void check() {
    if (Thread.currentThread().isInterrupted()) {
      throw of(null);
    }
  }

  /**
   * The end of a call whose thread is interrupted.
   *
   * @param cause what the interrupt made some code throw; null for none
   */
  public static CancellationException of(Throwable cause) {
    CancellationException end =
        new CancellationException("the call was taken back, for its thread was interrupted");
    if (cause != null) {
      end.initCause(cause);
    }
    return end;
  }
}
