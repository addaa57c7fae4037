package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.SqliteJournal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries that recovery does not need are checked, too: repeated calls get their answers. */
class VerificationTest {
  @TempDir private Path folder;
  private Path file;

  /** An entry that the log still has, between its first one and its snapshots. */
  private long kept;

  /** The generation of the older snapshot. */
  private long older;

  /** A fleet whose first entries were deleted, and whose older snapshot came much later. */
  @BeforeEach
  void fillAndTrim() throws Exception {
    file = folder.resolve("fleets.db");
    Instant now = Instant.now();
    try (Fleets fleets = open(now.minus(FleetLimits.STANDARD.retention()).minusSeconds(1))) {
      fleets.create("f", MemoryChild.problem(), "", false).join();
      assign(fleets, 0, 10);
    }
    try (Fleets fleets = open(now)) {
      assign(fleets, 10, 50);
    }
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      kept = journal.oldest(1).orElseThrow() + 2;
      assertThat(kept).isGreaterThan(3);
      older = journal.snapshots(1).get(1).generation();
      assertThat(older).isGreaterThan(kept + 2);
    }
  }

  /** Fleets that write a snapshot as often as they may. */
  private Fleets open(Instant now) throws Exception {
    return new Fleets(
        SqliteJournal.open(file),
        Engine::of,
        FleetLimits.STANDARD,
        FleetObserver.NONE,
        Clock.fixed(now, ZoneOffset.UTC),
        Runnable::run,
        1);
  }

  private static void assign(Fleets fleets, int from, int to) {
    for (int i = from; i < to; i++) {
      fleets.submit("f", FaultChild.assign("w" + i)).join();
    }
  }

  private void execute(String sql) {
    Sql.execute("jdbc:sqlite:" + file, sql);
  }

  private List<String> faults() throws Exception {
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      return new Verification(journal, Engine::of).verify().get(0).faults();
    }
  }

  @Test
  void findsNothingWhereNothingWasAltered() throws Exception {
    assertThat(faults()).isEmpty();
  }

  @Test
  void findsAnAlteredAnswer() throws Exception {
    execute("UPDATE entry SET answer = x'7b7d' WHERE generation = " + kept);
    assertThat(faults())
        .containsExactly("entry " + kept + ", from before the snapshots, was altered");
  }

  /** The entry before the first one is not there any more, so either may be the altered one. */
  @Test
  void findsAnAlteredHashOfTheFirstEntryThatIsKept() throws Exception {
    long first = kept - 2;
    execute("UPDATE entry SET hash = zeroblob(32) WHERE generation = " + first);
    assertThat(faults())
        .containsExactly(
            "entry "
                + (first + 1)
                + " or the one before it, from before the snapshots, was altered");
  }

  @Test
  void findsAMissingEntry() throws Exception {
    execute("DELETE FROM entry WHERE generation = " + kept);
    assertThat(faults())
        .containsExactly("entry " + kept + ", from before the snapshots, is missing");
  }

  /** The snapshot needs none of them, and the entries after it are there. */
  @Test
  void findsThatTheEntriesUpToASnapshotAreMissing() throws Exception {
    execute("DELETE FROM entry WHERE generation > " + kept + " AND generation <= " + older);
    assertThat(faults())
        .containsExactly("entry " + (kept + 1) + ", from before the snapshots, is missing");
  }

  @Test
  void findsThatAllEntriesAfterOneAreMissing() throws Exception {
    execute("DELETE FROM entry WHERE generation > " + kept);
    assertThat(faults())
        .contains("entry " + (kept + 1) + ", from before the snapshots, is missing");
  }
}
