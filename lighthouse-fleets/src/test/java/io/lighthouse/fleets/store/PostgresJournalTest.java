package io.lighthouse.fleets.store;

import static io.lighthouse.fleets.store.JournalCases.ALL_MAY_GO;
import static io.lighthouse.fleets.store.JournalCases.NOTHING_MAY_GO;
import static io.lighthouse.fleets.store.JournalCases.entry;
import static io.lighthouse.fleets.store.JournalCases.fill;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresJournalTest extends OnPostgres {
  private static Head next(Journal journal, Head head) throws StoreException {
    Entry entry = entry(head.fleet(), head.generation() + 1, null, head.hash());
    Head after = new Head(head.fleet(), head.name(), entry.generation(), entry.hash(), false);
    journal.append(head, List.of(entry), after);
    return after;
  }

  @Test
  void knowsThatWhatAnotherWasFasterWithIsNotItsOwn() throws StoreException {
    try (PostgresJournal one = PostgresJournal.open(url);
        PostgresJournal other = PostgresJournal.open(url)) {
      fill(one, 1, 1);
      // The very same fleet, of the same millisecond: its hash cannot tell whose it is.
      assertThatThrownBy(() -> fill(other, 1, 1))
          .isInstanceOfSatisfying(
              StoreException.class, refused -> assertThat(refused.nothingWritten()).isTrue());
      assertThat(other.heads()).hasSize(1);
    }
  }

  @Test
  void holdsWhatItWasGiven() throws StoreException {
    Head head;
    try (PostgresJournal journal = PostgresJournal.open(url)) {
      head = fill(journal, 1, 7);
      fill(journal, 2, 3);
    }
    try (Journal journal = Stores.open(url)) {
      assertThat(journal.isShared()).isTrue();
      assertThat(journal.heads()).hasSize(2);
      assertThat(journal.head(1).orElseThrow().isAt(head)).isTrue();
      assertThat(journal.settled(1).orElseThrow().isAt(head)).isTrue();
      assertThat(journal.named("f2").orElseThrow().fleet()).isEqualTo(2);
      assertThat(journal.named("f3")).isEmpty();
      assertThat(journal.head(9)).isEmpty();
      assertThat(journal.heads(Set.of(2L, 9L))).extracting(Head::fleet).containsExactly(2L);
      List<Entry> entries = journal.entries(1, 2, 3);
      assertThat(entries).extracting(Entry::generation).containsExactly(3L, 4L, 5L);
      assertThat(entries.get(1).follows(entries.get(0).hash())).isTrue();
      assertThat(journal.byKey(1, "t", "key4").orElseThrow().answer()).containsExactly(2, 3);
      assertThat(journal.byKey(2, "t", "key4")).isEmpty();
      assertThat(journal.byKey(1, "other", "key4")).isEmpty();
      assertThat(journal.oldest(1)).contains(1L);
      assertThat(journal.oldest(9)).isEmpty();
    }
  }

  @Test
  void takesNoNoticeForAFailure() throws StoreException {
    String talkative = url + "&options=-c%20client_min_messages=debug5";
    try (PostgresJournal journal = PostgresJournal.open(talkative)) {
      Head head = fill(journal, 1, 2);
      assertThat(journal.settled(1).orElseThrow().isAt(head)).isTrue();
    }
  }

  @Test
  void findsACallOfAGoneFleetByItsName() throws StoreException {
    try (PostgresJournal journal = PostgresJournal.open(url)) {
      JournalCases.findsACallOfAGoneFleetByItsName(journal);
    }
  }

  @Test
  void knowsWhichFleetIsTheFirstOfItsName() throws StoreException {
    try (PostgresJournal journal = PostgresJournal.open(url)) {
      JournalCases.knowsWhichFleetIsTheFirstOfItsName(journal);
    }
  }

  @Test
  void readsNoMoreThanAPageOfEntriesAndNeverNone() throws StoreException {
    try (PostgresJournal journal = PostgresJournal.open(url)) {
      JournalCases.readsNoMoreThanAPageOfEntriesAndNeverNone(journal);
    }
  }

  @Test
  void givesFollowersAsManyBytesAsTheyHaveRoomForAndNeverNoEntry() throws StoreException {
    try (Journal journal = PostgresJournal.open(url)) {
      JournalCases.givesFollowersAsManyBytesAsTheyHaveRoomForAndNeverNoEntry(journal);
    }
  }

  @Test
  void forgetsGoneFleetsAlone() throws StoreException {
    try (Journal journal = PostgresJournal.open(url)) {
      JournalCases.forgetsGoneFleetsAlone(journal);
    }
  }

  @Test
  void refusesAGroupBehindAnotherEndAndKeepsNothingOfIt() throws StoreException {
    try (Journal journal = PostgresJournal.open(url)) {
      JournalCases.refusesAGroupBehindAnotherEndAndKeepsNothingOfIt(journal);
    }
  }

  @Test
  void aKeyIsThereOnceAndWhatIsSaidOfItTellsNoValues() throws StoreException {
    try (PostgresJournal journal = PostgresJournal.open(url)) {
      Head head = fill(journal, 1, 2);
      Entry again = entry(1, 3, "key2", head.hash());
      assertThatThrownBy(
              () -> journal.append(head, List.of(again), new Head(1, "f1", 3, again.hash(), false)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("entry_key")
          .hasMessageNotContaining("key2");
      assertThat(journal.head(1).orElseThrow().isAt(head)).isTrue();
    }
  }

  /** The cause of other errors has mostly ended the connections, too. */
  @Test
  void aMalformedPageEndsNoConnection() throws StoreException {
    try (PostgresJournal journal = PostgresJournal.open(url)) {
      Head head = fill(journal, 1, 1);
      Set<Long> before = twoConnections(journal);
      assertThat(before).hasSize(2);
      assertDamaged(() -> journal.read("read", this::failForAPage));
      assertDamaged(() -> journal.change("change", this::failForAPage));
      malform();
      assertDamaged(() -> journal.hold(1, 0, List.of()));
      try (Hold hold = journal.hold(1, 1, List.of())) {
        assertDamaged(() -> hold.entries(0, 1));
      }
      Sql.execute(url, "DROP VIEW entry; ALTER TABLE sound RENAME TO entry");
      assertThat(twoConnections(journal)).isEqualTo(before);
      next(journal, head);
    }
  }

  @Test
  void aLockThatIsNotFreeInTimeEndsNoConnection() throws Exception {
    try (PostgresJournal journal = PostgresJournal.open(url);
        Connection other = DriverManager.getConnection(url)) {
      Head head = fill(journal, 1, 1);
      Set<Long> before = twoConnections(journal);
      other.setAutoCommit(false);
      Statements.execute(other, "SELECT FROM fleet FOR UPDATE");
      assertThatThrownBy(() -> journal.hold(1, 1, List.of())).hasMessageContaining("lock timeout");
      assertThat(twoConnections(journal)).isEqualTo(before);
      other.rollback();
      next(journal, head);
    }
  }

  private Void failForAPage(Connection db) throws SQLException {
    Statements.execute(db, "DO $$ BEGIN RAISE 'invalid page' USING ERRCODE = 'XX001'; END $$");
    return null;
  }

  /** No entry can be read any more. */
  private void malform() {
    Sql.execute(
        url,
        "ALTER TABLE entry RENAME TO sound;"
            + " CREATE FUNCTION is_sound(bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN"
            + " RAISE 'invalid page' USING ERRCODE = 'XX001'; END $$;"
            + " CREATE VIEW entry AS SELECT * FROM sound WHERE is_sound(fleet)");
  }

  private static void assertDamaged(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, failed -> assertThat(failed.isDamage()).isTrue())
        .hasMessageContaining("invalid page")
        .hasMessageEndingWith(
            "promote a standby whose page is sound, or repair or restore the" + " database");
  }

  /** The processes of the server that serve the two connections that are used first. */
  private static Set<Long> twoConnections(PostgresJournal journal) throws StoreException {
    return journal.read(
        "look",
        db -> Set.of(process(db), journal.<Long>read("look", PostgresJournalTest::process)));
  }

  private static long process(Connection db) throws SQLException {
    return Statements.number(db, "SELECT pg_backend_pid()").orElseThrow();
  }

  @Nested
  class Turns {
    @Test
    void ofOneFleetComeOneAfterTheOther() throws Exception {
      try (PostgresJournal one = PostgresJournal.open(url);
          PostgresJournal other = PostgresJournal.open(url)) {
        Head head = fill(one, 1, 1);
        List<String> happened = Collections.synchronizedList(new ArrayList<>());
        Hold first = one.hold(1, 9, List.of());
        CompletableFuture<Void> second =
            CompletableFuture.runAsync(
                () -> {
                  try (Hold hold = other.hold(1, 9, List.of())) {
                    happened.add("second at " + hold.head().orElseThrow().generation());
                  } catch (StoreException failed) {
                    throw new AssertionError(failed);
                  }
                });
        while (Sql.number(
                url, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
            == 0) {
          Thread.onSpinWait();
        }
        happened.add("first commits");
        Entry entry = entry(1, 2, null, head.hash());
        first.append(head, List.of(entry), new Head(1, "f1", 2, entry.hash(), false));
        second.join();
        assertThat(happened).containsExactly("first commits", "second at 2");
      }
    }

    @Test
    void bringWhatTheCallerWillAskForAndAllElseIsThereToo() throws StoreException {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        Head head = fill(journal, 1, 7);
        fill(journal, 2, 4);
        List<CallKey> keys = List.of(new CallKey("t", "key4"), new CallKey("t", "none"));
        try (Hold hold = journal.hold(1, 3, keys)) {
          assertThat(hold.head().orElseThrow().isAt(head)).isTrue();
          assertThat(generations(hold.entries(3, 9))).containsExactly(4L, 5L, 6L, 7L);
          assertThat(generations(hold.entries(3, 2))).containsExactly(4L, 5L);
          assertThat(generations(hold.entries(5, 9))).containsExactly(6L, 7L);
          assertThat(generations(hold.entries(7, 9))).isEmpty();
          assertThat(generations(hold.entries(1, 2))).containsExactly(2L, 3L);
          assertThat(hold.byKey("t", "key4").orElseThrow().answer()).containsExactly(2, 3);
          assertThat(
                  hold.byKey("t", "key4").orElseThrow().follows(hold.entries(2, 1).get(0).hash()))
              .isTrue();
          assertThat(hold.byKey("t", "none")).isEmpty();
          assertThat(hold.byKey("t", "key6").orElseThrow().generation()).isEqualTo(6);
          assertThat(hold.byKey("other", "key4")).isEmpty();
        }
        fill(journal, 3, 130);
        try (Hold hold = journal.hold(3, 0, List.of())) {
          assertThat(generations(hold.entries(0, 1_000))).hasSize(100);
          assertThat(generations(hold.entries(100, 1_000))).hasSize(30).contains(130L);
        }
        assertThat(journal.hold(9, 0, keys).head()).isEmpty();
      }
    }

    private List<Long> generations(List<Entry> entries) {
      return entries.stream().map(Entry::generation).toList();
    }

    @Test
    void thatDecideForLongLeaveConnectionsToOtherFleets() throws StoreException {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        int slow = PostgresDatabase.TURNS;
        for (int i = 1; i <= slow + 1; i++) {
          fill(journal, i, 1);
        }
        List<Hold> held = new ArrayList<>();
        for (int i = 1; i < slow; i++) {
          held.add(journal.hold(i, 1, List.of()));
        }
        // While all but one turn are held, other fleets are read and written.
        Head last = journal.head(slow + 1).orElseThrow();
        assertThat(next(journal, last).generation()).isEqualTo(2);
        held.add(journal.hold(slow, 1, List.of()));
        assertThat(journal.heads()).hasSize(slow + 1);
        assertThat(journal.entries(1, 0, 1)).hasSize(1);
        assertThatThrownBy(() -> journal.hold(slow + 1, 1, List.of()))
            .hasMessageContaining("the 16 connections for turns are all in use");
        held.forEach(Hold::close);
        journal.hold(slow + 1, 1, List.of()).close();
      }
    }

    @Test
    void goOnAfterAReadThatTheServerRefuses() throws StoreException {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        Head head = fill(journal, 1, 1);
        malform();
        try (Hold hold = journal.hold(1, 1, List.of())) {
          assertDamaged(() -> hold.entries(0, 1));
          assertDamaged(() -> hold.entries(0, 1));
          assertThat(hold.byKey("t", "none")).isEmpty();
          String free = "SELECT count(*) FROM (SELECT FROM fleet FOR UPDATE SKIP LOCKED) AS free";
          assertThat(Sql.number(url, free)).isZero();
          Entry entry = entry(1, 2, null, head.hash());
          hold.append(head, List.of(entry), new Head(1, "f1", 2, entry.hash(), false));
        }
        assertThat(journal.head(1).orElseThrow().generation()).isEqualTo(2);
      }
    }

    /** Such as for lack of memory. Else there would be room for more turns than there may be. */
    @Test
    void areGivenBackOnceAlsoWhereThatBreaksOff() throws Exception {
      BreakingDriver driver = new BreakingDriver();
      DriverManager.registerDriver(driver);
      int most = PostgresDatabase.TURNS;
      try (PostgresJournal journal = PostgresJournal.open(BreakingDriver.PREFIX + url)) {
        for (int i = 1; i <= most + 1; i++) {
          fill(journal, i, 1);
        }
        Hold broken = journal.hold(1, 1, List.of());
        Sql.execute(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND state = 'idle in transaction'");
        driver.breakOff();
        assertThatThrownBy(() -> broken.byKey("t", "none")).isInstanceOf(OutOfMemoryError.class);
        broken.close();
        List<Hold> held = new ArrayList<>();
        for (int i = 1; i <= most; i++) {
          held.add(journal.hold(i, 1, List.of()));
        }
        assertThatThrownBy(() -> journal.hold(most + 1, 1, List.of()))
            .hasMessageContaining("the 16 connections for turns are all in use");
        held.forEach(Hold::close);
      } finally {
        DriverManager.deregisterDriver(driver);
      }
    }

    @Test
    void ofOtherFleetsDoNotWait() throws StoreException {
      try (PostgresJournal one = PostgresJournal.open(url);
          PostgresJournal other = PostgresJournal.open(url)) {
        fill(one, 1, 1);
        Head second = fill(one, 2, 1);
        try (Hold held = one.hold(1, 9, List.of())) {
          assertThat(held.head()).isPresent();
          assertThat(next(other, second).generation()).isEqualTo(2);
        }
      }
    }

    /** Both at once, to wait once. */
    @Test
    void endWhereNobodyKeepsThemAndGoOnAsLongAsTheyAreKept() throws Exception {
      try (PostgresJournal one = PostgresJournal.open(url);
          PostgresJournal other = PostgresJournal.open(url)) {
        Head head = fill(one, 1, 1);
        Head second = fill(one, 2, 1);
        Hold silent = one.hold(1, 9, List.of());
        Hold kept = one.hold(2, 9, List.of());
        long began = System.nanoTime();
        CompletableFuture<Head> next = // Waits until the server has ended the silent one.
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return next(other, head);
                  } catch (StoreException failed) {
                    throw new AssertionError(failed);
                  }
                });
        while (System.nanoTime() - began < (PostgresJournal.IDLE_MILLIS + 700) * 1_000_000L) {
          LockSupport.parkNanos(300_000_000);
          kept.keep();
        }
        Head after = next.get(20, TimeUnit.SECONDS);
        Entry late = entry(1, 2, "late", head.hash());
        assertThatThrownBy(
                () -> silent.append(head, List.of(late), new Head(1, "f1", 2, late.hash(), false)))
            .isInstanceOf(StoreException.class);
        silent.close();
        assertThat(one.settled(1).orElseThrow().isAt(after)).isTrue();
        assertThat(one.byKey(1, "t", "late")).isEmpty();
        Entry entry = entry(2, 2, null, second.hash());
        kept.append(second, List.of(entry), new Head(2, "f2", 2, entry.hash(), false));
        assertThat(other.head(2).orElseThrow().generation()).isEqualTo(2);
      }
    }

    @Test
    void areAskedForAgainWhenTheServerHasEndedAllConnections() throws Exception {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        Head head = fill(journal, 1, 5);
        Hold lost = journal.hold(1, 9, List.of());
        Sql.execute(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        assertThatThrownBy(() -> lost.byKey("t", "key2")).isInstanceOf(StoreException.class);
        lost.close();
        assertThat(journal.settled(1).orElseThrow().isAt(head)).isTrue();
        assertThat(next(journal, head).generation()).isEqualTo(6);
      }
    }
  }

  @Nested
  class Snapshots {
    @Test
    void areKeptInPairsAndTheSameTwiceIsOne() throws StoreException {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        fill(journal, 1, 6);
        assertThat(journal.newestSnapshot(1)).isEmpty();
        for (int generation = 2; generation <= 6; generation += 2) {
          Saved saved = JournalCases.saved(journal, generation);
          journal.save(saved, NOTHING_MAY_GO);
          journal.save(saved, NOTHING_MAY_GO);
        }
        assertThat(journal.snapshots(1)).extracting(Saved::generation).containsExactly(6L, 4L);
        assertThat(journal.snapshots(1)).allMatch(Saved::isSound);
        assertThat(journal.newestSnapshot(1)).contains(6L);
        assertThat(journal.oldest(1)).contains(1L);
      }
    }

    @Test
    void ofALostPastDoNotCount() throws StoreException {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        JournalCases.countsNoSnapshotOfALostPast(journal, sql -> Sql.execute(url, sql));
      }
    }

    @Test
    void areNotKeptWithoutTheirEntry() throws StoreException {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        JournalCases.keepsNoSnapshotOfAnEntryThatItDoesNotHave(journal, NOTHING_MAY_GO);
      }
    }

    @Test
    void letEntriesGoThatNeitherNeeds() throws StoreException {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        fill(journal, 1, 6);
        journal.save(JournalCases.saved(journal, 3), ALL_MAY_GO);
        assertThat(journal.oldest(1)).contains(1L);
        journal.save(JournalCases.saved(journal, 5), ALL_MAY_GO);
        assertThat(journal.oldest(1)).contains(4L);
      }
    }
  }

  @Nested
  class Start {
    @Test
    void ofManyAtOnceMakesTheTablesOnce() {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  try (PostgresJournal journal = PostgresJournal.open(url)) {
                    assertThat(journal.heads()).isEmpty();
                  } catch (StoreException failed) {
                    throw new AssertionError(failed);
                  }
                }));
      }
      all.forEach(CompletableFuture::join);
    }

    @Test
    void aReaderDoesNotWriteAndFindsNothingWhereNothingIs() throws StoreException {
      assertThatThrownBy(() -> Stores.openToRead(url))
          .hasMessageContaining("holds no fleets of Lighthouse");
      try (PostgresJournal journal = PostgresJournal.open(url);
          Journal reading = Stores.openToRead(url)) {
        Head head = fill(journal, 1, 2);
        assertThat(reading.head(1).orElseThrow().isAt(head)).isTrue();
        assertThatThrownBy(() -> fill(reading, 2, 1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> reading.backup(Path.of("x"))).hasMessageContaining("pg_dump");
      }
    }

    /** An upgrade of the system may change the order of a language, and break its indexes. */
    @Test
    void makesIndexesThatAreInTheOrderOfNoLanguage() throws StoreException {
      PostgresJournal.open(url).close();
      String columns =
          "SELECT count(*) FROM pg_attribute JOIN pg_collation AS one ON one.oid = attcollation"
              + " WHERE attrelid IN ('fleet'::regclass, 'entry'::regclass) AND collname ";
      assertThat(Sql.number(url, columns + "= 'C'")).isEqualTo(3);
      assertThat(Sql.number(url, columns + "<> 'C'")).isZero();
    }

    @Test
    void aNewerDatabaseIsRefused() throws Exception {
      PostgresJournal.open(url).close();
      Sql.execute(url, "UPDATE lighthouse_schema SET version = 2");
      assertThatThrownBy(() -> PostgresJournal.open(url))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("a newer Lighthouse wrote it (version 2)");
      assertThatThrownBy(() -> PostgresJournal.openToRead(url)).hasMessageContaining("newer");
    }

    @Test
    void whatWouldLoseACommitIsRefused() throws Exception {
      Sql.execute(url, "ALTER ROLE lighthouse SET synchronous_commit = off");
      try {
        assertThatThrownBy(() -> PostgresJournal.open(url))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("synchronous_commit=off");
      } finally {
        Sql.execute(url, "ALTER ROLE lighthouse RESET synchronous_commit");
      }
    }

    @ParameterizedTest
    @CsvSource({
      "synchronous_commit, off, synchronous_commit=off",
      "full_page_writes, off, full_page_writes=off",
      "fsync, off, fsync=off",
    })
    void whatLosesCommitsFromNowOnIsNoticedByTheNextTurn(String setting, String value, String words)
        throws Exception {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        Head head = fill(journal, 1, 1);
        reload(setting, "= " + value);
        try {
          for (Head of : new Head[] {head, null}) {
            assertThatThrownBy(
                    () -> {
                      if (of == null) {
                        fill(journal, 2, 1);
                      } else {
                        next(journal, of);
                      }
                    })
                .hasMessageContaining(words)
                .isInstanceOfSatisfying(
                    StoreException.class, refused -> assertThat(refused.nothingWritten()).isTrue());
          }
          assertThat(journal.head(1).orElseThrow().isAt(head)).isTrue();
        } finally {
          reload(setting, "TO DEFAULT");
        }
        assertThat(next(journal, head).generation()).isEqualTo(2);
      }
    }

    /** As where the disk is nearly full, or the database is being moved. */
    @Test
    void underWhichNobodyIsToWriteAreHeeded() throws Exception {
      String setting = "default_transaction_read_only";
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        Head head = fill(journal, 1, 1);
        reload(setting, "= on");
        try {
          assertThatThrownBy(() -> next(journal, head))
              .hasMessageContaining(setting + "=on")
              .isInstanceOfSatisfying(
                  StoreException.class, refused -> assertThat(refused.nothingWritten()).isTrue());
          assertThatThrownBy(() -> PostgresJournal.open(url))
              .isInstanceOf(StoreException.class)
              .hasMessageContaining(setting + "=off");
          try (PostgresJournal reading = PostgresJournal.openToRead(url)) {
            assertThat(reading.head(1).orElseThrow().isAt(head)).isTrue();
          }
          try (PostgresJournal allowed =
              PostgresJournal.open(url + "&options=-c%20" + setting + "=off")) {
            next(allowed, head);
          }
        } finally {
          reload(setting, "= off");
        }
        assertThat(next(journal, journal.head(1).orElseThrow()).generation()).isEqualTo(3);
      }
    }

    /** Changes a setting of the server, and waits until a new session has it. */
    private void reload(String setting, String value) {
      Sql.execute(url, "ALTER SYSTEM SET " + setting + " " + value);
      Sql.execute(url, "SELECT pg_reload_conf()");
      String wanted = value.startsWith("=") ? value.substring(2) : "on";
      while (Sql.number(
              url,
              "SELECT count(*) FROM pg_settings WHERE name = '"
                  + setting
                  + "' AND setting = '"
                  + wanted
                  + "'")
          == 0) {
        Thread.onSpinWait();
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://h/d?password=secret", "jdbc:sqlite:x"})
    void otherDatabasesAreRefused(String other) {
      assertThatThrownBy(() -> Stores.open(other))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("allowed: a file, or jdbc:postgresql://HOST/DATABASE")
          .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({
      "jdbc:postgresql://127.0.0.1:1/d?password=secret, refused",
      "jdbc:postgresql://127.0.0.1:notaport/d?password=secret, allowed: jdbc:postgresql://HOST",
    })
    void whatCannotBeReachedIsSaidWithoutItsSecrets(String unreachable, String why) {
      assertThatThrownBy(() -> Stores.open(unreachable))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(why)
          .hasMessageNotContaining("secret");
    }

    @Test
    void damagedRowsAreNamed() throws Exception {
      try (PostgresJournal journal = PostgresJournal.open(url)) {
        fill(journal, 1, 2);
        Sql.execute(url, "UPDATE fleet SET name = 'other'");
        assertThatThrownBy(journal::heads).hasMessageContaining("was altered");
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger("io.lighthouse.fleets");
        logger.setLevel(Level.FINE);
        logger.setFilter(line -> !logged.add(line.getThrown().getMessage()));
        try {
          assertThat(journal.heads(Set.of(1L))).isEmpty();
        } finally {
          logger.setFilter(null);
          logger.setLevel(null);
        }
        assertThat(logged).singleElement().asString().contains("fleet number 1 ('other')");
        AtomicReference<Long> none = new AtomicReference<>();
        assertThatThrownBy(
                () -> none.set(journal.hold(1, 9, List.of()).head().orElseThrow().generation()))
            .hasMessageContaining("was altered");
      }
    }
  }
}
