package io.lighthouse.fleets.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.sqlite.SQLiteConfig;

/**
 * One file of SQLite's, of our schema, and the connection to it. Who writes holds a lock on a file
 * beside it, {@code FILE-lock}, as long as it is open. Thread-safe: one caller at a time.
 */
final class SqliteFile implements AutoCloseable {
  /** The first bytes of the name, as SQLite's application id: {@code LHOU}. */
  private static final int APPLICATION = 0x4C484F55;

  /** The version of the schema, as SQLite's user version. */
  private static final int VERSION = 1;

  /** How long to wait for a checkpoint of a reader in another process. */
  private static final int BUSY_MILLIS = 5_000;

  /** File systems on which a write-ahead log is not safe, or not there. */
  private static final Set<String> REMOTE =
      Set.of("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "afs", "fuse");

  /** The locks that this process holds: the files that they are on. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** Something that is asked of the file. */
  interface Ask<T> {
    /** Asks. */
    T of(Connection connection) throws SQLException, StoreException;
  }

  private final Path file;
  private final boolean writing;
  private final Consumer<String> onStep;
  private final ReentrantLock lock = new ReentrantLock(true);

  /** The lock of who writes, and the file that it is on; null where nothing is written. */
  private final FileChannel holding;

  private final Path beside;

  /** Null while there is none; guarded by the lock. */
  private Connection connection;

  private boolean closed;

  private SqliteFile(Path file, Consumer<String> onStep, FileChannel holding, Path beside) {
    this.file = file;
    this.writing = holding != null;
    this.onStep = onStep;
    this.holding = holding;
    this.beside = beside;
  }

  /** Opens it, to write or only to read; hears of every step of a transaction. */
  static SqliteFile open(Path given, boolean writing, Consumer<String> onStep)
      throws StoreException {
    Path file = given.toAbsolutePath().normalize();
    refuse(file, writing);
    Path beside = writing ? beside(file) : null;
    FileChannel holding = writing ? hold(beside, file) : null;
    SqliteFile opened = new SqliteFile(file, onStep, holding, beside);
    boolean sound = false;
    try {
      opened.call("open", ready -> null);
      sound = true;
      return opened;
    } finally {
      if (!sound) {
        opened.close();
      }
    }
  }

  private static void refuse(Path file, boolean writing) throws StoreException {
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new StoreException("cannot open " + file + ": its folder is not there", null);
    }
    if (Files.isDirectory(file)) {
      throw new StoreException("cannot open " + file + ": it is a folder", null);
    }
    if (!writing && !Files.exists(file)) {
      throw new StoreException("cannot open " + file + ": there is no such file", null);
    }
    try {
      String type = Files.getFileStore(folder).type();
      if (REMOTE.contains(type) || type.startsWith("fuse.")) {
        throw new StoreException(
            "cannot keep fleets in "
                + file
                + ": it is on a file system of type "
                + type
                + "; allowed: a local one, where SQLite's write-ahead log is safe",
            null);
      }
    } catch (IOException unknown) {
      throw new StoreException("cannot open " + file + ": " + unknown, unknown);
    }
  }

  /**
   * The system lets go the lock when the process ends, however it ends; and, as POSIX has it, when
   * the process closes any channel to the file. So within a process nobody opens a second one.
   */
  private static FileChannel hold(Path beside, Path file) throws StoreException {
    if (!HELD.add(beside)) {
      throw held(beside, file);
    }
    FileChannel channel = null;
    FileLock lock = null;
    try {
      channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = channel.tryLock();
      if (lock == null) {
        throw held(beside, file);
      }
      return channel;
    } catch (IOException failed) {
      throw new StoreException("cannot write to " + beside + ": " + failed, failed);
    } finally {
      if (lock == null) {
        if (channel != null) {
          close(channel);
        }
        HELD.remove(beside);
      }
    }
  }

  private static StoreException held(Path beside, Path file) {
    return new StoreException(
        "cannot write to " + file + ": another service holds it (its lock is " + beside + ")",
        null);
  }

  private static Path beside(Path file) throws StoreException {
    try {
      return file.getParent().toRealPath().resolve(file.getFileName() + "-lock");
    } catch (IOException failed) {
      throw new StoreException("cannot open " + file + ": " + failed, failed);
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException useless) {
      // The system closes it with the process.
    }
  }

  /** Whoever wants to ask holds it first. */
  ReentrantLock lock() {
    return lock;
  }

  Path path() {
    return file;
  }

  /** A step that somebody may want to hear of. */
  void tell(String step) {
    onStep.accept(step);
  }

  /** A statement that begins or ends a transaction. */
  void step(Connection db, String sql) throws SQLException {
    tell("before " + sql);
    execute(db, sql);
    tell("after " + sql);
  }

  /**
   * Asks; after whatever goes wrong the connection is closed, and the next caller opens another.
   */
  <T> T call(String what, Ask<T> ask) throws StoreException {
    lock.lock();
    try {
      if (closed) {
        throw new StoreException(file + " is closed", null);
      }
      boolean done = false;
      try {
        if (connection == null) {
          connection = connect();
        }
        T answer = ask.of(connection);
        done = true;
        return answer;
      } catch (SQLException failed) {
        throw new StoreException("cannot " + what + " in " + file + ": " + words(failed), failed);
      } finally {
        if (!done) {
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
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException useless) {
        // It is not used any more, whatever became of it.
      }
      connection = null;
    }
  }

  private Connection connect() throws SQLException, StoreException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    // Nobody asks for them, and each insert would be followed by a question for its row's number.
    config.setGetGeneratedKeys(false);
    Connection opened = config.createConnection("jdbc:sqlite:" + file);
    boolean done = false;
    try {
      prepare(opened);
      done = true;
      return opened;
    } finally {
      if (!done) {
        opened.close();
      }
    }
  }

  private void prepare(Connection opened) throws SQLException, StoreException {
    long application = number(opened, "PRAGMA application_id");
    long version = number(opened, "PRAGMA user_version");
    boolean fresh =
        application == 0
            && version == 0
            && number(opened, "SELECT count(*) FROM sqlite_master") == 0;
    if (application != APPLICATION && !(fresh && writing)) {
      throw new StoreException(file + " holds no fleets of Lighthouse", null);
    }
    if (version > VERSION) {
      throw new StoreException(
          "cannot open "
              + file
              + ": a newer Lighthouse wrote it (version "
              + version
              + "); this one knows version "
              + VERSION,
          null);
    }
    execute(opened, "PRAGMA cell_size_check = ON");
    if (!writing) {
      execute(opened, "PRAGMA query_only = ON");
      return;
    }
    number(opened, "PRAGMA journal_mode = WAL");
    execute(opened, "PRAGMA synchronous = FULL");
    if (fresh) {
      step(opened, "BEGIN IMMEDIATE");
      for (String statement : schema().split(";")) {
        if (!statement.isBlank()) {
          execute(opened, statement);
        }
      }
      execute(opened, "PRAGMA application_id = " + APPLICATION);
      execute(opened, "PRAGMA user_version = " + VERSION);
      step(opened, "COMMIT");
    }
  }

  private static String schema() {
    try (InputStream in = SqliteFile.class.getResourceAsStream("sqlite-1.sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Writes a copy; what only reads is let write for that, which is to another file. */
  void vacuumInto(Connection db, Path target) throws SQLException {
    execute(db, "PRAGMA query_only = OFF");
    try (PreparedStatement statement = db.prepareStatement("VACUUM INTO ?")) {
      statement.setString(1, target.toString());
      statement.execute();
    }
    execute(db, "PRAGMA query_only = " + (writing ? "OFF" : "ON"));
  }

  private static void execute(Connection opened, String sql) throws SQLException {
    try (Statement statement = opened.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of the first row, where it is a number; else 0. */
  private static long number(Connection opened, String sql) throws SQLException {
    try (Statement statement = opened.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      disconnect();
      if (holding != null && holding.isOpen()) {
        close(holding);
        HELD.remove(beside);
      }
    } finally {
      lock.unlock();
    }
  }
}
