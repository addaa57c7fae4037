package io.lighthouse.server;

/** The service could not start. The message names what is wrong, where, and what to do. */
public final class ServiceStartException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The kind of failure. */
  public enum Kind {
    /** A configured file or plug-in is missing, unreadable or broken. */
    SETTINGS,
    /** The address is taken, or not one of this machine. */
    ADDRESS
  }

  /** The kind of failure. */
  private final Kind kind;

  /**
   * Makes an exception.
   *
   * @param kind the kind of failure
   * @param message what is wrong
   * @param cause the cause; null where there is none
   */
  public ServiceStartException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * The kind of failure.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }
}
