package io.lighthouse.api.strategy;

/**
 * The caller's budget for a search is spent, and the strategy attempted one more step. A strategy
 * must not catch it: the engine ends the search with the state kept last ({@link Session#keep}).
 */
public class BudgetOverException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Created by the engine, without a stack trace, since it is not an error. */
  public BudgetOverException() {
    super("the budget of the search is over", null, false, false);
  }
}
