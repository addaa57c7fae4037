package io.lighthouse.json;

import io.lighthouse.api.Distributor;
import io.lighthouse.core.Distributors;

/** Makes the distributor of a problem. Stateless and thread-safe. */
public final class ProblemDistributor {
  private ProblemDistributor() {}

  /**
   * A distributor with everything of the problem except the workloads to place.
   *
   * @param strategy a builder with the strategy that is to be used, and nothing else
   * @param problem the problem; the strategy that it names is ignored
   * @return the distributor, with the workloads that are on the nodes
   * @throws io.lighthouse.api.error.InvalidInputException if the problem is not consistent
   */
  public static Distributor of(Distributors.Builder strategy, Problem problem) {
    return filled(strategy, problem).build();
  }

  /**
   * The same of a problem that was saved: see {@link Distributors.Builder#restore}.
   *
   * @param strategy a builder with the strategy that is to be used, and nothing else
   * @param problem the problem; the strategy that it names is ignored
   * @return the distributor, with the workloads that are on the nodes
   * @throws io.lighthouse.api.error.InvalidInputException if the problem is not consistent
   */
  public static Distributor restored(Distributors.Builder strategy, Problem problem) {
    return filled(strategy, problem).restore();
  }

  private static Distributors.Builder filled(Distributors.Builder strategy, Problem problem) {
    Distributors.Builder builder =
        strategy
            .settings(problem.settings())
            .domains(problem.domains())
            .rules(problem.rules())
            .nodes(problem.nodes());
    problem.rubric().ifPresent(builder::rubric);
    problem.lastPlaced().ifPresent(builder::lastPlaced);
    return builder;
  }
}
