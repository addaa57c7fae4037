package io.lighthouse.fleets.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The logs of all fleets in one file that SQLite keeps: with a write-ahead log, and synchronised to
 * the disk before a commit returns ({@code journal_mode=WAL}, {@code synchronous=FULL}). One
 * process at a time writes; others may read meanwhile.
 *
 * <p>Groups that wait while another commits are committed together, in one transaction, so that one
 * synchronisation serves them all. Transactions are begun and ended by statements of our own: after
 * any error the connection is closed, and the next call opens another. Thread-safe.
 */
public final class SqliteJournal implements Journal {
  private static final String ENTRY =
      "SELECT fleet, generation, at, token, key, request, status, answer, body, hash FROM entry ";

  private final SqliteFile file;

  /** Groups that wait to be committed; guarded by itself. */
  private final List<Group> waiting = new ArrayList<>();

  private SqliteJournal(SqliteFile file) {
    this.file = file;
  }

  /**
   * Opens a file to write, and makes it where it is not there.
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
   * Opens a file to read, also while another process writes to it. Whatever would write fails.
   *
   * @param file the file
   * @return the journal in it
   * @throws StoreException if it is not there, not one of ours, of a newer version, on a network
   *     file system, or cannot be read
   */
  public static SqliteJournal openToRead(Path file) throws StoreException {
    return new SqliteJournal(SqliteFile.open(file, false, step -> {}));
  }

  /** The same for who wants to hear of every step of a transaction, before and after it. */
  static SqliteJournal open(Path file, Consumer<String> onStep) throws StoreException {
    return new SqliteJournal(SqliteFile.open(file, true, onStep));
  }

  @Override
  public List<Head> heads() throws StoreException {
    return file.call(
        "read the fleets",
        db -> {
          List<Head> heads = new ArrayList<>();
          try (Statement statement = db.createStatement();
              ResultSet row =
                  statement.executeQuery(
                      "SELECT id, name, generation, hash, gone, digest FROM fleet ORDER BY id")) {
            while (row.next()) {
              heads.add(head(row));
            }
          }
          for (int i = 0; i < heads.size(); i++) {
            if (heads.get(i).fleet() != i + 1) {
              throw altered("the row of fleet number " + (i + 1) + " is missing");
            }
          }
          try (Statement statement = db.createStatement();
              ResultSet row = statement.executeQuery("SELECT max(fleet) FROM entry")) {
            if (row.next() && row.getLong(1) > heads.size()) {
              throw altered("the row of fleet number " + row.getLong(1) + " is missing");
            }
          }
          return heads;
        });
  }

  @Override
  public Optional<Head> head(long fleet) throws StoreException {
    return file.call(
        "read a fleet",
        db -> {
          try (PreparedStatement statement =
              db.prepareStatement(
                  "SELECT id, name, generation, hash, gone, digest FROM fleet WHERE id = ?")) {
            statement.setLong(1, fleet);
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Optional.of(head(row)) : Optional.empty();
            }
          }
        });
  }

  private Head head(ResultSet row) throws SQLException, StoreException {
    byte[] hash = row.getBytes(4);
    String name = row.getString(2);
    if (hash == null || name == null) {
      throw altered("the row of fleet number " + row.getLong(1) + " has lost its name or hash");
    }
    Head head = new Head(row.getLong(1), name, row.getLong(3), hash, row.getInt(5) != 0);
    if (!Arrays.equals(head.digest(), row.getBytes(6))) {
      throw altered("the row of fleet number " + head.fleet() + " ('" + name + "') was altered");
    }
    return head;
  }

  private StoreException altered(String what) {
    return new StoreException(file.path() + " is damaged: " + what, null);
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
      file.lock().unlock();
    }
    if (group.failure != null) {
      throw new StoreException(group.failure.getMessage(), group.failure);
    }
  }

  /** Commits whatever waits, in one transaction. */
  private void commitAll() {
    List<Group> groups;
    synchronized (waiting) {
      groups = List.copyOf(waiting);
      waiting.clear();
    }
    StoreException failure = new StoreException("the write to " + file.path() + " broke off", null);
    try {
      file.call(
          "write",
          db -> {
            file.step(db, "BEGIN IMMEDIATE");
            for (Group group : groups) {
              write(db, group);
            }
            file.step(db, "COMMIT");
            return null;
          });
      failure = null;
    } catch (StoreException failed) {
      failure = failed;
    } finally {
      for (Group group : groups) {
        group.failure = failure;
        group.over = true;
      }
    }
  }

  private void write(Connection db, Group group) throws SQLException, StoreException {
    file.tell("before INSERT entries");
    try (PreparedStatement statement =
        db.prepareStatement("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (Entry entry : group.entries) {
        statement.setLong(1, entry.fleet());
        statement.setLong(2, entry.generation());
        statement.setLong(3, entry.at());
        statement.setString(4, entry.token());
        statement.setString(5, entry.key());
        statement.setBytes(6, entry.request());
        statement.setInt(7, entry.status());
        statement.setBytes(8, entry.answer());
        statement.setBytes(9, entry.body());
        statement.setBytes(10, entry.hash());
        statement.executeUpdate();
      }
    }
    file.tell("between INSERT and UPDATE");
    Head after = group.after;
    String sql =
        group.before == null
            ? "INSERT INTO fleet (name, generation, hash, gone, digest, id)"
                + " VALUES (?, ?, ?, ?, ?, ?)"
            : "UPDATE fleet SET name = ?, generation = ?, hash = ?, gone = ?, digest = ?"
                + " WHERE id = ? AND generation = ? AND hash = ?";
    try (PreparedStatement statement = db.prepareStatement(sql)) {
      statement.setString(1, after.name());
      statement.setLong(2, after.generation());
      statement.setBytes(3, after.hash());
      statement.setInt(4, after.gone() ? 1 : 0);
      statement.setBytes(5, after.digest());
      statement.setLong(6, after.fleet());
      if (group.before != null) {
        statement.setLong(7, group.before.generation());
        statement.setBytes(8, group.before.hash());
      }
      if (statement.executeUpdate() != 1) {
        throw new StoreException(
            "fleet '" + after.name() + "' is not at generation " + group.before.generation(), null);
      }
    }
    file.tell("after UPDATE fleet");
  }

  @Override
  public List<Entry> entries(long fleet, long after, int most) throws StoreException {
    return file.call(
        "read a log",
        db -> {
          try (PreparedStatement statement =
              db.prepareStatement(
                  ENTRY + "WHERE fleet = ? AND generation > ? ORDER BY generation LIMIT ?")) {
            statement.setLong(1, fleet);
            statement.setLong(2, after);
            statement.setInt(3, most);
            List<Entry> entries = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                entries.add(entry(row));
              }
            }
            return entries;
          }
        });
  }

  @Override
  public Optional<Entry> byKey(long fleet, String token, String key) throws StoreException {
    return file.call(
        "look a key up",
        db -> {
          try (PreparedStatement statement =
              db.prepareStatement(ENTRY + "WHERE fleet = ? AND token = ? AND key = ?")) {
            statement.setLong(1, fleet);
            statement.setString(2, token);
            statement.setString(3, key);
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Optional.of(entry(row)) : Optional.empty();
            }
          }
        });
  }

  private Entry entry(ResultSet row) throws SQLException, StoreException {
    String token = row.getString(4);
    byte[] body = row.getBytes(9);
    byte[] hash = row.getBytes(10);
    if (token == null || body == null || hash == null) {
      throw altered(
          "entry " + row.getLong(2) + " of fleet number " + row.getLong(1) + " has lost a part");
    }
    return new Entry(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        token,
        row.getString(5),
        row.getBytes(6),
        row.getInt(7),
        row.getBytes(8),
        body,
        hash);
  }

  @Override
  public Optional<Long> oldest(long fleet) throws StoreException {
    List<Entry> first = entries(fleet, 0, 1);
    return first.isEmpty() ? Optional.empty() : Optional.of(first.get(0).generation());
  }

  @Override
  public List<Saved> snapshots(long fleet) throws StoreException {
    return file.call(
        "read snapshots",
        db -> {
          try (PreparedStatement statement =
              db.prepareStatement(
                  "SELECT generation, entry_hash, body, digest FROM snapshot WHERE fleet = ?"
                      + " ORDER BY generation DESC LIMIT 2")) {
            statement.setLong(1, fleet);
            List<Saved> saved = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                saved.add(
                    new Saved(
                        fleet, row.getLong(1), row.getBytes(2), row.getBytes(3), row.getBytes(4)));
              }
            }
            return saved;
          }
        });
  }

  @Override
  public void save(Saved snapshot, Retention retention) throws StoreException {
    file.call(
        "write a snapshot",
        db -> {
          file.step(db, "BEGIN IMMEDIATE");
          try (PreparedStatement statement =
              db.prepareStatement("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)")) {
            statement.setLong(1, snapshot.fleet());
            statement.setLong(2, snapshot.generation());
            statement.setBytes(3, snapshot.entryHash());
            statement.setBytes(4, snapshot.body());
            statement.setBytes(5, snapshot.digest());
            statement.executeUpdate();
          }
          file.tell("after INSERT snapshot");
          // The second newest is the way out when the newest is damaged.
          String older =
              "(SELECT min(generation) FROM (SELECT generation FROM snapshot WHERE fleet = ?1"
                  + " ORDER BY generation DESC LIMIT 2))";
          try (PreparedStatement statement =
              db.prepareStatement(
                  "DELETE FROM snapshot WHERE fleet = ?1 AND generation < " + older)) {
            statement.setLong(1, snapshot.fleet());
            statement.executeUpdate();
          }
          try (PreparedStatement statement =
              db.prepareStatement(
                  "DELETE FROM entry WHERE fleet = ?1 AND generation <= "
                      + older
                      + " AND (SELECT count(*) FROM snapshot WHERE fleet = ?1) = 2"
                      + " AND (at < ?2 OR generation <= ?3 AND at < ?4)"
                      // Only from the beginning on: a log has no holes, whatever clocks say.
                      + " AND NOT EXISTS (SELECT 1 FROM entry AS kept WHERE kept.fleet = ?1"
                      + " AND kept.generation < entry.generation"
                      + " AND NOT (kept.at < ?2 OR kept.generation <= ?3 AND kept.at < ?4))")) {
            statement.setLong(1, snapshot.fleet());
            statement.setLong(2, retention.oldest());
            statement.setLong(3, snapshot.generation() - retention.most());
            statement.setLong(4, retention.youngest());
            statement.executeUpdate();
          }
          file.tell("after DELETE entries");
          file.step(db, "COMMIT");
          return null;
        });
  }

  @Override
  public void forget(long fleet) throws StoreException {
    file.call(
        "forget a fleet",
        db -> {
          file.step(db, "BEGIN IMMEDIATE");
          for (String table : List.of("entry", "snapshot")) {
            try (PreparedStatement statement =
                db.prepareStatement("DELETE FROM " + table + " WHERE fleet = ?")) {
              statement.setLong(1, fleet);
              statement.executeUpdate();
            }
          }
          file.step(db, "COMMIT");
          return null;
        });
  }

  @Override
  public List<String> check() throws StoreException {
    return file.call(
        "check",
        db -> {
          List<String> found = new ArrayList<>();
          try (Statement statement = db.createStatement();
              ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
            while (row.next()) {
              if (!row.getString(1).equals("ok")) {
                found.add(row.getString(1));
              }
            }
          }
          return found;
        });
  }

  @Override
  public void backup(Path target) throws StoreException {
    if (Files.exists(target)) {
      throw new StoreException("cannot back up to " + target + ": it is there already", null);
    }
    file.call(
        "back up",
        db -> {
          file.vacuumInto(db, target);
          return null;
        });
  }

  @Override
  public void close() {
    file.close();
  }

  /** What one caller wants to write, and what became of it. */
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
  }
}
