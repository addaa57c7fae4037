package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.model.ResourceVectors;

/**
 * What nodes do for themselves. Immutable.
 *
 * @param cleanup whether a node that connects is cleaned up first, and again when executions end on
 *     it
 * @param imagePull whether a node that connects pulls the base image before it takes work
 * @param healthChecks whether a node checks its health every five minutes
 * @param taskResources what each of these tasks needs
 */
public record Maintenance(
    boolean cleanup, boolean imagePull, boolean healthChecks, Resources taskResources) {
  /** None: a node that is connected is ready. */
  public static final Maintenance NONE = new Maintenance(false, false, false, Resources.none());

  /** All of it, as in Scale: each task takes 0.1 cpus and 32 mem. */
  public static final Maintenance SCALE =
      new Maintenance(true, true, true, Resources.of("cpus", Quantity.of("0.1"), "mem", 32));

  /**
   * Checks, and rounds as a request is rounded.
   *
   * @throws io.lighthouse.api.error.InvalidInputException if a quantity is negative or above 1e900
   */
  public Maintenance {
    taskResources = ResourceVectors.request(taskResources, "maintenance");
  }
}
