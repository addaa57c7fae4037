package io.lighthouse.fleets.live;

import static io.lighthouse.fleets.live.FleetDeadlinesTest.assign;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class SnapshotWriterTest {
  private final Steps steps = new Steps();
  private final List<String> events = new ArrayList<>();

  /** How snapshots fail; null where they are written. */
  private Throwable failure;

  private final MemoryJournal store =
      new MemoryJournal() {
        @Override
        public synchronized void save(Saved snapshot, Retention retention) throws StoreException {
          if (failure != null) {
            SnapshotWriterTest.<RuntimeException>throwAny(failure);
          }
          super.save(snapshot, retention);
        }
      };

  private final FleetObserver observer =
      new FleetObserver() {
        @Override
        public void storeFailed() {
          events.add("failed");
        }

        @Override
        public void saved() {
          events.add("saved");
        }
      };

  /** Throws also what the compiler does not allow here. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwAny(Throwable any) throws T {
    throw (T) any;
  }

  private boolean keep(LogRecord line) {
    events.add(line.getMessage() + (line.getThrown() == null ? "" : " " + line.getThrown()));
    return false;
  }

  /** Other than the store itself, as by a bug of its driver, or where memory is lacking. */
  @Test
  void eachFailureIsCountedAndLoggedAndTheNextSnapshotIsWritten() throws StoreException {
    Fleets fleets =
        new Fleets(store, Engine::of, FleetLimits.STANDARD, observer, Clock.systemUTC(), steps, 1);
    fleets.create("f", FleetsTest.problem(), "", false).join();
    Logger logger = Logger.getLogger("io.lighthouse.fleets");
    logger.setLevel(Level.WARNING);
    logger.setFilter(this::keep);
    try {
      for (Throwable next :
          new Throwable[] {
            new StoreException("away", null),
            new IllegalStateException("planted"),
            new OutOfMemoryError("planted"),
            null
          }) {
        failure = next;
        fleets.submit("f", assign("w" + events.size()));
        steps.go();
      }
    } finally {
      logger.setFilter(null);
      logger.setLevel(null);
    }
    String words = "no snapshot of fleet 'f' was written, and its log stays whole";
    assertThat(events)
        .containsExactly(
            "failed",
            words + ": away",
            "failed",
            words + " java.lang.IllegalStateException: planted",
            "failed",
            words + " java.lang.OutOfMemoryError: planted",
            "saved");
  }
}
