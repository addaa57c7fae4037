package io.lighthouse.scheduler.port;

import io.lighthouse.api.LighthouseException;

/**
 * Something behind a port failed, or broke the port's contract. Whoever runs the port must act; the
 * scheduling manager goes on with its next pass.
 */
public class PortException extends LighthouseException {
  private static final long serialVersionUID = 1L;

  /** The name of the port. */
  private final String port;

  /**
   * Makes an exception.
   *
   * @param port the name of the port, such as {@code ExecutionStore}
   * @param fault what it did, such as {@code threw while committing 3 executions}
   * @param cause what it threw; null where it threw nothing
   */
  public PortException(String port, String fault, Throwable cause) {
    super("port '" + port + "' " + fault + (cause == null ? "" : ": " + cause), cause);
    this.port = port;
  }

  /**
   * The port that failed.
   *
   * @return its name
   */
  public String port() {
    return port;
  }
}
