package io.lighthouse.core;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Bounds;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Change;
import io.lighthouse.api.Choice;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Headroom;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Offer;
import io.lighthouse.api.Plan;
import io.lighthouse.api.PlanGoal;
import io.lighthouse.api.PlanLimits;
import io.lighthouse.api.Remedies;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Shortage;
import io.lighthouse.api.Sizing;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Supposition;
import io.lighthouse.api.WhatIf;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.answer.FleetSizing;
import io.lighthouse.core.answer.Headrooms;
import io.lighthouse.core.answer.RemedySearch;
import io.lighthouse.core.answer.Shortages;
import io.lighthouse.core.answer.Supposing;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The calls of a distributor, each as one run of {@link Operations}. When such a run may begin, and
 * what becomes of the changes that it has made, is up to those below: they stand in a {@link
 * LedgerDistributor}, and are taken back in a {@link TriedDistributor}.
 */
abstract sealed class OperatedDistributor implements Distributor
    permits LedgerDistributor, TriedDistributor {
  final Operations operations;

  OperatedDistributor(Operations operations) {
    this.operations = operations;
  }

  /** Runs a call by itself; what throws has changed nothing. */
  abstract <T> T run(Supplier<T> call);

  @Override
  public final StrategyDescription strategy() {
    return operations.strategy.description();
  }

  @Override
  public final Optional<Rubric> rubric() {
    return Optional.ofNullable(operations.rubric);
  }

  @Override
  public final Map<String, String> settings() {
    return operations.settings;
  }

  @Override
  public final Assignments assign(List<Workload> batch, AssignOption... options) {
    return assign(batch, Budget.UNLIMITED, options);
  }

  @Override
  public final Assignments assign(List<Workload> batch, Budget budget, AssignOption... options) {
    List<Workload> workloads = List.copyOf(batch);
    List<AssignOption> asked = List.of(options);
    return run(() -> operations.assign(workloads, budget, asked));
  }

  @Override
  public final List<Workload> release(Collection<String> workloads) {
    List<String> names =
        List.copyOf(workloads.size() > 1 ? new LinkedHashSet<>(workloads) : workloads);
    return run(() -> operations.release(names));
  }

  @Override
  public final List<Workload> releaseNode(String node) {
    return run(() -> operations.releaseNode(node));
  }

  @Override
  public final List<Workload> releaseAll() {
    return run(operations::releaseAll);
  }

  @Override
  public final void addNode(Node node) {
    change(new Change.AddNode(node));
  }

  @Override
  public final void removeNode(String name) {
    change(new Change.RemoveNode(name));
  }

  @Override
  public final void resize(String node, Resources capacity) {
    change(new Change.Resize(node, capacity));
  }

  @Override
  public final void cordon(String node) {
    change(new Change.Cordon(node));
  }

  @Override
  public final void uncordon(String node) {
    change(new Change.Uncordon(node));
  }

  private void change(Change change) {
    run(
        () -> {
          operations.carryOut(change);
          return null;
        });
  }

  @Override
  public final long apply(List<Change> changes) {
    List<Change> steps = List.copyOf(changes);
    return run(
        () -> {
          operations.apply(steps);
          return operations.changed() ? generation() + 1 : generation();
        });
  }

  @Override
  public final Plan plan(PlanGoal goal, PlanLimits limits) {
    return run(() -> operations.plan(goal, limits, generation()));
  }

  @Override
  public final long apply(Plan plan) {
    return run(
        () -> {
          if (plan.generation() != generation()) {
            throw new InvalidInputException(
                "plan",
                "generation",
                String.valueOf(plan.generation()),
                "the present one, " + generation() + "; apply its changes to have each checked");
          }
          operations.apply(plan.changes());
          return operations.changed() ? generation() + 1 : generation();
        });
  }

  @Override
  public final Bounds bounds(List<Workload> batch) {
    List<Workload> workloads = List.copyOf(batch);
    return run(() -> operations.bounds(workloads));
  }

  @Override
  public final WhatIf whatIf(
      List<Workload> batch, List<Supposition> supposed, WhatIf.Placing placing) {
    List<Workload> workloads = List.copyOf(batch);
    List<Supposition> steps = List.copyOf(supposed);
    return asked(tried -> Supposing.answer(tried, workloads, steps, placing));
  }

  @Override
  public final Sizing size(List<Workload> batch, List<Offer> offers, Budget budget) {
    List<Workload> workloads = List.copyOf(batch);
    List<Offer> kinds = List.copyOf(offers);
    return asked(tried -> FleetSizing.answer(tried, workloads, kinds, budget));
  }

  @Override
  public final Headroom headroom(List<Headroom.Part> mix) {
    List<Headroom.Part> parts = List.copyOf(mix);
    return asked(tried -> Headrooms.answer(tried, parts));
  }

  @Override
  public final Remedies remedies(Workload workload, Set<String> protectedWorkloads) {
    Set<String> spared = Set.copyOf(protectedWorkloads);
    return asked(tried -> RemedySearch.answer(tried, workload, spared));
  }

  @Override
  public final List<Shortage> shortages(List<Workload> refused) {
    List<Workload> workloads = List.copyOf(refused);
    return asked(tried -> Shortages.answer(tried, workloads));
  }

  /** Asks a question that tries things out. */
  private <T> T asked(Function<? super Distributor, ? extends T> question) {
    return run(() -> operations.tryOut(List.of(), question, generation()));
  }

  @Override
  public final <T> T tryOut(
      List<Change> changes, Function<? super Distributor, ? extends T> question) {
    List<Change> steps = List.copyOf(changes);
    return run(() -> operations.tryOut(steps, question, generation()));
  }

  @Override
  public final List<String> fitting(Workload workload) {
    return run(() -> operations.fitting(workload));
  }

  @Override
  public final Explanation explain(Workload workload) {
    return run(() -> operations.explain(workload));
  }

  @Override
  public final Explanation explain(int index, List<Workload> batch) {
    List<Workload> workloads = List.copyOf(batch);
    checkIndex("explanation", index, workloads);
    return run(() -> operations.explain(index, workloads));
  }

  @Override
  public final Choice choice(int index, List<Workload> batch) {
    List<Workload> workloads = List.copyOf(batch);
    checkIndex("choice", index, workloads);
    return run(() -> operations.choice(index, workloads));
  }

  private static void checkIndex(String of, int index, List<Workload> workloads) {
    if (index < 0 || index >= workloads.size()) {
      throw new InvalidInputException(of, "index", String.valueOf(index), "an index of the batch");
    }
  }

  @Override
  public final List<Rule> rules() {
    return operations.rules();
  }

  @Override
  public final DomainState domain(String level, String domain) {
    return run(() -> operations.domain(level, domain));
  }

  @Override
  public final void declare(Domain domain) {
    change(new Change.Declare(domain));
  }

  @Override
  public final void undeclare(String level, String domain) {
    change(new Change.Undeclare(level, domain));
  }

  @Override
  public final void resize(String level, String domain, Resources capacity) {
    change(new Change.ResizeDomain(level, domain, capacity));
  }

  @Override
  public final void cordon(String level, String domain) {
    change(new Change.CordonDomain(level, domain, true));
  }

  @Override
  public final void uncordon(String level, String domain) {
    change(new Change.CordonDomain(level, domain, false));
  }

  @Override
  public final void regroup(String workload, Collection<String> groups) {
    change(new Change.Regroup(workload, Set.copyOf(groups)));
  }

  @Override
  public final NodeState node(String node) {
    return run(() -> operations.node(node));
  }

  @Override
  public final Snapshot snapshot() {
    return run(() -> operations.snapshot(generation()));
  }

  @Override
  public final Distributor copy() {
    return run(() -> new LedgerDistributor(operations.copy(), generation()));
  }
}
