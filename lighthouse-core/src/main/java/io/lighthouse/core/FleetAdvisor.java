package io.lighthouse.core;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Advisor;
import io.lighthouse.api.advice.Bounds;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.question.FleetSizing;
import io.lighthouse.core.question.Headrooms;
import io.lighthouse.core.question.RemedySearch;
import io.lighthouse.core.question.Shortages;
import io.lighthouse.core.question.WhatIfTrial;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The questions of a distributor that need a search, each as one run of {@link FleetOperations},
 * like the calls of {@link BaseDistributor}.
 */
final class FleetAdvisor implements Advisor {
  private final BaseDistributor distributor;

  FleetAdvisor(BaseDistributor distributor) {
    this.distributor = distributor;
  }

  @Override
  public Choice choice(int index, List<Workload> batch) {
    List<Workload> workloads = List.copyOf(batch);
    BaseDistributor.checkIndex("choice", index, workloads);
    return distributor.run(() -> distributor.operations.choice(index, workloads));
  }

  @Override
  public WhatIf whatIf(List<Workload> batch, List<Supposition> supposed, WhatIf.Placing placing) {
    List<Workload> workloads = List.copyOf(batch);
    List<Supposition> steps = List.copyOf(supposed);
    Objects.requireNonNull(placing, "placing");
    Ledger ledger = distributor.operations.ledger;
    return inTrial(tried -> WhatIfTrial.answer(tried, ledger::nodeOf, workloads, steps, placing));
  }

  @Override
  public Remedies remedies(Workload workload, Set<String> protectedWorkloads) {
    Set<String> spared = Set.copyOf(protectedWorkloads);
    return inTrial(
        tried ->
            RemedySearch.answer(
                tried,
                workload,
                spared,
                (goal, limits, steps) -> plan(tried, goal, limits, steps),
                new StepBudget(RemedySearch.MOST_STEPS)));
  }

  @Override
  public List<Shortage> shortages(List<Workload> refused) {
    List<Workload> workloads = List.copyOf(refused);
    StepBudget budget = new StepBudget(Shortages.MOST_STEPS);
    return inTrial(tried -> Shortages.answer(tried, workloads, budget));
  }

  @Override
  public Sizing size(List<Workload> batch, List<Offer> offers, Budget budget) {
    List<Workload> workloads = List.copyOf(batch);
    List<Offer> kinds = List.copyOf(offers);
    Objects.requireNonNull(budget, "budget");
    return inTrial(tried -> FleetSizing.answer(tried, workloads, kinds, budget));
  }

  @Override
  public Headroom headroom(List<Headroom.Part> mix) {
    List<Headroom.Part> parts = List.copyOf(mix);
    StepBudget budget = new StepBudget(Headrooms.MOST_STEPS);
    return inTrial(tried -> Headrooms.answer(tried, parts, budget));
  }

  @Override
  public Bounds bounds(List<Workload> batch) {
    List<Workload> workloads = List.copyOf(batch);
    Supplier<Bounds> closer = distributor.run(() -> distributor.operations.bounds(workloads));
    return closer.get(); // Up to seconds, during which the distributor is free.
  }

  @Override
  public Plan plan(PlanGoal goal, PlanLimits limits) {
    return plan(distributor, goal, limits, new StepBudget(StepBudget.OF_A_PLAN));
  }

  private static Plan plan(
      BaseDistributor fleet, PlanGoal goal, PlanLimits limits, StepBudget budget) {
    return fleet.run(() -> fleet.operations.plan(goal, limits, fleet.generation(), budget));
  }

  /** Answers a question in a trial. */
  private <T> T inTrial(Function<? super TrialDistributor, ? extends T> question) {
    return distributor.run(
        () -> distributor.operations.tryOut(List.of(), question, distributor.generation()));
  }
}
