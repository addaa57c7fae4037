package io.lighthouse.fleets.store;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a store by its name: {@code jdbc:postgresql://HOST/DATABASE} is a PostgreSQL database,
 * anything else an SQLite file.
 */
public final class Stores {
  private static final String POSTGRESQL = "jdbc:postgresql:";

  /** What SQLite, and the lock of a service, append to the name of a store's file. */
  private static final List<String> ENDS = List.of("-wal", "-shm", "-journal", "-lock");

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

  /**
   * The files of a store that exists: the file behind its name, and those that are kept beside it,
   * whether these exist or not.
   *
   * @param where a file, or the JDBC URL of a PostgreSQL database
   * @return the file and then those beside it; none for a database
   * @throws StoreException if the file does not exist or cannot be used, with the reason
   */
  public static List<Path> files(String where) throws StoreException {
    if (isDatabase(where)) {
      return List.of();
    }
    Path file = FilePlace.of(file(where), false);
    List<Path> files = new ArrayList<>(List.of(file));
    ENDS.forEach(end -> files.add(file.resolveSibling(file.getFileName() + end)));
    return files;
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
