package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How much a search may spend on one call. With a limit of steps, the same input gives the same
 * answer on every machine. With a time limit it may not. Immutable and thread-safe.
 *
 * @param steps how many checks and moves the search may make, 0 or more; {@link Long#MAX_VALUE} for
 *     no limit
 * @param time how long it may take; empty for no limit
 */
public record Budget(long steps, Optional<Duration> time) {
  /** No limit. */
  public static final Budget UNLIMITED = new Budget(Long.MAX_VALUE, Optional.empty());

  /**
   * Checks.
   *
   * @throws InvalidInputException if the steps or the time are below 0
   */
  public Budget {
    Objects.requireNonNull(time, "time");
    if (steps < 0) {
      throw new InvalidInputException("budget", "steps", String.valueOf(steps), "0 or more");
    }
    if (time.isPresent() && time.get().isNegative()) {
      throw new InvalidInputException("budget", "time", time.get().toString(), "0 or more");
    }
  }

  /**
   * A budget of steps.
   *
   * @param steps 0 or more
   * @return the budget
   * @throws InvalidInputException if the steps are below 0
   */
  public static Budget ofSteps(long steps) {
    return new Budget(steps, Optional.empty());
  }

  /**
   * The same with a time limit. The answer may then differ from run to run.
   *
   * @param limit how long, 0 or more
   * @return a new budget
   * @throws InvalidInputException if the time is below 0
   */
  public Budget within(Duration limit) {
    return new Budget(steps, Optional.of(limit));
  }
}
