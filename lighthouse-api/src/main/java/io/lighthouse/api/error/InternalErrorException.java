package io.lighthouse.api.error;

/**
 * Lighthouse itself is broken: its engine threw, or found its own accounts wrong. Neither the
 * caller nor a strategy is the cause. The call was rolled back. Where that failed, the distributor
 * refuses every later call with such an exception. Please report the error.
 *
 * <p>It is no bug where the message says that the stack or the memory was exhausted, for example by
 * calls of the caller within each other. The distributor has to be made anew then, too.
 */
public class InternalErrorException extends LighthouseException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param what the fault found
   * @param cause the exception caught; null if there is none
   */
  public InternalErrorException(String what, Throwable cause) {
    super("this is a bug of Lighthouse, please report it: " + what, cause);
  }
}
