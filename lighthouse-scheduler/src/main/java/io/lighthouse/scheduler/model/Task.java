package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;

/**
 * What is sent to the cluster manager: one container run. Immutable.
 *
 * @param id unique for good; a task that is tried again has a new one
 * @param family whose business it is
 * @param name what it does, such as {@code main}, {@code cleanup}, {@code database-update}
 * @param agent the agent it runs on; empty for a system task that no node has accepted
 * @param execution the execution that it is part of; empty unless it is a job task
 * @param resources what it needs; quantities from 0 to 1e900, rounded up to nine digits
 */
public record Task(
    String id, Family family, String name, String agent, String execution, Resources resources) {

  /** Whose business a task is. */
  public enum Family {
    /** A step of an execution. */
    JOB,
    /** Maintenance of one node. */
    NODE,
    /** Runs once, somewhere in the cluster. */
    SYSTEM
  }

  /**
   * Checks.
   *
   * @throws InvalidInputException if the id or name is empty or ill-formed, or a quantity is
   *     negative or above 1e900. Also if a job or node task has no agent, a job task has no
   *     execution, or another task has one
   */
  public Task {
    Names.require(id, "task", "id");
    String subject = "task '" + id + "'";
    Names.require(name, subject, "name");
    if (family != Family.SYSTEM) {
      Names.require(agent, subject, "agent");
    }
    if ((family == Family.JOB) == execution.isEmpty()) {
      throw new InvalidInputException(
          subject,
          "execution",
          "'" + execution + "'",
          family == Family.JOB ? "the id of its execution" : "'', as it is no job task");
    }
    resources = ResourceVectors.request(resources, subject);
  }

  /**
   * A step of an execution.
   *
   * @param id its id
   * @param name what it does
   * @param agent the agent it runs on
   * @param execution the id of its execution
   * @param resources what it needs
   * @return the task
   * @throws InvalidInputException as the constructor
   */
  public static Task job(
      String id, String name, String agent, String execution, Resources resources) {
    return new Task(id, Family.JOB, name, agent, execution, resources);
  }

  /**
   * Maintenance of a node.
   *
   * @param id its id
   * @param name what it does
   * @param agent the agent it runs on
   * @param resources what it needs
   * @return the task
   * @throws InvalidInputException as the constructor
   */
  public static Task node(String id, String name, String agent, Resources resources) {
    return new Task(id, Family.NODE, name, agent, "", resources);
  }

  /**
   * A task that runs once in the cluster, not yet accepted by a node.
   *
   * @param id its id
   * @param name what it does
   * @param resources what it needs
   * @return the task
   * @throws InvalidInputException as the constructor
   */
  public static Task system(String id, String name, Resources resources) {
    return new Task(id, Family.SYSTEM, name, "", "", resources);
  }

  /**
   * The same, accepted by a node.
   *
   * @param acceptedBy the agent of the node
   * @return a new value
   */
  public Task on(String acceptedBy) {
    return new Task(id, family, name, acceptedBy, execution, resources);
  }
}
