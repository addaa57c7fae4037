package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The write-ahead log that a process has left, cut, damaged, or beside another file. */
class DamagedLogsTest extends OnFile {
  private static final int FLIPS = 600;

  /** SQLite itself deletes the log of an empty file. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLogWhoseFileIsMissingOrEmptyIsRefusedAndStays(boolean isThere) throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment moment;
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      byte[] log = bytes(folder.resolve("fleets.db-wal"));
      moment = new Moment("", new byte[0], log, List.of());
    }
    Path there = moment.in(folder.resolve("other"));
    if (!isThere) {
      Files.delete(there);
    }
    assertThatThrownBy(() -> SqliteJournal.openToRead(there)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> SqliteJournal.open(there))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("fleets.db-wal has " + moment.log().length + " bytes");
    assertThat(folder.resolve("other/fleets.db-wal")).hasBinaryContent(moment.log());
    assertThat(Files.exists(there)).isEqualTo(isThere);
  }

  /** As where the copy gets the name of a file whose process was killed. */
  @Test
  void aLogIsNotAppliedToACopyOfItsFile() throws Exception {
    Path file = folder.resolve("fleets.db");
    Path copy = folder.resolve("copy.db");
    Moment moment;
    try (SqliteJournal journal = SqliteJournal.open(file);
        Fleets fleets = Engine.fleets(journal, 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      journal.backup(copy);
      assign(fleets, "w");
      moment = new Moment("", bytes(copy), bytes(folder.resolve("fleets.db-wal")), List.of());
    }
    Path there = moment.in(folder.resolve("restored"));
    assertThatThrownBy(() -> SqliteJournal.open(there))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a copy, and the log fleets.db-wal has");
    Files.delete(folder.resolve("restored/fleets.db-wal"));
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(there), 1 << 20)) {
      assertThat(fleets.list()).containsExactly(new Fleets.Listed("f", 1, 2, 0));
    }
  }

  @Test
  void aLogThatIsCutAnywhereLeavesABeginningOfIt() throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment[] last = new Moment[1];
    List<String> states = new ArrayList<>();
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      states.add(whole(fleets));
      for (int i = 0; i < 6; i++) {
        assign(fleets, "w" + i);
        states.add(whole(fleets));
      }
      last[0] = new Moment("end", bytes(file), bytes(folder.resolve("fleets.db-wal")), List.of());
    }
    byte[] log = last[0].log();
    assertThat(log.length).isGreaterThan(10_000);
    int seen = -1;
    for (int cut = 0; cut <= log.length; cut += 293) {
      Moment moment = new Moment("cut", last[0].main(), Arrays.copyOf(log, cut), List.of());
      Path there = moment.in(folder.resolve("cut"));
      try (Fleets fleets = Engine.fleets(SqliteJournal.open(there), 1 << 20)) {
        int state = fleets.list().isEmpty() ? -1 : states.indexOf(whole(fleets));
        assertThat(fleets.list().isEmpty() || state >= 0).as("cut at %s", cut).isTrue();
        assertThat(state).isGreaterThanOrEqualTo(seen);
        seen = state;
      }
    }
    assertThat(seen).isGreaterThanOrEqualTo(states.size() - 2);
  }

  /** A process was killed that had made nine commits. */
  @Test
  void aLogWithAFlippedBitIsRefusedUnlessItMayHaveBeenBrokenOff() throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment[] last = new Moment[1];
    List<Integer> ends = new ArrayList<>();
    List<String> states = new ArrayList<>();
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 6; i++) {
        assign(fleets, "w" + i);
        ends.add(bytes(folder.resolve("fleets.db-wal")).length);
        states.add(whole(fleets));
      }
      last[0] = new Moment("end", bytes(file), bytes(folder.resolve("fleets.db-wal")), List.of());
    }
    byte[] log = last[0].log();
    Random dice = new Random(2);
    int copies = 0;
    for (int i = 0; i < FLIPS; i++) {
      int bit = i < 256 ? i : dice.nextInt(8 * log.length);
      byte[] flipped = log.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Path there = new Moment("", last[0].main(), flipped, List.of()).in(folder.resolve("flip"));
      Path kept = folder.resolve("flip/fleets.db-wal");
      List<String> found = List.of();
      try (SqliteJournal reading = SqliteJournal.openToRead(there)) {
        found = reading.check();
      } catch (StoreException nothing) {
        assertThat(nothing)
            .hasMessageContaining("holds no fleets")
            .hasMessageContaining("its log fleets.db-wal was damaged at ")
            .hasMessageEndingWith("may be lost; start on a backup");
        found = List.of("");
      }
      if (found.isEmpty()) {
        assertThat(bit / 8).as("bit %s, unseen", bit).isGreaterThan(ends.get(3));
        continue;
      }
      assertThatThrownBy(() -> SqliteJournal.open(there))
          .as("bit %s", bit)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("its log fleets.db-wal was damaged at ")
          .hasMessageContaining(found.get(0))
          .hasMessageEndingWith(
              found.get(0).isEmpty()
                  ? "may be lost; start on a backup"
                  : "run 'fleets verify' on the copy before it is used");
      assertThat(kept).hasBinaryContent(flipped);
      if (!found.get(0).isEmpty() && i % 9 == 0) {
        Path copy = folder.resolve("flip" + i + ".db");
        try (SqliteJournal reading = SqliteJournal.openToRead(there)) {
          reading.backup(copy);
        }
        assertThat(kept).hasBinaryContent(flipped);
        try (Fleets fleets = Engine.fleets(SqliteJournal.open(copy), 1 << 20)) {
          assertThat(fleets.list().isEmpty() || states.indexOf(whole(fleets)) < 5).isTrue();
        }
        copies++;
      }
    }
    assertThat(copies).isPositive();
  }

  /** As where the process was killed after SQLite had written all of the log into the file. */
  @Test
  void aDamagedLogOfWhichTheFileHasAllIsRefusedAndNotNeeded() throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment last;
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 6; i++) {
        assign(fleets, "w" + i);
      }
      Sql.execute("jdbc:sqlite:" + file, "PRAGMA wal_checkpoint(PASSIVE)");
      last = moment(file, whole(fleets));
    }
    byte[] log = last.log().clone();
    log[5_000] ^= 1;
    Path there = new Moment("", last.main(), log, List.of()).in(folder.resolve("damaged"));
    assertThatThrownBy(() -> SqliteJournal.open(there))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("was damaged at frame 2, and calls that were answered may be lost");
    Path alone = Files.write(folder.resolve("alone.db"), last.main());
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(alone), 1 << 20)) {
      assertThat(last.answers()).containsExactly(whole(fleets));
    }
  }

  /** A block that a disk has lost. The sum over a header of zeros is zero, too. */
  @ParameterizedTest
  @ValueSource(ints = {32, 512, 4_096})
  void aLogThatBeginsWithZerosIsRefused(int zeros) throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment last;
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 3; i++) {
        assign(fleets, "w" + i);
      }
      last = moment(file, "");
    }
    byte[] log = last.log().clone();
    Arrays.fill(log, 0, zeros, (byte) 0);
    Path there = new Moment("", last.main(), log, List.of()).in(folder.resolve("zeros"));
    assertThatThrownBy(() -> SqliteJournal.open(there))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("its log fleets.db-wal was damaged at its header");
    assertThat(folder.resolve("zeros/fleets.db-wal")).hasBinaryContent(log);
  }

  /** Power cuts in a row: after each, the log also has what the one before has left. */
  @ParameterizedTest
  @ValueSource(ints = {512, 4_096})
  void aCommitThatAPowerCutBrokeOffIsNoDamage(int block) throws Exception {
    Random dice = new Random(block);
    for (int life = 0; life < 25; life++) {
      Path file = Files.createDirectories(folder.resolve("life" + life)).resolve("fleets.db");
      for (int cut = 0; cut < 4; cut++) {
        List<Moment> moments = new ArrayList<>();
        try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
          if (cut == 0) {
            fleets.create("f", problem(), "", false).join();
          }
          moments.add(moment(file, whole(fleets)));
          for (int i = 0; i < 1 + dice.nextInt(2); i++) {
            assign(fleets, "w" + cut + "-" + i + "x".repeat(9_000 * dice.nextInt(3)));
            moments.add(moment(file, whole(fleets)));
          }
        }
        Moment before = moments.get(moments.size() - 2);
        Moment after = moments.get(moments.size() - 1);
        byte[] log = partly(before.log(), after.log(), block, dice);
        Moment found = new Moment("", before.main(), log, List.of());
        try (SqliteJournal reading = SqliteJournal.openToRead(found.in(folder.resolve("read")))) {
          assertThat(reading.check()).isEmpty();
        }
        Path copy = found.in(folder.resolve("copy"));
        try (Fleets fleets = Engine.fleets(SqliteJournal.open(copy), 1 << 20)) {
          assertThat(List.of(whole(fleets))).isIn(before.answers(), after.answers());
        }
        file = found.in(folder.resolve("life" + life + "-" + cut));
      }
    }
  }

  /** What a disk has that was given a file of which some blocks were not yet written. */
  private static byte[] partly(byte[] before, byte[] after, int block, Random dice) {
    byte[] mixed = Arrays.copyOf(before, after.length);
    for (int at = 0; at < after.length; at += block) {
      if (dice.nextBoolean()) {
        System.arraycopy(after, at, mixed, at, Math.min(block, after.length - at));
      }
    }
    return mixed;
  }
}
