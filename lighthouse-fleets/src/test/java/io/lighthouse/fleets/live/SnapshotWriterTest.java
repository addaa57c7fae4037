package io.lighthouse.fleets.live;

import static io.lighthouse.fleets.live.FleetDeadlinesTest.assign;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class SnapshotWriterTest {
  private static final String WORDS =
      "no snapshot of fleet 'f' was written, and its log stays whole";

  private final Steps steps = new Steps();
  private final List<String> events = new ArrayList<>();

  /** How snapshots fail; null where they are written. */
  private Throwable failure;

  /** Why a snapshot that is written is not counted; null where it is. */
  private Error uncounted;

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
          if (uncounted != null) {
            throw uncounted;
          }
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

  /** Opens fleets with a fleet f that has no snapshot. */
  private Fleets open(FleetEngine engine, Executor threads) throws StoreException {
    Fleets fleets =
        new Fleets(store, engine, FleetLimits.STANDARD, observer, Clock.systemUTC(), threads, 1);
    fleets.create("f", FleetsTest.problem(), "", false).join();
    return fleets;
  }

  /** Runs a test whose warnings are events, too. */
  private void hearing(Runnable test) {
    Logger logger = Logger.getLogger("io.lighthouse.fleets");
    logger.setLevel(Level.WARNING);
    logger.setFilter(this::keep);
    try {
      test.run();
    } finally {
      logger.setFilter(null);
      logger.setLevel(null);
    }
  }

  /** Other than the store itself, as by a bug of its driver, or where memory is lacking. */
  @Test
  void eachFailureIsCountedAndLoggedAndTheNextSnapshotIsWritten() throws StoreException {
    Fleets fleets = open(Engine::of, steps);
    hearing(
        () -> {
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
        });
    assertThat(events)
        .containsExactly(
            "failed",
            WORDS + ": away",
            "failed",
            WORDS + " java.lang.IllegalStateException: planted",
            "failed",
            WORDS + " java.lang.OutOfMemoryError: planted",
            "saved");
  }

  @Test
  void aSnapshotThatIsThereIsNotTakenForMissingWhereItCannotBeCounted() throws StoreException {
    Fleets fleets = open(Engine::of, steps);
    uncounted = new OutOfMemoryError("planted");
    hearing(
        () -> {
          fleets.submit("f", assign("w"));
          assertThatThrownBy(steps::go).isSameAs(uncounted);
          uncounted = null;
          for (int i = 0; i < 20; i++) { // Until the log is larger than the first snapshot.
            fleets.submit("f", assign("v" + i));
            steps.go();
          }
        });
    assertThat(events).hasSizeGreaterThan(1).containsOnly("saved");
    assertThat(store.snapshots(1)).hasSize(2);
  }

  @Test
  void aSnapshotThatCannotBeginIsCountedAndTheNextTurnTriesAgain() throws StoreException {
    boolean[] lacking = {false};
    Error[] none = {null};
    Fleets fleets =
        open(
            problem -> withoutMemory(Engine.of(problem), lacking),
            work -> {
              if (none[0] != null) {
                throw none[0];
              }
              steps.execute(work);
            });
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    hearing(
        () -> {
          answers.add(fleets.submit("f", assign("w")));
          lacking[0] = true;
          steps.go();
          lacking[0] = false;
          answers.add(fleets.submit("f", assign("v")));
          none[0] = new OutOfMemoryError("no thread");
          steps.go();
          none[0] = null;
          answers.add(fleets.submit("f", assign("u")));
          steps.go();
        });
    assertThat(events)
        .containsExactly(
            "failed",
            WORDS + " java.lang.OutOfMemoryError: planted",
            "no thread could be started: {0}",
            "failed",
            "saved");
    assertThat(answers).extracting(one -> one.join().generation()).containsExactly(2L, 3L, 4L);
  }

  /** The same distributor, which finds no memory for a snapshot while it is lacking. */
  private static Distributor withoutMemory(Distributor distributor, boolean[] lacking) {
    return FleetDeadlinesTest.proxy(
        (method, arguments) -> {
          if (lacking[0] && method.getName().equals("snapshot")) {
            throw new OutOfMemoryError("planted");
          }
          return method.invoke(distributor, arguments);
        });
  }
}
