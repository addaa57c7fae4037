package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sqlite.SQLiteErrorCode;

/** The logs of deleted fleets, which are deleted when they are old. */
class OldLogsTest extends OnFile {
  @Test
  @Timeout(120)
  void theLogOfADeletedFleetGoesWithoutARestart() throws Exception {
    Path file = folder.resolve("fleets.db");
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-23T00:00:00Z"));
    Clock clock = mock(now);
    try (SqliteJournal journal = SqliteJournal.open(file);
        Fleets fleets =
            Fleets.open(
                journal,
                Engine::of,
                FleetLimits.STANDARD,
                FleetObserver.NONE,
                clock,
                Runnable::run)) {
      fleets.create("f", problem(), "", false).join();
      fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
      assertThat(journal.entries(1, 0, 9)).hasSize(2);
      now.set(now.get().plus(FleetLimits.STANDARD.retention()).plusSeconds(4_000));
      while (!journal.entries(1, 0, 9).isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(journal.heads()).hasSize(1);
    }
  }

  /** As where the disk is full. */
  @Test
  void aStoreThatCannotDeleteAnOldLogIsOpened() throws Exception {
    MemoryJournal journal =
        new MemoryJournal() {
          @Override
          public synchronized void forget(long fleet) throws StoreException {
            throw new StoreException("planned", null);
          }
        };
    assertThat(reopenedLater(journal).list()).containsExactly(new Fleets.Listed("f", 1, 2, 0));
  }

  @Test
  void anOldLogWithAMalformedPageStaysAlone() throws Exception {
    MemoryJournal journal =
        new MemoryJournal() {
          @Override
          public synchronized void forget(long fleet) throws StoreException {
            if (fleet == 1) {
              int malformed = SQLiteErrorCode.SQLITE_CORRUPT.code;
              throw new StoreException("planned", new SQLException("planned", null, malformed));
            }
            super.forget(fleet);
          }
        };
    Fleets before = Engine.fleets(journal, 1 << 20);
    for (int i = 0; i < 2; i++) {
      before.create("f", problem(), "", false).join();
      before.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
    }
    reopenedLater(journal);
    assertThat(journal.entries(1, 0, 9)).hasSize(2);
    assertThat(journal.entries(2, 0, 9)).isEmpty();
  }

  /** As where its synchronisation fails. */
  @Test
  void aStoreThatCanNotBeWrittenAnyMoreAfterThatIsNotOpened() {
    MemoryJournal journal =
        new MemoryJournal() {
          private boolean failed;

          @Override
          public synchronized void forget(long fleet) throws StoreException {
            failed = true;
            throw new StoreException("planned", null);
          }

          @Override
          public Optional<String> doubt() {
            return failed ? Optional.of("planned doubt") : Optional.empty();
          }
        };
    assertThatThrownBy(() -> reopenedLater(journal))
        .isInstanceOf(StoreException.class)
        .hasMessage("planned");
  }

  /** A store that has the log of a deleted fleet, opened when that log is old. */
  private static Fleets reopenedLater(MemoryJournal journal) throws StoreException {
    Fleets before = Engine.fleets(journal, 1 << 20);
    before.create("f", problem(), "", false).join();
    before.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
    before.create("f", problem(), "", false).join();
    Instant later = Instant.now().plus(FleetLimits.STANDARD.retention()).plusSeconds(4_000);
    Clock clock = Clock.fixed(later, ZoneOffset.UTC);
    return new Fleets(
        journal,
        Engine::of,
        FleetLimits.STANDARD,
        FleetObserver.NONE,
        clock,
        Runnable::run,
        1 << 20);
  }

  private static Clock mock(AtomicReference<Instant> now) {
    return new Clock() {
      @Override
      public Instant instant() {
        return now.get();
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }
    };
  }
}
