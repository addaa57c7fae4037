package io.lighthouse.api.error;

/**
 * A strategy broke its contract: it threw an exception, returned a node that was not offered, or
 * called its distributor. The whole call was rolled back. The author of the strategy must act.
 */
public class StrategyException extends LighthouseException {
  private static final long serialVersionUID = 1L;

  /** The name of the strategy. */
  private final String strategy;

  /** Where it comes from. */
  private final String origin;

  /**
   * Makes an exception that names the strategy and its origin.
   *
   * @param strategy the name of the strategy
   * @param origin where it comes from: its class and module or jar
   * @param fault what it did, such as {@code threw}
   * @param cause the exception that it threw; null if it threw none
   */
  public StrategyException(String strategy, String origin, String fault, Throwable cause) {
    super("strategy '" + strategy + "' (" + origin + ") " + fault, cause);
    this.strategy = strategy;
    this.origin = origin;
  }

  /**
   * The name of the strategy that failed.
   *
   * @return its name
   */
  public String strategy() {
    return strategy;
  }

  /**
   * Where the strategy comes from.
   *
   * @return its class and module or jar
   */
  public String origin() {
    return origin;
  }
}
