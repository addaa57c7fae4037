package io.lighthouse.fleets.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The logs of all fleets in a database of PostgreSQL, which several processes share: replicas of
 * the service.
 *
 * <p>Who changes a fleet locks its row before it decides ({@code SELECT ... FOR UPDATE}), and has
 * the lock until its commit has ended. There is no leader, no lease and no clock: the lock of a
 * process that dies is free as soon as the server sees that, and that of one that is stopped when
 * the server's {@code idle_in_transaction_session_timeout} of 2 seconds is over, with which its
 * transaction ends. So a process that wakes up again cannot commit what it had decided.
 * Thread-safe.
 */
public final class PostgresJournal implements Journal {
  /** How long a turn may leave the server without a word, which says that its process lives. */
  static final int IDLE_MILLIS = 2_000;

  /** How long to wait for a fleet whose turn another has. */
  private static final int LOCK_MILLIS = 5_000;

  private static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED ";

  private static final String LIMITS =
      "; SET LOCAL idle_in_transaction_session_timeout = "
          + IDLE_MILLIS
          + "; SET LOCAL lock_timeout = "
          + LOCK_MILLIS;

  private final PostgresDatabase database;
  private final Tables tables;
  private final Consumer<String> onStep;

  /** The statements that begin a transaction. */
  private final String begin;

  private PostgresJournal(PostgresDatabase database, Consumer<String> onStep) {
    this.database = database;
    this.tables = new Tables(database.name());
    this.onStep = onStep;
    this.begin = BEGIN + (database.isWriting() ? "READ WRITE" : "READ ONLY") + LIMITS;
  }

  /**
   * Opens a database to write, and makes its tables where they are not there.
   *
   * @param url as JDBC has it: {@code jdbc:postgresql://HOST[:PORT]/DATABASE?user=NAME}
   * @return the journal in it
   * @throws StoreException if it cannot be reached or written, is of a newer version, or would lose
   *     at a crash what it said was kept
   */
  public static PostgresJournal open(String url) throws StoreException {
    return open(url, step -> {});
  }

  /**
   * Opens a database to read. Whatever would write fails.
   *
   * @param url as JDBC has it
   * @return the journal in it
   * @throws StoreException if it cannot be reached, holds no fleets, or is of a newer version
   */
  public static PostgresJournal openToRead(String url) throws StoreException {
    return new PostgresJournal(PostgresDatabase.open(url, false), step -> {});
  }

  /** The same for who wants to hear of every step of a transaction, before and after it. */
  static PostgresJournal open(String url, Consumer<String> onStep) throws StoreException {
    return new PostgresJournal(PostgresDatabase.open(url, true), onStep);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public List<Head> heads() throws StoreException {
    return database.call("read the fleets", tables::heads);
  }

  @Override
  public Optional<Head> head(long fleet) throws StoreException {
    return database.call("read a fleet", db -> tables.head(db, fleet, ""));
  }

  @Override
  public Optional<Head> named(String name) throws StoreException {
    return database.call("read a fleet", db -> tables.named(db, name));
  }

  @Override
  public Optional<Head> settled(long fleet) throws StoreException {
    return database.call(
        "read a fleet",
        db -> {
          PostgresDatabase.execute(db, begin);
          lockTheCreation(db);
          Optional<Head> head = tables.head(db, fleet, " FOR UPDATE");
          PostgresDatabase.execute(db, "COMMIT");
          return head;
        });
  }

  /** Fleets are created one at a time. */
  private static void lockTheCreation(Connection db) throws SQLException {
    PostgresDatabase.execute(db, "SELECT version FROM lighthouse_schema FOR UPDATE");
  }

  @Override
  public Hold hold(long fleet) throws StoreException {
    return new Locked(fleet);
  }

  @Override
  public void append(Head before, List<Entry> entries, Head after) throws StoreException {
    if (before != null) {
      try (Hold hold = hold(before.fleet())) {
        hold.append(before, entries, after);
      }
      return;
    }
    database.call(
        "create a fleet",
        db -> {
          PostgresDatabase.execute(db, begin);
          lockTheCreation(db);
          write(db, null, entries, after);
          return null;
        });
  }

  /** The end of a transaction that writes a group. */
  private void write(Connection db, Head before, List<Entry> entries, Head after)
      throws SQLException, StoreException {
    try {
      onStep.accept("before INSERT entries");
      try (PreparedStatement statement = Tables.inserting(db)) {
        for (Entry entry : entries) {
          Tables.bind(statement, entry);
          statement.addBatch();
        }
        statement.executeBatch();
      }
      onStep.accept("between INSERT and UPDATE");
      tables.move(db, before, after);
    } catch (SQLException failed) {
      throw database.failure("write", failed).beforeTheCommit();
    } catch (StoreException elsewhere) {
      throw elsewhere.beforeTheCommit();
    }
    onStep.accept("before COMMIT");
    PostgresDatabase.execute(db, "COMMIT");
    onStep.accept("after COMMIT");
  }

  /** The turn of a fleet: a transaction that has locked its row. */
  private final class Locked implements Hold {
    private final long fleet;

    /** Guarded by this; null where it has ended. */
    private Connection db;

    private final Optional<Head> head;

    Locked(long fleet) throws StoreException {
      this.fleet = fleet;
      this.db = database.take("take a turn");
      boolean held = false;
      try {
        onStep.accept("before BEGIN");
        PostgresDatabase.execute(db, begin);
        onStep.accept("after BEGIN");
        head = tables.head(db, fleet, " FOR UPDATE");
        onStep.accept("after SELECT FOR UPDATE");
        held = true;
      } catch (SQLException failed) {
        throw database.failure("take a turn", failed);
      } finally {
        if (!held) {
          end(false);
        }
      }
    }

    private synchronized <T> T ask(String what, PostgresDatabase.Ask<T> ask) throws StoreException {
      if (db == null) {
        throw new StoreException("cannot " + what + ": the turn has ended", null).beforeTheCommit();
      }
      boolean done = false;
      try {
        T answer = ask.of(db);
        done = true;
        return answer;
      } catch (SQLException failed) {
        throw database.failure(what, failed);
      } finally {
        if (!done) {
          end(false);
        }
      }
    }

    private synchronized void end(boolean sound) {
      if (db != null) {
        database.giveBack(db, sound);
        db = null;
      }
    }

    @Override
    public Optional<Head> head() {
      return head;
    }

    @Override
    public List<Entry> entries(long after, int most) throws StoreException {
      return ask("read a log", asked -> tables.entries(asked, fleet, after, most));
    }

    @Override
    public Optional<Entry> byKey(String token, String key) throws StoreException {
      return ask("look a key up", asked -> tables.byKey(asked, fleet, token, key));
    }

    @Override
    public void append(Head before, List<Entry> entries, Head after) throws StoreException {
      ask(
          "write",
          asked -> {
            write(asked, before, entries, after);
            return null;
          });
      end(true);
    }

    @Override
    public void keep() {
      try {
        ask(
            "keep a turn",
            asked -> {
              PostgresDatabase.execute(asked, "SELECT 1");
              return null;
            });
      } catch (StoreException ended) {
        // Whoever has the turn is told when it asks for something.
      }
    }

    @Override
    public void close() {
      try {
        ask(
            "give a turn back",
            asked -> {
              PostgresDatabase.execute(asked, "ROLLBACK");
              return null;
            });
        end(true);
      } catch (StoreException ended) {
        // It is given back all the same: its connection is closed, or was given back before.
      }
    }
  }

  @Override
  public List<Entry> entries(long fleet, long after, int most) throws StoreException {
    return database.call("read a log", db -> tables.entries(db, fleet, after, most));
  }

  @Override
  public Optional<Entry> byKey(long fleet, String token, String key) throws StoreException {
    return database.call("look a key up", db -> tables.byKey(db, fleet, token, key));
  }

  @Override
  public Optional<Long> oldest(long fleet) throws StoreException {
    return database.call("read a log", db -> tables.oldest(db, fleet));
  }

  @Override
  public Optional<Long> newestSnapshot(long fleet) throws StoreException {
    return database.call("read snapshots", db -> tables.newestSnapshot(db, fleet));
  }

  @Override
  public List<Saved> snapshots(long fleet) throws StoreException {
    return database.call("read snapshots", db -> tables.snapshots(db, fleet));
  }

  @Override
  public void save(Saved snapshot, Retention retention) throws StoreException {
    database.call(
        "write a snapshot",
        db -> {
          PostgresDatabase.execute(db, begin);
          tables.insert(db, snapshot);
          onStep.accept("after INSERT snapshot");
          tables.trim(db, snapshot, retention);
          onStep.accept("after DELETE entries");
          PostgresDatabase.execute(db, "COMMIT");
          return null;
        });
  }

  @Override
  public void forget(long fleet) throws StoreException {
    database.call(
        "forget a fleet",
        db -> {
          PostgresDatabase.execute(db, begin);
          tables.forget(db, fleet);
          PostgresDatabase.execute(db, "COMMIT");
          return null;
        });
  }

  /** PostgreSQL has checksums of its own, where they are on, and tools that check its indexes. */
  @Override
  public List<String> check() {
    return List.of();
  }

  @Override
  public void backup(Path file) throws StoreException {
    throw new StoreException(
        "cannot write a copy of " + database.name() + "; back a database up with pg_dump", null);
  }

  @Override
  public void close() {
    database.close();
  }
}
