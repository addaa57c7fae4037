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
}
