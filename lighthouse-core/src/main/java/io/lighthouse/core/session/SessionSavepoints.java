package io.lighthouse.core.session;

import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/** The savepoints that a strategy has in its session. A roll back to one drops those after it. */
final class SessionSavepoints {
  private final Ledger ledger;

  /** The state of the ledger's log when the session began. */
  private final int base;

  /** Those that are good, as lengths of the log since then, ascending; the first {@link #count}. */
  private int[] good = new int[8];

  /**
   * By savepoint: the round-robin position. {@code placeInTurn} sets it without the log; where it
   * places nothing, it restores the position, so that equal savepoints have one position.
   */
  private int[] positions = new int[8];

  private int count;

  /** No savepoints yet of a session that begins now. */
  SessionSavepoints(Ledger ledger) {
    this.ledger = ledger;
    base = ledger.savepoint();
  }

  /** The state of the ledger's log when the session began. */
  int base() {
    return base;
  }

  /** A savepoint of the present state; the same one as before where nothing has changed. */
  int mark() {
    int savepoint = ledger.savepoint() - base;
    if (count == 0 || good[count - 1] != savepoint) {
      if (count == good.length) {
        positions = Arrays.copyOf(positions, 2 * count);
        good = Arrays.copyOf(good, 2 * count);
      }
      positions[count] = ledger.lastPlaced();
      good[count++] = savepoint;
    }
    return savepoint;
  }

  /** Drops those after a savepoint; returns the state of the ledger's log to roll back to. */
  int backTo(int savepoint) {
    count = find(savepoint) + 1;
    return base + savepoint;
  }

  /** The round-robin position of the newest savepoint, to which the log was rolled back. */
  int position() {
    return positions[count - 1];
  }

  /** Drops a savepoint and those after it. */
  void forget(int savepoint) {
    count = find(savepoint);
    keepNewest();
  }

  /** Lets the log be squashed behind the newest savepoint that the strategy has. */
  void keepNewest() {
    ledger.newestSavepoint(count == 0 ? base : base + good[count - 1]);
  }

  private int find(int savepoint) {
    int at = Arrays.binarySearch(good, 0, count, savepoint);
    if (at < 0) {
      throw new IllegalStateException("savepoint " + savepoint + " is gone");
    }
    return at;
  }
}
