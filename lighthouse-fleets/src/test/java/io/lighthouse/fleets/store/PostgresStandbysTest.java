package io.lighthouse.fleets.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server of PostgreSQL that has a synchronous standby, which is away. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresStandbysTest extends OnPostgres {
  private void awaitStandby() {
    Sql.execute(url, "ALTER SYSTEM SET synchronous_standby_names = 'other'");
    Sql.execute(url, "SELECT pg_reload_conf()");
    while (Sql.number(
            url,
            "SELECT count(*) FROM pg_settings WHERE name = 'synchronous_standby_names'"
                + " AND setting = 'other'")
        == 0) {
      Thread.onSpinWait();
    }
  }

  @AfterEach
  void awaitNone() {
    Sql.execute(url, "ALTER SYSTEM RESET synchronous_standby_names");
    Sql.execute(url, "SELECT pg_reload_conf()");
  }

  @Test
  void whatItWouldLoseIsRefused() throws Exception {
    Sql.execute(url, "ALTER ROLE lighthouse SET synchronous_commit = local");
    try {
      PostgresJournal.open(url).close();
      awaitStandby();
      assertThatThrownBy(() -> PostgresJournal.open(url))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("synchronous_commit=local beside synchronous_standby_names");
    } finally {
      Sql.execute(url, "ALTER ROLE lighthouse RESET synchronous_commit");
    }
  }

  /** An administrator cancels what waits for it. Then the server has committed, and warns. */
  @Test
  void aCommitThatItMayNotHaveIsNotDurable() throws Exception {
    try (PostgresJournal journal = PostgresJournal.open(url)) {
      Head head = JournalCases.fill(journal, 1, 1);
      Entry entry = JournalCases.entry(1, 2, null, head.hash());
      Head after = new Head(1, "f1", 2, entry.hash(), false);
      awaitStandby();
      cancelled(() -> Sql.execute(url, "SELECT pg_logical_emit_message(true, 'a', 'b')"));
      assertThat(cancelled(() -> journal.append(head, List.of(entry), after)))
          .isInstanceOfSatisfying(
              StoreException.class, failed -> assertThat(failed.nothingWritten()).isFalse());
      assertThat(cancelled(() -> journal.settled(1))).isInstanceOf(StoreException.class);
      awaitNone();
      assertThat(journal.settled(1).orElseThrow().isAt(after)).isTrue();
    }
  }

  /** A standby may lag, so what it reports may be older than what was answered. */
  @Test
  void aServerThatIsAStandbyIsReadOnlyByThoseThatOnlyRead() throws Exception {
    try (PostgresJournal journal = PostgresJournal.open(url);
        PostgresJournal any = PostgresJournal.open(url + "&targetServerType=any")) {
      Head head = JournalCases.fill(journal, 1, 1);
      startAsStandby();
      try {
        assertThatThrownBy(() -> journal.head(1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> any.head(1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(journal::heads)
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("targetServerType: primary");
        assertThatThrownBy(any::heads)
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("targetServerType: primary");
        try (PostgresJournal reading = PostgresJournal.openToRead(url)) {
          assertThat(reading.head(1).orElseThrow().isAt(head)).isTrue();
        }
      } finally {
        Sql.execute(url, "SELECT pg_promote()");
      }
      assertThat(journal.head(1).orElseThrow().isAt(head)).isTrue();
    }
  }

  /** What a call throws whose wait for the standby is cancelled; it is repeated until it waits. */
  private Throwable cancelled(ThrowingCallable call) {
    while (true) {
      CompletableFuture<Throwable> thrown =
          CompletableFuture.supplyAsync(() -> catchThrowable(call));
      while (!thrown.isDone()) {
        if (cancelWaiting()) {
          return thrown.join();
        }
      }
    }
  }

  private boolean cancelWaiting() {
    return Sql.number(
            url,
            "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
                + " WHERE wait_event = 'SyncRep'")
        > 0;
  }
}
