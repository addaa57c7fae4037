package io.lighthouse.fleets.live;

import io.lighthouse.fleets.store.Hold;

/**
 * What one turn holds in the store, if anything. While the turn sends the store nothing, another
 * thread shows the store that this process is alive. Thread-safe.
 */
final class TurnHold {
  private static final long QUIET_NANOS = 500_000_000;

  private final Fleets fleets;

  /** Null where nothing is held. Guarded by this, as are the next two. */
  private Hold hold;

  /** When this process last contacted the store, as {@link System#nanoTime}. */
  private long heard;

  /** Whether a thread shows the store that this process is alive. */
  private boolean keeping;

  /** Made in advance, as memory may be lacking when the store is to be shown that. */
  private final Runnable keep = this::keep;

  TurnHold(Fleets fleets) {
    this.fleets = fleets;
  }

  /** Holds this from now on. */
  synchronized void take(Hold taken) {
    hold = taken;
    heard = System.nanoTime();
  }

  /** What is held; null where nothing is. */
  synchronized Hold get() {
    return hold;
  }

  /** Releases what is held. */
  void release() {
    Hold held = get();
    if (held != null) {
      held.close();
    }
  }

  /**
   * Where the store has heard nothing from this process for {@link #QUIET_NANOS}, shows it in a
   * thread of its own that this process is alive. There is only one such thread at a time, since it
   * waits while the store does not answer.
   */
  void keepIfQuiet(long now) {
    synchronized (this) {
      if (hold == null || keeping || now - heard < QUIET_NANOS) {
        return;
      }
      heard = now;
      keeping = true;
    }
    if (!fleets.threads().begin(keep)) {
      kept();
    }
  }

  private void keep() {
    try {
      get().keep();
    } finally {
      kept();
    }
  }

  private synchronized void kept() {
    keeping = false;
  }
}
