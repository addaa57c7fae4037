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
    super("port " + port + ": " + method + " " + fault + (cause == null ? "" : " " + cause), cause);
    this.port = port;
    this.method = method;
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
