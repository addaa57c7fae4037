package io.lighthouse.fleets.live;

import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.StoreException;
import java.time.Duration;
import java.util.List;

/**
 * Deletes the logs of deleted fleets that are old enough: at the start, and within each hour. Where
 * the store fails, they stay until the next hour, as long as the store can be written. A log with a
 * malformed page stays, and the others are deleted.
 */
final class OldLogs {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  private static final long PAUSE_MILLIS = Duration.ofHours(1).toMillis();

  private final Fleets fleets;

  /** When they were last checked, in milliseconds since 1970. */
  private volatile long checked;

  OldLogs(Fleets fleets) {
    this.fleets = fleets;
  }

  /** Deletes those of these fleets. Throws where nothing is written to the store any more. */
  void delete(List<Head> heads) throws StoreException {
    checked = fleets.clock().millis();
    for (Head head : heads) {
      try {
        if (head.gone()) {
          deleteIfOld(head);
        }
      } catch (StoreException failed) {
        if (fleets.journal().doubt().isPresent()) {
          throw failed;
        }
        complain(failed);
        if (!failed.isDamage()) {
          return;
        }
      }
    }
  }

  /** Begins to delete them where the last time is an hour ago. Called by the timer. */
  void deleteWhereDue() {
    if (Math.abs(fleets.clock().millis() - checked) > PAUSE_MILLIS) {
      checked = fleets.clock().millis();
      fleets.threads().begin(this::deleteAll);
    }
  }

  private void deleteAll() {
    try {
      delete(fleets.journal().heads());
    } catch (StoreException failed) {
      complain(failed);
    }
  }

  private void complain(StoreException failed) {
    fleets.observer().storeFailed();
    LOG.log(
        System.Logger.Level.WARNING,
        "not all logs of deleted fleets are cleaned up: {0}",
        failed.getMessage());
  }

  private void deleteIfOld(Head head) throws StoreException {
    List<Entry> last = fleets.journal().entries(head.fleet(), head.generation() - 1, 1);
    long oldest = fleets.clock().millis() - fleets.limits().retention().toMillis();
    if (!last.isEmpty() && last.get(0).at() < oldest) {
      fleets.journal().forget(head.fleet());
    }
  }
}
