package io.lighthouse.fleets.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * Opens connections to an SQLite file of our schema. Refuses the files of other programs and of
 * later versions, and settings that would lose a commit. Thread-safe.
 */
final class SqliteConnector {
  /** The first bytes of the name, as SQLite's application id: {@code LHOU}. */
  private static final int APPLICATION = 0x4C484F55;

  /** The version of the schema, as SQLite's user version. */
  private static final int VERSION = 1;

  /** How long to wait for a checkpoint of a reader in another process. */
  private static final int BUSY_MILLIS = 5_000;

  static final String SYNCHRONOUS = "PRAGMA synchronous = FULL";

  private final Path file;
  private final boolean writing;

  private final Consumer<String> onStep;

  /** For a file that is written to, or only read; calls the listener as {@link SqliteFile} does. */
  SqliteConnector(Path file, boolean writing, Consumer<String> onStep) {
    this.file = file;
    this.writing = writing;
    this.onStep = onStep;
  }

  /**
   * Refuses a file of another program before anything of it is changed, and before it gets a lock
   * file. Returns whether it holds fleets; an empty file does not yet.
   *
   * <p>Where a log is there, the connection only reads. Otherwise it would write the log into the
   * file when it is closed. SQLite itself takes back a rollback journal that a crash left, also one
   * of another program. A connection that only reads could not, and could not read the file then.
   */
  static boolean refuseOfOthers(Path file) throws StoreException {
    if (Files.notExists(file)) {
      return false;
    }
    boolean logged = new WriteAheadLog(file).exists();
    try (Connection opened = connect(file, logged)) {
      return !isFresh(opened, file, true);
    } catch (SQLException failed) {
      throw new StoreException(
          "cannot open "
              + file
              + (logged ? ": it or its log cannot be verified: " : ": ")
              + words(failed, true),
          failed);
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
          "cannot open " + file + ": its folder cannot be synchronised: " + failed, failed);
    }
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

  /** Opens a connection, and makes the tables of a new file; or reads alone, and keeps the log. */
  Connection connect(boolean keepsLog) throws SQLException, StoreException {
    Connection opened = connect(file, keepsLog);
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
                + new WriteAheadLog(file).path().getFileName()
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
    // Where fsync alone leaves data in the cache of the disk (macOS); elsewhere it does nothing.
    Statements.execute(opened, "PRAGMA fullfsync = ON");
    if (!writing) {
      Statements.execute(opened, "PRAGMA query_only = ON");
      return;
    }
    String mode =
        Statements.first(opened, "PRAGMA journal_mode = WAL", row -> row.getString(1)).orElse("");
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
      Statements.step(opened, "BEGIN IMMEDIATE", onStep);
      Statements.create(opened, "sqlite-1.sql");
      Statements.execute(opened, "PRAGMA application_id = " + APPLICATION);
      Statements.execute(opened, "PRAGMA user_version = " + VERSION);
      Statements.step(opened, "COMMIT", onStep);
    }
    synchroniseFolder(file);
  }

  /** What went wrong, in words. 'fleets verify' itself only reads. */
  static String words(SQLException failed, boolean writing) {
    String message = String.valueOf(failed.getMessage());
    if (Statements.isMalformed(failed)) {
      String verify = writing ? "run 'fleets verify', and " : "";
      return message + "; " + verify + "repair the file or start on a backup";
    }
    return message.contains("SQLITE_NOTADB") ? "it is no SQLite file" : message;
  }

  private static long number(Connection opened, String sql) throws SQLException {
    return Statements.number(opened, sql).orElse(0L);
  }
}
