package io.lighthouse.api.strategy;

/**
 * The caller's budget for a search is over, and the strategy asked for one more step. Not to be
 * caught: the engine ends the search with what it has found so far ({@link Session#keep}).
 */
public class BudgetOverException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Made by the engine; without a stack trace, since nothing is wrong. */
  public BudgetOverException() {
    super("the budget of the search is over", null, false, false);
  }
}
