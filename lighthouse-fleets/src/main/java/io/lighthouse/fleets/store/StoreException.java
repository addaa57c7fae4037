package io.lighthouse.fleets.store;

/**
 * The store did not do what it was asked for. After it has been thrown while something was written,
 * nobody knows whether that is there, unless it says so: ask the store. Nothing is wrong with the
 * call.
 */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Whether what was to be written is surely not there. */
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
   * The same for who knows that nothing was written.
   *
   * @return a new exception with the same words
   */
  StoreException beforeTheCommit() {
    return new StoreException(getMessage(), getCause(), true);
  }

  /**
   * Whether what was to be written is surely not there.
   *
   * @return false where nobody knows
   */
  public boolean nothingWritten() {
    return nothingWritten;
  }
}
