package io.lighthouse.fleets.live;

import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.OverdueThread;

/**
 * The decisions of one turn, one after the other, and how long they take. The thread of the turn
 * begins and ends them. The thread that checks deadlines interrupts a decision that is over its
 * time, and abandons one that does not end. Thread-safe.
 */
final class Decisions {
  /** When the first one began, as {@link System#nanoTime}; 0 before. */
  private long first;

  /** The thread that decides; null where none does. */
  private Thread deciding;

  /** When the present one began, as {@link System#nanoTime}. */
  private long since;

  /** The call that is being decided, or was last. */
  private Pending current;

  /** Not null where the present decision is over its time; its call is answered then. */
  private OverdueThread overdue;

  private boolean abandoned;

  /** The turn begins to decide. */
  synchronized void begin() {
    first = System.nanoTime();
  }

  /** Begins one decision. */
  synchronized void begin(Pending call) {
    deciding = Thread.currentThread();
    current = call;
    since = System.nanoTime();
    overdue = null;
  }

  /** Ends a decision; true where it was over its time, and its call is answered already. */
  synchronized boolean end() {
    deciding = null;
    Thread.interrupted(); // Clears an interrupt of this decision.
    return overdue != null;
  }

  /** Whether the turn began to decide this long ago. */
  synchronized boolean haveTaken(long now, long nanos) {
    return first != 0 && now - first >= nanos;
  }

  /**
   * The call whose decision has just exceeded its time, to be answered; null where there is none.
   */
  synchronized Pending newlyOverdue(long now, long most) {
    if (deciding == null || overdue != null || now - since < most) {
      return null;
    }
    overdue = new OverdueThread(deciding);
    return current;
  }

  /** Interrupts a decision that is over its time; returns whether to abandon it. */
  synchronized boolean isUnending() {
    return deciding != null && overdue != null && overdue.interrupt();
  }

  /** Abandons the decision, and its turn; false where the decision has ended meanwhile. */
  synchronized boolean abandon() {
    if (deciding == null) {
      return false;
    }
    abandoned = true;
    return true;
  }

  synchronized boolean isAbandoned() {
    return abandoned;
  }

  /** Interrupts the abandoned decision; false where it has ended. */
  synchronized boolean urge() {
    if (deciding == null) {
      return false;
    }
    deciding.interrupt();
    return true;
  }

  /** Whether the last decision uses the strategy, in a call that changes the fleet or not. */
  synchronized boolean isAsking(boolean changes) {
    FleetCall call = current.call();
    return call.command().asksStrategy() && call.changes() == changes;
  }
}
