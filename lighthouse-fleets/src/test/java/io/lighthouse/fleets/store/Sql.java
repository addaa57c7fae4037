package io.lighthouse.fleets.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What tests do to a database behind its service's back. */
public final class Sql {
  private Sql() {}

  /** Says something to a database. */
  public static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  /** Asks a database for a number. */
  public static long number(String url, String sql) {
    return Long.parseLong(text(url, sql));
  }

  /** Asks a database for a text. */
  public static String text(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }
}
