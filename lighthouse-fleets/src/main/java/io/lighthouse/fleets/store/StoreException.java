package io.lighthouse.fleets.store;

import java.sql.SQLException;

/**
 * An operation of the store failed; nothing is wrong with the call. After a failed write it is not
 * known whether the data is in the store, unless {@link #nothingWritten} is true: read it from the
 * store.
 */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Whether it is certain that nothing was written. */
  private final boolean nothingWritten;

  /**
   * An exception with a cause.
   *
   * @param message what failed
   * @param cause why; may be null
   */
  public StoreException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private StoreException(String message, Throwable cause, boolean nothingWritten) {
    super(message, cause);
    this.nothingWritten = nothingWritten;
  }

  /**
   * The same, where it is certain that nothing was written.
   *
   * @return a new exception with the same words
   */
  StoreException beforeTheCommit() {
    return new StoreException(getMessage(), getCause(), true);
  }

  /**
   * Whether a page of the file or the database is malformed, so that the same call fails again.
   *
   * @return false for all other causes
   */
  public boolean isDamage() {
    return getCause() instanceof SQLException failed && Statements.isMalformed(failed);
  }

  /**
   * Whether it is certain that nothing was written.
   *
   * @return false where it is not known
   */
  public boolean nothingWritten() {
    return nothingWritten;
  }
}
