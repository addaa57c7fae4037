package io.lighthouse.kubernetes.cluster.object;

/** An object asks for something that this scheduler does not know, or does not support. */
public final class UnsupportedFieldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What it is, for people. */
  public UnsupportedFieldException(String what) {
    super(what, null, false, false);
  }
}
