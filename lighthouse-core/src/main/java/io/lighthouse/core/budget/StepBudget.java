package io.lighthouse.core.budget;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Counts the work of one question, plan or session. Work is the same on every machine, so the same
 * input has the same answer, unless there is a time limit, too. For one search, in one thread.
 *
 * <p>A step is one unit of work on the fleet. In a session, it is a call that counts as one.
 *
 * <ul>
 *   <li>A workload is placed or refused in a trial, or a node is added for it.
 *   <li>A node is checked for a workload, or a shape is checked against a kind of nodes.
 *   <li>In remedies and shortages, changes are tried as a whole.
 * </ul>
 *
 * <p>A read is a node, a workload or an amount that a pass looks at without any check of a fit, to
 * find a bound or the next turn. It costs a small part of a step. A budget of N steps allows
 * {@value #READS_PER_STEP} N reads beside its steps, and is over after them.
 *
 * <p>Every loop of a search checks {@link #isOver} before its next turn, and every turn spends its
 * steps. Every pass has its reads allowed first, by {@link #mayRead}. A bound whose passes are not
 * allowed is weaker, and true. So a search exceeds its budget by its last turn and by a few passes
 * over the problem, which the answer needs, and by no more.
 */
public final class StepBudget {
  /** The steps of a plan, or of bounds: some ten seconds of one thread. */
  public static final long OF_A_PLAN = 50_000_000;

  /** The reads that come with each step. */
  public static final int READS_PER_STEP = 64;

  private final long most;

  /** Whether the search ends at {@link #deadline}, too. */
  private final boolean timed;

  /** On the clock of {@link System#nanoTime}. */
  private final long deadline;

  private long spent;
  private long read;
  private boolean ended;

  /**
   * A budget of which nothing is spent.
   *
   * @param most the number of steps, 0 or more
   */
  public StepBudget(long most) {
    this(most, Optional.empty());
  }

  /**
   * A budget of which nothing is spent, and whose time begins now.
   *
   * @param most the number of steps, 0 or more
   * @param time how long the search may take, 0 or more; empty for no limit
   */
  public StepBudget(long most, Optional<Duration> time) {
    this.most = most;
    timed = time.isPresent();
    long nanos = TimeUnit.NANOSECONDS.convert(time.orElse(Duration.ZERO));
    deadline = System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 2);
  }

  /**
   * Counts steps.
   *
   * @param steps 0 or more
   */
  public void spend(long steps) {
    spent += steps;
  }

  /**
   * Counts the reads of a pass before it begins.
   *
   * @param reads 0 or more
   * @return true if the pass may begin; false ends the search
   */
  public boolean mayRead(long reads) {
    read += reads;
    ended |= read / READS_PER_STEP > most;
    return !isOver();
  }

  /** Leaves no steps, whatever was spent. */
  public void end() {
    ended = true;
  }

  /**
   * Whether the search must end with what it has found.
   *
   * @return true if no step is left, or no time
   */
  public boolean isOver() {
    ended |= timed && System.nanoTime() - deadline >= 0;
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
   * The steps that are left, or those whose reads are left where these are fewer.
   *
   * @return 0 or less if the budget is over
   */
  public long leftWithReads() {
    return Math.min(left(), most - read / READS_PER_STEP);
  }

  /**
   * The steps that were spent.
   *
   * @return 0 or more, at times beyond the budget; reads are not among them
   */
  public long spent() {
    return spent;
  }
}
