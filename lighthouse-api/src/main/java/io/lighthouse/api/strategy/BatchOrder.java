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
   * By size, the largest first; equal ones as given. The size is a sum over the resources whose
   * total capacity is finite and above 0. Each contributes the requirement's share of the total
   * capacity of all nodes, in parts of 2^40. The sum is rounded to parts of 2^32.
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
