package io.lighthouse.server;

/** The service could not start. The message names what is wrong, where, and what to do. */
public final class ServiceStartException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What sort of trouble it is. */
  public enum Kind {
    /** A configured file or plug-in is missing, unreadable or broken. */
    SETTINGS,
    /** The address is taken, or not one of this machine. */
    ADDRESS
  }

  /** What sort of trouble it is. */
  private final Kind kind;

  /**
   * Makes an exception.
   *
   * @param kind what sort of trouble it is
   * @param message what is wrong
   * @param cause what was thrown; null where nothing was
   */
  public ServiceStartException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * What sort of trouble it is.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }
}
