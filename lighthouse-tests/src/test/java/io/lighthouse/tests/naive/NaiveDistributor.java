package io.lighthouse.tests.naive;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Change;
import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Subscription;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Referee;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A distributor for one of the documented strategies, with nothing clever about it. */
public final class NaiveDistributor implements Distributor {
  private final Rule rule;
  private final Rubric rubric;
  private final Fault fault;
  private final List<ChangeListener> listeners = new ArrayList<>();
  List<NaiveNode> nodes = new ArrayList<>();
  int position = -1;

  /** Names that are refused though nobody has them; a fault. */
  final Set<String> leftTaken = new HashSet<>();

  /** Whether the next node gets the cordon of one that is gone; a fault. */
  private boolean recycled;

  private long generation;

  /** Makes a distributor; {@link Fault#NONE} for a sound one. */
  public NaiveDistributor(
      Rule rule, Rubric rubric, Fault fault, List<Node> nodes, Optional<String> lastPlaced) {
    this.rule = rule;
    this.rubric = rubric;
    this.fault = fault;
    nodes.forEach(this::addNode);
    lastPlaced.ifPresent(name -> position = this.nodes.indexOf(find(name)));
    generation = 0;
  }

  @Override
  public StrategyDescription strategy() {
    return new StrategyDescription(
        rule.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'),
        "",
        List.of(),
        rule != Rule.BIN_PACK,
        false,
        "naive");
  }

  @Override
  public Optional<Rubric> rubric() {
    return Optional.of(rubric);
  }

  /** It knows the first part of the semantics only. */
  @Override
  public List<io.lighthouse.api.Rule> rules() {
    return List.of();
  }

  @Override
  public DomainState domain(String level, String domain) {
    throw Wrong.unknown("domain", domain);
  }

  @Override
  public Map<String, String> settings() {
    return Map.of();
  }

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
    if (fault != Fault.PLACES_A_WRONG_BATCH_HALF) {
      Wrong.batch(batch, this, fault);
    }
    List<NaiveNode> before = nodes.stream().map(NaiveNode::new).toList();
    int positionBefore = position;
    Map<String, String> placed = new HashMap<>();
    Map<String, Refusal> refused = new HashMap<>();
    List<Workload> turns = rule.turns(batch, nodes, rubric);
    List<Workload> done = new ArrayList<>();
    for (Workload workload : turns) {
      if (fault == Fault.PLACES_A_WRONG_BATCH_HALF) {
        Wrong.batch(List.of(workload), this, fault);
      }
      List<NaiveNode> candidates = candidates(workload);
      if (candidates.isEmpty()) {
        refused.put(workload.name(), refusal(workload));
        continue;
      }
      NaiveNode node = rule.choose(workload, candidates, nodes, position, rubric);
      if (fault == Fault.LOCKS_NOTHING) {
        pause();
      }
      node.place(workload);
      done.add(workload);
      position = nodes.indexOf(node);
      placed.put(workload.name(), node.name);
    }
    if (options.contains(AssignOption.ALL_OR_NOTHING) && !refused.isEmpty()) {
      if (fault == Fault.TELLS_OF_WHAT_WAS_UNDONE && !done.isEmpty()) {
        tell(assigned(done, placed));
      }
      placed.clear();
      nodes = new ArrayList<>(before);
      if (fault != Fault.ROLLS_BACK_ALL_BUT_THE_POSITION) {
        position = positionBefore;
      }
      if (fault == Fault.LEAVES_A_PLACEMENT_BEHIND
          && !done.isEmpty()
          && fitting(done.get(0)).size() > 0) {
        find(fitting(done.get(0)).get(0)).place(done.get(0));
      }
    }
    if (fault == Fault.GROWS_THE_GENERATION_WITHOUT_A_CHANGE && placed.isEmpty()) {
      generation++;
    }
    committed(assigned(done, placed));
    List<Workload> listed = fault == Fault.ANSWERS_IN_TURN_ORDER ? turns : batch;
    return Assignments.of(
        listed.stream().map(Workload::name).toArray(String[]::new),
        listed.stream().map(workload -> placed.get(workload.name())).toArray(String[]::new),
        options.contains(AssignOption.EXPLAIN)
            ? batch.stream()
                .map(Workload::name)
                .filter(refused::containsKey)
                .map(refused::get)
                .toList()
            : List.of());
  }

  private static List<Change> assigned(List<Workload> done, Map<String, String> placed) {
    return done.stream()
        .filter(workload -> placed.containsKey(workload.name()))
        .map(workload -> (Change) new Change.Assign(workload, placed.get(workload.name())))
        .toList();
  }

  /** Long enough for another caller to get in between, without a clock. */
  private static void pause() {
    for (int i = 0; i < 200; i++) {
      Thread.yield();
    }
  }

  private List<NaiveNode> candidates(Workload workload) {
    List<NaiveNode> known =
        fault == Fault.OVERLOOKS_THE_LAST_NODE && nodes.size() > 1
            ? nodes.subList(0, nodes.size() - 1)
            : nodes;
    List<NaiveNode> fitting = known.stream().filter(node -> node.fits(workload)).toList();
    List<NaiveNode> friendly = fitting.stream().filter(node -> !node.averse(workload)).toList();
    return friendly.isEmpty() ? fitting : friendly;
  }

  private Refusal refusal(Workload workload) {
    Refusal whole = referee().refusal(workload);
    if (fault != Fault.NAMES_ONE_REASON_ONLY) {
      return whole;
    }
    List<NodeVerdict> cut =
        whole.nearest().stream()
            .map(near -> new NodeVerdict(near.node(), near.fits(), near.reasons().subList(0, 1)))
            .toList();
    return new Refusal(whole.workload(), whole.nodes(), whole.counts(), cut);
  }

  /**
   * Reasons are the referee's business, not this engine's; they are made from the state as it is.
   */
  private Referee referee() {
    return new Referee(
        nodes.stream().map(node -> node.state().toNode()).toList(),
        Optional.empty(),
        Conduct.PLAIN);
  }

  @Override
  public synchronized List<Workload> release(Collection<String> workloads) {
    List<Workload> released = new ArrayList<>();
    if (fault != Fault.RELEASES_A_WRONG_LIST_HALF) {
      workloads.forEach(this::holder);
    }
    for (String name : new LinkedHashSet<>(workloads)) {
      NaiveNode node = holder(name);
      Workload workload =
          node.placed.stream().filter(load -> load.name().equals(name)).findFirst().orElseThrow();
      node.release(workload);
      released.add(workload);
      if (fault == Fault.MOVES_THE_POSITION_ON_RELEASE) {
        position = nodes.indexOf(node);
      }
    }
    committed(
        released.stream().map(workload -> (Change) new Change.Release(workload.name())).toList());
    return released;
  }

  NaiveNode holder(String workload) {
    return nodes.stream()
        .filter(node -> node.placed.stream().anyMatch(load -> load.name().equals(workload)))
        .findFirst()
        .orElseThrow(() -> Wrong.unknown("workload", workload));
  }

  @Override
  public synchronized List<Workload> releaseNode(String node) {
    return release(find(node).placed.stream().map(Workload::name).toList());
  }

  @Override
  public synchronized List<Workload> releaseAll() {
    return release(
        nodes.stream().flatMap(node -> node.placed.stream()).map(Workload::name).toList());
  }

  @Override
  public synchronized void addNode(Node node) {
    Wrong.node(node, this);
    if (fault == Fault.TELLS_BEFORE_THE_COMMIT) {
      committed(List.of(new Change.AddNode(node)));
      nodes.add(new NaiveNode(node, fault));
      return;
    }
    nodes.add(new NaiveNode(node, fault));
    if (recycled) {
      nodes.get(nodes.size() - 1).cordoned = true;
      recycled = false;
    }
    committed(List.of(new Change.AddNode(node)));
  }

  @Override
  public synchronized void removeNode(String node) {
    int index = nodes.indexOf(find(node));
    if (!nodes.get(index).placed.isEmpty()) {
      throw new InvalidInputException("node '" + node + "'", "workloads", "some", "none");
    }
    recycled = fault == Fault.RECYCLES_A_CORDON && nodes.get(index).cordoned;
    nodes.remove(index);
    if (index <= position && fault != Fault.KEEPS_THE_POSITION_ON_REMOVAL) {
      position--;
    }
    position = Math.min(position, nodes.size() - 1);
    committed(List.of(new Change.RemoveNode(node)));
  }

  @Override
  public synchronized void resize(String node, Resources capacity) {
    Wrong.capacity(find(node), capacity, this);
    NodeState before = find(node).state();
    find(node).resize(capacity);
    if (!find(node).state().capacity().equals(before.capacity())
        && fault != Fault.KEEPS_THE_GENERATION_THROUGH_A_RESIZE) {
      committed(List.of(new Change.Resize(node, capacity)));
    }
  }

  @Override
  public synchronized void cordon(String node) {
    if (!find(node).cordoned) {
      find(node).cordoned = true;
      committed(List.of(new Change.Cordon(node)));
    }
  }

  @Override
  public synchronized void uncordon(String node) {
    if (find(node).cordoned) {
      find(node).cordoned = false;
      committed(List.of(new Change.Uncordon(node)));
    }
  }

  // ---- changes as values ----

  /** A call has changed something: once, also where it has carried out several changes. */
  void committed(List<Change> changes) {
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

  @Override
  public synchronized long generation() {
    return generation;
  }

  @Override
  public synchronized Subscription onChange(ChangeListener listener) {
    ChangeListener own = (at, changes) -> listener.changed(at, changes);
    listeners.add(own);
    return () -> listeners.remove(own);
  }

  /** Step by step on a copy, which takes the place of the original when all went. */
  @Override
  public synchronized long apply(List<Change> changes) {
    NaiveDistributor changed = copy();
    List<Change> done = new ArrayList<>();
    changed.listeners.add((at, some) -> done.addAll(some));
    for (int step = 0; step < changes.size(); step++) {
      try {
        NaiveChanges.carryOut(changes.get(step), changed, fault);
      } catch (InvalidInputException wrong) {
        if (fault == Fault.CARRIES_OUT_CHANGES_HALF) {
          nodes = changed.nodes;
          position = changed.position;
        }
        throw new InvalidChangeException(step, changes.size(), changes.get(step), wrong, List.of());
      }
    }
    nodes = changed.nodes;
    position = changed.position;
    committed(done);
    return generation;
  }

  @Override
  public synchronized <T> T tryOut(
      List<Change> changes, Function<? super Distributor, ? extends T> question) {
    NaiveDistributor tried = copy();
    try {
      tried.apply(changes);
      return question.apply(tried);
    } finally {
      NaiveChanges.leaveBehind(tried, this, fault);
    }
  }

  @Override
  public Explanation explain(Workload workload) {
    String free = workload.name();
    while (snapshot().nodeOf(free).isPresent()) {
      free += "'";
    }
    return explain(0, List.of(workload.named(free))).as(workload.name());
  }

  @Override
  public synchronized List<String> fitting(Workload workload) {
    Wrong.quantities(List.of(workload), this, fault);
    return nodes.stream().filter(node -> node.fits(workload)).map(node -> node.name).toList();
  }

  @Override
  public synchronized Explanation explain(int index, List<Workload> batch) {
    if (index < 0 || index >= batch.size()) {
      throw new InvalidInputException("batch", "index", "" + index, "an index of the batch");
    }
    Wrong.quantities(batch, this, fault);
    NaiveDistributor tried = copy();
    List<Workload> turns = rule.turns(batch, nodes, rubric);
    Workload workload = batch.get(index);
    turns.subList(0, turns.indexOf(workload)).forEach(earlier -> tried.assign(earlier));
    List<NaiveNode> candidates = tried.candidates(workload);
    Optional<String> chosen =
        candidates.isEmpty()
            ? Optional.empty()
            : Optional.of(
                rule.choose(workload, candidates, tried.nodes, tried.position, rubric).name);
    Referee referee = tried.referee();
    return new Explanation(
        workload.name(), referee.verdicts(workload, chosen), referee.refusal(workload));
  }

  @Override
  public synchronized NodeState node(String node) {
    return find(node).state();
  }

  @Override
  public synchronized Snapshot snapshot() {
    List<NodeState> states = nodes.stream().map(NaiveNode::state).toList();
    Optional<String> last = position < 0 ? Optional.empty() : Optional.of(nodes.get(position).name);
    return new NaiveSnapshot(states, last, generation);
  }

  @Override
  public synchronized NaiveDistributor copy() {
    NaiveDistributor copy = new NaiveDistributor(rule, rubric, fault, List.of(), Optional.empty());
    if (fault == Fault.SHARES_NODES_WITH_ITS_COPY) {
      copy.nodes.addAll(nodes);
    } else {
      nodes.forEach(node -> copy.nodes.add(new NaiveNode(node)));
    }
    copy.position = fault == Fault.COPIES_ALL_BUT_THE_POSITION ? -1 : position;
    copy.generation = generation;
    copy.recycled = recycled;
    copy.leftTaken.addAll(leftTaken);
    return copy;
  }

  List<NaiveNode> nodes() {
    return nodes;
  }

  NaiveNode find(String name) {
    return nodes.stream()
        .filter(node -> node.name.equals(name))
        .findFirst()
        .orElseThrow(() -> Wrong.unknown("node", name));
  }

  private record NaiveSnapshot(List<NodeState> nodes, Optional<String> lastPlaced, long generation)
      implements Snapshot {
    @Override
    public List<DomainState> domains() {
      return List.of();
    }

    @Override
    public List<io.lighthouse.api.Rule> rules() {
      return List.of();
    }

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
