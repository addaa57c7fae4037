package io.lighthouse.fleets.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs of SQLite, made of the blocks of others. */
class WriteAheadLogTest {
  private static final int HEADER = 32;
  private static final int FRAME = 24 + 4_096;
  private static final String INCREASE = "UPDATE one SET number = number + 1 WHERE id ";

  @TempDir private Path folder;

  private static int begin(int frame) {
    return HEADER + frame * FRAME;
  }

  /** Where a file of ours is written to behind our back, with every commit in its log. */
  private static Connection connect(Path file) throws Exception {
    Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (Statement statement = db.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA wal_autocheckpoint = 0");
    }
    return db;
  }

  /** A file with a row of a page for each of 12 numbers, and nothing in its log. */
  private Path filled() throws Exception {
    Path file = folder.resolve("one.db");
    try (Connection db = connect(file);
        Statement statement = db.createStatement()) {
      statement.execute("CREATE TABLE one (id INTEGER PRIMARY KEY, number INTEGER, rest BLOB)");
      for (int i = 1; i <= 12; i++) {
        statement.execute("INSERT INTO one VALUES (" + i + ", 0, randomblob(3000))");
      }
    }
    return file;
  }

  private static byte[] log(Path file) throws Exception {
    return Files.readAllBytes(new WriteAheadLog(file).path());
  }

  /** A copy of the file with another log. */
  private Path with(Path file, byte[] log, String name) throws Exception {
    Path copy = folder.resolve(name + ".db");
    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
    Files.write(new WriteAheadLog(copy).path(), log);
    return copy;
  }

  /** The blocks of one log, and of another one those that are wanted. */
  private static byte[] mixed(byte[] log, byte[] other, int block, IntPredicate wanted) {
    byte[] mixed = Arrays.copyOf(log, Math.max(log.length, other.length));
    for (int at = 0; at < other.length; at += block) {
      if (wanted.test(at / block)) {
        System.arraycopy(other, at, mixed, at, Math.min(block, other.length - at));
      }
    }
    return mixed;
  }

  /**
   * Two power cuts in a row, each in a commit. Of the first one, all is there but the block with
   * the first header. Of the second one, only the block is there in which its last header begins.
   * So that header has the mark of a commit, and the sum of a frame in the middle of the first one.
   */
  @ParameterizedTest
  @CsvSource({"512, 41", "512, 62", "4096, 169"})
  void aMarkAndASumOfTwoCommitsThatWereBrokenOffAreNoDamage(int block, int frame) throws Exception {
    assertThat(begin(frame) / block).isLessThan((begin(frame) + 23) / block);
    Path file = filled();
    byte[] sound;
    byte[] first;
    Path live = with(file, new byte[0], "live");
    try (Connection db = connect(live);
        Statement statement = db.createStatement()) {
      for (int i = 1; i < frame; i++) {
        statement.execute(INCREASE + "= 1");
      }
      sound = log(live);
      assertThat(sound).hasSize(begin(frame - 1));
      statement.execute(INCREASE + "<= 10");
      first = log(live);
      assertThat(first.length).isGreaterThan(begin(frame + 3));
    }
    int header = begin(frame - 1) / block;
    byte[] cut = mixed(sound, first, block, at -> at != header);
    byte[] second;
    Path between = with(file, cut, "between");
    try (Connection db = connect(between);
        Statement statement = db.createStatement()) {
      assertThat(number(statement)).isEqualTo(frame - 1);
      statement.execute(INCREASE + "<= 2");
      second = log(between);
    }
    byte[] cutAgain = mixed(cut, second, block, at -> at == begin(frame) / block);
    assertThat(cutAgain).isNotEqualTo(cut).isNotEqualTo(second);

    Path last = with(file, cutAgain, "last");
    assertThat(new WriteAheadLog(last).damage()).isEmpty();
    try (Connection db = connect(last);
        Statement statement = db.createStatement()) {
      assertThat(number(statement)).isEqualTo(frame - 1);
    }
  }

  private static long number(Statement statement) throws Exception {
    try (var row = statement.executeQuery("SELECT number FROM one WHERE id = 1")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The last commit has ten frames, of which the first one is unreadable then. */
  @Test
  void aCommitBehindTheEndIsNotReadAndIsNoDamage() throws Exception {
    Path file = filled();
    Path live = with(file, new byte[0], "live");
    byte[] log;
    try (Connection db = connect(live);
        Statement statement = db.createStatement()) {
      for (int i = 0; i < 3; i++) {
        statement.execute(INCREASE + "= 1");
      }
      statement.execute(INCREASE + "<= 10");
      log = log(live);
    }
    Path copy = with(file, log, "copy");
    assertThat(new WriteAheadLog(copy).committedFrames()).isEqualTo(13);
    Thread.currentThread().interrupt(); // As an earlier call may have left it.
    new WriteAheadLog(copy).endAfter(3);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(log(copy)).hasSameSizeAs(log);
    assertThat(new WriteAheadLog(copy).committedFrames()).isEqualTo(3);
    assertThat(new WriteAheadLog(copy).damage()).isEmpty();
    try (Connection db = connect(copy);
        Statement statement = db.createStatement()) {
      assertThat(number(statement)).isEqualTo(3);
    }
  }

  @Test
  void anInterruptAtAnyMomentDoesNotKeepACommitFromBeingTakenBack() throws Exception {
    Path copy = with(filled(), new byte[0], "live");
    try (Connection db = connect(copy);
        Statement statement = db.createStatement()) {
      statement.execute(INCREASE + "= 1");
      Thread ending = Thread.currentThread();
      AtomicBoolean done = new AtomicBoolean();
      Thread interrupting =
          new Thread(
              () -> {
                while (!done.get()) {
                  ending.interrupt();
                }
              });
      interrupting.start();
      try {
        for (int i = 0; i < 100; i++) {
          new WriteAheadLog(copy).endAfter(1);
        }
      } finally {
        done.set(true);
        boolean ended = false;
        while (!ended) {
          try {
            interrupting.join();
            ended = true;
          } catch (InterruptedException again) {
            // It interrupts until it ends.
          }
        }
        Thread.interrupted();
      }
    }
  }

  /** Commits of one frame each. The page of each frame is damaged, and then its sum. */
  @Test
  void damageIsFoundUnlessItIsInTheLastCommitOrEndsTheOneBefore() throws Exception {
    Path file = filled();
    byte[] log;
    int frames = 70;
    Path live = with(file, new byte[0], "live");
    try (Connection db = connect(live);
        Statement statement = db.createStatement()) {
      for (int i = 0; i < frames; i++) {
        statement.execute(INCREASE + "= 1");
      }
      log = log(live);
    }
    assertThat(log).hasSize(begin(frames));
    for (int frame = 0; frame < frames; frame++) {
      for (int place : new int[] {100, 20}) {
        byte[] damaged = log.clone();
        damaged[begin(frame) + place] ^= 1;
        Path copy = with(file, damaged, "damaged");
        int behind = frames - 1 - frame;
        boolean found = behind > 1 || behind == 1 && place == 100;
        assertThat(new WriteAheadLog(copy).damage().isPresent())
            .as("frame %s, byte %s", frame, place)
            .isEqualTo(found);
      }
    }
  }
}
