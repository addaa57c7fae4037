package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.answers.Fleets;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every plan for fleets that came about somehow: lawful at every step, and what it says. */
class PlanProperties {
  @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void everyStepIsLawfulAndTheEndIsAsSaid(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("newcomers") List<Workload> newcomers,
      @ForAll long seed) {
    Distributor fleet = Fleets.played(scenario, "prioritized");
    Dice dice = new Dice(seed);
    PlanGoal goal = goal(fleet, newcomers, dice);
    PlanLimits limits = PlanDraws.limits(fleet.snapshot(), dice);
    Plan plan =
        PlanLaws.check(
            fleet,
            goal,
            limits,
            (on, wanted, within) -> on.advisor().plan(wanted, within),
            new Random(seed));
    new ObstacleJudge(fleet, plan, limits).check();
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void noSequenceOfMovesBeatsTheBoundAndOptimalMeansIt(
      @ForAll("tiny") Scenario scenario,
      @ForAll("newcomer") List<Workload> newcomers,
      @ForAll long seed) {
    Distributor fleet = Fleets.played(scenario, "prioritized");
    Dice dice = new Dice(seed);
    PlanGoal goal = goal(fleet, newcomers, dice);
    int most = dice.chance(2) ? Integer.MAX_VALUE : dice.below(3);
    Quantity best = EveryPlan.best(fleet, goal, most);
    Plan plan = fleet.advisor().plan(goal, PlanLimits.NONE.withMoves(most));
    assertThat(EveryPlan.better(goal, best, plan.bound().best()))
        .as("%s reaches %s, beyond the bound of %s", fleet.snapshot().nodes(), best, plan)
        .isFalse();
    if (plan.optimal()) {
      Distributor end = fleet.copy();
      end.apply(plan.changes());
      assertThat(EveryPlan.figure(fleet.snapshot(), end.snapshot(), goal)).isEqualTo(best);
    }
  }

  private static PlanGoal goal(Distributor fleet, List<Workload> newcomers, Dice dice) {
    return dice.one(PlanDraws.goals(fleet.snapshot(), Fleets.named("newcomer", newcomers), dice));
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenarios.of(6, 8, 8);
  }

  @Provide
  Arbitrary<Scenario> tiny() {
    return Scenarios.tiny();
  }

  @Provide
  Arbitrary<List<Workload>> newcomers() {
    return Scenarios.workloads().list().ofMaxSize(4);
  }

  @Provide
  Arbitrary<List<Workload>> newcomer() {
    return Scenarios.workloads().list().ofMaxSize(1);
  }
}
