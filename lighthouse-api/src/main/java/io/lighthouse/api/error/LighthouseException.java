package io.lighthouse.api.error;

/**
 * Something other than the caller's input is broken: a strategy, a rule, or Lighthouse itself. The
 * state of the distributor is as it was before the call. The message names the party that must act.
 */
public class LighthouseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message what is broken, and the party that must act
   */
  public LighthouseException(String message) {
    super(message);
  }

  /**
   * Makes an exception with its cause.
   *
   * @param message what is broken, and the party that must act
   * @param cause the exception caught
   */
  public LighthouseException(String message, Throwable cause) {
    super(message, cause);
  }
}
