package io.lighthouse.tests.referee;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The books of a fleet: what nodes and declared domains have, and which workloads each node holds.
 * What is left and how many belong to a group is added up at every question. A fleet without
 * domains and rules is the simple case. Not thread-safe.
 */
public final class Books {
  /** What a node or a declared domain has, and whether it is cordoned. */
  static final class Account {
    final Map<String, Amount> capacity = new HashMap<>();
    final Map<String, Unit> units;
    boolean cordoned;

    Account(Resources resources, Map<String, Unit> units, boolean cordoned) {
      this.units = new HashMap<>(units);
      this.cordoned = cordoned;
      resize(resources);
    }

    private void resize(Resources to) {
      capacity.clear();
      to.asMap().forEach((name, given) -> capacity.put(name, Amount.offered(given)));
      units.keySet().retainAll(capacity.keySet());
    }

    /** Raises the capacity by what a workload requires that is there already. */
    private void include(Resources required) {
      required
          .asMap()
          .forEach((name, need) -> capacity.merge(name, Amount.required(need), Amount::plus));
    }

    Resources capacityOfAll() {
      Map<String, Object> all = new TreeMap<>();
      capacity.forEach((name, amount) -> all.put(name, amount.toQuantity()));
      return Resources.of(all);
    }
  }

  /** A node: its account, its domains, and its workloads in the order of their placements. */
  static final class Entry {
    final String name;
    final Account account;
    final Map<String, String> domains;
    final List<Workload> placed = new ArrayList<>();

    private Entry(Node node) {
      name = node.name();
      account = new Account(node.resources(), node.units(), node.cordoned());
      domains = node.domains();
      placed.addAll(node.workloads());
      placed.forEach(workload -> account.include(workload.requirements()));
    }

    /** Its domain at a level; empty where it has none. */
    Optional<String> at(String level) {
      return level.equals(Rule.NODE)
          ? Optional.of(name)
          : level.equals(Rule.FLEET) ? Optional.of(level) : Optional.ofNullable(domains.get(level));
    }
  }

  /** A domain as a key; at level {@link Rule#NODE} a node. */
  record Place(String level, String domain) {
    static final Place FLEET = new Place(Rule.FLEET, Rule.FLEET);

    boolean holds(Entry node) {
      return level.equals(Rule.NODE)
          ? node.name.equals(domain)
          : level.equals(Rule.FLEET) || domain.equals(node.domains.get(level));
    }
  }

  /** In the order of nodes. */
  final List<Entry> entries = new ArrayList<>();

  /** In the order in which they were declared. */
  final Map<Place, Account> declared = new LinkedHashMap<>();

  /** The index of the node that took the last placed workload; -1 before the first. */
  int position = -1;

  private final List<Rule> top;

  private final Cases<Change, Runnable> entering =
      Cases.<Change, Runnable>of(Change.class)
          .on(Change.AddNode.class, add -> () -> entries.add(new Entry(add.node())))
          .on(Change.RemoveNode.class, remove -> () -> remove(entry(remove.node())))
          .on(Change.Resize.class, to -> () -> entry(to.node()).account.resize(to.capacity()))
          .on(Change.Cordon.class, at -> () -> entry(at.node()).account.cordoned = true)
          .on(Change.Uncordon.class, at -> () -> entry(at.node()).account.cordoned = false)
          .on(Change.Assign.class, to -> () -> place(to.workload(), entry(to.node())))
          .on(
              Change.Move.class,
              move -> () -> entry(move.to()).placed.add(release(move.workload())))
          .on(Change.Release.class, release -> () -> release(release.workload()))
          .on(Change.Declare.class, declare -> () -> declare(declare.domain()))
          .on(
              Change.Undeclare.class,
              at -> () -> declared.remove(new Place(at.level(), at.domain())))
          .on(
              Change.ResizeDomain.class,
              to -> () -> declared(to.level(), to.domain()).resize(to.capacity()))
          .on(
              Change.CordonDomain.class,
              at -> () -> declared(at.level(), at.domain()).cordoned = at.cordoned())
          .on(Change.Regroup.class, regroup -> () -> regroup(regroup))
          .complete();

  /**
   * The books of a new fleet, whose nodes and domains offer what is left beside the workloads that
   * the nodes bring along.
   *
   * @param nodes the nodes, in order
   * @param domains the declared domains
   * @param top the rules at the top
   */
  public Books(List<Node> nodes, List<Domain> domains, List<Rule> top) {
    this.top = List.copyOf(top);
    domains.forEach(this::declare);
    for (Node node : nodes) {
      Entry entry = new Entry(node);
      entries.add(entry);
      for (Workload workload : entry.placed) {
        workload
            .terms()
            .shared()
            .forEach((level, shared) -> accountOf(entry, level).include(shared));
      }
    }
  }

  /**
   * The books of a fleet as a snapshot shows it.
   *
   * @param now the snapshot
   * @return new books, without a round-robin position
   */
  public static Books of(Snapshot now) {
    return new Books(
        now.nodes().stream().map(NodeState::toNode).toList(),
        now.domains().stream().map(DomainState::toDomain).toList(),
        now.rules());
  }

  // ---- what changes them ----

  /**
   * Enters a change that was carried out.
   *
   * @param change a change that names only what there is
   */
  public void carryOut(Change change) {
    entering.apply(change).run();
  }

  private void declare(Domain domain) {
    declared.put(
        new Place(domain.level(), domain.name()),
        new Account(domain.resources(), domain.units(), domain.cordoned()));
  }

  /** The position on a removed node passes to the node before it. */
  private void remove(Entry entry) {
    int index = entries.indexOf(entry);
    entries.remove(index);
    if (index <= position) {
      position--;
    }
  }

  void place(Workload workload, Entry node) {
    node.placed.add(workload);
    position = entries.indexOf(node);
  }

  /** Takes a placed workload from its node and returns it. */
  Workload release(String workload) {
    Workload placed = placed(workload);
    entryOf(workload).orElseThrow().placed.remove(placed);
    return placed;
  }

  /** Takes a workload, if it is placed, off its node for as long as a result is computed. */
  <R> R without(Workload workload, Supplier<R> result) {
    Optional<Entry> from =
        entries.stream().filter(entry -> entry.placed.contains(workload)).findFirst();
    int index = from.map(entry -> entry.placed.indexOf(workload)).orElse(-1);
    from.ifPresent(entry -> entry.placed.remove(workload));
    R computed = result.get();
    from.ifPresent(entry -> entry.placed.add(index, workload));
    return computed;
  }

  private void regroup(Change.Regroup regroup) {
    Workload before = placed(regroup.workload());
    Workload after = before.withTerms(before.terms().inGroups(regroup.groups()));
    entryOf(before.name())
        .orElseThrow()
        .placed
        .replaceAll(placed -> placed == before ? after : placed);
  }

  // ---- what there is ----

  /**
   * Lists the nodes.
   *
   * @return their names, in order
   */
  public List<String> nodes() {
    return entries.stream().map(entry -> entry.name).toList();
  }

  /**
   * Lists the declared domains.
   *
   * @return the domains with their capacities, in the order in which they were declared
   */
  public List<Domain> domains() {
    List<Domain> domains = new ArrayList<>();
    declared.forEach(
        (place, account) ->
            domains.add(
                new Domain(
                    place.level(),
                    place.domain(),
                    account.capacityOfAll(),
                    account.units,
                    account.cordoned)));
    return domains;
  }

  /**
   * Lists the placed workloads.
   *
   * @return those of the first node first, in the order of their placements
   */
  public List<Workload> placed() {
    return within(Place.FLEET);
  }

  /**
   * Lists the workloads of a node.
   *
   * @param node its name
   * @return them, in the order of their placements
   */
  public List<Workload> placedOn(String node) {
    return List.copyOf(entry(node).placed);
  }

  /**
   * Finds a placed workload.
   *
   * @param workload its name
   * @return the name of its node; empty where it is not placed
   */
  public Optional<String> nodeOf(String workload) {
    return entryOf(workload).map(entry -> entry.name);
  }

  /**
   * Reports what a node has.
   *
   * @param node its name
   * @return its capacity
   */
  public Resources capacityOf(String node) {
    return entry(node).account.capacityOfAll();
  }

  /**
   * Lists the nodes that a workload fits. One that is placed is judged as if it had left its node.
   *
   * @param workload the workload
   * @return their names, in order
   */
  public List<String> fitting(Workload workload) {
    List<Entry> fitting = without(workload, () -> new Fit(this, workload).fitting());
    return fitting.stream().map(entry -> entry.name).toList();
  }

  /**
   * Whether a rule at the top applies to a workload.
   *
   * @param rule the rule
   * @param workload the workload
   * @return false where the rule counts a group that the workload does not belong to
   */
  public static boolean isFor(Rule rule, Workload workload) {
    return RuleJudge.of(rule).isFor(workload);
  }

  Optional<Entry> find(String node) {
    return entries.stream().filter(entry -> entry.name.equals(node)).findFirst();
  }

  Entry entry(String node) {
    return find(node).orElseThrow(() -> new IllegalArgumentException("no node '" + node + "'"));
  }

  Optional<Entry> entryOf(String workload) {
    return entries.stream()
        .filter(entry -> entry.placed.stream().anyMatch(one -> one.name().equals(workload)))
        .findFirst();
  }

  Workload placed(String workload) {
    return placed().stream()
        .filter(one -> one.name().equals(workload))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + workload + "' is not placed"));
  }

  private Account declared(String level, String domain) {
    return declared.get(new Place(level, domain));
  }

  // ---- sums ----

  /** The account of a node's domain of a level, or of the node; an empty one if undeclared. */
  Account accountOf(Entry node, String level) {
    if (level.equals(Rule.NODE)) {
      return node.account;
    }
    Account account = declared(level, node.at(level).orElseThrow());
    return account == null ? new Account(Resources.none(), Map.of(), false) : account;
  }

  /** The workloads on the nodes of a domain. */
  List<Workload> within(Place place) {
    List<Workload> within = new ArrayList<>();
    for (Entry node : entries) {
      if (place.holds(node)) {
        within.addAll(node.placed);
      }
    }
    return within;
  }

  int members(String group, Place place) {
    return (int) within(place).stream().filter(workload -> belongs(workload, group)).count();
  }

  static boolean belongs(Workload workload, String group) {
    return workload.aversionGroups().contains(group) || workload.terms().groups().contains(group);
  }

  /** What a workload requires at a level. */
  static Resources required(Workload workload, String level) {
    return level.equals(Rule.NODE)
        ? workload.requirements()
        : workload.terms().shared().getOrDefault(level, Resources.none());
  }

  /** What a workload takes of a resource at a level: 0 where it does not name it. */
  static Amount need(Workload workload, String level, String resource) {
    return required(workload, level).get(resource).map(Amount::required).orElse(Amount.ZERO);
  }

  /** What the workloads of a place leave of a resource of its account. */
  static Amount left(Account account, String level, String resource, List<Workload> there) {
    Amount left = account.capacity.get(resource);
    for (Workload workload : there) {
      left = left.minus(need(workload, level, resource));
    }
    return left;
  }

  Amount left(Account account, Place place, String resource) {
    return left(account, place.level(), resource, within(place));
  }

  Resources leftOfAll(Account account, Place place) {
    Map<String, Object> left = new TreeMap<>();
    account.capacity.keySet().forEach(one -> left.put(one, left(account, place, one).toQuantity()));
    return Resources.of(left);
  }

  /** The hard rules of a workload: its own, then those at the top that apply to it. */
  List<RuleJudge> rules(Workload workload) {
    List<RuleJudge> rules = new ArrayList<>();
    workload.terms().rules().forEach(rule -> rules.add(RuleJudge.of(rule)));
    top.stream().map(RuleJudge::of).filter(rule -> rule.isFor(workload)).forEach(rules::add);
    return rules;
  }
}
