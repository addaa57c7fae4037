package io.lighthouse.scheduler.port;

import io.lighthouse.api.error.LighthouseException;

/**
 * Something behind a port failed, or broke the port's contract. The operator of the port must act.
 * The scheduling manager goes on with its next pass.
 */
public class PortException extends LighthouseException {
  private static final long serialVersionUID = 1L;

  /** The name of the port. */
  private final String port;

  /** The name of its method. */
  private final String method;

  /**
   * Makes an exception.
   *
   * @param port the name of the port, such as {@code ExecutionStore}
   * @param method the name of its method, such as {@code commit}
   * @param fault what it did, such as {@code answered null}
   * @param cause what it threw; null where it threw nothing
   */
  public PortException(String port, String method, String fault, Throwable cause) {
    super("port " + port + ": " + method + " " + fault + text(cause), cause);
    this.port = port;
    this.method = method;
  }

  private PortException(PortException failure) {
    super(failure.getMessage(), failure.getCause());
    port = failure.port;
    method = failure.method;
  }

  /**
   * The same failure as a new exception, with what is suppressed in it. A port may throw one
   * exception in every pass: what is suppressed in the copy later does not gather there.
   *
   * @param failure the failure
   * @return a copy with its stack trace
   */
  public static PortException copyOf(PortException failure) {
    PortException copy = new PortException(failure);
    copy.setStackTrace(failure.getStackTrace());
    for (Throwable suppressed : failure.getSuppressed()) {
      copy.addSuppressed(suppressed);
    }
    return copy;
  }

  /** An exception may throw where its message is read. */
  private static String text(Throwable cause) {
    try {
      return cause == null ? "" : " " + cause;
    } catch (RuntimeException | Error unprintable) {
      return " " + cause.getClass().getName();
    }
  }

  /**
   * The port that failed.
   *
   * @return its name
   */
  public String port() {
    return port;
  }

  /**
   * The method that was called.
   *
   * @return the name of the method
   */
  public String method() {
    return method;
  }
}
