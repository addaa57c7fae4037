package io.lighthouse.api.strategy;

import io.lighthouse.api.Rubric;

/**
 * The order in which the workloads of a batch take their turns: as given, or the highest score
 * first. Immutable.
 */
public sealed interface BatchOrder {
  /** As given. */
  record AsGiven() implements BatchOrder {}

  /**
   * By the score of the requirements under a rubric, the highest first; equal ones by name,
   * ascending.
   *
   * @param rubric the weights
   */
  record ScoreDescending(Rubric rubric) implements BatchOrder {}

  /**
   * By size, the largest first; equal ones as given. The size is the sum of what is required of
   * each resource as a share of what all nodes have of it together (where that is finite and above
   * 0), each in parts of 2^40, the sum rounded to parts of 2^32.
   */
  record SizeDescending() implements BatchOrder {}

  /**
   * As given.
   *
   * @return the order
   */
  static BatchOrder asGiven() {
    return new AsGiven();
  }

  /**
   * The highest score first; equal ones by name, ascending.
   *
   * @param rubric the weights
   * @return the order
   */
  static BatchOrder scoreDescending(Rubric rubric) {
    return new ScoreDescending(rubric);
  }

  /**
   * The largest first, by the share of the fleet that a workload requires; equal ones as given.
   *
   * @return the order
   */
  static BatchOrder sizeDescending() {
    return new SizeDescending();
  }
}
