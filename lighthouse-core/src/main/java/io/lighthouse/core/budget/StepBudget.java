package io.lighthouse.core.budget;

/**
 * Counts the steps of one search. Steps are the same on every machine, so the same input has the
 * same answer. For one search, in one thread.
 *
 * <p>A step is one unit of work on the fleet:
 *
 * <ul>
 *   <li>a workload that is placed or refused in a trial, or a node that is added for it;
 *   <li>a node that is checked for a workload, or a shape that is checked against a kind of nodes;
 *   <li>in remedies and shortages, a trial of changes as a whole.
 * </ul>
 *
 * <p>Every loop of a search checks {@link #isOver} before its next turn, and every turn that works
 * on the fleet spends its steps. So a search exceeds its budget by its last turn and by one pass
 * over the problem, and by no more.
 */
public final class StepBudget {
  private final long most;
  private long spent;
  private boolean ended;

  /**
   * A budget of which nothing is spent.
   *
   * @param most the number of steps, 0 or more
   */
  public StepBudget(long most) {
    this.most = most;
  }

  /**
   * Counts steps.
   *
   * @param steps 0 or more
   */
  public void spend(long steps) {
    spent += steps;
  }

  /** Leaves no steps, whatever was spent. */
  public void end() {
    ended = true;
  }

  /**
   * Whether the search must end with what it has found.
   *
   * @return true if no step is left
   */
  public boolean isOver() {
    return left() <= 0;
  }

  /**
   * The steps that are left.
   *
   * @return 0 or less if the budget is over; below 0 by what the last turn spent beyond it
   */
  public long left() {
    return ended ? Math.min(0, most - spent) : most - spent;
  }

  /**
   * The steps that were spent.
   *
   * @return 0 or more, at times beyond the budget
   */
  public long spent() {
    return spent;
  }
}
