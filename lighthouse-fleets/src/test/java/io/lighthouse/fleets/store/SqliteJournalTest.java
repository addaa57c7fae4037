package io.lighthouse.fleets.store;

import static io.lighthouse.fleets.store.JournalCases.ALL_MAY_GO;
import static io.lighthouse.fleets.store.JournalCases.NOTHING_MAY_GO;
import static io.lighthouse.fleets.store.JournalCases.entry;
import static io.lighthouse.fleets.store.JournalCases.fill;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteJournalTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("fleets.db");
  }

  @Test
  void holdsWhatItWasGiven() throws StoreException {
    Head head;
    try (SqliteJournal journal = SqliteJournal.open(file)) {
      head = fill(journal, 1, 7);
      fill(journal, 2, 3);
    }
    try (SqliteJournal journal = SqliteJournal.open(file)) {
      assertThat(journal.heads()).hasSize(2);
      assertThat(journal.head(1).orElseThrow().isAt(head)).isTrue();
      assertThat(journal.head(9)).isEmpty();
      List<Entry> entries = journal.entries(1, 2, 3);
      assertThat(entries).extracting(Entry::generation).containsExactly(3L, 4L, 5L);
      assertThat(entries.get(1).follows(entries.get(0).hash())).isTrue();
      assertThat(entries.get(2).follows(entries.get(0).hash())).isFalse();
      assertThat(journal.byKey(1, "t", "key4").orElseThrow().generation()).isEqualTo(4);
      assertThat(journal.byKey(2, "t", "key4")).isEmpty();
      assertThat(journal.byKey(1, "other", "key4")).isEmpty();
      assertThat(journal.oldest(1)).contains(1L);
      assertThat(journal.check()).isEmpty();
    }
  }

  @Test
  void synchronisesAsFarAsSqliteCan() throws StoreException {
    try (SqliteJournal journal = SqliteJournal.open(file)) {
      assertThat(setting(journal, "synchronous")).isEqualTo(2);
      assertThat(setting(journal, "fullfsync")).isEqualTo(1);
    }
  }

  private static long setting(SqliteJournal journal, String name) throws StoreException {
    return journal.<Long>read("look", db -> Statements.number(db, "PRAGMA " + name).orElseThrow());
  }

  @Test
  void findsACallOfAGoneFleetByItsName() throws StoreException {
    try (SqliteJournal journal = SqliteJournal.open(file)) {
      JournalCases.findsACallOfAGoneFleetByItsName(journal);
    }
  }

  /** The rows of deleted fleets stay, so there may be many. */
  @Test
  void noQueryForANameReadsAllFleets() throws Exception {
    SqliteJournal.open(file).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String query : List.of(Tables.NAMED, Tables.EARLIER, Tables.BY_KEY_OF_GONE)) {
        List<String> plan = new ArrayList<>();
        try (ResultSet row = statement.executeQuery("EXPLAIN QUERY PLAN " + query)) {
          while (row.next()) {
            plan.add(row.getString("detail"));
          }
        }
        assertThat(plan)
            .as(query)
            .noneMatch(step -> step.startsWith("SCAN"))
            .anyMatch(step -> step.startsWith("SEARCH fleet USING"));
      }
    }
  }

  @Test
  void knowsWhichFleetIsTheFirstOfItsName() throws StoreException {
    try (SqliteJournal journal = SqliteJournal.open(file)) {
      JournalCases.knowsWhichFleetIsTheFirstOfItsName(journal);
    }
  }

  @Test
  void readsNoMoreThanAPageOfEntriesAndNeverNone() throws StoreException {
    try (SqliteJournal journal = SqliteJournal.open(file)) {
      JournalCases.readsNoMoreThanAPageOfEntriesAndNeverNone(journal);
    }
  }

  @Test
  void givesFollowersAsManyBytesAsTheyHaveRoomForAndNeverNoEntry() throws StoreException {
    try (Journal journal = SqliteJournal.open(file)) {
      JournalCases.givesFollowersAsManyBytesAsTheyHaveRoomForAndNeverNoEntry(journal);
    }
  }

  @Test
  void forgetsGoneFleetsAlone() throws StoreException {
    try (Journal journal = SqliteJournal.open(file)) {
      JournalCases.forgetsGoneFleetsAlone(journal);
    }
  }

  @Test
  void refusesAGroupBehindAnotherEndAndKeepsNothingOfIt() throws StoreException {
    try (Journal journal = SqliteJournal.open(file)) {
      JournalCases.refusesAGroupBehindAnotherEndAndKeepsNothingOfIt(journal);
    }
  }

  @Test
  void aBadGroupFailsAloneThoughOthersAreCommittedWithIt() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean hold = new AtomicBoolean();
    Consumer<String> onStep =
        step -> {
          if (step.equals("before COMMIT") && hold.compareAndSet(true, false)) {
            first.countDown();
            awaitIn(goOn);
          }
        };
    try (SqliteJournal journal = SqliteJournal.open(file, onStep)) {
      for (int i = 1; i <= 4; i++) {
        fill(journal, i, 1);
      }
      hold.set(true);
      ExecutorService threads = Executors.newFixedThreadPool(4);
      List<Future<?>> all = new ArrayList<>();
      all.add(threads.submit(() -> next(journal, 1, journal.heads().get(0))));
      first.await();
      for (int i = 2; i <= 4; i++) {
        int fleet = i;
        Head wrong = new Head(3, "f3", 1, new byte[32], false);
        all.add(threads.submit(() -> next(journal, fleet, fleet == 3 ? wrong : null)));
      }
      // They wait while the first commits, and are committed together.
      while (journal.waiting() < 3) {
        Thread.onSpinWait();
      }
      goOn.countDown();
      assertThatThrownBy(() -> all.get(2).get())
          .hasCauseInstanceOf(StoreException.class)
          .hasMessageContaining("fleet 'f3' is not at generation 1");
      for (int i : new int[] {0, 1, 3}) {
        all.get(i).get();
      }
      threads.shutdown();
      assertThat(journal.heads()).extracting(Head::generation).containsExactly(2L, 2L, 1L, 2L);
    }
  }

  private static void awaitIn(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException hurry) {
      throw new AssertionError(hurry);
    }
  }

  /** Adds the second entry of a fleet, of which the first is known where it is not given. */
  private static Void next(Journal journal, long fleet, Head given) throws StoreException {
    Head before =
        given != null
            ? given
            : new Head(
                fleet, "f" + fleet, 1, entry(fleet, 1, null, Entry.beginning()).hash(), false);
    Entry entry = entry(fleet, 2, null, before.hash());
    journal.append(before, List.of(entry), new Head(fleet, "f" + fleet, 2, entry.hash(), false));
    return null;
  }

  /** Memory that ends once at a step of a transaction. */
  @Nested
  class MemoryThatEnds {
    private String where = "";

    /** Where it ends next. */
    private String then = "";

    private SqliteJournal opened() throws StoreException {
      return SqliteJournal.open(
          file,
          step -> {
            if (step.equals(where)) {
              where = then;
              then = "";
              throw new OutOfMemoryError("planned");
            }
          });
    }

    /** The transaction is open until its connection is closed, and shows its changes. */
    @Test
    void alsoWhereTheConnectionIsClosedShowsNothingThatWasNotCommitted() throws StoreException {
      try (SqliteJournal journal = opened()) {
        Head head = fill(journal, 1, 1);
        where = "after UPDATE fleet";
        then = "before close";
        assertThatThrownBy(() -> next(journal, 1, head)).isInstanceOf(StoreException.class);
        assertThat(where).isEmpty();
        assertThat(journal.head(1).orElseThrow().generation()).isEqualTo(1);
        assertThat(journal.entries(1, 1, 9)).isEmpty();
        next(journal, 1, head);
        assertThat(journal.head(1).orElseThrow().generation()).isEqualTo(2);
      }
    }

    /** SQLite refuses COMMIT, and its transaction is open for want of memory to roll it back. */
    @Test
    void inARollbackShowsNothingThatWasNotCommitted() throws StoreException {
      AtomicBoolean armed = new AtomicBoolean();
      Consumer<String> onStep =
          step -> {
            if (armed.get() && step.equals("before COMMIT")) {
              throwAny(new SQLException("planned"));
            }
            if (armed.get() && step.equals("before ROLLBACK")) {
              throw new OutOfMemoryError("planned");
            }
          };
      try (SqliteJournal journal = SqliteJournal.open(file, onStep)) {
        Head head = fill(journal, 1, 1);
        armed.set(true);
        assertThatThrownBy(() -> next(journal, 1, head)).isInstanceOf(StoreException.class);
        armed.set(false);
        assertThatThrownBy(() -> journal.head(1))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("not written to any more");
      }
      try (SqliteJournal journal = opened()) {
        assertThat(journal.head(1).orElseThrow().generation()).isEqualTo(1);
      }
    }

    /** Throws also what the compiler does not allow here. */
    @SuppressWarnings("unchecked")
    private <T extends Throwable> void throwAny(Throwable any) throws T {
      throw (T) any;
    }

    @ParameterizedTest
    @CsvSource({
      "between INSERT and UPDATE, ''",
      "before COMMIT, before the question",
      "before COMMIT, after the question"
    })
    void beforeACommitChangesNothingAndWritingGoesOn(String step, String again)
        throws StoreException {
      try (SqliteJournal journal = opened()) {
        Head head = fill(journal, 1, 1);
        where = step;
        then = again;
        assertThatThrownBy(() -> next(journal, 1, head))
            .isInstanceOfSatisfying(
                StoreException.class, failed -> assertThat(failed.nothingWritten()).isTrue());
        assertThat(where).isEmpty();
        assertThat(journal.doubt()).isEmpty();
        assertThat(journal.settled(1).orElseThrow().generation()).isEqualTo(1);
        next(journal, 1, head);
      }
      try (SqliteJournal journal = opened()) {
        assertThat(journal.head(1).orElseThrow().generation()).isEqualTo(2);
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "before the question", "after the question"})
    void behindACommitLeavesItDoneAndWritingGoesOn(String again) throws StoreException {
      try (SqliteJournal journal = opened()) {
        Head head = fill(journal, 1, 1);
        where = "after COMMIT";
        then = again;
        next(journal, 1, head);
        assertThat(where).isEmpty();
        assertThat(journal.doubt()).isEmpty();
        assertThat(fill(journal, 2, 3).generation()).isEqualTo(3);
      }
      try (SqliteJournal journal = opened()) {
        assertThat(journal.heads()).extracting(Head::generation).containsExactly(2L, 3L);
      }
    }

    /** The file does not show whether this transaction was committed. */
    @Test
    void behindTheCommitOfASnapshotLeavesItsEffectUnknown() throws StoreException {
      try (SqliteJournal journal = opened()) {
        fill(journal, 1, 2);
        Saved snapshot = JournalCases.saved(journal, 2);
        where = "after COMMIT";
        assertThatThrownBy(() -> journal.save(snapshot, NOTHING_MAY_GO))
            .isInstanceOf(OutOfMemoryError.class);
        assertThat(journal.doubt()).isPresent();
        assertThat(journal.head(1)).isPresent();
        assertThatThrownBy(() -> journal.settled(1))
            .hasMessageContaining("not written to any more");
        assertThatThrownBy(() -> fill(journal, 2, 1))
            .isInstanceOfSatisfying(
                StoreException.class, failed -> assertThat(failed.nothingWritten()).isTrue());
      }
    }
  }

  @Test
  void groupsThatComeTogetherAreAllThere() throws Exception {
    try (SqliteJournal journal = SqliteJournal.open(file)) {
      int fleets = 16;
      for (int i = 1; i <= fleets; i++) {
        fill(journal, i, 1);
      }
      ExecutorService threads = Executors.newFixedThreadPool(fleets);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 1; i <= fleets; i++) {
        int fleet = i;
        all.add(
            threads.submit(
                () -> {
                  Head head = journal.head(fleet).orElseThrow();
                  for (int j = 2; j <= 20; j++) {
                    Entry entry = entry(fleet, j, "k" + j, head.hash());
                    Head after = new Head(fleet, "f" + fleet, j, entry.hash(), false);
                    journal.append(head, List.of(entry), after);
                    head = after;
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      threads.shutdown();
      assertThat(journal.heads()).allSatisfy(head -> assertThat(head.generation()).isEqualTo(20));
    }
  }

  @Nested
  class Snapshots {
    @Test
    void areKeptInPairs() throws StoreException {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        fill(journal, 1, 6);
        for (int generation = 2; generation <= 6; generation += 2) {
          journal.save(JournalCases.saved(journal, generation), NOTHING_MAY_GO);
        }
        assertThat(journal.snapshots(1)).extracting(Saved::generation).containsExactly(6L, 4L);
        assertThat(journal.snapshots(1)).allMatch(Saved::isSound);
        assertThat(journal.oldest(1)).contains(1L);
        assertThat(JournalCases.saved(journal, 6).isSound()).isTrue();
      }
    }

    @Test
    void ofALostPastDoNotCount() throws StoreException {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        JournalCases.countsNoSnapshotOfALostPast(
            journal, sql -> Sql.execute("jdbc:sqlite:" + file, sql));
      }
    }

    @Test
    void areNotKeptWithoutTheirEntry() throws StoreException {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        JournalCases.keepsNoSnapshotOfAnEntryThatItDoesNotHave(journal, NOTHING_MAY_GO);
      }
    }

    /** As where the disk has lost a block of it: what has such a page cannot be deleted. */
    @Test
    void areWrittenAlsoWhereAnOlderOneHasAMalformedPage() throws Exception {
      byte[] body = new byte[20_000];
      Arrays.fill(body, (byte) 'x');
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        fill(journal, 1, 8);
        byte[] hash = JournalCases.saved(journal, 2).entryHash();
        journal.save(Saved.of(1, 2, hash, body), NOTHING_MAY_GO);
      }
      malform(content().indexOf("x".repeat(4_000)));
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        assertThat(journal.snapshots(1)).extracting(Saved::isSound).containsExactly(false);
        for (int generation = 4; generation <= 8; generation++) {
          journal.save(JournalCases.saved(journal, generation), ALL_MAY_GO);
        }
        assertThat(journal.snapshots(1)).extracting(Saved::generation).containsExactly(8L, 7L);
        assertThat(journal.snapshots(1)).allMatch(Saved::isSound);
        assertThat(journal.oldest(1)).contains(3L);
        assertThat(generations()).isEqualTo("2 7 8");
      }
    }

    private String content() throws IOException {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /** Makes the page malformed that has a byte of the file. */
    private void malform(int at) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      bytes[at / 4_096 * 4_096] = -1;
      Files.write(file, bytes);
    }

    /** The generations of all snapshots. */
    private String generations() throws SQLException {
      List<String> all = new ArrayList<>();
      try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = db.createStatement();
          ResultSet row =
              statement.executeQuery("SELECT generation FROM snapshot ORDER BY generation")) {
        while (row.next()) {
          all.add(row.getString(1));
        }
      }
      return String.join(" ", all);
    }

    /** The entry is that of the older snapshot, or one before both. */
    @ParameterizedTest
    @ValueSource(ints = {8, 1})
    void areWrittenAndDeletedAlsoWhereAnOldEntryHasAMalformedPage(int malformed) throws Exception {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        Head head = null;
        for (int i = 1; i <= 16; i++) { // Each is large, so that few are on a page.
          byte[] body = ("entry " + i + " " + "y".repeat(900)).getBytes(StandardCharsets.UTF_8);
          Entry entry =
              new Entry(1, i, 5, "t", null, null, 200, null, body, null)
                  .chained(head == null ? Entry.beginning() : head.hash());
          Head after = new Head(1, "f1", i, entry.hash(), false);
          journal.append(head, List.of(entry), after);
          head = after;
        }
        journal.save(JournalCases.saved(journal, 8), NOTHING_MAY_GO);
        journal.save(JournalCases.saved(journal, 12), NOTHING_MAY_GO);
      }
      malform(content().lastIndexOf("entry " + malformed + " "));
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        for (int generation = 13; generation <= 16; generation++) {
          journal.save(JournalCases.saved(journal, generation), ALL_MAY_GO);
          assertThat(generations()).isEqualTo(generation - 1 + " " + generation);
        }
      }
    }

    @Test
    void letEntriesGoThatNeitherNeeds() throws StoreException {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        fill(journal, 1, 6);
        journal.save(JournalCases.saved(journal, 3), ALL_MAY_GO);
        assertThat(journal.oldest(1)).contains(1L);
        journal.save(JournalCases.saved(journal, 5), ALL_MAY_GO);
        assertThat(journal.oldest(1)).contains(4L);
        assertThat(journal.byKey(1, "t", "key2")).isEmpty();
        assertThat(journal.byKey(1, "t", "key4")).isPresent();
      }
    }
  }

  @Nested
  class Start {
    @Test
    void aSecondWriterIsRefusedAndAReaderIsNot() throws StoreException {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        Head head = fill(journal, 1, 2);
        assertThatThrownBy(() -> SqliteJournal.open(file))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("another service holds it");
        try (SqliteJournal reading = SqliteJournal.openToRead(file)) {
          assertThat(reading.head(1).orElseThrow().isAt(head)).isTrue();
          assertThatThrownBy(() -> fill(reading, 2, 1)).isInstanceOf(StoreException.class);
          reading.backup(folder.resolve("copy.db"));
        }
        assertThat(fill(journal, 2, 2).generation()).isEqualTo(2);
      }
      try (SqliteJournal copy = SqliteJournal.open(folder.resolve("copy.db"))) {
        assertThat(copy.heads()).hasSize(1);
      }
      try (SqliteJournal again = SqliteJournal.open(file)) {
        assertThat(again.heads()).hasSize(2);
        assertThatThrownBy(() -> again.backup(folder.resolve("copy.db")))
            .hasMessageContaining("it is there already");
        assertThatThrownBy(() -> again.backup(folder.resolve("no/copy.db")))
            .hasMessageEndingWith("no/copy.db: its folder is not there");
      }
    }

    @Test
    void aFileMayHaveAnyName() throws StoreException {
      for (String name : List.of("a?synchronous=off", "b?c&d", "e%3f#g", "g h")) {
        Path odd = folder.resolve(name);
        try (SqliteJournal journal = SqliteJournal.open(odd)) {
          fill(journal, 1, 2);
        }
        assertThat(odd).exists();
        try (SqliteJournal reading = SqliteJournal.openToRead(odd)) {
          assertThat(reading.heads()).hasSize(1);
          reading.backup(folder.resolve(name + ".copy"));
        }
        assertThat(folder.resolve(name + ".copy")).isNotEmptyFile();
      }
    }

    @Test
    void aCopyMayHaveTheLongestNameOfAFile() throws StoreException {
      Path copy = folder.resolve("c".repeat(255));
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        journal.backup(copy);
      }
      assertThat(copy).isNotEmptyFile();
    }

    @Test
    void aCopyThatBreaksOffLeavesNothing() throws Exception {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        fill(journal, 1, 200);
      }
      byte[] damaged = Files.readAllBytes(file);
      Arrays.fill(damaged, damaged.length / 2, damaged.length, (byte) 0xff);
      Files.write(file, damaged);
      Path copy = folder.resolve("copy.db");
      try (SqliteJournal reading = SqliteJournal.openToRead(file)) {
        assertThatThrownBy(() -> reading.backup(copy))
            .isInstanceOf(StoreException.class)
            .hasMessageStartingWith("cannot back up to " + copy);
      }
      assertThat(copy).doesNotExist();
    }

    @Test
    void anotherProcessIsRefusedAlsoAfterASecondWriterWasRefusedHere() throws Exception {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        assertThat(journal.heads()).isEmpty();
        assertThatThrownBy(() -> SqliteJournal.open(file)).isInstanceOf(StoreException.class);
        assertThat(canLockInAnotherProcess("fleets.db-lock")).isFalse();
      }
      assertThat(canLockInAnotherProcess("fleets.db-lock")).isTrue();
    }

    /** As where there are two copies of these classes. */
    @Test
    void aLockThatThisProcessHasByOtherMeansRefusesAWriterAndStays() throws Exception {
      SqliteJournal.open(file).close();
      try (FileChannel theirs =
          FileChannel.open(folder.resolve("fleets.db-lock"), StandardOpenOption.WRITE)) {
        assertThat(theirs.tryLock()).isNotNull();
        assertThatThrownBy(() -> SqliteJournal.open(file))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("another service holds it");
        assertThat(canLockInAnotherProcess("fleets.db-lock")).isFalse();
      }
      SqliteJournal.open(file).close();
    }

    /** SQLite locks the file while it is open, so that no other process deletes its log. */
    @Test
    void aFileThatIsOpenedTwiceStaysLocked() throws Exception {
      SqliteJournal journal = SqliteJournal.open(file);
      fill(journal, 1, 1);
      try (SqliteJournal reading = SqliteJournal.openToRead(file)) {
        journal.close();
        assertThat(folder.resolve("fleets.db-wal")).isNotEmptyFile();
        assertThat(canLockInAnotherProcess("fleets.db")).isFalse();
        SqliteJournal.openToRead(file).close();
        SqliteJournal.open(file).close();
        assertThat(canLockInAnotherProcess("fleets.db")).isFalse();
        assertThat(reading.heads()).hasSize(1);
      }
      assertThat(canLockInAnotherProcess("fleets.db")).isTrue();
    }

    /** A log without its file is looked for once, since that opens the file, too. */
    @Test
    void aFileThatIsOpenedByAnotherNameStaysLocked() throws Exception {
      try (SqliteJournal journal = SqliteJournal.open(file)) {
        fill(journal, 1, 1);
        Files.createLink(folder.resolve("hard.db"), file);
        Files.copy(folder.resolve("fleets.db-wal"), folder.resolve("hard.db-wal"));
        SqliteJournal.openToRead(folder.resolve("hard.db")).close();
        assertThat(canLockInAnotherProcess("fleets.db")).isFalse();
        assertThat(journal.heads()).hasSize(1);
      }
      assertThat(canLockInAnotherProcess("fleets.db")).isTrue();
    }

    private boolean canLockInAnotherProcess(String name) throws Exception {
      Path script = folder.resolve("Lock.java");
      Files.writeString(
          script,
          """
          import java.nio.channels.FileChannel;
          import java.nio.file.*;
          class Lock {
            public static void main(String[] args) throws Exception {
              try (FileChannel channel =
                  FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
                System.exit(channel.tryLock() == null ? 1 : 0);
              }
            }
          }
          """);
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      int code =
          new ProcessBuilder(java, script.toString(), folder.resolve(name).toString())
              .inheritIO()
              .start()
              .waitFor();
      assertThat(code).isBetween(0, 1);
      return code == 0;
    }

    @Test
    void anotherNameOfTheFileIsKnownAsTheSame() throws Exception {
      Path link = Files.createSymbolicLink(folder.resolve("link.db"), Path.of("fleets.db"));
      Files.createDirectory(folder.resolve("elsewhere"));
      Path far = Files.createSymbolicLink(folder.resolve("elsewhere/far.db"), link);
      try (SqliteJournal journal = SqliteJournal.open(link)) {
        assertThat(Files.exists(file)).isTrue();
        Head head = fill(journal, 1, 2);
        for (Path name : List.of(file, link, far)) {
          assertThatThrownBy(() -> SqliteJournal.open(name))
              .hasMessageContaining("another service holds it");
        }
        try (SqliteJournal reading = SqliteJournal.openToRead(far)) {
          assertThat(reading.head(1).orElseThrow().isAt(head)).isTrue();
        }
      }
      Files.createLink(folder.resolve("hard.db"), file);
      assertThatThrownBy(() -> SqliteJournal.open(file)).hasMessageContaining("has 2 names");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRAGMA application_id = 7", "CREATE TABLE theirs (a)"})
    void aFileOfSomebodyElseIsRefused(String sql) throws SQLException {
      alter(sql);
      assertThatThrownBy(() -> SqliteJournal.open(file))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("holds no fleets of Lighthouse");
    }

    @Test
    void aNewerFileIsRefused() throws SQLException, StoreException {
      SqliteJournal.open(file).close();
      alter("PRAGMA user_version = 2");
      assertThatThrownBy(() -> SqliteJournal.open(file))
          .hasMessageContaining("a newer Lighthouse wrote it");
    }

    @Test
    void whatIsNoFileOfSqliteIsRefused() throws Exception {
      Files.writeString(file, "not a database, but long enough to be taken for one ".repeat(50));
      assertThatThrownBy(() -> SqliteJournal.open(file)).hasMessageContaining("no SQLite file");
      assertThatThrownBy(() -> SqliteJournal.open(folder)).hasMessageContaining("it is a folder");
      assertThatThrownBy(() -> SqliteJournal.open(folder.resolve("no/such.db")))
          .hasMessageContaining("its folder is not there");
      assertThatThrownBy(() -> SqliteJournal.openToRead(folder.resolve("none.db")))
          .hasMessageContaining("there is no such file");
    }

    @Test
    void aFileThatAnotherProgramWritesToIsNotTouched() throws Exception {
      Path log = folder.resolve("fleets.db-wal");
      try (Connection theirs = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = theirs.createStatement()) {
        statement.execute("PRAGMA journal_mode = WAL");
        statement.execute("CREATE TABLE theirs (a)");
        // A log that is written gets a new time, also where its bytes stay.
        FileTime longAgo = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(log, longAgo);
        assertThatThrownBy(() -> SqliteJournal.open(file))
            .hasMessageContaining("holds no fleets of Lighthouse");
        assertThat(Files.getLastModifiedTime(log)).isEqualTo(longAgo);
        assertThat(files()).containsExactly("fleets.db", "fleets.db-shm", "fleets.db-wal");
      }
    }

    @Test
    void besideAFileThatIsRefusedNothingIsLeft() throws Exception {
      SqliteJournal.open(file).close();
      Files.delete(folder.resolve("fleets.db-lock"));
      alter("PRAGMA user_version = 2");
      assertThatThrownBy(() -> SqliteJournal.open(file)).isInstanceOf(StoreException.class);
      assertThat(files()).containsExactly("fleets.db");
      alter("PRAGMA application_id = 7");
      assertThatThrownBy(() -> SqliteJournal.open(file)).isInstanceOf(StoreException.class);
      assertThat(files()).containsExactly("fleets.db");
      Files.writeString(file, "not a database, but long enough to be taken for one ".repeat(50));
      assertThatThrownBy(() -> SqliteJournal.open(file)).isInstanceOf(StoreException.class);
      assertThat(files()).containsExactly("fleets.db");
    }

    @Test
    void whereSqliteCannotCreateItsLogTheMessageTellsWhatToDo() throws Exception {
      SqliteJournal.open(file).close();
      // As in a folder that may not be written to, which root cannot have.
      Files.createDirectory(folder.resolve("fleets.db-wal"));
      assertThatThrownBy(() -> SqliteJournal.openToRead(file))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("SQLite has to create fleets.db-wal beside it")
          .hasMessageContaining("to a folder that may be written to");
    }

    private List<String> files() throws IOException {
      try (Stream<Path> all = Files.list(folder)) {
        return all.map(each -> each.getFileName().toString()).sorted().toList();
      }
    }

    private void alter(String sql) throws SQLException {
      try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }
}
