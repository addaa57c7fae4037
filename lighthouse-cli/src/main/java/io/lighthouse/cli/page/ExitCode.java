package io.lighthouse.cli.page;

/** How the command ends. Of several files the highest counts. */
public final class ExitCode {
  /** All placed; nothing was wrong. */
  public static final int DONE = 0;

  /** Some were refused. */
  public static final int REFUSED = 1;

  /**
   * Wrong use, bad input, a broken strategy or rule, a bug of Lighthouse, or something could not be
   * read or written.
   */
  public static final int FAILED = 2;

  /** The service cannot listen on its address: the port is in use, or the address is not ours. */
  public static final int CANNOT_LISTEN = 3;

  private ExitCode() {}
}
