package io.lighthouse.api.rule;

import io.lighthouse.api.error.LighthouseException;

/**
 * A rule broke its contract. It threw an exception, returned null or a negative excess, read what
 * it has not declared, called its own distributor, or judged a node differently each time. The
 * whole call was rolled back. The author of the rule must act.
 */
public class RuleException extends LighthouseException {
  private static final long serialVersionUID = 1L;

  /** The name of the rule. */
  private final String rule;

  /** Where it comes from. */
  private final String origin;

  /**
   * Makes an exception that names the rule and its origin.
   *
   * @param rule the name of the rule
   * @param origin where it comes from: its class and module or jar
   * @param fault what it did, such as {@code threw}
   * @param cause the exception that it threw; null if it threw none
   */
  public RuleException(String rule, String origin, String fault, Throwable cause) {
    super("rule '" + rule + "' (" + origin + ") " + fault, cause);
    this.rule = rule;
    this.origin = origin;
  }

  /**
   * The name of the rule that failed.
   *
   * @return its name
   */
  public String rule() {
    return rule;
  }

  /**
   * Where the rule comes from.
   *
   * @return its class and module or jar
   */
  public String origin() {
    return origin;
  }
}
