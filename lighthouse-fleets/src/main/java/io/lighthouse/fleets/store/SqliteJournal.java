package io.lighthouse.fleets.store;

import io.lighthouse.fleets.store.Statements.Ask;
import io.lighthouse.fleets.store.Statements.Change;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The logs of all fleets in one SQLite file, with a write-ahead log, which is synchronised to the
 * disk before a commit returns ({@code journal_mode=WAL}, {@code synchronous=FULL}). One process at
 * a time writes; others may read meanwhile.
 *
 * <p>Groups that wait during a commit are committed together, in one transaction, so that one
 * synchronisation serves them all. Where that fails and nothing was written, each is committed
 * separately. This class begins and ends transactions by its own statements: after an error the
 * connection is closed, and the next call opens another, except after a write that failed. After a
 * commit whose effect is not known nothing is written until the file is opened again ({@link
 * #doubt}). Thread-safe.
 */
public final class SqliteJournal extends SqlJournal {
  /** An entry that the index of keys does not lead to. */
  private static final String HIDDEN =
      "SELECT min(generation) FROM entry AS one WHERE fleet = ? AND generation > ?"
          + " AND key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM entry INDEXED BY entry_key"
          + " WHERE fleet = one.fleet AND token = one.token AND key = one.key"
          + " AND generation = one.generation)";

  private final SqliteFile file;

  /** Groups that wait to be committed; guarded by itself. */
  private final List<Group> waiting = new ArrayList<>();

  /** The failure of a group whose commit was aborted without an exception of its own. */
  private final StoreException brokenOff;

  private SqliteJournal(SqliteFile file) {
    super(file.path().toString());
    this.file = file;
    brokenOff = new StoreException("the write to " + file.path() + " broke off", null);
  }

  /**
   * Opens a file to write, and creates it if it is missing.
   *
   * @param file the file
   * @return the journal in it
   * @throws StoreException if it is not one of ours, of a newer version, held by another process,
   *     on a network file system, or cannot be read or written
   */
  public static SqliteJournal open(Path file) throws StoreException {
    return open(file, step -> {});
  }

  /**
   * Opens a file to read, also while another process writes to it; writes fail.
   *
   * @param file the file
   * @return the journal in it
   * @throws StoreException if it is not there, not one of ours, of a newer version, on a network
   *     file system, or cannot be read
   */
  public static SqliteJournal openToRead(Path file) throws StoreException {
    return new SqliteJournal(SqliteFile.open(file, false, step -> {}));
  }

  /** The same with a listener that is called before and after every step of a transaction. */
  static SqliteJournal open(Path file, Consumer<String> onStep) throws StoreException {
    return new SqliteJournal(SqliteFile.open(file, true, onStep));
  }

  @Override
  <T> T read(String what, Ask<T> ask) throws StoreException {
    return file.call(what, ask);
  }

  @Override
  void change(String what, Change change) throws StoreException {
    file.transact(what, change, db -> false);
  }

  @Override
  void reportStep(String step) {
    file.reportStep(step);
  }

  /**
   * Also checks that no entry is of a fleet whose row is missing. Where the page with the last
   * entries is malformed, the recovery of their fleet reports that.
   */
  @Override
  public List<Head> heads() throws StoreException {
    return read(
        "read the fleets",
        db -> {
          List<Head> heads = tables.heads(db);
          try {
            tables.requireNoMoreThan(heads, db);
          } catch (SQLException failed) {
            if (!Statements.isMalformed(failed)) {
              throw failed;
            }
          }
          return heads;
        });
  }

  @Override
  public Optional<String> hidden(long fleet, long after) throws StoreException {
    return read(
            "look keys up in the index 'entry_key'",
            db -> Statements.number(db, HIDDEN, fleet, after))
        .map(
            entry ->
                "does not have its entry "
                    + entry
                    + "; stop the service, REINDEX in SQLite's shell, and start it again");
  }

  @Override
  public Optional<String> doubt() {
    return file.doubt();
  }

  /** The file's present content proves nothing about a commit that failed here. */
  @Override
  public Optional<Head> settled(long fleet) throws StoreException {
    Optional<String> doubt = file.doubt();
    if (doubt.isPresent()) {
      throw new StoreException(doubt.get(), null);
    }
    return head(fleet);
  }

  @Override
  public void append(Head before, List<Entry> entries, Head after) throws StoreException {
    Group group = new Group(before, entries, after);
    synchronized (waiting) {
      waiting.add(group);
    }
    file.lock().lock();
    try {
      if (!group.over) {
        commitAll();
      }
    } finally {
      if (!group.over) {
        // It failed, such as for lack of memory: no other thread may commit it later.
        synchronized (waiting) {
          waiting.remove(group);
        }
      }
      file.lock().unlock();
    }
    if (group.failure != null) {
      StoreException failed = new StoreException(group.failure.getMessage(), group.failure);
      throw group.failure.nothingWritten() ? failed.beforeTheCommit() : failed;
    }
  }

  /** How many groups wait to be committed. */
  int waiting() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  /**
   * Commits all waiting groups in one transaction; where it fails with nothing written, each
   * separately.
   */
  private void commitAll() {
    List<Group> groups;
    synchronized (waiting) {
      groups = List.copyOf(waiting);
      waiting.clear();
    }
    try {
      StoreException failure = commit(groups);
      if (failure == null || !failure.nothingWritten() || groups.size() == 1) {
        groups.forEach(group -> group.end(failure));
      } else {
        // One group may be the cause, and the others belong to other fleets.
        groups.forEach(group -> group.end(commit(List.of(group))));
      }
    } finally {
      for (Group group : groups) {
        if (!group.over) {
          group.end(brokenOff); // Made in advance, since memory may be lacking later.
        }
      }
    }
  }

  /** Commits groups in one transaction; returns the failure, or null. */
  private StoreException commit(List<Group> groups) {
    try {
      Head last = groups.get(groups.size() - 1).after;
      file.transact(
          "write",
          db -> {
            for (Group group : groups) {
              write(db, group);
            }
          },
          db -> tables.head(db, last.fleet(), "").filter(head -> head.isAt(last)).isPresent());
      return null;
    } catch (StoreException failed) {
      return failed;
    } catch (RuntimeException | Error bug) {
      StoreException failed =
          new StoreException("the write to " + file.path() + " broke off: " + bug, bug);
      return file.doubt().isPresent() ? failed : failed.beforeTheCommit();
    }
  }

  private void write(Connection db, Group group) throws SQLException, StoreException {
    reportStep("before INSERT entries");
    try (PreparedStatement statement = Tables.inserting(db)) {
      for (Entry entry : group.entries) {
        Tables.bind(statement, entry);
        statement.executeUpdate();
      }
    }
    reportStep("between INSERT and UPDATE");
    tables.move(db, group.before, group.after);
    reportStep("after UPDATE fleet");
  }

  @Override
  public List<String> check() throws StoreException {
    List<String> found = new ArrayList<>();
    file.lost().ifPresent(found::add);
    found.addAll(
        file.call(
            "check", db -> Statements.rows(db, "PRAGMA integrity_check", row -> row.getString(1))));
    found.remove("ok");
    return found;
  }

  /**
   * The copy gets its name when it is complete. A process that is killed before leaves a file with
   * another name, which ends with {@code .part}.
   *
   * <p>A file that is there is not replaced, except one that another process creates in the moment
   * in which the copy gets its name. A hard link would not replace that one either. But a process
   * that is killed could leave the copy with two names, and {@link FilePlace} refuses to write to
   * such a file.
   */
  @Override
  public void backup(Path target) throws StoreException {
    try {
      if (Files.exists(target)) {
        throw new FileAlreadyExistsException(target.toString());
      }
      Path copy = target.toAbsolutePath();
      // Without the name of the copy, with which it might be too long for a file's name.
      Path part = copy.resolveSibling("backup-" + UUID.randomUUID() + ".part");
      Path unfinished = Files.createFile(part);
      try {
        file.call(
            "back up to " + target,
            db -> {
              file.vacuumInto(db, part);
              return null;
            });
        Files.move(part, copy); // Fails where it finds another file that has got that name.
        unfinished = copy;
        SqliteConnector.synchroniseFolder(copy);
        unfinished = null;
      } finally {
        if (unfinished != null) {
          Files.deleteIfExists(unfinished);
        }
      }
    } catch (FileAlreadyExistsException there) {
      throw new StoreException("cannot back up to " + target + ": it is there already", there);
    } catch (NoSuchFileException nowhere) {
      throw new StoreException(
          "cannot back up to " + target + ": its folder is not there", nowhere);
    } catch (IOException failed) {
      throw new StoreException("cannot back up to " + target + ": " + failed, failed);
    }
  }

  @Override
  public void close() {
    file.close();
  }

  /** The entries that one caller writes, and their outcome. */
  private static final class Group {
    private final Head before;
    private final List<Entry> entries;
    private final Head after;

    /** Guarded by the lock of the journal. */
    private boolean over;

    /** Read by its caller when it is over. */
    private StoreException failure;

    Group(Head before, List<Entry> entries, Head after) {
      this.before = before;
      this.entries = entries;
      this.after = after;
    }

    /** It was committed, or has failed. */
    private void end(StoreException why) {
      failure = why;
      over = true;
    }
  }
}
