package io.lighthouse.core;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.StrategyException;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.feasibility.Finder;
import io.lighthouse.core.fleet.Engine;
import io.lighthouse.core.fleet.FleetView;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.registry.StrategyRegistry.InstalledStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A distributor over a ledger: one lock, one batch at a time. */
final class LedgerDistributor implements Distributor {
  private final ReentrantLock lock = new ReentrantLock();
  private final Ledger ledger;
  private final FleetView fleet;
  private final Engine engine;
  private final InstalledStrategy strategy;
  private final Map<String, String> settings;

  /** Null where none was given. */
  private final Rubric rubric;

  /** Whether the strategy has called this distributor during the present call. */
  private boolean calledBack;

  /** Takes over the ledger. The settings are unmodifiable, the rubric null where none was given. */
  LedgerDistributor(
      Ledger ledger, InstalledStrategy strategy, Map<String, String> settings, Rubric rubric) {
    this.ledger = ledger;
    this.strategy = strategy;
    this.settings = settings;
    this.rubric = rubric;
    fleet = new FleetView(ledger, rubric);
    engine =
        new Engine(
            fleet,
            strategy.strategy(),
            strategy.description(),
            Settings.of(strategy.description().settings(), settings));
  }

  @Override
  public StrategyDescription strategy() {
    return strategy.description();
  }

  @Override
  public Optional<Rubric> rubric() {
    return Optional.ofNullable(rubric);
  }

  @Override
  public Map<String, String> settings() {
    return settings;
  }

  @Override
  public Assignments assign(List<Workload> batch, AssignOption... options) {
    List<Workload> workloads = List.copyOf(batch);
    List<AssignOption> asked = Arrays.asList(options);
    return alone(
        () ->
            assign(
                workloads,
                asked.contains(AssignOption.ALL_OR_NOTHING),
                asked.contains(AssignOption.EXPLAIN)));
  }

  private Assignments assign(List<Workload> workloads, boolean allOrNothing, boolean explain) {
    String[] nodes = new String[workloads.size()];
    List<Refusal> refusals;
    Batch batch = ledger.open(workloads);
    boolean stands = false;
    try {
      refusals = engine.place(batch, explain);
      checkNotCalledBack();
      stands = true;
      for (int i = 0; i < nodes.length; i++) {
        int node = ledger.nodeOf(batch.entry(i));
        nodes[i] = node < 0 ? null : ledger.nodeName(node);
        stands &= node >= 0 || !allOrNothing;
      }
    } finally {
      close(batch, stands);
    }
    if (!stands) {
      Arrays.fill(nodes, null);
    }
    return Assignments.of(batch.names(), nodes, refusals);
  }

  private void close(Batch batch, boolean stands) {
    if (!stands) {
      ledger.back(0);
    }
    ledger.settle();
    batch.close();
  }

  @Override
  public List<Workload> release(Collection<String> workloads) {
    List<String> names = List.copyOf(new LinkedHashSet<>(workloads));
    return alone(
        () -> {
          int[] entries = new int[names.size()];
          for (int i = 0; i < entries.length; i++) {
            entries[i] = ledger.entryOf(names.get(i));
          }
          return List.copyOf(ledger.release(entries));
        });
  }

  @Override
  public List<Workload> releaseNode(String node) {
    return alone(() -> List.copyOf(ledger.release(ledger.entries(ledger.node(node)))));
  }

  @Override
  public List<Workload> releaseAll() {
    return alone(
        () -> {
          List<Workload> released = new ArrayList<>(ledger.placedCount());
          for (int node = 0; node < ledger.nodeCount(); node++) {
            released.addAll(ledger.release(ledger.entries(node)));
          }
          return List.copyOf(released);
        });
  }

  @Override
  public void addNode(Node node) {
    run(() -> ledger.addNodes(List.of(node)));
  }

  @Override
  public void removeNode(String name) {
    run(
        () -> {
          int node = ledger.node(name);
          if (ledger.held(node) > 0) {
            throw new InvalidInputException(
                "node '" + name + "'",
                "workloads",
                ledger.held(node) + " placed",
                "none, when a node is removed; release them first");
          }
          ledger.removeNode(node);
          fleet.removed(node);
        });
  }

  @Override
  public void resize(String node, Resources capacity) {
    run(() -> ledger.resize(ledger.node(node), capacity));
  }

  @Override
  public void cordon(String node) {
    run(() -> ledger.cordon(ledger.node(node), true));
  }

  @Override
  public void uncordon(String node) {
    run(() -> ledger.cordon(ledger.node(node), false));
  }

  @Override
  public List<String> fitting(Workload workload) {
    return alone(
        () -> {
          List<String> nodes = new ArrayList<>();
          Batch batch = ledger.open(List.of(underFreeName(workload)));
          Demand demand = new Demand();
          batch.load(0, demand);
          for (int node = fleet.next(demand, 0);
              node != Finder.NONE;
              node = fleet.next(demand, node + 1)) {
            nodes.add(ledger.nodeName(node));
          }
          close(batch, true);
          return List.copyOf(nodes);
        });
  }

  @Override
  public Explanation explain(Workload workload) {
    return alone(
        () -> {
          Explanation explanation = explainNow(0, List.of(underFreeName(workload)));
          Refusal summary = explanation.summary();
          return new Explanation(
              workload.name(),
              explanation.nodes(),
              new Refusal(workload.name(), summary.nodes(), summary.counts(), summary.nearest()));
        });
  }

  @Override
  public Explanation explain(int index, List<Workload> batch) {
    List<Workload> workloads = List.copyOf(batch);
    if (index < 0 || index >= workloads.size()) {
      throw new InvalidInputException(
          "explanation", "index", String.valueOf(index), "an index of the batch");
    }
    return alone(() -> explainNow(index, workloads));
  }

  private Explanation explainNow(int index, List<Workload> workloads) {
    Batch batch = ledger.open(workloads);
    try {
      Explanation explanation = engine.explain(batch, index);
      checkNotCalledBack();
      return explanation;
    } finally {
      close(batch, false);
    }
  }

  /** The workload under a name that nobody uses, for a look that is not a placement. */
  private Workload underFreeName(Workload workload) {
    String name = workload.name();
    while (ledger.placedNode(name) >= 0) {
      name += "'";
    }
    return new Workload(
        name, workload.requirements(), workload.immunities(), workload.aversionGroups());
  }

  @Override
  public NodeState node(String node) {
    return alone(() -> ledger.state(ledger.node(node)));
  }

  @Override
  public Snapshot snapshot() {
    return alone(() -> new LedgerSnapshot(ledger.copy()));
  }

  @Override
  public Distributor copy() {
    return alone(
        () -> {
          Distributor copy = new LedgerDistributor(ledger.copy(), strategy, settings, rubric);
          checkNotCalledBack();
          return copy;
        });
  }

  @Override
  public String toString() {
    return alone(
        () ->
            "distributor '"
                + strategy.description().name()
                + "' of "
                + ledger.nodeCount()
                + " nodes with "
                + ledger.placedCount()
                + " workloads");
  }

  private void run(Runnable change) {
    alone(
        () -> {
          change.run();
          return null;
        });
  }

  /** Runs a call alone, one after another; refuses one that comes from inside the strategy. */
  private <T> T alone(Supplier<T> call) {
    if (lock.isHeldByCurrentThread()) {
      calledBack = true;
      throw new IllegalStateException("a strategy must not call its own distributor");
    }
    lock.lock();
    try {
      calledBack = false;
      return call.get();
    } finally {
      lock.unlock();
    }
  }

  private void checkNotCalledBack() {
    if (calledBack) {
      throw new StrategyException(
          strategy.description().name(),
          strategy.description().origin(),
          "called its own distributor",
          null);
    }
  }
}
