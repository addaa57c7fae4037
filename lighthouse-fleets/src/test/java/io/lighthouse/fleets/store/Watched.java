package io.lighthouse.fleets.store;

import java.nio.file.Path;
import java.util.function.Consumer;

/** Opens a journal of which a test hears every step. */
public final class Watched {
  private Watched() {}

  /** Opens it. */
  public static SqliteJournal open(Path file, Consumer<String> onStep) throws StoreException {
    return SqliteJournal.open(file, onStep);
  }

  /** Opens one in a database. */
  public static PostgresJournal open(String url, Consumer<String> onStep) throws StoreException {
    return PostgresJournal.open(url, onStep);
  }
}
