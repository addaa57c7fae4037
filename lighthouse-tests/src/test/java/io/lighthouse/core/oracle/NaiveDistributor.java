package io.lighthouse.core.oracle;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Change;
import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Subscription;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.tests.generate.RandomFleet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The oracle as a distributor, with nothing clever about it: an engine that is sound, or wrong in
 * one way.
 */
public final class NaiveDistributor implements Distributor {
  private final Oracle oracle;
  private final Fault fault;
  private final List<ChangeListener> listeners = new ArrayList<>();

  /** Names that are refused though they are free; a fault. */
  private final Set<String> leftTaken = new HashSet<>();

  private long generation;

  /** A distributor of nodes alone; {@link Fault#NONE} for a sound one. */
  public NaiveDistributor(
      Strategy strategy,
      Rubric rubric,
      Fault fault,
      List<Node> nodes,
      Optional<String> lastPlaced) {
    this(strategy, rubric, fault, new RandomFleet(nodes, List.of(), List.of(), lastPlaced));
  }

  /** A distributor of a fleet with all that it has. */
  public NaiveDistributor(Strategy strategy, Rubric rubric, Fault fault, RandomFleet fleet) {
    this(
        new Oracle(
            strategy,
            rubric,
            new World(fault, fleet.rules(), fleet.domains(), fleet.nodes(), fleet.lastPlaced())));
    Range.check(oracle.world, List.of());
  }

  private NaiveDistributor(Oracle oracle) {
    this.oracle = oracle;
    this.fault = oracle.world.fault;
  }

  @Override
  public synchronized NaiveDistributor copy() {
    NaiveDistributor copy = new NaiveDistributor(oracle.copy());
    copy.generation = generation;
    copy.leftTaken.addAll(leftTaken);
    return copy;
  }

  // ---- what it is ----

  @Override
  public StrategyDescription strategy() {
    Strategy strategy = oracle.strategy();
    boolean sequential = strategy != Strategy.BIN_PACK;
    return new StrategyDescription(strategy.title(), "", List.of(), sequential, false, "naive");
  }

  @Override
  public Optional<Rubric> rubric() {
    return Optional.of(oracle.rubric());
  }

  @Override
  public Map<String, String> settings() {
    return Map.of();
  }

  @Override
  public List<Rule> rules() {
    return oracle.world.rules;
  }

  @Override
  public synchronized DomainState domain(String level, String domain) {
    return oracle.domains().stream()
        .filter(state -> state.level().equals(level) && state.name().equals(domain))
        .findFirst()
        .orElseThrow(() -> World.wrong("domain", domain));
  }

  @Override
  public synchronized NodeState node(String node) {
    return oracle.world.spot(node).state(fault);
  }

  @Override
  public synchronized long generation() {
    return generation;
  }

  @Override
  public synchronized Snapshot snapshot() {
    return new NaiveSnapshot(
        oracle.nodes(), oracle.domains(), rules(), oracle.lastPlaced(), generation);
  }

  // ---- placing ----

  @Override
  public Assignments assign(List<Workload> batch, Budget budget, AssignOption... options) {
    return assign(batch, options);
  }

  @Override
  public Assignments assign(List<Workload> batch, AssignOption... options) {
    if (fault == Fault.LOCKS_NOTHING) {
      return assignNow(batch, Arrays.asList(options));
    }
    synchronized (this) {
      return assignNow(batch, Arrays.asList(options));
    }
  }

  private Assignments assignNow(List<Workload> batch, List<AssignOption> options) {
    if (fault == Fault.PLACES_A_WRONG_BATCH_HALF) {
      placeUpToAWrongOne(batch);
    }
    check(batch);
    List<Workload> turns = oracle.strategy().turns(batch, oracle.world, oracle.rubric());
    boolean allOrNothing = options.contains(AssignOption.ALL_OR_NOTHING);
    World before = allOrNothing ? new World(oracle.world) : null;
    Outcome outcome = oracle.assign(batch);
    boolean undone = allOrNothing && outcome.done().size() < batch.size();
    if (undone) {
      if (fault == Fault.TELLS_OF_WHAT_WAS_UNDONE && !outcome.done().isEmpty()) {
        tell(assigned(batch, outcome));
      }
      undo(before, batch, outcome);
    }
    List<Change> changes = undone ? List.of() : assigned(batch, outcome);
    if (fault == Fault.GROWS_THE_GENERATION_WITHOUT_A_CHANGE && changes.isEmpty()) {
      generation++;
    }
    committed(changes);
    List<Workload> listed = fault == Fault.ANSWERS_IN_TURN_ORDER ? turns : batch;
    return Assignments.of(
        listed.stream().map(Workload::name).toArray(String[]::new),
        listed.stream()
            .map(workload -> undone ? null : outcome.placed().get(workload.name()))
            .toArray(String[]::new),
        options.contains(AssignOption.EXPLAIN) ? refusals(batch, outcome) : List.of());
  }

  /** Each of a batch that is wrong as a whole, until that shows in one of them alone. */
  private void placeUpToAWrongOne(List<Workload> batch) {
    try {
      check(batch);
    } catch (InvalidInputException wrong) {
      for (Workload workload : batch) {
        check(List.of(workload));
        oracle.assign(List.of(workload));
      }
    }
  }

  private void undo(World before, List<Workload> batch, Outcome outcome) {
    int position = oracle.world.position;
    oracle.world = before;
    if (fault == Fault.ROLLS_BACK_ALL_BUT_THE_POSITION) {
      before.position = position;
    }
    if (fault == Fault.LEAVES_A_PLACEMENT_BEHIND && !outcome.done().isEmpty()) {
      Workload first = named(outcome.done().get(0), batch);
      oracle.fitting(first).stream()
          .findFirst()
          .ifPresent(node -> before.place(first, before.spot(node)));
    }
  }

  private static Workload named(String name, List<Workload> batch) {
    return batch.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<Change> assigned(List<Workload> batch, Outcome outcome) {
    return outcome.done().stream()
        .map(name -> (Change) new Change.Assign(named(name, batch), outcome.placed().get(name)))
        .toList();
  }

  private List<Refusal> refusals(List<Workload> batch, Outcome outcome) {
    List<Refusal> refusals = oracle.refusals(batch, outcome);
    return fault == Fault.NAMES_ONE_REASON_ONLY
        ? refusals.stream().map(NaiveDistributor::cut).toList()
        : refusals;
  }

  private static Refusal cut(Refusal whole) {
    List<NodeVerdict> cut =
        whole.nearest().stream()
            .map(near -> new NodeVerdict(near.node(), near.fits(), near.reasons().subList(0, 1)))
            .toList();
    return new Refusal(whole.workload(), whole.nodes(), whole.counts(), cut, whole.gang());
  }

  /** A batch: no name of it twice or in use, and nothing out of range. */
  private void check(List<Workload> batch) {
    Set<String> names = new HashSet<>();
    for (Workload workload : batch) {
      String name = workload.name();
      boolean free = names.add(name) && oracle.world.nodeOf(name) == null;
      World.require(free || fault == Fault.TAKES_NAMESAKES, "workload", name);
      World.require(!leftTaken.contains(name), "workload", name);
    }
    checkRange(batch);
  }

  private void checkRange(List<Workload> batch) {
    if (fault != Fault.LETS_QUANTITIES_WRAP_ROUND) {
      Range.check(oracle.world, batch);
    }
  }

  // ---- asking ----

  @Override
  public synchronized List<String> fitting(Workload workload) {
    checkRange(List.of(workload));
    return oracle.fitting(workload);
  }

  @Override
  public synchronized Explanation explain(Workload workload) {
    String free = workload.name();
    while (oracle.world.nodeOf(free) != null) {
      free += "'";
    }
    return explain(0, List.of(workload.named(free))).as(workload.name());
  }

  @Override
  public synchronized Explanation explain(int index, List<Workload> batch) {
    if (index < 0 || index >= batch.size()) {
      throw new InvalidInputException("batch", "index", "" + index, "an index of the batch");
    }
    checkRange(batch);
    Workload workload = batch.get(index);
    Oracle then = oracle.copy();
    then.goOnTo(workload, batch);
    return then.explanation(workload);
  }

  // ---- changing ----

  @Override
  public synchronized List<Workload> release(Collection<String> workloads) {
    List<Workload> released = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    if (fault != Fault.RELEASES_A_WRONG_LIST_HALF) {
      workloads.forEach(oracle.world::placed);
    }
    for (String name : new LinkedHashSet<>(workloads)) {
      released.add(oracle.world.placed(name));
      changes.add(new Change.Release(name));
      int index = oracle.world.spots.indexOf(oracle.world.nodeOf(name));
      oracle.apply(changes.get(changes.size() - 1));
      if (fault == Fault.MOVES_THE_POSITION_ON_RELEASE) {
        oracle.world.position = index;
      }
    }
    committed(changes);
    return released;
  }

  @Override
  public synchronized List<Workload> releaseNode(String node) {
    return release(oracle.world.spot(node).placed.stream().map(Workload::name).toList());
  }

  @Override
  public synchronized List<Workload> releaseAll() {
    return release(
        oracle.world.spots.stream()
            .flatMap(spot -> spot.placed.stream())
            .map(Workload::name)
            .toList());
  }

  @Override
  public void addNode(Node node) {
    apply(new Change.AddNode(node));
  }

  @Override
  public void removeNode(String node) {
    apply(new Change.RemoveNode(node));
  }

  @Override
  public void resize(String node, Resources capacity) {
    apply(new Change.Resize(node, capacity));
  }

  @Override
  public void cordon(String node) {
    apply(new Change.Cordon(node));
  }

  @Override
  public void uncordon(String node) {
    apply(new Change.Uncordon(node));
  }

  /** Step by step on a copy, which takes the place of the original when all went. */
  @Override
  public synchronized long apply(List<Change> changes) {
    World changed = new World(oracle.world);
    List<Change> done = new ArrayList<>();
    for (int step = 0; step < changes.size(); step++) {
      Change change = changes.get(step);
      try {
        if (carryOut(change, changed)) {
          done.add(change);
        }
      } catch (InvalidInputException wrong) {
        if (fault == Fault.CARRIES_OUT_CHANGES_HALF) {
          oracle.world = changed;
        }
        throw new InvalidChangeException(step, changes.size(), change, wrong, List.of());
      }
    }
    if (fault == Fault.TELLS_BEFORE_THE_COMMIT) {
      committed(done);
      oracle.world = changed;
      return generation;
    }
    oracle.world = changed;
    committed(done);
    return generation;
  }

  /** Carries out a change; returns whether it changed anything that listeners must learn of. */
  private boolean carryOut(Change change, World changed) {
    if (change instanceof Change.Assign assign) {
      World.require(!leftTaken.contains(assign.workload().name()), "workload", "taken");
    }
    boolean another = changed.carryOut(change);
    if (bringsQuantities(change)) {
      Range.check(changed, List.of());
    }
    return another
        && !(change instanceof Change.Resize
            && fault == Fault.KEEPS_THE_GENERATION_THROUGH_A_RESIZE);
  }

  private static boolean bringsQuantities(Change change) {
    return change instanceof Change.AddNode
        || change instanceof Change.Resize
        || change instanceof Change.Assign
        || change instanceof Change.Declare
        || change instanceof Change.ResizeDomain;
  }

  @Override
  public synchronized long apply(long expected, List<Change> changes) {
    if (expected != generation) {
      throw new InvalidInputException("plan", "generation", "" + expected, "" + generation);
    }
    return apply(changes);
  }

  @Override
  public synchronized <T> T tryOut(
      List<Change> changes, Function<? super Distributor, ? extends T> question) {
    NaiveDistributor tried = copy();
    try {
      tried.apply(changes);
      return question.apply(tried);
    } finally {
      leaveBehind(tried.oracle.world);
    }
  }

  /** A sound trial leaves nothing. */
  private void leaveBehind(World tried) {
    World world = oracle.world;
    switch (fault) {
      case ROLLS_BACK_A_TRIAL_WITHOUT_THE_POSITION ->
          world.position = Math.min(tried.position, world.spots.size() - 1);
      case ROLLS_BACK_A_TRIAL_WITHOUT_THE_ORDER_ON_A_NODE ->
          world.spots.forEach(spot -> Collections.reverse(spot.placed));
      case ROLLS_BACK_A_TRIAL_WITHOUT_CAPACITIES ->
          world.spots.forEach(
              spot ->
                  tried.spots.stream()
                      .filter(other -> other.name.equals(spot.name))
                      .forEach(other -> spot.account.capacity.putAll(other.account.capacity)));
      case LEAVES_A_TRIED_NAME_TAKEN ->
          tried.spots.stream()
              .flatMap(spot -> spot.placed.stream())
              .map(Workload::name)
              .filter(name -> world.nodeOf(name) == null)
              .forEach(leftTaken::add);
      default -> {}
    }
  }

  // ---- telling ----

  @Override
  public synchronized Subscription onChange(ChangeListener listener) {
    ChangeListener own = (at, changes) -> listener.changed(at, changes);
    listeners.add(own);
    return () -> listeners.remove(own);
  }

  /** A call has changed something: once, also where it has carried out several changes. */
  private void committed(List<Change> changes) {
    if (!changes.isEmpty()) {
      generation++;
      tell(changes);
    }
  }

  private void tell(List<Change> changes) {
    List<Change> told = new ArrayList<>(changes);
    if (fault == Fault.TELLS_IN_REVERSE) {
      Collections.reverse(told);
    }
    List.copyOf(listeners).forEach(listener -> listener.changed(generation, List.copyOf(told)));
  }

  private record NaiveSnapshot(
      List<NodeState> nodes,
      List<DomainState> domains,
      List<Rule> rules,
      Optional<String> lastPlaced,
      long generation)
      implements Snapshot {
    @Override
    public int placedCount() {
      return nodes.stream().mapToInt(node -> node.workloads().size()).sum();
    }

    @Override
    public Optional<String> nodeOf(String workload) {
      return nodes.stream()
          .filter(node -> node.workloads().stream().anyMatch(load -> load.name().equals(workload)))
          .map(NodeState::name)
          .findFirst();
    }
  }
}
