package io.lighthouse.api;

/**
 * Lighthouse itself is broken: its engine threw, or found its own accounts wrong. Neither the
 * caller nor a strategy is to blame. The call was rolled back. Report it.
 */
public class InternalErrorException extends LighthouseException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param what what was found
   * @param cause what was thrown; null where nothing was
   */
  public InternalErrorException(String what, Throwable cause) {
    super("this is a bug of Lighthouse, please report it: " + what, cause);
  }
}
