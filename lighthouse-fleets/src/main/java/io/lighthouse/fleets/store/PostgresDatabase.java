package io.lighthouse.fleets.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
 * One database of PostgreSQL, of our schema, and a few connections to it. A connection on which
 * anything went wrong is closed, and so are those that wait beside it: what ended one has mostly
 * ended all. Needs nothing of a session, so that a pooler such as pgbouncer may stand between, in
 * its transaction mode. Thread-safe.
 */
final class PostgresDatabase implements AutoCloseable {
  /** The version of the schema. */
  private static final int VERSION = 1;

  /** So many calls may use the database at a time. */
  private static final int CONNECTIONS = 8;

  private static final int WAIT_SECONDS = 5;

  /**
   * What the URL may say otherwise. The buffer has room for most groups, which then leave in one
   * write: a process that is stopped between two of them keeps its turn, for the server is waiting
   * for the rest of a statement, and is not idle.
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

  /** What must be on for a commit to be durable when it returns. */
  private static final Map<String, String> NEEDED =
      Map.of("fsync", "off", "full_page_writes", "off", "synchronous_commit", "off");

  /** Something that is asked of a connection. */
  interface Ask<T> {
    /** Asks. */
    T of(Connection connection) throws SQLException, StoreException;
  }

  private final String url;
  private final String name;
  private final boolean writing;
  private final Driver driver;

  /** One for each connection that may be in use. */
  private final Semaphore places = new Semaphore(CONNECTIONS, true);

  /** A connection that nobody uses, since when. */
  private record Idle(Connection connection, long since) {}

  /** Guarded by itself. */
  private final Deque<Idle> idle = new ArrayDeque<>();

  private volatile boolean closed;

  private PostgresDatabase(String url, boolean writing) throws StoreException {
    this.url = url;
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

  /** Opens it, to write or only to read. */
  static PostgresDatabase open(String url, boolean writing) throws StoreException {
    PostgresDatabase opened = new PostgresDatabase(url, writing);
    opened.call("open", ready -> opened.prepare(ready));
    return opened;
  }

  /** What a URL is called in messages: without what may be secret. */
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

  /** Asks, and gives the connection back. */
  <T> T call(String what, Ask<T> ask) throws StoreException {
    Connection connection = take(what);
    boolean done = false;
    try {
      T answer = ask.of(connection);
      done = true;
      return answer;
    } catch (SQLException failed) {
      throw failure(what, failed);
    } finally {
      giveBack(connection, done);
    }
  }

  StoreException failure(String what, SQLException failed) {
    // The driver's words for a batch have all its values in them.
    SQLException why =
        failed instanceof BatchUpdateException && failed.getNextException() != null
            ? failed.getNextException()
            : failed;
    return new StoreException("cannot " + what + " in " + name + ": " + why.getMessage(), failed);
  }

  /** A connection that works, as far as can be seen; it is to be given back. */
  Connection take(String what) throws StoreException {
    try {
      if (!places.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new StoreException(
            "cannot " + what + " in " + name + ": its connections are all in use", null);
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
        places.release();
      }
    }
  }

  /** One that was used before; null where there is none. Unused for long, it is tried first. */
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

  /** Gives a connection back, to be used again where nothing went wrong on it. */
  void giveBack(Connection connection, boolean sound) {
    try {
      if (sound && !closed) {
        synchronized (idle) {
          idle.push(new Idle(connection, System.nanoTime()));
        }
      } else {
        disconnect(connection);
        if (!sound) {
          closeIdle();
        }
      }
    } finally {
      places.release();
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
      // It is not used any more, whatever became of it.
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
    for (Map.Entry<String, String> setting : NEEDED.entrySet()) {
      if (text(db, "SHOW " + setting.getKey()).equals(setting.getValue())) {
        throw new StoreException(
            "cannot keep fleets in "
                + name
                + ": it has "
                + setting.getKey()
                + "="
                + setting.getValue()
                + ", and loses at a crash what it said was kept; allowed: on",
            null);
      }
    }
    execute(db, "BEGIN");
    // Of those that start at the same time, one makes the tables.
    execute(db, "SELECT pg_advisory_xact_lock(" + 0x4C484F55 + ")");
    long version = version(db);
    if (version == 0) {
      for (String statement : schema().split(";")) {
        if (!statement.isBlank()) {
          execute(db, statement);
        }
      }
      version = VERSION;
    }
    requireVersion(version);
    execute(db, "COMMIT");
    return null;
  }

  private void requireVersion(long version) throws StoreException {
    if (version == 0) {
      throw new StoreException(name + " holds no fleets of Lighthouse", null);
    }
    if (version > VERSION) {
      throw new StoreException(
          "cannot open "
              + name
              + ": a newer Lighthouse wrote it (version "
              + version
              + "); this one knows version "
              + VERSION,
          null);
    }
  }

  /** The version of the schema that is there; 0 where there is none. */
  private static long version(Connection db) throws SQLException {
    return text(db, "SELECT to_regclass('lighthouse_schema') IS NOT NULL").equals("t")
        ? Long.parseLong(text(db, "SELECT max(version) FROM lighthouse_schema"))
        : 0;
  }

  private static String schema() {
    try (InputStream in = PostgresDatabase.class.getResourceAsStream("postgres-1.sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static void execute(Connection db, String sql) throws SQLException {
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(Connection db, String sql) throws SQLException {
    try (Statement statement = db.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
