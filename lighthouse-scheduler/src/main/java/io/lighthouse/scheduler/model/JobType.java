package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;

/**
 * A class of work: what one of its kind usually needs, and how many may run. Immutable.
 *
 * @param name unique in the catalogue
 * @param request what an execution of it usually needs; used for scores only
 * @param maxScheduled how many of its executions may run at once; 0 for no limit
 * @param paused whether none of its executions may start
 */
public record JobType(String name, Resources request, int maxScheduled, boolean paused) {
  /**
   * Checks.
   *
   * @throws InvalidInputException if the name is empty or ill-formed, a quantity is negative or
   *     above 1e900, or the limit is negative
   */
  public JobType {
    Names.require(name, "job type", "name");
    request = ResourceVectors.request(request, "job type '" + name + "'");
    if (maxScheduled < 0) {
      throw new InvalidInputException(
          "job type '" + name + "'",
          "maxScheduled",
          Integer.toString(maxScheduled),
          "0 for no limit, or more");
    }
  }

  /**
   * A job type without a limit.
   *
   * @param name its name
   * @param request what an execution of it usually needs
   * @return the job type
   * @throws InvalidInputException as the constructor
   */
  public static JobType of(String name, Resources request) {
    return new JobType(name, request, 0, false);
  }
}
