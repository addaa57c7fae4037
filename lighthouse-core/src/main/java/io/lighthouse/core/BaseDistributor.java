package io.lighthouse.core;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Advisor;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.StrategyDescription;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The calls of a distributor, each as one run of {@link FleetOperations}. Subclasses decide when a
 * run may begin and whether its changes are kept. A {@link LedgerDistributor} keeps them; a {@link
 * TrialDistributor} takes them back.
 */
abstract sealed class BaseDistributor implements Distributor
    permits LedgerDistributor, TrialDistributor {
  final FleetOperations operations;

  BaseDistributor(FleetOperations operations) {
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
    Objects.requireNonNull(budget, "budget");
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
    return run(() -> carriedOut(steps));
  }

  /** Carries changes out; returns the generation after the call. */
  private long carriedOut(List<Change> steps) {
    operations.apply(steps);
    return operations.changed() ? generation() + 1 : generation();
  }

  @Override
  public final long apply(long generation, List<Change> changes) {
    List<Change> steps = List.copyOf(changes);
    return run(
        () -> {
          if (generation != generation()) {
            throw new InvalidInputException(
                "changes of a plan",
                "generation",
                String.valueOf(generation),
                "the present one, "
                    + generation()
                    + "; apply them without it to have each checked");
          }
          return carriedOut(steps);
        });
  }

  @Override
  public final Advisor advisor() {
    return new FleetAdvisor(this);
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

  static void checkIndex(String of, int index, List<Workload> workloads) {
    if (index < 0 || index >= workloads.size()) {
      throw new InvalidInputException(of, "index", String.valueOf(index), "an index of the batch");
    }
  }

  @Override
  public final List<Rule> rules() {
    return operations.ledger.rules();
  }

  @Override
  public final DomainState domain(String level, String domain) {
    return run(() -> operations.ledger.topology().domain(level, domain));
  }

  @Override
  public final NodeState node(String node) {
    return run(() -> operations.ledger.state(operations.ledger.nodes().node(node)));
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
