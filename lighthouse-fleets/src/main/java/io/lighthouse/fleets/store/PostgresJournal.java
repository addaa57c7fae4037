package io.lighthouse.fleets.store;

import io.lighthouse.fleets.store.PostgresDatabase.Use;
import io.lighthouse.fleets.store.Statements.Ask;
import io.lighthouse.fleets.store.Statements.Change;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The logs of all fleets in a database of PostgreSQL, which several processes share: replicas of
 * the service.
 *
 * <p>A process that changes a fleet locks the fleet's row before it decides ({@code SELECT ... FOR
 * UPDATE}), and keeps the lock until its commit has ended. There is no leader, no lease and no
 * clock. When a process dies, the server frees its lock as soon as it notices. When a process is
 * stopped, the server ends its transaction, and so its lock, after an {@code
 * idle_in_transaction_session_timeout} of 2 seconds. The server does not count a session as idle in
 * the middle of a statement; a process that waits for the lock has the server terminate such a
 * session. So a process that wakes up again cannot commit what it had decided. Thread-safe.
 */
public final class PostgresJournal extends SqlJournal {
  /** How long a turn may send the server nothing before its session is ended. */
  static final int IDLE_MILLIS = 2_000;

  private static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED ";

  private static final String LIMITS =
      "; SET LOCAL idle_in_transaction_session_timeout = "
          + IDLE_MILLIS
          + "; SET LOCAL lock_timeout = "
          + LockWait.MILLIS;

  /** The number of statements that begin a transaction. */
  private static final int BEGINNING = 3;

  private static final String SOME = Tables.FLEET + "WHERE id = ANY (?)";

  private static final String LOCK = "; " + Tables.FLEET + "WHERE id = ? FOR UPDATE";

  /** Reads new entries together with the lock. */
  private static final String SINCE = "; " + Tables.ENTRIES;

  /** How many new entries are read together with the lock; further ones are read separately. */
  private static final int MOST_SINCE = 100;

  private static final String BY_KEYS =
      "; "
          + Tables.ENTRY
          + "WHERE fleet = ? AND key IS NOT NULL"
          + " AND (token, key) IN (SELECT * FROM unnest(?::text[], ?::text[]))";

  private static final String ROWS =
      " RETURNING id) INSERT INTO entry (fleet, generation, at, token, key, request, status, answer,"
          + " body, hash) SELECT moved.id, rows.* FROM moved, unnest(?::bigint[], ?::bigint[],"
          + " ?::text[], ?::text[], ?::bytea[], ?::integer[], ?::bytea[], ?::bytea[], ?::bytea[])"
          + " AS rows; COMMIT";

  /** The SQLSTATE class of a constraint violation: the server has rolled all back. */
  private static final String CONSTRAINT = "23";

  /** The SQLSTATE class of a notice that is neither a warning nor an error. */
  private static final String SUCCESS = "00";

  private final PostgresDatabase database;
  private final Consumer<String> onStep;
  private final LockWait locks;

  /** The statements that begin a transaction. */
  private final String begin;

  private PostgresJournal(PostgresDatabase database, Consumer<String> onStep) {
    super(database.name());
    this.database = database;
    this.onStep = onStep;
    this.locks = new LockWait(database);
    this.begin = BEGIN + (database.isWriting() ? "READ WRITE" : "READ ONLY") + LIMITS;
  }

  /**
   * Opens a database to write, and creates its tables if they are missing.
   *
   * @param url the JDBC URL: {@code jdbc:postgresql://HOST[:PORT]/DATABASE?user=NAME}
   * @return the journal in it
   * @throws StoreException if it cannot be reached or written, is of a newer version, or could lose
   *     a finished commit in a crash
   */
  public static PostgresJournal open(String url) throws StoreException {
    return open(url, step -> {});
  }

  /**
   * Opens a database to read; writes fail.
   *
   * @param url the JDBC URL
   * @return the journal in it
   * @throws StoreException if it cannot be reached, holds no fleets, or is of a newer version
   */
  public static PostgresJournal openToRead(String url) throws StoreException {
    return new PostgresJournal(PostgresDatabase.open(url, false), step -> {});
  }

  /** The same with a listener that is called before and after every step of a transaction. */
  static PostgresJournal open(String url, Consumer<String> onStep) throws StoreException {
    return new PostgresJournal(PostgresDatabase.open(url, true), onStep);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  <T> T read(String what, Ask<T> ask) throws StoreException {
    return database.call(what, ask);
  }

  @Override
  void change(String what, Change change) throws StoreException {
    database.call(
        what,
        db -> {
          Statements.execute(db, begin);
          change.in(db);
          Statements.execute(db, "COMMIT");
          return null;
        });
  }

  @Override
  void reportStep(String step) {
    onStep.accept(step);
  }

  @Override
  public List<Head> heads(Collection<Long> fleets) throws StoreException {
    return read(
        "read the fleets",
        db -> {
          try (PreparedStatement statement = db.prepareStatement(SOME)) {
            statement.setArray(1, db.createArrayOf("bigint", fleets.toArray()));
            return tables.soundHeads(statement.executeQuery());
          }
        });
  }

  @Override
  public Optional<Head> settled(long fleet) throws StoreException {
    return locks.unblocked(
        () ->
            database.call(
                Use.TURN,
                "read a fleet",
                db -> {
                  Statements.execute(db, begin);
                  lockTheCreation(db);
                  Optional<Head> head = tables.head(db, fleet, " FOR UPDATE");
                  try (Statement statement = db.createStatement()) {
                    statement.execute("COMMIT");
                    refuseWarnings(statement);
                  }
                  return head;
                }));
  }

  /**
   * Takes the warning of a commit for an error. The server commits with a warning where the wait
   * for a synchronous standby is cancelled: the standby may not have the commit. Notices are no
   * warnings; the settings of a database may ask for them.
   */
  private static void refuseWarnings(Statement commit) throws SQLException {
    for (SQLWarning one = commit.getWarnings(); one != null; one = one.getNextWarning()) {
      if (!String.valueOf(one.getSQLState()).startsWith(SUCCESS)) {
        throw one;
      }
    }
  }

  /** Locks the creation of fleets; throws if the server's settings do not make commits durable. */
  private void lockTheCreation(Connection db) throws SQLException, StoreException {
    database.requireSafe(db);
    Statements.execute(db, "SELECT version FROM lighthouse_schema FOR UPDATE");
  }

  @Override
  public Hold hold(long fleet, long known, Collection<CallKey> keys) throws StoreException {
    Set<CallKey> asked = Set.copyOf(keys);
    return locks.unblocked(() -> new Locked(fleet, known, asked));
  }

  @Override
  public void append(Head before, List<Entry> entries, Head after) throws StoreException {
    if (before != null) {
      try (Hold hold = hold(before.fleet(), before.generation(), List.of())) {
        hold.append(before, entries, after);
      }
      return;
    }
    locks.unblocked(
        () ->
            database.call(
                Use.TURN,
                "create a fleet",
                db -> {
                  Statements.execute(db, begin);
                  lockTheCreation(db);
                  write(db, null, entries, after);
                  return null;
                }));
  }

  /**
   * Ends a transaction with a group and its commit, in one round trip to the server. The entries
   * are inserted only if the fleet's row is as expected; otherwise none is.
   */
  private void write(Connection db, Head before, List<Entry> entries, Head after)
      throws SQLException, StoreException {
    reportStep("before INSERT entries and COMMIT");
    int written;
    String sql = "WITH moved AS (" + Tables.moving(before, after) + ROWS;
    try (PreparedStatement statement = db.prepareStatement(sql)) {
      int next = Tables.bind(statement, before, after);
      bind(db, statement, next, "bigint", entries, Entry::generation, Long[]::new);
      bind(db, statement, next + 1, "bigint", entries, Entry::at, Long[]::new);
      bind(db, statement, next + 2, "text", entries, Entry::token, String[]::new);
      bind(db, statement, next + 3, "text", entries, Entry::key, String[]::new);
      bind(db, statement, next + 4, "bytea", entries, Entry::request, byte[][]::new);
      bind(db, statement, next + 5, "integer", entries, Entry::status, Integer[]::new);
      bind(db, statement, next + 6, "bytea", entries, Entry::answer, byte[][]::new);
      bind(db, statement, next + 7, "bytea", entries, Entry::body, byte[][]::new);
      bind(db, statement, next + 8, "bytea", entries, Entry::hash, byte[][]::new);
      statement.execute();
      written = statement.getUpdateCount();
      refuseWarnings(statement);
    } catch (SQLException refused) {
      if (String.valueOf(refused.getSQLState()).startsWith(CONSTRAINT)) {
        throw database.failure("write", refused).beforeTheCommit();
      }
      throw refused;
    }
    reportStep("after COMMIT");
    if (written != entries.size()) {
      throw Tables.elsewhere(before, after).beforeTheCommit();
    }
  }

  /** Binds one column of all entries. */
  private static <T> void bind(
      Connection db,
      PreparedStatement statement,
      int place,
      String type,
      List<Entry> entries,
      Function<Entry, T> column,
      IntFunction<T[]> array)
      throws SQLException {
    T[] values = entries.stream().map(column).toArray(array);
    statement.setArray(place, db.createArrayOf(type, values));
  }

  /** The turn of a fleet: a transaction that has locked its row. */
  private final class Locked implements Hold {
    private final long fleet;

    /** The generation up to which the caller knew the log. */
    private final long known;

    /** Guarded by this, as is the next one; null where it has ended. */
    private Connection db;

    /** Whether its transaction has a savepoint. */
    private boolean saved;

    private Optional<Head> head = Optional.empty();

    /** The first entries after {@code known}; the log may have more. */
    private List<Entry> since = List.of();

    /** The keys that were looked up, and the entries of those that were found. */
    private final Set<CallKey> asked;

    private final Map<CallKey, Entry> found = new HashMap<>();

    Locked(long fleet, long known, Set<CallKey> keys) throws StoreException {
      this.fleet = fleet;
      this.known = known;
      this.asked = keys;
      this.db = database.take(Use.TURN, "take a turn");
      boolean held = false;
      try {
        reportStep("before BEGIN");
        lock();
        reportStep("after SELECT FOR UPDATE");
        held = true;
      } catch (SQLException failed) {
        end(PostgresDatabase.isSoundAfter(failed, db));
        throw database.failure("take a turn", failed);
      } finally {
        if (!held) {
          end(false);
        }
      }
    }

    /** Begins, locks, and reads new entries and keys, in one round trip to the server. */
    private void lock() throws SQLException, StoreException {
      // A failover or a reload may have made commits unsafe since the turn before.
      String sql =
          begin
              + "; "
              + PostgresDatabase.SETTINGS
              + LOCK
              + SINCE
              + (asked.isEmpty() ? "" : BY_KEYS);
      try (PreparedStatement statement = db.prepareStatement(sql)) {
        statement.setLong(1, fleet);
        int next = Tables.bind(statement, 2, fleet, known, MOST_SINCE);
        if (!asked.isEmpty()) {
          statement.setLong(next, fleet);
          Object[] tokens = asked.stream().map(CallKey::token).toArray();
          Object[] words = asked.stream().map(CallKey::key).toArray();
          statement.setArray(next + 1, db.createArrayOf("text", tokens));
          statement.setArray(next + 2, db.createArrayOf("text", words));
        }
        statement.execute();
        for (int i = 0; i < BEGINNING; i++) {
          statement.getMoreResults();
        }
        database.requireSafe(statement.getResultSet());
        statement.getMoreResults();
        ResultSet row = statement.getResultSet();
        head = row.next() ? Optional.of(tables.head(row)) : Optional.empty();
        statement.getMoreResults();
        since = tables.entries(statement.getResultSet());
        if (!asked.isEmpty()) {
          statement.getMoreResults();
          for (Entry entry : tables.entries(statement.getResultSet())) {
            found.put(new CallKey(entry.token(), entry.key()), entry);
          }
        }
      }
    }

    /**
     * Reads in the turn, which goes on where the server refuses that: it goes back to a savepoint
     * that is later than its lock. Few turns read, so only they pay a round trip for it.
     */
    private synchronized <T> T read(String what, Ask<T> ask) throws StoreException {
      return ask(
          what,
          asking -> {
            if (!saved) {
              Statements.execute(asking, "SAVEPOINT turn");
              saved = true;
            }
            return ask.of(asking);
          });
    }

    private synchronized <T> T ask(String what, Ask<T> ask) throws StoreException {
      if (db == null) {
        throw new StoreException("cannot " + what + ": the turn has ended", null).beforeTheCommit();
      }
      boolean goesOn = false;
      try {
        T answer = ask.of(db);
        goesOn = true;
        return answer;
      } catch (SQLException failed) {
        goesOn = saved && isBackAtTheSavepoint();
        if (!goesOn) {
          end(PostgresDatabase.isSoundAfter(failed, db));
        }
        throw database.failure(what, failed);
      } finally {
        if (!goesOn) {
          end(false);
        }
      }
    }

    /** False where the transaction has ended, as with its connection. */
    private boolean isBackAtTheSavepoint() {
      try {
        Statements.execute(db, "ROLLBACK TO SAVEPOINT turn");
        return true;
      } catch (SQLException ended) {
        return false;
      }
    }

    private synchronized void end(boolean sound) {
      Connection ended = db;
      db = null; // First: where giving it back breaks off, it is not given back again.
      if (ended != null) {
        database.giveBack(Use.TURN, ended, sound);
      }
    }

    private synchronized boolean hasEnded() {
      return db == null;
    }

    @Override
    public Optional<Head> head() {
      return head;
    }

    @Override
    public List<Entry> entries(long after, int most) throws StoreException {
      List<Entry> there =
          after < known
              ? List.of()
              : since.stream().filter(entry -> entry.generation() > after).limit(most).toList();
      return there.isEmpty()
          ? read("read a log", asking -> tables.entries(asking, fleet, after, most))
          : there;
    }

    @Override
    public Optional<Entry> byKey(String token, String key) throws StoreException {
      CallKey wanted = new CallKey(token, key);
      return asked.contains(wanted)
          ? Optional.ofNullable(found.get(wanted))
          : read("look a key up", asking -> tables.byKey(asking, fleet, token, key));
    }

    @Override
    public boolean isFirst(String name, long of) throws StoreException {
      return read("read the fleets", asking -> tables.isFirst(asking, name, of));
    }

    @Override
    public Optional<Entry> byKeyOfGone(String name, String token, String key, byte[] request)
        throws StoreException {
      return read("look a key up", asking -> tables.byKeyOfGone(asking, name, token, key, request));
    }

    @Override
    public void append(Head before, List<Entry> entries, Head after) throws StoreException {
      ask(
          "write",
          asking -> {
            write(asking, before, entries, after);
            return null;
          });
      end(true);
    }

    @Override
    public void keep() {
      try {
        ask(
            "keep a turn",
            asking -> {
              Statements.execute(asking, "SELECT 1");
              return null;
            });
      } catch (StoreException ended) {
        // The next call on this turn fails.
      }
    }

    @Override
    public void close() {
      if (hasEnded()) {
        return;
      }
      try {
        ask(
            "give a turn back",
            asking -> {
              Statements.execute(asking, "ROLLBACK");
              return null;
            });
        end(true);
      } catch (StoreException ended) {
        // The turn is released all the same: its connection is closed, or was given back before.
      }
    }
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
