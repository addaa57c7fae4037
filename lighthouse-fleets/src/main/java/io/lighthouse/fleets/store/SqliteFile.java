package io.lighthouse.fleets.store;

import io.lighthouse.fleets.store.Statements.Ask;
import io.lighthouse.fleets.store.Statements.Change;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * An SQLite file of our schema, and the connection to it. A process that writes holds a {@link
 * WriterLock} while the file is open. Thread-safe: one caller at a time.
 */
final class SqliteFile implements AutoCloseable {
  /** The first bytes of the name, as SQLite's application id: {@code LHOU}. */
  private static final int APPLICATION = 0x4C484F55;

  /** The version of the schema, as SQLite's user version. */
  private static final int VERSION = 1;

  /** How long to wait for a checkpoint of a reader in another process. */
  private static final int BUSY_MILLIS = 5_000;

  private static final String SYNCHRONOUS = "PRAGMA synchronous = FULL";

  /** How long to wait for memory between two attempts to find out what a commit did. */
  private static final long PAUSE_NANOS = 50_000_000;

  private final Path file;
  private final boolean writing;
  private final Consumer<String> onStep;
  private final ReentrantLock lock = new ReentrantLock(true);

  /** Null where the file is only read. */
  private final WriterLock holding;

  /** Null while there is none; guarded by the lock. */
  private Connection connection;

  /** Made in advance, as memory may be lacking when it is needed. */
  private final Ask<Boolean> isInTransaction = this::isInTransaction;

  /** Whether the connection is to be closed before anything else; guarded by the lock. */
  private boolean unsound;

  /** Why nothing is written until a restart; null while every commit's effect is known. */
  private volatile String doubt;

  /**
   * The value that {@link #doubt} gets. It is made in advance, since memory may be lacking later.
   */
  private final String unknownEffect;

  private boolean closed;

  private SqliteFile(Path file, Consumer<String> onStep, WriterLock holding) {
    this.file = file;
    unknownEffect =
        file
            + " is not written to any more, since a commit failed and its effect is not known;"
            + " start the service again, which verifies the file";
    this.writing = holding != null;
    this.onStep = onStep;
    this.holding = holding;
  }

  /**
   * Opens the file, to write or only to read. The listener is called before and after every step of
   * a transaction.
   */
  static SqliteFile open(Path given, boolean writing, Consumer<String> onStep)
      throws StoreException {
    Path file = FilePlace.of(given, writing);
    boolean rewritten = writing && refuseOfOthers(file);
    SqliteFile opened = new SqliteFile(file, onStep, writing ? WriterLock.take(file) : null);
    boolean sound = false;
    try {
      if (rewritten) {
        rewriteLog(file);
      }
      opened.call("open", ready -> null);
      sound = true;
      return opened;
    } finally {
      if (!sound) {
        opened.close();
      }
    }
  }

  /**
   * Refuses a file of another program before anything of it is changed, and before it gets a lock
   * file. Returns whether it holds fleets; an empty file does not yet.
   *
   * <p>Where a log is there, the connection only reads. Otherwise it would write the log into the
   * file when it is closed. SQLite itself takes back a rollback journal that a crash left, also one
   * of another program. A connection that only reads could not, and could not read the file then.
   */
  private static boolean refuseOfOthers(Path file) throws StoreException {
    if (!Files.exists(file)) {
      return false;
    }
    boolean logged = Files.exists(log(file));
    try (Connection opened = connect(file, logged)) {
      return !isFresh(opened, file, true);
    } catch (SQLException failed) {
      throw new StoreException(
          "cannot open "
              + file
              + (logged ? ": it or its log cannot be verified: " : ": ")
              + words(failed),
          failed);
    }
  }

  private static Path log(Path file) {
    return file.resolveSibling(file.getFileName() + "-wal");
  }

  /**
   * Rewrites the write-ahead log that another process of ours left, and synchronises it. After a
   * failed synchronisation the system may show pages that never reached the disk, take them for
   * written, and report nothing more. Written again, they reach the disk, or the start fails. The
   * bytes do not change, so other processes may read meanwhile.
   */
  private static void rewriteLog(Path file) throws StoreException {
    Path log = log(file);
    try {
      if (Files.exists(log)) {
        try (FileChannel channel =
            FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          ByteBuffer piece = ByteBuffer.allocate(1 << 16);
          long at = 0;
          while (channel.read(piece, at) > 0) {
            piece.flip();
            while (piece.hasRemaining()) {
              at += channel.write(piece, at);
            }
            piece.clear();
          }
          channel.force(true);
        }
      }
    } catch (IOException failed) {
      throw new StoreException(
          "cannot open " + file + ": its log cannot be verified: " + failed.getMessage(), failed);
    }
  }

  /** Makes durable that the file and its log are there; where the system synchronises folders. */
  static void synchroniseFolder(Path file) throws StoreException {
    FileChannel folder;
    try {
      folder = FileChannel.open(file.getParent(), StandardOpenOption.READ);
    } catch (IOException notHere) {
      return; // Windows cannot open folders, and does not need this.
    }
    try (folder) {
      folder.force(true);
    } catch (IOException failed) {
      throw new StoreException(
          "cannot open " + file + ": its folder cannot be synchronised: " + failed.getMessage(),
          failed);
    }
  }

  /** The lock that a caller holds while it uses the file. */
  ReentrantLock lock() {
    return lock;
  }

  Path path() {
    return file;
  }

  /** Reports a step to the listener. */
  void tell(String step) {
    onStep.accept(step);
  }

  /** A statement that begins or ends a transaction. */
  void step(Connection db, String sql) throws SQLException {
    tell("before " + sql);
    Statements.execute(db, sql);
    tell("after " + sql);
  }

  /** Why nothing is written until a restart; empty while every commit's effect is known. */
  Optional<String> doubt() {
    return Optional.ofNullable(doubt);
  }

  /**
   * Changes the file in a transaction. The exception reports whether it is certain that nothing was
   * written.
   *
   * <p>Before COMMIT is sent, nothing counts as written: earlier frames of SQLite have no commit
   * mark.
   *
   * @param isThere whether the file has the change; false also where that cannot be seen
   */
  void transact(String what, Change change, Ask<Boolean> isThere) throws StoreException {
    lock.lock();
    try {
      if (doubt != null) {
        throw new StoreException("cannot " + what + ": " + doubt, null).beforeTheCommit();
      }
      call(
          what,
          db -> {
            step(db, "BEGIN IMMEDIATE");
            change.in(db);
            commit(db, isThere);
            return null;
          });
    } catch (StoreException failed) {
      throw doubt == null ? failed.beforeTheCommit() : failed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Commits. Only this method distinguishes errors whose effect is known from others.
   *
   * <p>The effect of SQLITE_FULL is known: a write was incomplete. The commit mark is written last,
   * so the group is not in the file. After every other error of SQLite, above all of a
   * synchronisation, the content of the disk is unknown, and what the system shows proves nothing.
   * Then nothing is written any more, and this connection is kept for reading: SQLite does not show
   * the frames of a failed commit to a connection that is already open.
   *
   * <p>An error of the JVM, such as a lack of memory, does not reach SQLite. Where the transaction
   * is still open, COMMIT was not carried out. Where this connection shows the change, COMMIT has
   * succeeded, with its synchronisation.
   */
  private void commit(Connection db, Ask<Boolean> isThere) throws SQLException, StoreException {
    boolean known = false;
    try {
      step(db, "COMMIT");
      known = true;
    } catch (SQLException failed) {
      known = (failed.getErrorCode() & 0xff) == SQLiteErrorCode.SQLITE_FULL.code;
      throw failed;
    } catch (RuntimeException | Error broken) {
      boolean open = whenThereIsMemory(isInTransaction, db);
      known = open || whenThereIsMemory(isThere, db);
      if (open || !known) {
        throw broken; // Where it is open, the connection is closed before anything is read.
      }
    } finally {
      if (!known) {
        doubt = unknownEffect;
        backToTheLastCommit(db);
      }
    }
  }

  /** Asks; where memory is lacking for that, waits until there is some. */
  private static <T> T whenThereIsMemory(Ask<T> ask, Connection db)
      throws SQLException, StoreException {
    while (true) {
      try {
        return ask.of(db);
      } catch (OutOfMemoryError none) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /**
   * Whether a transaction is open. SQLite refuses to set how it synchronises in a transaction. The
   * setting stays as it is, so the question may be repeated where memory was lacking.
   */
  private boolean isInTransaction(Connection db) throws SQLException {
    tell("before the question");
    try {
      Statements.execute(db, SYNCHRONOUS);
      return false;
    } catch (SQLException refused) {
      if (refused.getErrorCode() != SQLiteErrorCode.SQLITE_ERROR.code) {
        throw refused;
      }
      return true;
    } finally {
      tell("after the question");
    }
  }

  /**
   * Ends the failed transaction; where that is not possible, closes the connection, so that nothing
   * is read either.
   */
  private void backToTheLastCommit(Connection db) {
    unsound = true; // Until the transaction has ended, also where memory is lacking for that.
    tell("before ROLLBACK");
    try {
      Statements.execute(db, "ROLLBACK");
    } catch (SQLException ended) {
      // Mostly SQLite has ended the transaction itself. If not, the next statements fail.
    }
    try {
      Statements.execute(db, "BEGIN");
      Statements.execute(db, "ROLLBACK");
      unsound = false;
    } catch (SQLException stillOpen) {
      disconnect();
    }
  }

  /**
   * Runs an operation. After an error the connection is closed, and the next caller opens another.
   * After a commit whose effect is not known it stays open: a new connection would take what the
   * system shows for durable.
   */
  <T> T call(String what, Ask<T> ask) throws StoreException {
    lock.lock();
    try {
      if (closed) {
        throw new StoreException(file + " is closed", null);
      }
      boolean done = false;
      try {
        if (unsound) {
          disconnect(); // Its transaction may still be open, and would be read.
        }
        if (connection == null && doubt != null) {
          throw new StoreException("cannot " + what + ": " + doubt, null);
        }
        if (connection == null) {
          connection = connect();
        }
        T answer = ask.of(connection);
        done = true;
        return answer;
      } catch (SQLException failed) {
        throw new StoreException("cannot " + what + " in " + file + ": " + words(failed), failed);
      } finally {
        if (!done && doubt == null) {
          disconnect();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private static String words(SQLException failed) {
    String message = String.valueOf(failed.getMessage());
    return message.contains("SQLITE_NOTADB") ? "it is no SQLite file" : message;
  }

  private void disconnect() {
    unsound = true; // Until it is closed, also where memory is lacking for that.
    if (connection != null) {
      tell("before close");
      try {
        Statements.execute(connection, "ROLLBACK"); // A statement that memory lost keeps it locked.
      } catch (SQLException none) {
        // No transaction is open.
      }
      try {
        connection.close();
      } catch (SQLException useless) {
        // The connection is not used any more.
      }
      connection = null;
    }
    unsound = false;
  }

  private static Connection connect(Path file, boolean readOnly) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setReadOnly(readOnly);
    // Generated keys are not used, and would cost a query for the row's number after each insert.
    config.setGetGeneratedKeys(false);
    // As a URI: a question mark in its name would begin parameters.
    return config.createConnection("jdbc:sqlite:file:" + file.toUri().getRawPath());
  }

  private Connection connect() throws SQLException, StoreException {
    Connection opened = connect(file, false);
    boolean done = false;
    try {
      prepare(opened);
      done = true;
      return opened;
    } catch (SQLException failed) {
      int code = failed.getErrorCode() & 0xff;
      boolean refused =
          code == SQLiteErrorCode.SQLITE_CANTOPEN.code
              || code == SQLiteErrorCode.SQLITE_READONLY.code;
      if (refused && !writing && Files.isReadable(file)) {
        throw new StoreException(
            "cannot open "
                + file
                + ": SQLite has to create "
                + log(file).getFileName()
                + " beside it, and cannot; copy the file, and its -wal where there is one, to a"
                + " folder that may be written to",
            failed);
      }
      throw failed;
    } finally {
      if (!done) {
        opened.close();
      }
    }
  }

  /** Whether the file is empty; throws where it is neither empty nor one that we can open. */
  private static boolean isFresh(Connection opened, Path file, boolean writing)
      throws SQLException, StoreException {
    long application = number(opened, "PRAGMA application_id");
    long version = number(opened, "PRAGMA user_version");
    boolean fresh =
        application == 0
            && version == 0
            && number(opened, "SELECT count(*) FROM sqlite_master") == 0;
    if (application != APPLICATION && !(fresh && writing)) {
      throw new StoreException(file + " holds no fleets of Lighthouse", null);
    }
    Statements.requireKnown(file.toString(), version, VERSION);
    return fresh;
  }

  private void prepare(Connection opened) throws SQLException, StoreException {
    boolean fresh = isFresh(opened, file, writing);
    Statements.execute(opened, "PRAGMA cell_size_check = ON");
    if (!writing) {
      Statements.execute(opened, "PRAGMA query_only = ON");
      return;
    }
    String mode = text(opened, "PRAGMA journal_mode = WAL");
    if (!mode.equalsIgnoreCase("wal")) {
      throw new StoreException(
          "cannot keep fleets in "
              + file
              + ": its journal_mode is '"
              + mode
              + "'; allowed: wal, which another program that uses the file may be preventing",
          null);
    }
    Statements.execute(opened, SYNCHRONOUS);
    if (fresh) {
      step(opened, "BEGIN IMMEDIATE");
      Statements.create(opened, "sqlite-1.sql");
      Statements.execute(opened, "PRAGMA application_id = " + APPLICATION);
      Statements.execute(opened, "PRAGMA user_version = " + VERSION);
      step(opened, "COMMIT");
    }
    synchroniseFolder(file);
  }

  /**
   * Writes a copy. A connection that only reads may write for this, since it writes to another
   * file.
   */
  void vacuumInto(Connection db, Path target) throws SQLException {
    Statements.execute(db, "PRAGMA query_only = OFF");
    try (PreparedStatement statement = db.prepareStatement("VACUUM INTO ?")) {
      statement.setString(1, target.toString());
      statement.execute();
    }
    Statements.execute(db, "PRAGMA query_only = " + (writing ? "OFF" : "ON"));
  }

  private static long number(Connection opened, String sql) throws SQLException {
    return Statements.number(opened, sql).orElse(0L);
  }

  /** The first column of the first row; empty where there is none. */
  private static String text(Connection opened, String sql) throws SQLException {
    try (Statement statement = opened.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      disconnect();
      if (holding != null) {
        holding.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
