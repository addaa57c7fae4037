package io.lighthouse.core.ledger;

import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.InternalErrorException;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.InvalidInputException.Thing;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Unit;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The exact accounts of every node: its capacity, what is left of it, and which placements took it.
 * The only code that changes them.
 *
 * <p>For every node and resource, at every moment, the capacity is what is left plus the
 * requirements placed there. Nodes go by their slot ({@link NodeAccounts}), workloads by their
 * entry in {@link Placements}.
 *
 * <p>Every change leaves its inverse in a log. {@link #savepoint} and {@link #rollBack} take
 * changes of every kind back, the newest first, to exactly the state before; {@link #commit}
 * forgets the log. Names of resources and slots that changes have left unused stay as they are
 * until then.
 *
 * <p>Not thread-safe; a copy made by {@link #copy} shares nothing that changes.
 */
public final class Ledger extends NodeAccounts {
  /** The index of a level that no node and no domain names. */
  public static final int NO_LEVEL = -2;

  final Groups groups;

  /** The levels; the fleet's first. */
  private final List<Level> levels = new ArrayList<>();

  private final Map<String, Integer> levelByName = new HashMap<>();
  private final Members members;

  /** By node: its units; null where it has none. */
  private final Map<Integer, Map<String, Unit>> units = new HashMap<>();

  /** The rules at the top of the problem. */
  private List<Rule> rules = List.of();

  private final Placements placements;
  private final UndoLog log = new UndoLog();

  /** Slots whose node was removed since the last commit. */
  private final List<Integer> vacated = new ArrayList<>();

  /** The node that took the last placed workload; -1 before the first. */
  private int lastPlaced = -1;

  /** Reused for every batch. */
  final Admission admission;

  /** Reused for every change that is not of a batch. */
  private final Demand demand = new Demand();

  /** An empty ledger. */
  public Ledger() {
    groups = new Groups();
    placements = new Placements();
    admission = new Admission(columns, "");
    members = new Members(this);
    level(Rule.FLEET);
  }

  private Ledger(Ledger other) {
    super(other);
    groups = other.groups.copy();
    placements = other.placements.copy();
    lastPlaced = other.lastPlaced;
    admission = new Admission(columns, "");
    columns.dropUnused();
    for (Level level : other.levels) {
      levelByName.put(level.name(), levels.size());
      levels.add(new Level(this, level));
    }
    members = new Members(this, other.members);
    units.putAll(other.units);
    rules = other.rules;
  }

  /**
   * An independent ledger with equal accounts, without listeners and without a log.
   *
   * @return the copy; cost linear in nodes and placements
   */
  public Ledger copy() {
    return new Ledger(this);
  }

  // ---- nodes ----

  /**
   * Adds nodes behind the last, all or none.
   *
   * @param nodes the nodes, with the workloads that they bring along
   * @throws InvalidInputException if a name is taken, or a quantity is out of range
   */
  public void addNodes(List<Node> nodes) {
    Map<String, List<Workload>> shares = new TreeMap<>();
    for (Node node : nodes) {
      checkShares(node);
      node.workloads().forEach(workload -> addShares(workload, shares));
    }
    admitShares(shares);
    addNodesAsTheyAre(nodes);
  }

  /** Adds what a workload shares of each level, under its name. */
  static void addShares(Workload workload, Map<String, List<Workload>> shares) {
    workload
        .terms()
        .shared()
        .forEach(
            (level, shared) ->
                shares
                    .computeIfAbsent(level, any -> new ArrayList<>())
                    .add(new Workload(workload.name(), shared, Set.of(), Set.of())));
  }

  /** Settles the scales of what is going to be shared, level by level. */
  void admitShares(Map<String, List<Workload>> shares) {
    shares.forEach(
        (level, of) -> {
          int index = levelIndex(level);
          if (index >= 0) {
            levels.get(index).admit(of);
          }
        });
  }

  /** The same where the domains come afterwards. */
  private void addNodesAsTheyAre(List<Node> nodes) {
    int first = slotCount();
    reserveNodes(nodes.size());
    int named = 0;
    List<Integer> entries = new ArrayList<>();
    try {
      for (Node node : nodes) {
        if (!takeName(first + named, node.name())) {
          throw new InvalidInputException(
              Thing.node(node.name()), "name", "given twice", "each name once");
        }
        named++;
        for (Workload workload : node.workloads()) {
          int entry = placements.reserve(workload);
          if (entry < 0) {
            throw new InvalidInputException(
                Thing.workload(workload.name()),
                "name",
                "placed twice, the second time on node '" + node.name() + "'",
                "each workload on one node");
          }
          entries.add(entry);
        }
      }
      admission.admitNodes(this, nodes, -1);
    } catch (InvalidInputException wrong) {
      for (Node node : nodes.subList(0, named)) {
        freeName(node.name());
      }
      entries.forEach(placements::unreserve);
      throw wrong;
    }
    int brought = 0;
    for (int i = 0; i < nodes.size(); i++) {
      append(nodes.get(i));
      placements.addNode();
      stand(first + i, nodes.get(i));
      for (Workload workload : nodes.get(i).workloads()) {
        workload.terms().rules().forEach(this::countFor);
        demand.compile(workload, this);
        account(first + i, demand, 1, false);
        placements.append(entries.get(brought++), first + i);
      }
    }
    if (nodes.size() == 1) {
      came(first);
    } else {
      reshaped();
    }
    log.other(() -> takeBack(first, nodes.size()));
  }

  /** Takes back the last so many nodes, with who they brought along. */
  private void takeBack(int first, int count) {
    for (int node = first + count - 1; node >= first; node--) {
      leaving(node);
      int[] entries = placements.entries(node);
      for (int i = entries.length - 1; i >= 0; i--) {
        demand.compile(placements.workload(entries[i]), this);
        account(node, demand, -1, false);
        placements.unlink(entries[i]);
        placements.unreserve(entries[i]);
      }
      for (Level level : levels) {
        level.leave(node);
      }
      units.remove(node);
      unappend(node);
      placements.dropNode();
      freed(node);
    }
  }

  /**
   * Removes an empty node. A position on it passes to the one before it. Its slot stays behind as a
   * dead one.
   *
   * @param node the slot of a node that holds nobody
   */
  public void removeNode(int node) {
    int position = lastPlaced;
    NodeAccounts.Saved saved = save(node);
    Map<String, String> domains = domains(node);
    leaving(node);
    for (Level level : levels) {
      level.leave(node);
    }
    kill(node);
    vacated.add(node);
    if (lastPlaced == node) {
      lastPlaced = nodeBefore(node);
    }
    log.other(
        () -> {
          revive(node, saved);
          domains.forEach((level, domain) -> level(level).stand(node, domain));
          levels.get(0).stand(node, Rule.FLEET);
          vacated.remove(vacated.size() - 1);
          lastPlaced = position;
          came(node);
        });
  }

  /**
   * Gives a node another capacity; what is placed stays.
   *
   * @param node the slot of a node
   * @param capacity what it has when empty, from now on
   * @throws InvalidInputException if a resource in use is missing, or a quantity is out of range
   */
  public void resize(int node, Resources capacity) {
    boolean keepsAll = keepsAll(node, capacity);
    List<Workload> placed = keepsAll ? List.of() : workloads(node);
    for (Workload workload : placed) {
      for (String resource : workload.requirements().names()) {
        if (!capacity.has(resource)) {
          throw new InvalidInputException(
              Thing.node(nodeName(node)),
              "capacity." + resource,
              "missing",
              "every resource in use there; workload '" + workload.name() + "' requires it");
        }
      }
    }
    Node wanted = Node.of(nodeName(node), capacity);
    admission.admitNodes(this, List.of(wanted), node);
    NodeAccounts.Saved saved = save(node);
    Map<String, Unit> former = units.get(node);
    leaving(node);
    if (keepsAll) {
      replace(node, wanted);
    } else {
      replace(node, wanted, placed);
    }
    keepUnits(node, former, capacity);
    came(node);
    log.other(
        () -> {
          leaving(node);
          unuse(node);
          restore(node, saved);
          if (former != null) {
            units.put(node, former);
          }
          came(node);
        });
  }

  /** What a node no longer has, has no unit either. */
  private void keepUnits(int node, Map<String, Unit> former, Resources capacity) {
    if (former == null || capacity.names().containsAll(former.keySet())) {
      return;
    }
    Map<String, Unit> kept = new TreeMap<>(Names.order());
    kept.putAll(former);
    kept.keySet().removeIf(resource -> !capacity.has(resource));
    if (kept.isEmpty()) {
      units.remove(node);
    } else {
      units.put(node, kept);
    }
  }

  /**
   * Cordons a node, or opens it. Doing it twice changes nothing.
   *
   * @param node the slot of a node
   * @param closed whether it takes nobody new
   */
  public void cordon(int node, boolean closed) {
    if (cordoned(node) != closed) {
      setCordon(node, closed);
      log.other(() -> setCordon(node, !closed));
    }
  }

  // ---- domains ----

  /** A level by name; it is made if there is none. */
  private Level level(String name) {
    Integer index = levelByName.get(name);
    if (index == null) {
      index = levels.size();
      levelByName.put(name, index);
      levels.add(new Level(this, name));
    }
    return levels.get(index);
  }

  private void stand(int node, Node as) {
    levels.get(0).stand(node, Rule.FLEET);
    as.domains().forEach((level, domain) -> level(level).stand(node, domain));
    if (!as.units().isEmpty()) {
      units.put(node, as.units());
    }
  }

  /**
   * Loads a whole fleet: nodes, and domains of which that is left which is given, with all that the
   * nodes bring along.
   *
   * @param nodes the nodes
   * @param domains the declared domains
   * @param top the rules at the top
   * @throws InvalidInputException if a name is taken, a quantity is out of range, or a workload
   *     brought along shares what its node's domain lacks
   */
  public void load(List<Node> nodes, List<Domain> domains, List<Rule> top) {
    rules = List.copyOf(top);
    addNodesAsTheyAre(nodes);
    for (Domain domain : domains) {
      declare(domain, domain.resources(), null);
    }
    nodes.forEach(this::checkShares);
    if (!rules.isEmpty() || nodes.stream().anyMatch(Ledger::bringsRules)) {
      members.count(Members.NODE);
      rules.forEach(this::countFor);
      for (Node node : nodes) {
        node.workloads().forEach(workload -> workload.terms().rules().forEach(this::countFor));
      }
      members.recount();
    }
  }

  private static boolean bringsRules(Node node) {
    return node.workloads().stream().anyMatch(workload -> !workload.terms().rules().isEmpty());
  }

  /** Workloads brought along share only what their node's domains have. */
  private void checkShares(Node node) {
    for (Workload workload : node.workloads()) {
      workload
          .terms()
          .shared()
          .forEach((level, shared) -> checkShare(node, workload, level, shared));
    }
  }

  private void checkShare(Node node, Workload workload, String level, Resources shared) {
    String domain = level.equals(Rule.FLEET) ? Rule.FLEET : node.domains().get(level);
    int index = levelIndex(level);
    int slot = domain == null || index < 0 ? -1 : levels.get(index).find(domain);
    for (String resource : shared.names()) {
      if (slot < 0 || !levels.get(index).lefts(slot).has(resource)) {
        throw new InvalidInputException(
            Thing.node(node.name()),
            "workloads['" + workload.name() + "'].shared." + level + "." + resource,
            domain == null ? "of a level at which the node stands nowhere" : "missing there",
            "what the node's domain of that level has");
      }
    }
  }

  /**
   * Declares a domain of which nothing is taken yet.
   *
   * @param domain the domain; its resources are its capacity
   * @throws InvalidInputException if it is declared, or a quantity is out of range
   */
  public void declare(Domain domain) {
    declare(domain, null, domain.resources());
  }

  private void declare(Domain domain, Resources left, Resources capacity) {
    Level level = level(domain.level());
    int slot = level.intern(domain.name());
    if (level.declared(slot)) {
      throw new InvalidInputException(
          Thing.domain(domain.level(), domain.name()),
          "name",
          "declared already",
          "each domain once");
    }
    Level.Former former = level.settle(slot, left, capacity);
    level.mark(slot, true, domain.units(), domain.cordoned());
    loosened();
    log.other(() -> undo(level, slot, former));
  }

  private void undo(Level level, int slot, Level.Former former) {
    level.restoreTo(slot, former);
    loosened();
  }

  /**
   * Takes the account of a declared domain away.
   *
   * @param level its level
   * @param domain its name
   * @throws InvalidInputException if it is not declared, or something placed shares its resources
   */
  public void undeclare(String level, String domain) {
    Level of = declaredLevel(level, domain);
    int slot = of.declaredDomain(domain);
    Level.Former former = of.settle(slot, null, Resources.none());
    of.mark(slot, false, null, false);
    loosened();
    log.other(() -> undo(of, slot, former));
  }

  /**
   * Gives a declared domain another capacity; what is placed stays.
   *
   * @param level its level
   * @param domain its name
   * @param capacity what it has when nothing is placed
   * @throws InvalidInputException if it is not declared, a resource in use is missing, or a
   *     quantity is out of range
   */
  public void resizeDomain(String level, String domain, Resources capacity) {
    Level of = declaredLevel(level, domain);
    int slot = of.declaredDomain(domain);
    boolean closed = of.cordoned(slot);
    Level.Former former = of.settle(slot, null, capacity);
    Map<String, Unit> kept = new TreeMap<>(Names.order());
    if (former.units() != null) {
      kept.putAll(former.units());
      kept.keySet().removeIf(resource -> !capacity.has(resource));
    }
    of.mark(slot, true, kept, closed);
    loosened();
    log.other(() -> undo(of, slot, former));
  }

  /**
   * Cordons a declared domain, or opens it.
   *
   * @param level its level
   * @param domain its name
   * @param closed whether its nodes take nobody new
   * @return whether that is a change
   * @throws InvalidInputException if it is not declared
   */
  public boolean cordonDomain(String level, String domain, boolean closed) {
    Level of = declaredLevel(level, domain);
    int slot = of.declaredDomain(domain);
    if (of.cordoned(slot) == closed) {
      return false;
    }
    of.setCordon(slot, closed);
    of.changed();
    loosened();
    log.other(
        () -> {
          of.setCordon(slot, !closed);
          of.changed();
          loosened();
        });
    return true;
  }

  private Level declaredLevel(String level, String domain) {
    int index = levelIndex(level);
    if (index < 0) {
      throw new InvalidInputException(
          "distributor",
          "domain",
          "'" + domain + "' of level '" + level + "'",
          "a declared domain");
    }
    return levels.get(index);
  }

  /**
   * Makes a placed workload a member of other groups.
   *
   * @param entry its entry
   * @param groups the groups
   */
  public void regroup(int entry, Set<String> groups) {
    Workload before = placements.workload(entry);
    regroup(entry, before.withTerms(before.terms().inGroups(groups)));
    log.other(() -> regroup(entry, before));
  }

  private void regroup(int entry, Workload as) {
    members.account(placements.workload(entry), placements.node(entry), -1);
    placements.replace(entry, as);
    members.account(as, placements.node(entry), 1);
    loosened();
  }

  /**
   * A declared domain as it is now.
   *
   * @param level its level
   * @param domain its name
   * @return a copy of its accounts
   * @throws InvalidInputException if it is not declared
   */
  public DomainState domain(String level, String domain) {
    Level of = declaredLevel(level, domain);
    return of.state(of.declaredDomain(domain));
  }

  /**
   * All declared domains as they are now.
   *
   * @return by level, then by name
   */
  public List<DomainState> domains() {
    List<DomainState> states = new ArrayList<>();
    for (Level level : levels) {
      for (int domain = 0; domain < level.slotCount(); domain++) {
        if (level.alive(domain) && level.declared(domain)) {
          states.add(level.state(domain));
        }
      }
    }
    states.sort(
        Comparator.comparing(DomainState::level, Names.order())
            .thenComparing(DomainState::name, Names.order()));
    return states;
  }

  /** The name of the domain that a node stands in, at each level; without the fleet's. */
  private Map<String, String> domains(int node) {
    if (levels.size() == 1) {
      return Map.of();
    }
    Map<String, String> domains = new TreeMap<>(Names.order());
    for (Level level : levels.subList(1, levels.size())) {
      if (level.domainOf(node) != Level.NOWHERE) {
        domains.put(level.name(), level.nodeName(level.domainOf(node)));
      }
    }
    return domains;
  }

  /**
   * How many levels there are.
   *
   * @return 1 or more; the fleet's is the first
   */
  public int levelCount() {
    return levels.size();
  }

  /**
   * A level.
   *
   * @param index from 0 to {@code levelCount() - 1}
   * @return the level
   */
  public Level level(int index) {
    return levels.get(index);
  }

  /**
   * The index of a level.
   *
   * @param name its name
   * @return its index; {@link Members#NODE} for that of nodes; {@link #NO_LEVEL} where nothing
   *     names it
   */
  public int levelIndex(String name) {
    if (name.equals(Rule.NODE)) {
      return Members.NODE;
    }
    return levelByName.getOrDefault(name, NO_LEVEL);
  }

  /**
   * The domain of a node.
   *
   * @param level the index of a level
   * @param node the slot of a node
   * @return the slot of its domain, or {@link Level#NOWHERE}; at level {@link Members#NODE} its own
   */
  public int domainOf(int level, int node) {
    return level == Members.NODE
        ? node
        : level < 0 || level >= levels.size() ? Level.NOWHERE : levels.get(level).domainOf(node);
  }

  /**
   * The name of a domain.
   *
   * @param level the index of a level
   * @param domain the slot of the domain
   * @return its name
   */
  public String domainName(int level, int domain) {
    return level == Members.NODE ? nodeName(domain) : levels.get(level).nodeName(domain);
  }

  /**
   * How a resource of a node may be asked for.
   *
   * @param node the slot of a node
   * @param resource the name of a resource
   * @return its unit; {@link Unit#ANY} where none was given
   */
  public Unit unit(int node, String resource) {
    Map<String, Unit> of = units.get(node);
    return of == null ? Unit.ANY : of.getOrDefault(resource, Unit.ANY);
  }

  /**
   * Whether the fleet is one of nodes alone: no domains or units, and no rules, be they at the top
   * or of a workload that is placed.
   *
   * @return true if a workload without terms fits a node that is open and has enough
   */
  public boolean plain() {
    return levels.size() == 1
        && !levels.get(0).accounted()
        && units.isEmpty()
        && rules.isEmpty()
        && !members.active();
  }

  /**
   * Whether any node has units.
   *
   * @return false for none
   */
  public boolean hasUnits() {
    return !units.isEmpty();
  }

  /**
   * Counts the changes of what placing does not change: nodes and domains with their names,
   * capacities and wards, cordons, and who stands where.
   *
   * @return a number that grows
   */
  public long shapeChanges() {
    long sum = shapes();
    for (int i = 0; i < levels.size(); i++) {
      sum += levels.get(i).shapes() + levels.get(i).moves();
    }
    return sum;
  }

  /**
   * The members of groups.
   *
   * @return the ledger's own counts
   */
  public Members members() {
    return members;
  }

  /**
   * The rules at the top of the problem.
   *
   * @return in the order given
   */
  public List<Rule> rules() {
    return rules;
  }

  /** Counts the members of the level that a rule asks about. */
  void countFor(Rule rule) {
    String level =
        rule instanceof Rule.Most most
            ? most.level()
            : rule instanceof Rule.Least least
                ? least.level()
                : rule instanceof Rule.Skew skew ? skew.level() : Rule.NODE;
    int index = levelIndex(level);
    if (index != NO_LEVEL) {
      members.count(index);
    }
  }

  /**
   * Whether the domains of a node take what a workload shares of them, and are open, and have
   * nothing negative that it does not bear.
   *
   * @param node the slot of a node
   * @param needed what the workload needs
   * @return true if so at every level
   */
  public boolean domainsSuffice(int node, Demand needed) {
    if (needed.lost()) {
      return false;
    }
    for (int i = 0; i < levels.size(); i++) {
      Demand shared = needed.shared(i);
      if (shared == null) {
        continue;
      }
      int domain = levels.get(i).domainOf(node);
      if (domain == Level.NOWHERE ? shared.size() > 0 : !levels.get(i).fits(domain, shared)) {
        return false;
      }
    }
    return true;
  }

  // ---- batches and placements ----

  /**
   * Opens a batch: takes its names, settles its scales. To be closed.
   *
   * @param workloads the workloads
   * @return the batch
   * @throws InvalidInputException if a name is in use, or a quantity is out of range; then nothing
   *     has changed
   */
  public Batch open(List<Workload> workloads) {
    return open(workloads, new int[0]);
  }

  /**
   * Opens a batch that has workloads among it which are placed already, and may be moved.
   *
   * @param workloads the new ones
   * @param placed entries of placed ones, each once; they stand behind the new ones
   * @return the batch
   * @throws InvalidInputException if a name is in use, or a quantity is out of range; then nothing
   *     has changed
   */
  public Batch open(List<Workload> workloads, int[] placed) {
    placements.reserveRoom(workloads.size());
    Batch batch = new Batch(this, workloads, placed);
    log.other(batch::freeNames);
    log.expect(batch.size());
    log.savepoint();
    return batch;
  }

  int reserve(Workload workload) {
    return placements.reserve(workload);
  }

  /** A batch has freed the names of those that it has not placed; a roll back takes them again. */
  void closed(Batch batch) {
    log.other(batch::reopen);
  }

  /** Takes the entry of a workload again, if it has been given back. */
  void reserveAgain(int entry, Workload workload) {
    if (!placements.isOf(entry, workload)) {
      placements.reserveAgain(workload, entry);
    }
  }

  /** Gives the entry of a workload back, if it is still its own. */
  void unreserve(int entry, Workload workload) {
    if (placements.isOf(entry, workload)) {
      placements.unreserve(entry);
    }
  }

  /**
   * Places a workload of an open batch, wholly, or throws before anything has changed.
   *
   * @param entry its entry
   * @param node the slot of a node
   * @param needed what it needs
   * @throws InternalErrorException if it does not fit there: whoever proposed the node was to see
   *     to that
   */
  public void place(int entry, int node, Demand needed) {
    if (!fits(node, needed) || !(needed.plain() || domainsSuffice(node, needed))) {
      throw new InternalErrorException(
          "workload '"
              + needed.workload().name()
              + "' was to be placed on node '"
              + nodeName(node)
              + "', which it does not fit",
          null);
    }
    put(entry, node, needed);
  }

  /**
   * Places a workload where it has been before, even if that leaves something below zero: whoever
   * does so judges the state that comes of it.
   *
   * @param entry its entry
   * @param node the slot of a node that has all that it requires
   * @param needed what it needs
   */
  public void put(int entry, int node, Demand needed) {
    log.placement(entry, node, placements.behind(entry), lastPlaced);
    account(node, needed, 1, true);
    placements.append(entry, node);
    lastPlaced = node;
    squashIfLong();
  }

  /**
   * Takes a workload from its node; it keeps its name.
   *
   * @param entry its entry
   * @param needed what it needs
   */
  public void remove(int entry, Demand needed) {
    int node = placements.node(entry);
    log.placement(entry, ~node, placements.behind(entry), lastPlaced);
    account(node, needed, -1, true);
    placements.unlink(entry);
    squashIfLong();
  }

  private void squashIfLong() {
    if (log.isLong()) {
      log.squash(placements, this);
    }
  }

  /**
   * Releases placed workloads.
   *
   * @param entries their entries, each once
   * @return the workloads, in that order
   */
  public List<Workload> release(int[] entries) {
    List<Workload> released = new ArrayList<>(entries.length);
    for (int entry : entries) {
      Workload workload = placements.workload(entry);
      demand.compile(workload, this);
      remove(entry, demand);
      placements.unreserve(entry);
      log.other(() -> placements.reserveAgain(workload, entry));
      released.add(workload);
    }
    return released;
  }

  /**
   * Fills a demand with a placed workload.
   *
   * @param entry its entry
   * @param filled to be filled
   * @return the demand
   */
  public Demand load(int entry, Demand filled) {
    filled.compile(placements.workload(entry), this);
    return filled;
  }

  /**
   * Gives columns the digits that a workload needs which comes back: it may have been the last to.
   */
  private void refine(Workload workload) {
    refine(this, workload.requirements());
    if (workload.terms() != Terms.NONE) {
      workload
          .terms()
          .shared()
          .forEach((level, shared) -> refine(levels.get(levelIndex(level)), shared));
    }
  }

  private static void refine(NodeAccounts accounts, Resources required) {
    for (int i = 0; i < required.size(); i++) {
      int id = accounts.column(required.name(i));
      int digits = Columns.required(required.quantity(i)).scale();
      if (id >= 0 && accounts.digits(id) < digits) {
        accounts.rescale(id, digits);
      }
    }
  }

  /** Accounts for a placement (sign 1) or its end (sign -1) of an entry. */
  void account(int entry, int node, int sign) {
    refine(placements.workload(entry));
    demand.compile(placements.workload(entry), this);
    account(node, demand, sign, true);
  }

  /** Accounts for a placement (sign 1) or its end (sign -1). Never fails for what is settled. */
  private void account(int node, Demand needed, int sign, boolean tell) {
    charge(node, needed, sign, tell);
    if (needed.termed()) {
      share(node, needed, sign);
    }
    if (members.active()) {
      members.account(needed.workload(), node, sign);
    }
    for (int i = 0; i < needed.groupCount(); i++) {
      int group = needed.group(i);
      if (sign > 0) {
        groups.add(group == NameTable.NONE ? groupOf(needed, i) : group, node, slotCount());
      } else {
        groups.remove(group == NameTable.NONE ? groupOf(needed, i) : group, node);
      }
    }
  }

  /** Takes from the node's domains, or gives back. */
  private void share(int node, Demand needed, int sign) {
    boolean gave = false;
    for (int i = 0; i < levels.size(); i++) {
      Demand shared = needed.shared(i);
      int domain = levels.get(i).domainOf(node);
      if (shared == null || shared.size() == 0 || domain == Level.NOWHERE) {
        continue;
      }
      if (shared.locate(levels.get(i).layout(domain))) {
        levels.get(i).charge(domain, shared, sign, false);
        levels.get(i).changed();
        gave |= sign < 0 || shared.giving();
      }
    }
    if (gave) {
      loosened();
    }
  }

  /** The id of a group that had none when the demand was compiled. */
  private int groupOf(Demand needed, int index) {
    int at = 0;
    for (String group : needed.workload().aversionGroups()) {
      if (at++ == index) {
        return groups.intern(group);
      }
    }
    throw new AssertionError("no group " + index + " in " + needed.workload());
  }

  /**
   * How many workloads of an aversion group a node holds.
   *
   * @param group the id of a group that a loaded demand has
   * @param node the slot of a node
   * @return 0 or more
   */
  public int members(int group, int node) {
    return groups.members(group, node);
  }

  // ---- the log ----

  /**
   * The entries that have been placed since a savepoint and are placed now, in the order in which
   * they were placed last. Where that order is known no more (of a long search), node by node.
   *
   * @param savepoint what {@link #savepoint} answered
   * @return their entries
   */
  public int[] placedSince(int savepoint) {
    return log.placedSince(savepoint, placements);
  }

  /**
   * The present state, to come back to.
   *
   * @return a savepoint for {@link #rollBack}
   */
  public int savepoint() {
    return log.savepoint();
  }

  /**
   * Forgets the savepoints after one; what has been done stands, and the way back is kept shorter.
   *
   * @param savepoint the newest that somebody may still come back to
   */
  public void newestSavepoint(int savepoint) {
    log.newest(savepoint);
  }

  /**
   * Takes back everything since a savepoint, the newest first.
   *
   * @param savepoint what {@link #savepoint} answered, or 0 for all since the last commit
   */
  public void rollBack(int savepoint) {
    log.newest(savepoint);
    while (log.size() > savepoint) {
      int at = log.size() - UndoLog.RECORD;
      if (log.isPlacement(at)) {
        int entry = log.entry(at);
        int node = log.node(at);
        refine(placements.workload(entry));
        demand.compile(placements.workload(entry), this);
        if (node >= 0) {
          account(node, demand, -1, true);
          placements.unlink(entry);
        } else {
          account(~node, demand, 1, true);
          placements.relink(entry, ~node, log.behind(at));
        }
        lastPlaced = log.position(at);
      } else {
        log.inverse(at).run();
      }
      log.pop();
    }
  }

  /** What was done since the last commit stands: forgets the log, and what nobody uses any more. */
  public void commit() {
    log.clear();
    columns.dropUnused();
    placements.freeUnused();
    if (vacated.isEmpty()) {
      return;
    }
    for (int slot : vacated) {
      units.remove(slot);
      freed(slot);
    }
    vacated.clear();
    boolean domainsMoved = false;
    for (Level level : levels) {
      domainsMoved |= level.forgetUnused();
    }
    if (domainsMoved) {
      members.recount();
      reshaped();
    }
    int slots = slotCount();
    trim();
    for (int slot = slotCount(); slot < slots; slot++) {
      placements.dropNode();
    }
    if (worn()) {
      int[] renumbered = renumber();
      placements.renumber(renumbered);
      groups.renumber(renumbered);
      levels.forEach(level -> level.renumberNodes(renumbered));
      Map<Integer, Map<String, Unit>> moved = new HashMap<>();
      units.forEach((node, of) -> moved.put(renumbered[node], of));
      units.clear();
      units.putAll(moved);
      members.recount();
      lastPlaced = lastPlaced < 0 ? -1 : renumbered[lastPlaced];
      renumbered(renumbered);
      reshaped();
    }
  }

  List<Quantity> requirements(String resource) {
    return placements.requirements(resource);
  }

  // ---- reading ----

  /**
   * The nodes that hold workloads of an aversion group.
   *
   * @param group the name of a group
   * @return the ledger's own set, which changes with it; null where nobody holds one
   */
  public NodeSet holders(String group) {
    return groups.holders(group);
  }

  /**
   * The round-robin position.
   *
   * @return the slot of the node that took the last placed workload, or -1
   */
  public int lastPlaced() {
    return lastPlaced;
  }

  /**
   * Sets the round-robin position of a restored fleet.
   *
   * @param node the slot of a node, or -1
   */
  public void lastPlaced(int node) {
    lastPlaced = node;
  }

  /**
   * The number of placed workloads.
   *
   * @return 0 or more
   */
  public int placedCount() {
    return placements.placedCount();
  }

  /**
   * The workload of an entry.
   *
   * @param entry an entry in use
   * @return the workload
   */
  public Workload workload(int entry) {
    return placements.workload(entry);
  }

  /**
   * The node of an entry.
   *
   * @param entry an entry
   * @return the slot of its node; negative where it is not placed
   */
  public int nodeOf(int entry) {
    return placements.node(entry);
  }

  /**
   * The entry of a placed workload.
   *
   * @param workload its name
   * @return its entry
   * @throws InvalidInputException if no such workload is placed
   */
  public int entryOf(String workload) {
    int entry = placements.find(workload);
    if (entry < 0 || placements.node(entry) < 0) {
      throw new InvalidInputException(
          "distributor", "workload", "'" + workload + "'", "the name of a placed workload");
    }
    return entry;
  }

  /**
   * The node of a workload.
   *
   * @param workload its name
   * @return the slot of its node; negative where it is not placed
   */
  public int placedNode(String workload) {
    int entry = placements.find(workload);
    return entry < 0 ? -1 : placements.node(entry);
  }

  /**
   * The entries placed on a node.
   *
   * @param node its slot
   * @return in the order in which they came
   */
  public int[] entries(int node) {
    return placements.entries(node);
  }

  /**
   * The number of workloads placed on a node.
   *
   * @param node its slot
   * @return 0 or more
   */
  public int held(int node) {
    return placements.held(node);
  }

  /**
   * The workloads placed on a node.
   *
   * @param node its slot
   * @return in the order in which they came
   */
  public List<Workload> workloads(int node) {
    List<Workload> workloads = new ArrayList<>();
    for (int entry : placements.entries(node)) {
      workloads.add(placements.workload(entry));
    }
    return workloads;
  }

  /**
   * A node as it is now.
   *
   * @param node its slot
   * @return a copy of its accounts
   */
  public NodeState state(int node) {
    return new NodeState(
        nodeName(node),
        capacities(node),
        lefts(node),
        workloads(node),
        cordoned(node),
        domains(node),
        units.getOrDefault(node, Map.of()));
  }
}
