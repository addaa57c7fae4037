package io.lighthouse.api.strategy;

import io.lighthouse.api.Rubric;
import java.util.Objects;

/**
 * The order in which the workloads of a batch take their turns: as given, the highest score first,
 * or the largest first. Immutable.
 */
public sealed interface BatchOrder {
  /**
   * Calls the case for this kind of order. Code that depends on the kind implements {@link Cases},
   * so that it fails to compile when a kind is added.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of order.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link AsGiven}}
     *
     * @param order the order
     */
    R asGiven(AsGiven order);

    /**
     * {@return the result for {@link ScoreDescending}}
     *
     * @param order the order
     */
    R scoreDescending(ScoreDescending order);

    /**
     * {@return the result for {@link SizeDescending}}
     *
     * @param order the order
     */
    R sizeDescending(SizeDescending order);
  }

  /** As given. */
  record AsGiven() implements BatchOrder {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.asGiven(this);
    }
  }

  /**
   * By the score of the requirements under a rubric, the highest first; equal ones by name,
   * ascending.
   *
   * @param rubric the weights
   */
  record ScoreDescending(Rubric rubric) implements BatchOrder {
    /** Checks that the rubric is not null. */
    public ScoreDescending {
      Objects.requireNonNull(rubric, "rubric");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.scoreDescending(this);
    }
  }

  /**
   * By size, the largest first; equal ones as given. The size is a sum over the resources of which
   * some node has a finite capacity above 0. Each contributes the requirement's share of the total
   * of these capacities, in parts of 2^40, and at most 4,096 times that total in either direction.
   * The sum is rounded to parts of 2^32.
   */
  record SizeDescending() implements BatchOrder {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.sizeDescending(this);
    }
  }

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
