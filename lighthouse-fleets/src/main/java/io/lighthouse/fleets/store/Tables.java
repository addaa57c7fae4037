package io.lighthouse.fleets.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The queries and changes of the three tables {@code fleet}, {@code entry} and {@code snapshot}, in
 * the SQL that SQLite and PostgreSQL share. Callers manage the transactions. Immutable and
 * thread-safe; each connection serves one caller at a time.
 */
final class Tables {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  static final String FLEET = "SELECT id, name, generation, hash, gone, digest FROM fleet ";
  static final String ENTRY =
      "SELECT fleet, generation, at, token, key, request, status, answer, body, hash FROM entry ";

  /** The newest fleet of a name. */
  static final String NAMED = FLEET + "WHERE name = ? ORDER BY id DESC LIMIT 1";

  /** Any fleet of a name whose number is smaller. */
  static final String EARLIER = "SELECT 1 FROM fleet WHERE name = ? AND id < ? LIMIT 1";

  /** The first entry of a call in the logs of the gone fleets of a name. */
  static final String BY_KEY_OF_GONE =
      ENTRY
          + "WHERE fleet IN (SELECT id FROM fleet WHERE name = ? AND gone)"
          + " AND token = ? AND key = ? AND request = ? ORDER BY fleet LIMIT 1";

  /** The first entries after a generation, up to a limit of bytes; at least one. */
  static final String ENTRIES =
      ENTRY
          + "WHERE fleet = ? AND generation > ? AND generation <= (SELECT max(generation)"
          + " FROM (SELECT generation, size, sum(size) OVER (ORDER BY generation) AS total"
          + " FROM (SELECT generation, coalesce(length(body), 0) + coalesce(length(answer), 0)"
          + " AS size FROM entry WHERE fleet = ? AND generation > ? ORDER BY generation LIMIT ?)"
          + " AS next) AS sizes WHERE total <= "
          + Journal.PAGE_BYTES
          + " OR total = size) ORDER BY generation";

  /**
   * Entries up to a limit of bytes of their effects; a first entry beyond the limit comes without
   * its effect.
   */
  private static final String EVENTS =
      "SELECT one.generation, one.at, one.hash, sizes.size,"
          + " CASE WHEN sizes.total <= ? THEN one.body END"
          + " FROM (SELECT generation, size, sum(size) OVER (ORDER BY generation) AS total"
          + " FROM (SELECT generation, length(body) AS size FROM entry"
          + " WHERE fleet = ? AND generation > ? ORDER BY generation LIMIT ?) AS next) AS sizes"
          + " JOIN entry AS one ON one.fleet = ? AND one.generation = sizes.generation"
          + " WHERE sizes.total <= ? OR sizes.total = sizes.size ORDER BY one.generation";

  /** Makes the row of a fleet, if its number is the next one: numbers have no gaps. */
  private static final String CREATE =
      "INSERT INTO fleet (generation, hash, digest, id, name, gone) SELECT ?, ?, ?, ?, ?, ?"
          + " WHERE ? = (SELECT coalesce(max(id), 0) + 1 FROM fleet)";

  /**
   * Advances the row of a fleet, if the fleet is where the caller expects it. SQLite writes to each
   * index of a column that is set, even to the same value: so a malformed index of names would fail
   * the calls of all fleets.
   */
  private static final String MOVE =
      "UPDATE fleet SET generation = ?, hash = ?, digest = ?"
          + " WHERE id = ? AND generation = ? AND hash = ?";

  /** The same for the deletion of the fleet. */
  private static final String DELETE = MOVE.replace(" SET ", " SET gone = TRUE, ");

  /** Deletes the snapshots of entries that the log has lost, since recovery cannot use them. */
  private static final String DELETE_LOST =
      "DELETE FROM snapshot WHERE fleet = ?"
          + " AND (generation > (SELECT max(generation) FROM entry WHERE fleet = ?)"
          + " OR EXISTS (SELECT 1 FROM entry WHERE entry.fleet = snapshot.fleet"
          + " AND entry.generation = snapshot.generation AND entry.hash <> snapshot.entry_hash))";

  /** The name of the store in messages. */
  private final String where;

  Tables(String where) {
    this.where = where;
  }

  List<Head> heads(Connection db) throws SQLException, StoreException {
    List<Head> heads = Statements.rows(db, FLEET + "ORDER BY id", this::head);
    for (int i = 0; i < heads.size(); i++) {
      if (heads.get(i).fleet() != i + 1) {
        throw altered("the row of fleet number " + (i + 1) + " is missing");
      }
    }
    return heads;
  }

  /** Throws if there are entries of a fleet that has no row. Checked only for a file of SQLite. */
  void requireNoMoreThan(List<Head> heads, Connection db) throws SQLException, StoreException {
    long last = Statements.number(db, "SELECT max(fleet) FROM entry").orElse(0L);
    if (last > heads.size()) {
      throw altered("the row of fleet number " + last + " is missing");
    }
  }

  /** The row of a fleet; {@code lock} is appended to the statement. */
  Optional<Head> head(Connection db, long fleet, String lock) throws SQLException, StoreException {
    return Statements.first(db, FLEET + "WHERE id = ?" + lock, this::head, fleet);
  }

  Optional<Head> named(Connection db, String name) throws SQLException, StoreException {
    return Statements.first(db, NAMED, this::head, name).filter(head -> !head.gone());
  }

  /** Whether no fleet of a smaller number has the name. */
  boolean isFirst(Connection db, String name, long fleet) throws SQLException {
    return Statements.number(db, EARLIER, name, fleet).isEmpty();
  }

  /** The heads in rows that {@link #FLEET} selects, except those that were altered. */
  List<Head> soundHeads(ResultSet row) throws SQLException {
    List<Head> heads = new ArrayList<>();
    while (row.next()) {
      try {
        heads.add(head(row));
      } catch (StoreException altered) { // The calls on that fleet report it.
        LOG.log(System.Logger.Level.DEBUG, "the row of a fleet is skipped", altered);
      }
    }
    return heads;
  }

  /** The head in a row that {@link #FLEET} selects. */
  Head head(ResultSet row) throws SQLException, StoreException {
    byte[] hash = row.getBytes(4);
    String name = row.getString(2);
    if (hash == null || name == null) {
      throw altered("the row of fleet number " + row.getLong(1) + " has lost its name or hash");
    }
    Head head = new Head(row.getLong(1), name, row.getLong(3), hash, row.getBoolean(5));
    if (!Arrays.equals(head.digest(), row.getBytes(6))) {
      throw altered("the row of fleet number " + head.fleet() + " ('" + name + "') was altered");
    }
    return head;
  }

  /**
   * The exception for a fleet that is not at the generation that a group was decided for, or whose
   * number is not the next one.
   */
  static StoreException elsewhere(Head before, Head after) {
    return new StoreException(
        before == null
            ? "the number of fleet '" + after.name() + "', " + after.fleet() + ", is not the next"
            : "fleet '" + before.name() + "' is not at generation " + before.generation(),
        null);
  }

  private StoreException altered(String what) {
    return new StoreException(where + " is damaged: " + what, null);
  }

  /** Updates the row of a fleet to the new end of its log, or creates the row of a new fleet. */
  void move(Connection db, Head before, Head after) throws SQLException, StoreException {
    try (PreparedStatement statement = db.prepareStatement(moving(before, after))) {
      bind(statement, before, after);
      if (statement.executeUpdate() != 1) {
        throw elsewhere(before, after);
      }
    }
  }

  /** The statement of {@link #move}. */
  static String moving(Head before, Head after) {
    return before == null ? CREATE : after.gone() ? DELETE : MOVE;
  }

  /** Binds the parameters of {@link #moving}; returns the index of the next parameter. */
  static int bind(PreparedStatement statement, Head before, Head after) throws SQLException {
    statement.setLong(1, after.generation());
    statement.setBytes(2, after.hash());
    statement.setBytes(3, after.digest());
    statement.setLong(4, after.fleet());
    if (before == null) {
      statement.setString(5, after.name());
      statement.setBoolean(6, after.gone());
      statement.setLong(7, after.fleet());
      return 8;
    }
    statement.setLong(5, before.generation());
    statement.setBytes(6, before.hash());
    return 7;
  }

  /** A statement that inserts an entry. */
  static PreparedStatement inserting(Connection db) throws SQLException {
    return db.prepareStatement("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  /** Binds an entry to it. */
  static void bind(PreparedStatement statement, Entry entry) throws SQLException {
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
  }

  List<Entry> entries(Connection db, long fleet, long after, int most)
      throws SQLException, StoreException {
    return Statements.rows(db, ENTRIES, Tables::entry, fleet, after, fleet, after, most);
  }

  /** Binds the parameters of {@link #ENTRIES} from an index on; returns the next index. */
  static int bind(PreparedStatement statement, int from, long fleet, long after, int most)
      throws SQLException {
    statement.setLong(from, fleet);
    statement.setLong(from + 1, after);
    statement.setLong(from + 2, fleet);
    statement.setLong(from + 3, after);
    statement.setInt(from + 4, most);
    return from + 5;
  }

  /** The entries in rows that {@link #ENTRY} selects. */
  List<Entry> entries(ResultSet row) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    while (row.next()) {
      entries.add(entry(row));
    }
    return entries;
  }

  /** A page of a log, limited in entries and in bytes of their effects. */
  List<LogEvent> events(Connection db, long fleet, long after, int most, long bytes)
      throws SQLException, StoreException {
    return Statements.rows(
        db, EVENTS, row -> event(row, fleet), bytes, fleet, after, most, fleet, bytes);
  }

  private LogEvent event(ResultSet row, long fleet) throws SQLException, StoreException {
    byte[] hash = row.getBytes(3);
    int size = row.getInt(4);
    if (hash == null || row.wasNull()) {
      throw altered("entry " + row.getLong(1) + " of fleet number " + fleet + " has lost a part");
    }
    Optional<byte[]> body = Optional.ofNullable(row.getBytes(5));
    return new LogEvent(row.getLong(1), row.getLong(2), hash, size, body);
  }

  Optional<Entry> byKey(Connection db, long fleet, String token, String key)
      throws SQLException, StoreException {
    String sql = ENTRY + "WHERE fleet = ? AND token = ? AND key = ?";
    return Statements.first(db, sql, Tables::entry, fleet, token, key);
  }

  /** The same in the logs of the gone fleets of a name. */
  Optional<Entry> byKeyOfGone(Connection db, String name, String token, String key, byte[] request)
      throws SQLException, StoreException {
    return Statements.first(db, BY_KEY_OF_GONE, Tables::entry, name, token, key, request);
  }

  /** The entry in a row. Where a part of it is lost, its hash does not fit. */
  private static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4),
        row.getString(5),
        row.getBytes(6),
        row.getInt(7),
        row.getBytes(8),
        row.getBytes(9),
        row.getBytes(10));
  }

  Optional<Long> oldest(Connection db, long fleet) throws SQLException {
    return Statements.number(db, "SELECT min(generation) FROM entry WHERE fleet = ?", fleet);
  }

  Optional<Long> newestSnapshot(Connection db, long fleet) throws SQLException {
    return Statements.number(db, "SELECT max(generation) FROM snapshot WHERE fleet = ?", fleet);
  }

  /** The two newest snapshots. One with a malformed page comes without its parts: not sound. */
  List<Saved> snapshots(Connection db, long fleet) throws SQLException, StoreException {
    List<Saved> saved = new ArrayList<>();
    for (long generation : generations(db, fleet, Long.MAX_VALUE, 2)) {
      snapshot(db, fleet, generation).ifPresent(saved::add);
    }
    return saved;
  }

  /** The generations of the newest snapshots up to one, the newest first. */
  List<Long> generations(Connection db, long fleet, long last, int most)
      throws SQLException, StoreException {
    String sql =
        "SELECT generation FROM snapshot WHERE fleet = ? AND generation <= ?"
            + " ORDER BY generation DESC LIMIT ?";
    return Statements.rows(db, sql, row -> row.getLong(1), fleet, last, most);
  }

  /** A snapshot; empty where another process has deleted it. */
  private static Optional<Saved> snapshot(Connection db, long fleet, long generation)
      throws SQLException, StoreException {
    try {
      return Statements.first(
          db,
          "SELECT entry_hash, body, digest FROM snapshot WHERE fleet = ? AND generation = ?",
          row -> new Saved(fleet, generation, row.getBytes(1), row.getBytes(2), row.getBytes(3)),
          fleet,
          generation);
    } catch (SQLException failed) {
      if (!Statements.isMalformed(failed)) {
        throw failed;
      }
      return Optional.of(new Saved(fleet, generation, null, null, null));
    }
  }

  /** Deletes the snapshots of entries that the log has lost. */
  void deleteLost(Connection db, long fleet) throws SQLException {
    Statements.update(db, DELETE_LOST, fleet, fleet);
  }

  /**
   * Inserts a snapshot, unless it is there already, or the log has no such entry: a store that has
   * gone back may have another one, or none of that generation.
   */
  void insert(Connection db, Saved snapshot) throws SQLException {
    Statements.update(
        db,
        "INSERT INTO snapshot SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM entry"
            + " WHERE fleet = ? AND generation = ? AND hash = ?) ON CONFLICT DO NOTHING",
        snapshot.fleet(),
        snapshot.generation(),
        snapshot.entryHash(),
        snapshot.body(),
        snapshot.digest(),
        snapshot.fleet(),
        snapshot.generation(),
        snapshot.entryHash());
  }

  void delete(Connection db, long fleet, long generation) throws SQLException {
    Statements.update(
        db, "DELETE FROM snapshot WHERE fleet = ? AND generation = ?", fleet, generation);
  }

  /**
   * Deletes all snapshots except two, and the entries that neither needs and that may be deleted.
   */
  void trim(Connection db, Saved snapshot, Retention retention) throws SQLException {
    long fleet = snapshot.fleet();
    // The second newest is the fallback if the newest is damaged.
    Optional<Long> older =
        Statements.number(
            db,
            "SELECT min(generation) FROM (SELECT generation FROM snapshot WHERE fleet = ?"
                + " ORDER BY generation DESC LIMIT 2) AS kept HAVING count(*) = 2",
            fleet);
    if (older.isEmpty()) {
      return;
    }
    Statements.update(
        db, "DELETE FROM snapshot WHERE fleet = ? AND generation < ?", fleet, older.get());
    // Deletes only from the beginning: a log has no gaps, even if clocks jump.
    long staying =
        Statements.number(
                db,
                "SELECT min(generation) FROM entry WHERE fleet = ?"
                    + " AND NOT (at < ? OR generation <= ? AND at < ?)",
                fleet,
                retention.oldest(),
                snapshot.generation() - retention.most(),
                retention.youngest())
            .orElse(Long.MAX_VALUE);
    Statements.update(
        db,
        "DELETE FROM entry WHERE fleet = ? AND generation < ?",
        fleet,
        Math.min(older.get() + 1, staying));
  }

  void forget(Connection db, long fleet) throws SQLException {
    // A store that has gone back may have the fleet, or another one with its number.
    String gone = "WHERE fleet = ? AND EXISTS (SELECT 1 FROM fleet WHERE id = ? AND gone)";
    Statements.update(db, "DELETE FROM entry " + gone, fleet, fleet);
    Statements.update(db, "DELETE FROM snapshot " + gone, fleet, fleet);
  }
}
