package io.lighthouse.fleets.store;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Opens a store by its name: {@code jdbc:postgresql://HOST/DATABASE} is a PostgreSQL database,
 * anything else an SQLite file.
 */
public final class Stores {
  private static final String POSTGRESQL = "jdbc:postgresql:";

  private Stores() {}

  /**
   * Opens a store to write, and creates it if it is missing.
   *
   * @param where a file, or the JDBC URL of a PostgreSQL database
   * @return the journal in it
   * @throws StoreException if it cannot be used, with the reason
   */
  public static Journal open(String where) throws StoreException {
    return isDatabase(where) ? PostgresJournal.open(where) : SqliteJournal.open(file(where));
  }

  /**
   * Opens a store to read; writes fail.
   *
   * @param where a file, or the JDBC URL of a PostgreSQL database
   * @return the journal in it
   * @throws StoreException if it does not exist or cannot be used, with the reason
   */
  public static Journal openToRead(String where) throws StoreException {
    return isDatabase(where)
        ? PostgresJournal.openToRead(where)
        : SqliteJournal.openToRead(file(where));
  }

  private static boolean isDatabase(String where) throws StoreException {
    if (where.startsWith("jdbc:") && !where.startsWith(POSTGRESQL)) {
      throw new StoreException(
          "cannot keep fleets in '"
              + PostgresDatabase.name(where)
              + "'; allowed: a file, or "
              + POSTGRESQL
              + "//HOST/DATABASE",
          null);
    }
    return where.startsWith(POSTGRESQL);
  }

  private static Path file(String where) throws StoreException {
    try {
      return Path.of(where);
    } catch (InvalidPathException wrong) {
      throw new StoreException("'" + where + "' is no name of a file: " + wrong.getReason(), wrong);
    }
  }
}
