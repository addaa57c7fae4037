package io.lighthouse.fleets.live;

import io.lighthouse.fleets.store.StoreException;

/**
 * Has stale questions to one fleet answered while a turn of the fleet waits for a shared store. The
 * turn has changed nothing then, so all of the fleet in memory is durable. Thread-safe.
 */
final class StaleQuestions {
  private final LiveFleet fleet;

  /** Whether a turn waits for the store; guarded by this, as is the next one. */
  private boolean turnWaits;

  /** Whether a thread answers stale questions. */
  private boolean answering;

  StaleQuestions(LiveFleet fleet) {
    this.fleet = fleet;
  }

  /** Reads from the store in a turn that has changed nothing yet. */
  <T> T whileReading(LiveFleet.Reading<T> reading) throws StoreException {
    if (!fleet.fleets().journal().isShared()) {
      return reading.read();
    }
    synchronized (this) {
      turnWaits = true;
    }
    try {
      answer();
      return reading.read();
    } finally {
      awaitEnd();
    }
  }

  /** Waits for the stale question that is being answered; its limits end it. */
  private void awaitEnd() {
    boolean interrupted = false;
    synchronized (this) {
      turnWaits = false;
      while (answering) {
        try {
          wait();
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Starts a thread that answers the stale questions, if a turn waits for the store. Where there is
   * no thread, they wait for that turn.
   */
  void answer() {
    synchronized (this) {
      if (!turnWaits || answering || !fleet.isStaleWaiting()) {
        return;
      }
      answering = true;
    }
    if (!fleet.beginStaleTurns()) {
      end();
    }
  }

  /** The thread that answers them takes no more. */
  synchronized void end() {
    answering = false;
    notifyAll();
  }

  /**
   * The turn of the next stale question; null where the thread takes no more of them. It is one, so
   * that the turn that waits for the store waits for one at most.
   */
  synchronized Turn next() {
    if (!turnWaits || !fleet.isStaleWaiting()) {
      end();
      return null;
    }
    return fleet.takeStale();
  }
}
