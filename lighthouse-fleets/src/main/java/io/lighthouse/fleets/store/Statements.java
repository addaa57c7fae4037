package io.lighthouse.fleets.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What is done alike with a connection to SQLite and to PostgreSQL. */
final class Statements {
  /** An operation on a connection. */
  interface Ask<T> {
    /** Runs the operation. */
    T of(Connection db) throws SQLException, StoreException;
  }

  /** An operation that changes the database. */
  interface Change {
    /** Changes it. */
    void in(Connection db) throws SQLException, StoreException;
  }

  /** Reads the present row of a result. */
  interface Row<T> {
    /** Reads it. */
    T of(ResultSet row) throws SQLException, StoreException;
  }

  /** SQLite's code for a malformed page, {@code SQLITE_CORRUPT}; PostgreSQL has no such codes. */
  private static final int MALFORMED = 11;

  /** PostgreSQL's SQLSTATEs for a malformed page, of a table and of an index. */
  private static final Set<String> CORRUPTED = Set.of("XX001", "XX002");

  private Statements() {}

  /** Whether a page of the file or the database is malformed. */
  static boolean isMalformed(SQLException failed) {
    return (failed.getErrorCode() & 0xff) == MALFORMED
        || failed.getSQLState() != null && CORRUPTED.contains(failed.getSQLState());
  }

  static void execute(Connection db, String sql) throws SQLException {
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs a statement that begins or ends a transaction; calls the listener before and after. */
  static void step(Connection db, String sql, Consumer<String> onStep) throws SQLException {
    onStep.accept("before " + sql);
    execute(db, sql);
    onStep.accept("after " + sql);
  }

  static void update(Connection db, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(db, sql, parameters)) {
      statement.executeUpdate();
    }
  }

  /** What is read of each row that a query returns, in order. */
  static <T> List<T> rows(Connection db, String sql, Row<T> reader, Object... parameters)
      throws SQLException, StoreException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement statement = prepare(db, sql, parameters);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.add(reader.of(row));
      }
    }
    return rows;
  }

  /** The same of the first row; empty where there is none. */
  static <T> Optional<T> first(Connection db, String sql, Row<T> reader, Object... parameters)
      throws SQLException, StoreException {
    return rows(db, sql, reader, parameters).stream().findFirst();
  }

  /** The number that a query returns; empty where it is null or there is no row. */
  static Optional<Long> number(Connection db, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(db, sql, parameters);
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        return Optional.empty();
      }
      long number = row.getLong(1);
      return row.wasNull() ? Optional.empty() : Optional.of(number);
    }
  }

  private static PreparedStatement prepare(Connection db, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = db.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  /** Carries out the statements of a schema, a file beside this class. */
  static void create(Connection db, String schema) throws SQLException {
    String text;
    try (InputStream in = Statements.class.getResourceAsStream(schema)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    for (String statement : text.split(";")) {
      if (!statement.isBlank()) {
        execute(db, statement);
      }
    }
  }

  /** Refuses a store whose schema is of a later version than the one that is known here. */
  static void requireKnown(String where, long version, long known) throws StoreException {
    if (version > known) {
      throw new StoreException(
          "cannot open "
              + where
              + ": a newer Lighthouse wrote it (version "
              + version
              + "); this one knows version "
              + known,
          null);
    }
  }
}
