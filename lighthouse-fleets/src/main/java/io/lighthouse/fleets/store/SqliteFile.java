package io.lighthouse.fleets.store;

import io.lighthouse.fleets.store.Statements.Ask;
import io.lighthouse.fleets.store.Statements.Change;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * An SQLite file of our schema: its one connection, its transactions, and what is known of their
 * effect. A process that writes holds a {@link WriterLock} while the file is open. Thread-safe: one
 * caller at a time.
 */
final class SqliteFile implements AutoCloseable {
  /** How long to wait for memory between two attempts to find out what a commit did. */
  private static final long PAUSE_NANOS = 50_000_000;

  private final Path file;
  private final FilePlace place;
  private final WriteAheadLog log;
  private final SqliteConnector connector;
  private final Consumer<String> onStep;
  private final ReentrantLock lock = new ReentrantLock(true);

  /** Null where the file is only read. */
  private final WriterLock holding;

  /** Null while there is none; guarded by the lock. */
  private Connection connection;

  /** What the system knows the opened file by, its log and its lock. Guarded by the lock. */
  private final Map<Path, Object> keys = new HashMap<>();

  /** Made in advance, as memory may be lacking when it is needed. */
  private final Ask<Boolean> isInTransaction = this::isInTransaction;

  /** Whether SQLite must not write the log into the file, as it does when the file is closed. */
  private boolean keepsLog;

  /** Whether the connection is to be closed before anything else; guarded by the lock. */
  private boolean unsound;

  /** Why nothing is written until a restart; null while every commit's effect is known. */
  private volatile String doubt;

  /**
   * The value that {@link #doubt} gets. It is made in advance, since memory may be lacking later.
   */
  private final String unknownEffect;

  /** The same where the file is not the one that was opened. */
  private final String elsewhere;

  private boolean closed;

  private SqliteFile(FilePlace place, Consumer<String> onStep, WriterLock holding) {
    this.place = place;
    this.file = place.file();
    this.log = new WriteAheadLog(file);
    this.connector = new SqliteConnector(file, holding != null, onStep);
    unknownEffect =
        file
            + " is not written to any more, since a commit failed and its effect is not known;"
            + " start the service again, which verifies the file";
    elsewhere =
        file
            + " is not written to any more, since it, its -wal or its -lock was moved, deleted or"
            + " replaced; reads show what was there. Save that, put the files back, and start the"
            + " service again";
    this.onStep = onStep;
    this.holding = holding;
  }

  /**
   * Opens the file, to write or only to read. The listener is called before and after every step of
   * a transaction.
   */
  static SqliteFile open(Path given, boolean writing, Consumer<String> onStep)
      throws StoreException {
    FilePlace place = FilePlace.open(given, writing);
    SqliteFile opened = null;
    try {
      boolean rewritten = writing && SqliteConnector.refuseOfOthers(place.file());
      opened = new SqliteFile(place, onStep, writing ? WriterLock.take(place.file()) : null);
      opened.checkLog(rewritten);
      if (rewritten) {
        opened.log.rewrite();
      }
      opened.call("open fleets", writing ? SqliteFile::requireWritable : ready -> null);
      return opened;
    } catch (Throwable failed) {
      if (opened == null) {
        place.close();
      } else {
        opened.close();
      }
      throw failed;
    }
  }

  /**
   * Throws where the file may only be read: SQLite opens it all the same, and refuses changes, also
   * one that changes nothing.
   */
  private static Void requireWritable(Connection db) throws SQLException {
    Statements.execute(db, "DELETE FROM fleet WHERE id < 0");
    return null;
  }

  /**
   * Refuses to write to a file whose log is damaged. Where it is only read, its log is kept, and
   * the damage is named if the rest cannot be read.
   *
   * @param hasFleets whether there are fleets before the damage; counts only where it is written to
   */
  private void checkLog(boolean hasFleets) throws StoreException {
    Optional<String> damage = log.damage();
    keepsLog = damage.isPresent();
    if (damage.isEmpty()) {
      return;
    }
    String words = damage.get() + "; start on a backup";
    if (holding != null) {
      throw new StoreException(
          "cannot open "
              + file
              + ": "
              + words
              + (hasFleets
                  ? ", or to go on without them, on a copy that 'fleets backup' makes of this file"
                      + " now; run 'fleets verify' on the copy before it is used"
                  : ""),
          null);
    }
    try {
      call("open fleets", ready -> null);
    } catch (StoreException failed) {
      throw new StoreException(failed.getMessage() + "; " + words, failed);
    }
  }

  /** The lock that a caller holds while it uses the file. */
  ReentrantLock lock() {
    return lock;
  }

  Path path() {
    return file;
  }

  /** What the log has lost. Another process may write it: what it has lost is found twice. */
  Optional<String> lost() throws StoreException {
    Optional<String> damage = log.damage();
    return damage.isPresent() && log.damage().equals(damage) ? damage : Optional.empty();
  }

  /** Reports a step to the listener. */
  void reportStep(String step) {
    onStep.accept(step);
  }

  /** A statement that begins or ends a transaction. */
  private void step(Connection db, String sql) throws SQLException {
    Statements.step(db, sql, onStep);
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
      requireInPlace(what);
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
   * so the group is not in the file. Another failed write, as where a quota is used up, mostly
   * means the same. But a file system that synchronises each write may have all of it. So the
   * effect is known only where the log has no whole commit that this connection does not count.
   *
   * <p>Where the index of the log cannot grow, the log has all of the commit and is synchronised.
   * The commit is taken back there.
   *
   * <p>After every other error of SQLite, above all of a synchronisation, the content of the disk
   * is unknown, and what the system shows proves nothing. Then nothing is written any more, and
   * this connection is kept for reading: SQLite does not show the frames of a failed commit to a
   * connection that is already open.
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
      known =
          isFullDisk(failed)
              || isFailedWrite(failed) && isNotInTheLog(db)
              || isIndexThatCannotGrow(failed) && isTakenBack(db);
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

  private static boolean isFullDisk(SQLException failed) {
    return (failed.getErrorCode() & 0xff) == SQLiteErrorCode.SQLITE_FULL.code;
  }

  /** Whether a write failed, other than for a full disk; a synchronisation is none. */
  private static boolean isFailedWrite(SQLException failed) {
    return failed instanceof SQLiteException why
        && why.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_WRITE;
  }

  /** Whether there was no room for a larger index of the log, or it could not be mapped. */
  private static boolean isIndexThatCannotGrow(SQLException failed) {
    return failed instanceof SQLiteException why
        && (why.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE
            || why.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMMAP);
  }

  /** Whether the log ends with the last commit of this connection; false where that is not seen. */
  private boolean isNotInTheLog(Connection db) {
    try {
      return knownFrames(db) == log.committedFrames();
    } catch (SQLException | StoreException unknown) {
      return false;
    }
  }

  /** Ends the log behind the last commit of this connection; false where that fails. */
  private boolean isTakenBack(Connection db) {
    try {
      log.endAfter(knownFrames(db));
      return true;
    } catch (SQLException | StoreException unknown) {
      return false;
    }
  }

  /** How many frames the log has up to the last commit of this connection. */
  private static long knownFrames(Connection db) throws SQLException, StoreException {
    String count = "PRAGMA wal_checkpoint(NOOP)";
    return Statements.first(db, count, row -> row.getLong("log")).orElseThrow();
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
    reportStep("before the question");
    try {
      Statements.execute(db, SqliteConnector.SYNCHRONOUS);
      return false;
    } catch (SQLException refused) {
      if (refused.getErrorCode() != SQLiteErrorCode.SQLITE_ERROR.code) {
        throw refused;
      }
      return true;
    } finally {
      reportStep("after the question");
    }
  }

  /**
   * Ends the failed transaction; where that is not possible, closes the connection, so that nothing
   * is read either.
   */
  private void backToTheLastCommit(Connection db) {
    unsound = true; // Until the transaction has ended, also where memory is lacking for that.
    reportStep("before ROLLBACK");
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
   * After a write that failed it stays open: where the disk is full, a new connection could not
   * even read, for lack of room for its index. It also stays open after a commit whose effect is
   * not known: a new connection would take what the system shows for durable.
   */
  <T> T call(String what, Ask<T> ask) throws StoreException {
    lock.lock();
    try {
      if (closed) {
        throw new StoreException(file + " is closed", null);
      }
      boolean kept = false;
      try {
        if (unsound) {
          disconnect(); // Its transaction may still be open, and would be read.
        }
        if (connection == null) {
          connect(what);
        }
        T answer = ask.of(connection);
        kept = true;
        return answer;
      } catch (SQLException failed) {
        if (connection != null
            && (isFullDisk(failed) || isFailedWrite(failed) || isIndexThatCannotGrow(failed))) {
          backToTheLastCommit(connection);
          kept = true;
        }
        throw new StoreException(
            "cannot "
                + what
                + " in "
                + file
                + ": "
                + SqliteConnector.words(failed, holding != null),
            failed);
      } finally {
        if (!kept && doubt == null) {
          disconnect();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void connect(String what) throws SQLException, StoreException {
    requireInPlace(what); // SQLite would make a new file, or read another one.
    connection = connector.connect(keepsLog);
    try {
      noteKey(file);
      noteKey(log.path());
      if (holding != null) {
        noteKey(holding.path());
      }
    } catch (IOException failed) {
      throw unseen(what, failed);
    }
    place.isThere(keys.get(file));
  }

  /** Notes what the system knows a file by; nothing where the system has no such keys. */
  private void noteKey(Path of) throws IOException {
    Object key = FilePlace.key(of);
    if (key != null) {
      keys.put(of, key);
    }
  }

  /**
   * Throws unless the effect of every commit is known and the files have their names still. What is
   * written to a file without a name ends with the process, and a lock without a name keeps no
   * other service out. Where the system fails to show a file, only this call fails.
   */
  private void requireInPlace(String what) throws StoreException {
    try {
      for (Map.Entry<Path, Object> one : keys.entrySet()) {
        if (doubt == null && !one.getValue().equals(FilePlace.key(one.getKey()))) {
          doubt = elsewhere;
        }
      }
    } catch (IOException failed) {
      throw unseen(what, failed);
    }
    if (doubt != null) {
      throw new StoreException("cannot " + what + ": " + doubt, null).beforeTheCommit();
    }
  }

  private StoreException unseen(String what, IOException failed) {
    return new StoreException(
            "cannot " + what + ": whether " + file + " is in its place cannot be seen: " + failed,
            failed)
        .beforeTheCommit();
  }

  private void disconnect() {
    unsound = true; // Until it is closed, also where memory is lacking for that.
    if (connection != null) {
      keys.remove(log.path()); // The next connection may make another log.
      reportStep("before close");
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

  /**
   * Writes a copy. A connection that only reads may write for this, since it writes to another
   * file.
   */
  void vacuumInto(Connection db, Path target) throws SQLException {
    Statements.execute(db, "PRAGMA query_only = OFF");
    try {
      Statements.update(db, "VACUUM INTO ?", target.toString());
    } finally { // The connection stays open where there is no room for the copy.
      Statements.execute(db, "PRAGMA query_only = " + (holding == null ? "ON" : "OFF"));
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
      place.close();
    } finally {
      lock.unlock();
    }
  }
}
