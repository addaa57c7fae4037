package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import java.util.List;

/**
 * One of the steps of an execution, which become tasks one after another. Immutable.
 *
 * @param name what it does, such as {@code main}
 * @param resources what it needs, no more than its execution
 */
public record Step(String name, Resources resources) {
  /**
   * Checks.
   *
   * @throws InvalidInputException if the name is empty or ill-formed, or a quantity is negative or
   *     above 1e900
   */
  public Step {
    Names.require(name, "step", "name");
    resources = ResourceVectors.request(resources, "step '" + name + "'");
  }

  /**
   * The only step of simple work: {@code main}, with all that it asks for.
   *
   * @param execution the work
   * @return one step
   */
  public static List<Step> main(PendingExecution execution) {
    return List.of(new Step("main", execution.request()));
  }

  /**
   * The steps of Scale's ordinary work: {@code pull}, {@code pre}, {@code main} and {@code post},
   * each with all that it asks for.
   *
   * @param execution the work
   * @return four steps
   */
  public static List<Step> pullPreMainPost(PendingExecution execution) {
    Resources all = execution.request();
    return List.of(
        new Step("pull", all), new Step("pre", all), new Step("main", all), new Step("post", all));
  }
}
