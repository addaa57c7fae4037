package io.lighthouse.core.plan;

import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;

/**
 * Finds the changes of a {@link Plan} on the ledger itself, one after the other, so that each is
 * feasible at its turn; and rolls them back.
 */
public final class Planner {
  private Planner() {}

  /**
   * Makes a plan. The ledger is afterwards what it was.
   *
   * @param ledger the accounts
   * @param finder the finder that decides what fits
   * @param generation that of the fleet
   * @param goal what is to be reached
   * @param limits what may be done
   * @param budget what the search may spend
   * @return the plan
   * @throws InvalidInputException if the goal or the limits name what is not there
   */
  public static Plan plan(
      Ledger ledger,
      Finder finder,
      long generation,
      PlanGoal goal,
      PlanLimits limits,
      StepBudget budget) {
    int savepoint = ledger.savepoint();
    Batch batch =
        goal instanceof PlanGoal.Place place ? Batch.open(ledger, place.workloads()) : null;
    try {
      PlanSession session = new PlanSession(ledger, finder, limits, budget);
      GoalSearch search = new GoalSearch(session, batch);
      Plan.Figures before = PlanFigures.of(ledger);
      Plan.Bound bound = goal.match(search);
      return new Plan(
          goal,
          generation,
          Waves.of(session),
          search.unmet(),
          before,
          PlanFigures.of(ledger),
          bound,
          new PlanObstacles(session, batch, search.unmet()).of(goal));
    } finally {
      ledger.rollBack(savepoint);
      if (batch != null) {
        batch.close();
      }
    }
  }
}
