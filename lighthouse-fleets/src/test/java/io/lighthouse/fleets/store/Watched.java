package io.lighthouse.fleets.store;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Opens a journal of which a test hears every step. */
public final class Watched {
  private Watched() {}

  /** Opens it. */
  public static SqliteJournal open(Path file, Consumer<String> onStep) throws StoreException {
    return SqliteJournal.open(file, onStep);
  }

  /** Opens one in a database. */
  public static PostgresJournal open(String url, Consumer<String> onStep) throws StoreException {
    return PostgresJournal.open(url, onStep);
  }

  /** Begins a transaction that reads, which ends when the journal is closed. */
  public static void beginToRead(SqliteJournal journal) throws StoreException {
    journal.<Void>read(
        "begin",
        db -> {
          Statements.execute(db, "BEGIN");
          Statements.number(db, "SELECT count(*) FROM fleet");
          return null;
        });
  }

  /** Closes the connection, as after an error; the next call opens another. */
  public static void disconnect(SqliteJournal journal) {
    try {
      journal.<Void>read(
          "fail",
          db -> {
            throw new SQLException("planted");
          });
    } catch (StoreException planted) {
      // The connection is closed.
    }
  }

  /** Writes all of the log into the file. */
  public static void checkpoint(SqliteJournal journal) throws StoreException {
    journal.read("checkpoint", db -> Statements.number(db, "PRAGMA wal_checkpoint(FULL)"));
  }

  /** Runs a test while all connections for calls that take no turn are in use. */
  public static void withoutConnectionsForCalls(PostgresJournal journal, Runnable test)
      throws StoreException {
    occupy(journal, PostgresDatabase.CALLS, test);
  }

  private static void occupy(PostgresJournal journal, int connections, Runnable test)
      throws StoreException {
    if (connections == 0) {
      test.run();
      return;
    }
    journal.read(
        "occupy a connection",
        db -> {
          occupy(journal, connections - 1, test);
          return null;
        });
  }
}
