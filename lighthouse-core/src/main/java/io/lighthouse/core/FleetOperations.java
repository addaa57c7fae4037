package io.lighthouse.core;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Change;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Bounds;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bound.LowerBounds;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.engine.Engine;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.plan.Planner;
import io.lighthouse.core.registry.Installed;
import io.lighthouse.core.registry.Registry;
import io.lighthouse.core.search.Finder;
import io.lighthouse.core.view.FleetView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The operations of a fleet on its ledger, one at a time. An operation that throws may leave
 * changes in the log of the ledger, which its caller rolls back.
 */
final class FleetOperations {
  final Installed<PlacementStrategy, StrategyDescription> strategy;
  final Map<String, String> settings;

  /** Null where none was given. */
  final Rubric rubric;

  final FleetView fleet;

  final Ledger ledger;

  private final Registry<PlacementRule, RuleDescription> registry;
  private final Engine engine;
  private final AppliedChanges appliedChanges;

  /** Begins and ends the calls. */
  final CallFrame frame;

  /** Whether the strategy has called its distributor during the present call. */
  private boolean calledBack;

  /** Whether the strategy makes a placer for a copy. */
  private boolean copying;

  private boolean changed;

  /** What the present call has done, in order; null where it is not recorded. */
  private List<Change> done;

  /** Takes over the ledger. The settings are unmodifiable, the rubric null where none was given. */
  FleetOperations(
      Ledger ledger,
      Installed<PlacementStrategy, StrategyDescription> strategy,
      Map<String, String> settings,
      Rubric rubric,
      Registry<PlacementRule, RuleDescription> registry) {
    this.ledger = ledger;
    this.strategy = strategy;
    this.settings = settings;
    this.rubric = rubric;
    this.registry = registry;
    fleet = new FleetView(ledger, rubric, registry);
    fleet.checkKnown(ledger.rules());
    StrategyDescription description = strategy.description();
    engine =
        new Engine(
            fleet,
            strategy.provider(),
            description,
            Settings.of(description.name(), description.settings(), settings));
    appliedChanges = new AppliedChanges(ledger, fleet);
    frame = new CallFrame(ledger, fleet);
  }

  /** Independent operations on a copy of the ledger. */
  FleetOperations copy() {
    copying = true;
    try {
      FleetOperations copy =
          new FleetOperations(ledger.copy(), strategy, settings, rubric, registry);
      checkNotCalledBack();
      return copy;
    } finally {
      copying = false;
    }
  }

  // ---- the frame of a call ----

  /** Begins a call; returns the savepoint for {@link #rollBack}. Records its changes if wanted. */
  int begin(boolean recorded) {
    int savepoint = frame.begin();
    calledBack = false;
    changed = false;
    done = recorded ? new ArrayList<>() : null;
    return savepoint;
  }

  /** Rolls back a call that threw something. */
  void rollBack(int savepoint, Throwable thrown) {
    changed = false;
    frame.rollBack(savepoint, thrown);
  }

  /** Whether the present call has changed anything. */
  boolean changed() {
    return changed;
  }

  /** What the present call has done, in order; empty where it was not recorded. */
  List<Change> done() {
    return done == null ? List.of() : List.copyOf(done);
  }

  /**
   * Throws where a strategy or a rule calls its own distributor. It is noted for the end of its
   * call.
   */
  void refuseCallBack() {
    if (fleet.callsRule()) {
      throw fleet.faultOfRule("a rule must not call its own distributor");
    }
    boolean strategyRuns = copying || engine.callsStrategy();
    calledBack |= strategyRuns;
    if (strategyRuns) {
      throw new IllegalStateException("a strategy must not call its own distributor");
    }
  }

  private void checkNotCalledBack() {
    if (calledBack) {
      throw new StrategyException(
          strategy.name(), strategy.origin(), "called its own distributor", null);
    }
  }

  // ---- batches ----

  Assignments assign(List<Workload> workloads, Budget budget, List<AssignOption> options) {
    boolean allOrNothing = options.contains(AssignOption.ALL_OR_NOTHING);
    String[] nodes = new String[workloads.size()];
    List<Refusal> refusals;
    int before = ledger.savepoint();
    Batch batch = Batch.open(ledger, workloads);
    try {
      if (batch.hasTerms()) {
        fleet.checkKnownTo(workloads);
      }
      refusals = engine.place(batch, budget, options.contains(AssignOption.EXPLAIN));
      checkNotCalledBack();
      boolean stands = true;
      boolean any = false;
      for (int i = 0; i < nodes.length; i++) {
        int node = ledger.placements().nodeOf(batch.entry(i));
        nodes[i] = node < 0 ? null : ledger.nodes().nodeName(node);
        stands &= node >= 0 || !allOrNothing;
        any |= node >= 0;
      }
      if (stands) {
        changed = any;
        if (any && done != null) {
          for (int entry : ledger.placedSince(before)) {
            done.add(
                new Change.Assign(
                    ledger.placements().workload(entry),
                    ledger.nodes().nodeName(ledger.placements().nodeOf(entry))));
          }
        }
      } else {
        ledger.rollBack(before);
        Arrays.fill(nodes, null);
      }
    } finally {
      batch.close();
    }
    return Assignments.of(batch.names(), nodes, refusals);
  }

  List<Workload> release(List<String> names) {
    int[] entries = new int[names.size()];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = ledger.placements().entryOf(names.get(i));
    }
    return release(entries);
  }

  List<Workload> releaseNode(String node) {
    return release(ledger.placements().entries(ledger.nodes().node(node)));
  }

  List<Workload> releaseAll() {
    List<Workload> released = new ArrayList<>(ledger.placements().placedCount());
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      released.addAll(release(ledger.placements().entries(node)));
    }
    return List.copyOf(released);
  }

  private List<Workload> release(int[] entries) {
    Workload[] released = ledger.release(entries);
    changed |= released.length > 0;
    if (done != null) {
      for (Workload workload : released) {
        done.add(new Change.Release(workload.name()));
      }
    }
    return List.of(released);
  }

  // ---- changes as values ----

  void apply(List<Change> changes) {
    for (int step = 0; step < changes.size(); step++) {
      Change change = changes.get(step);
      try {
        carryOut(change);
      } catch (AppliedChanges.DoesNotFit wrong) {
        throw new InvalidChangeException(step, changes.size(), change, wrong, wrong.reasons);
      } catch (InvalidInputException wrong) {
        throw new InvalidChangeException(step, changes.size(), change, wrong, List.of());
      }
    }
  }

  /** Carries out one change, or throws before it has changed anything. */
  void carryOut(Change change) {
    if (appliedChanges.carryOut(change)) {
      changed = true;
      if (done != null) {
        done.add(change);
      }
    }
  }

  /** Tries changes out on a distributor that ends with the question. */
  <T> T tryOut(
      List<Change> changes,
      Function<? super TrialDistributor, ? extends T> question,
      long generation) {
    List<Change> outer = done;
    boolean before = changed;
    int savepoint = ledger.savepoint();
    TrialDistributor tried = new TrialDistributor(this, generation);
    try {
      apply(changes);
      return question.apply(tried);
    } finally {
      tried.end();
      ledger.rollBack(savepoint);
      changed = before;
      done = outer;
    }
  }

  // ---- questions ----

  Plan plan(PlanGoal goal, PlanLimits limits, long generation, StepBudget budget) {
    if (goal instanceof PlanGoal.Place place) {
      fleet.checkKnownTo(place.workloads());
    }
    return Planner.plan(ledger, fleet.finder(), generation, goal, limits, budget);
  }

  /** What is proven of a batch; what is returned needs neither lock nor ledger. */
  Supplier<Bounds> bounds(List<Workload> workloads) {
    return answer(
        workloads,
        batch -> LowerBounds.bounds(ledger, batch, new StepBudget(StepBudget.OF_A_PLAN)));
  }

  List<String> fitting(Workload workload) {
    return answer(List.of(underFreeName(workload)), this::fitting);
  }

  private List<String> fitting(Batch batch) {
    List<String> nodes = new ArrayList<>();
    Finder finder = fleet.finder();
    try (Query query = finder.bind(batch.demand(0))) {
      for (int node = finder.next(query, 0, false);
          node != NodeTable.NONE;
          node = finder.next(query, node + 1, false)) {
        nodes.add(ledger.nodes().nodeName(node));
      }
    }
    return List.copyOf(nodes);
  }

  Explanation explain(Workload workload) {
    return explain(0, List.of(underFreeName(workload))).as(workload.name());
  }

  Explanation explain(int index, List<Workload> workloads) {
    return answer(workloads, batch -> engine.explain(batch, index));
  }

  Choice choice(int index, List<Workload> workloads) {
    return answer(workloads, batch -> engine.choice(batch, index));
  }

  /** Answers a question of an open batch, and rolls its changes back. */
  private <T> T answer(List<Workload> workloads, Function<Batch, T> question) {
    fleet.checkKnownTo(workloads);
    int before = ledger.savepoint();
    Batch batch = Batch.open(ledger, workloads);
    try {
      T found = question.apply(batch);
      checkNotCalledBack();
      return found;
    } finally {
      ledger.rollBack(before);
      batch.close();
    }
  }

  /** The workload under an unused name, for a check that is not a placement. */
  private Workload underFreeName(Workload workload) {
    String name = workload.name();
    while (ledger.placements().placedNode(name) >= 0) {
      name += "'";
    }
    return workload.named(name);
  }

  Snapshot snapshot(long generation) {
    return new LedgerSnapshot(ledger.copy(), generation);
  }

  /** What differs of the derived state; for tests, some of which call it by reflection. */
  List<String> audit() {
    return fleet.audit();
  }
}
