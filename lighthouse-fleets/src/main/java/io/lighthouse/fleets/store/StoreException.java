package io.lighthouse.fleets.store;

/**
 * The store did not do what it was asked for. After it has been thrown while something was written,
 * nobody knows whether that is there: ask the store. Nothing is wrong with the call.
 */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * An exception with a cause.
   *
   * @param message what failed
   * @param cause why; may be null
   */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
