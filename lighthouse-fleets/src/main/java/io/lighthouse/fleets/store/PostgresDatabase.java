package io.lighthouse.fleets.store;

import io.lighthouse.fleets.store.Statements.Ask;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL database of our schema, and a few connections to it. A connection with an error is
 * closed, and so are all idle ones: the cause has mostly ended them too. A malformed page and a
 * lock timeout close none. A connection needs no session state, so that a pooler such as pgbouncer
 * in transaction mode may be used. Thread-safe.
 */
final class PostgresDatabase implements AutoCloseable {
  /** The version of the schema. */
  private static final int VERSION = 1;

  /**
   * The maximum number of turns that are held at a time. A turn keeps its connection while its
   * strategy decides.
   */
  static final int TURNS = 16;

  /**
   * The maximum number of other calls at a time; they wait for no fleet, and have their own
   * connections.
   */
  static final int CALLS = 8;

  private static final int WAIT_SECONDS = 5;

  /**
   * Default connection properties; the URL may override them. The send buffer has room for most
   * groups, so that each is sent in one write. Between two writes of a statement the server does
   * not count the session as idle: a process that is stopped there keeps its turn.
   */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "ApplicationName", "lighthouse",
          "connectTimeout", "5",
          "socketTimeout", "30",
          "tcpKeepAlive", "true",
          "logServerErrorDetail", "false",
          "maxSendBufferSize", "131072",
          "prepareThreshold", "0");

  /** Reads the settings that decide whether a commit is durable when it returns. */
  static final String SETTINGS =
      "SELECT current_setting('fsync'), current_setting('full_page_writes'),"
          + " current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),"
          + " current_setting('default_transaction_read_only')";

  /** What the driver names where no server of the URL is one that may be written to. */
  private static final String PRIMARY = "targetServerType: primary";

  private static final String PRIMARY_ALLOWED =
      "; allowed: a server that is no standby and has default_transaction_read_only=off";

  private static final String MALFORMED_MENDED =
      "; promote a standby whose page is sound, or repair or restore the database";

  private final String url;
  private final String name;
  private final boolean writing;
  private final Driver driver;

  /** The uses of a connection; each has its own limit. */
  enum Use {
    /** A turn, or anything else that may wait for the lock of a row. */
    TURN,
    /** Anything that does not wait. */
    CALL
  }

  private final Map<Use, Semaphore> places =
      Map.of(Use.TURN, new Semaphore(TURNS, true), Use.CALL, new Semaphore(CALLS, true));

  /** A connection that is not in use, and since when. */
  private record Idle(Connection connection, long since) {}

  /** It never grows: where memory ends meanwhile, it would lose connections. Guarded by itself. */
  private final Deque<Idle> idle = new ArrayDeque<>(TURNS + CALLS);

  private volatile boolean closed;

  private PostgresDatabase(String url, boolean writing) throws StoreException {
    // A standby may be behind what this or another service has answered. The last value counts.
    this.url = writing ? url + (url.contains("?") ? "&" : "?") + "targetServerType=primary" : url;
    this.name = name(url);
    this.writing = writing;
    try {
      this.driver = DriverManager.getDriver(url);
    } catch (SQLException unknown) {
      throw new StoreException(
          "cannot open "
              + name
              + ": it is no URL that PostgreSQL's driver takes, or the driver"
              + " (org.postgresql:postgresql) is not there; allowed:"
              + " jdbc:postgresql://HOST[:PORT]/DATABASE[?user=NAME]",
          null);
    }
  }

  /** Opens a database, to write or only to read. */
  static PostgresDatabase open(String url, boolean writing) throws StoreException {
    PostgresDatabase opened = new PostgresDatabase(url, writing);
    opened.call("open fleets", ready -> opened.prepare(ready));
    return opened;
  }

  /** The name of a URL in messages, without parts that may be secret. */
  static String name(String url) {
    String bare = url.contains("?") ? url.substring(0, url.indexOf('?')) : url;
    int host = bare.indexOf("//") + 2;
    int at = bare.lastIndexOf('@');
    return host > 1 && at >= host ? bare.substring(0, host) + bare.substring(at + 1) : bare;
  }

  String name() {
    return name;
  }

  boolean isWriting() {
    return writing;
  }

  /** Runs an operation that waits for no lock, and gives the connection back. */
  <T> T call(String what, Ask<T> ask) throws StoreException {
    return call(Use.CALL, what, ask);
  }

  /** Runs an operation, and gives the connection back. */
  <T> T call(Use use, String what, Ask<T> ask) throws StoreException {
    Connection connection = take(use, what);
    boolean sound = false;
    try {
      T answer = ask.of(connection);
      sound = true;
      return answer;
    } catch (SQLException failed) {
      sound = isSoundAfter(failed, connection);
      throw failure(what, failed);
    } finally {
      giveBack(use, connection, sound);
    }
  }

  /**
   * Whether a connection can be used again after an error. That is so after a malformed page or a
   * lock timeout, which say nothing about the connection, once its transaction has ended.
   */
  static boolean isSoundAfter(SQLException failed, Connection connection) {
    if (!Statements.isMalformed(failed) && !LockWait.isTimeout(failed)) {
      return false;
    }
    try {
      Statements.execute(connection, "ROLLBACK");
      return true;
    } catch (SQLException ended) {
      return false;
    }
  }

  StoreException failure(String what, SQLException failed) {
    // The driver's message for a batch contains all of its values.
    SQLException why =
        failed instanceof BatchUpdateException && failed.getNextException() != null
            ? failed.getNextException()
            : failed;
    String message = String.valueOf(why.getMessage());
    return new StoreException(
        "cannot "
            + what
            + " in "
            + name
            + ": "
            + message
            + (message.contains(PRIMARY) ? PRIMARY_ALLOWED : "")
            + (Statements.isMalformed(why) ? MALFORMED_MENDED : ""),
        failed);
  }

  /** Takes a connection that works, as far as is known; the caller gives it back. */
  Connection take(Use use, String what) throws StoreException {
    try {
      if (!places.get(use).tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new StoreException(
            "cannot "
                + what
                + " in "
                + name
                + ": "
                + (use == Use.TURN
                    ? "the " + TURNS + " connections for turns"
                    : "the " + CALLS + " connections for calls that take no turn")
                + " are all in use",
            null);
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      throw new StoreException("cannot " + what + " in " + name + ": interrupted", hurry);
    }
    boolean done = false;
    try {
      if (closed) {
        throw new StoreException(name + " is closed", null);
      }
      Connection ready = idleOne();
      if (ready == null) {
        ready = connect();
      }
      done = true;
      return ready;
    } catch (SQLException failed) {
      throw failure(what, failed);
    } finally {
      if (!done) {
        places.get(use).release();
      }
    }
  }

  /** An idle connection; null where there is none. One that was idle for long is tested first. */
  private Connection idleOne() throws SQLException {
    Idle found;
    synchronized (idle) {
      found = idle.poll();
    }
    if (found == null) {
      return null;
    }
    if (System.nanoTime() - found.since > TimeUnit.SECONDS.toNanos(1)
        && !found.connection.isValid(WAIT_SECONDS)) {
      disconnect(found.connection);
      closeIdle();
      return null;
    }
    return found.connection;
  }

  /** Gives a connection back, to be reused if it had no error. */
  void giveBack(Use use, Connection connection, boolean sound) {
    boolean kept = false;
    try {
      if (sound) {
        synchronized (idle) {
          idle.push(new Idle(connection, System.nanoTime()));
        }
        kept = true;
      }
    } finally {
      try {
        if (!kept) {
          disconnect(connection);
        }
        if (!kept || closed) { // In this order: it may be closed at any moment.
          closeIdle();
        }
      } finally {
        places.get(use).release();
      }
    }
  }

  private void closeIdle() {
    Idle next;
    do {
      synchronized (idle) {
        next = idle.poll();
      }
      if (next != null) {
        disconnect(next.connection);
      }
    } while (next != null);
  }

  private static void disconnect(Connection connection) {
    try {
      connection.close();
    } catch (SQLException useless) {
      // The connection is not used any more.
    }
  }

  private Connection connect() throws SQLException, StoreException {
    Properties properties = new Properties();
    properties.putAll(DEFAULTS);
    Connection opened = driver.connect(url, properties);
    if (opened == null) {
      throw new StoreException("cannot open " + name + ": PostgreSQL's driver refuses it", null);
    }
    if (!writing) {
      opened.setReadOnly(true);
    }
    return opened;
  }

  private Void prepare(Connection db) throws SQLException, StoreException {
    if (!writing) {
      requireVersion(version(db));
      return null;
    }
    requireSafe(db);
    Statements.execute(db, "BEGIN");
    // If several processes start at the same time, one creates the tables.
    Statements.execute(db, "SELECT pg_advisory_xact_lock(" + 0x4C484F55 + ")");
    long version = version(db);
    if (version == 0) {
      Statements.create(db, "postgres-1.sql");
      version = VERSION;
    }
    requireVersion(version);
    Statements.execute(db, "COMMIT");
    return null;
  }

  /** Refuses the present settings of a server, as the next one does. */
  void requireSafe(Connection db) throws SQLException, StoreException {
    try (Statement statement = db.createStatement();
        ResultSet row = statement.executeQuery(SETTINGS)) {
      requireSafe(row);
    }
  }

  /**
   * Refuses settings under which a commit may be lost after it has returned, or under which nothing
   * is to be written.
   */
  void requireSafe(ResultSet row) throws SQLException, StoreException {
    row.next();
    String commit = row.getString(3);
    if (row.getString(5).equals("on")) {
      throw unsafe("default_transaction_read_only=on, and is not to be written; allowed: off");
    }
    if (row.getString(1).equals("off")) {
      throw unsafe("fsync=off, and loses at a crash what it said was kept; allowed: on");
    }
    if (row.getString(2).equals("off")) {
      throw unsafe("full_page_writes=off, and loses at a crash what it said was kept; allowed: on");
    }
    if (commit.equals("off")) {
      throw unsafe(
          "synchronous_commit=off, and loses at a crash what it said was kept; allowed: on");
    }
    if (commit.equals("local") && !row.getString(4).isBlank()) {
      throw unsafe(
          "synchronous_commit=local beside synchronous_standby_names='"
              + row.getString(4)
              + "', so that a standby that is promoted loses what was answered; allowed: on,"
              + " remote_write or remote_apply, or no synchronous standbys");
    }
  }

  private StoreException unsafe(String what) {
    return new StoreException("cannot keep fleets in " + name + ": it has " + what, null)
        .beforeTheCommit();
  }

  private void requireVersion(long version) throws StoreException {
    if (version == 0) {
      throw new StoreException(name + " holds no fleets of Lighthouse", null);
    }
    Statements.requireKnown(name, version, VERSION);
  }

  /** The version of the present schema; 0 where there is none. */
  private static long version(Connection db) throws SQLException {
    String there = "SELECT 1 WHERE to_regclass('lighthouse_schema') IS NOT NULL";
    return Statements.number(db, there).isEmpty()
        ? 0
        : Statements.number(db, "SELECT max(version) FROM lighthouse_schema").orElse(0L);
  }

  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
