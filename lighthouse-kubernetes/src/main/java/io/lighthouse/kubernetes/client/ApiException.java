package io.lighthouse.kubernetes.client;

import java.io.IOException;

/**
 * An answer of the API server that is an error. A missing answer is another {@link IOException}.
 * After that, and after codes from 500 on, it is unknown whether the call took effect.
 */
public final class ApiException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int code;

  /** Of the server's status, such as AlreadyExists; empty where it does not say. */
  private final String reason;

  private final int retryAfter;

  ApiException(String call, int code, String reason, String message, int retryAfter) {
    super(call + ": " + code + (reason.isEmpty() ? "" : " " + reason) + ": " + message);
    this.code = code;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /** The status code, such as 409; of an ERROR in a watch, the one in its object. */
  public int code() {
    return code;
  }

  /** How long the server asks to wait, in seconds; 0 where it does not say. */
  public int retryAfter() {
    return retryAfter;
  }

  /** Whether the version asked for is not kept any more (410). */
  public boolean isExpired() {
    return code == 410;
  }

  /** Whether an object of this name is there already. */
  public boolean isThereAlready() {
    return code == 409 && reason.equals("AlreadyExists");
  }

  /**
   * Whether the same call may succeed later: there was no answer, or the server was busy (429) or
   * failed.
   */
  public static boolean mayHelpToWait(IOException failed) {
    return mayHaveHappened(failed) || ((ApiException) failed).code == 429;
  }

  /** Whether a call that failed may have taken effect, or may do so still. */
  public static boolean mayHaveHappened(IOException failed) {
    return !(failed instanceof ApiException refused) || !refused.isRefused();
  }

  /** Whether it is sure that the call had no effect: not from 500 on. */
  public boolean isRefused() {
    return code < 500;
  }
}
