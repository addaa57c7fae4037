package io.lighthouse.api;

/**
 * Something other than the caller is broken: a strategy, or Lighthouse itself. The state of the
 * distributor is as it was before the call. The message says who must act.
 */
public class LighthouseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message what is broken and who must act
   */
  public LighthouseException(String message) {
    super(message);
  }

  /**
   * Makes an exception with its cause.
   *
   * @param message what is broken and who must act
   * @param cause what was thrown
   */
  public LighthouseException(String message, Throwable cause) {
    super(message, cause);
  }
}
