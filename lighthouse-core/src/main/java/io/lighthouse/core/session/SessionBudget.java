package io.lighthouse.core.session;

import io.lighthouse.api.Budget;
import io.lighthouse.api.strategy.BudgetOverException;
import java.util.concurrent.TimeUnit;

/** What a strategy may spend on a batch: steps, and time. The clock is read once in many steps. */
final class SessionBudget {
  /** The number of steps between two reads of the clock. */
  private static final int STEPS_PER_READ = 256;

  private final boolean counted;
  private long stepsLeft;

  /** Counts down to the next read of the clock. */
  private int stepsToRead = STEPS_PER_READ;

  /** When time is over, by {@link System#nanoTime}; read only where there is a limit. */
  private final long deadline;

  private final boolean timed;
  private boolean late;

  /** Whether a step was requested after the budget was over. */
  private boolean ended;

  /** A budget whose time begins now. */
  SessionBudget(Budget budget) {
    counted = budget.steps() != Long.MAX_VALUE;
    stepsLeft = budget.steps();
    timed = budget.time().isPresent();
    // At most what the clock can count.
    deadline =
        timed
            ? System.nanoTime()
                + Math.min(
                    TimeUnit.NANOSECONDS.convert(budget.time().orElseThrow()), Long.MAX_VALUE / 2)
            : 0;
  }

  /** Spends a step, or throws if none is left, or no time. */
  void spendStep() {
    if (stepsLeft == 0 || late || (timed && --stepsToRead == 0 && isLate())) {
      ended = true;
      throw new BudgetOverException();
    }
    if (stepsToRead == 0) {
      stepsToRead = STEPS_PER_READ;
    }
    if (counted) {
      stepsLeft--;
    }
  }

  private boolean isLate() {
    late |= timed && System.nanoTime() - deadline >= 0;
    return late;
  }

  /** The steps that are left; {@link Long#MAX_VALUE} for no limit. */
  long stepsLeft() {
    return stepsLeft;
  }

  /** Whether no step is left, or no time. */
  boolean isOver() {
    return stepsLeft == 0 || isLate();
  }

  /** Whether a step was requested after the budget was over. */
  boolean hasEnded() {
    return ended;
  }
}
