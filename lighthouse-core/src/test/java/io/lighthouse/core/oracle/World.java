package io.lighthouse.core.oracle;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The state of a fleet: nodes, declared domains, the rules at the top, the position. */
final class World {
  /** What an undeclared domain has. */
  private static final Account NOTHING = new Account(Resources.none(), Map.of(), false, Fault.NONE);

  final List<Spot> spots = new ArrayList<>();

  /** By level, then by name. */
  final Map<String, Map<String, Account>> declared = new TreeMap<>(Names.order());

  /** Those at the top. */
  final List<Rule> rules;

  /** What is got wrong here on purpose. */
  final Fault fault;

  /** The index of the node that took the last placed workload; -1 before the first. */
  int position = -1;

  /** Whether the next node gets the cordon of one that is gone; a fault. */
  private boolean recycled;

  World(
      Fault fault,
      List<Rule> rules,
      List<Domain> domains,
      List<Node> nodes,
      Optional<String> lastPlaced) {
    this.fault = fault;
    this.rules = List.copyOf(rules);
    domains.forEach(this::declare);
    for (Node node : nodes) {
      Spot spot = add(node);
      // At the start what is given of a domain is what is left with all of them there.
      for (Workload workload : spot.placed) {
        workload
            .terms()
            .shared()
            .forEach((level, shared) -> account(level, spot.at(level)).include(shared));
      }
    }
    lastPlaced.ifPresent(name -> position = spots.indexOf(spot(name)));
  }

  World(World other) {
    fault = other.fault;
    rules = other.rules;
    position = other.position;
    recycled = other.recycled;
    other.spots.forEach(spot -> spots.add(new Spot(spot)));
    other.declared.forEach(
        (level, accounts) ->
            accounts.forEach((name, account) -> accounts(level).put(name, new Account(account))));
  }

  private Map<String, Account> accounts(String level) {
    return declared.computeIfAbsent(level, any -> new TreeMap<>(Names.order()));
  }

  static boolean isMember(Workload workload, String group) {
    return workload.terms().groups().contains(group) || workload.aversionGroups().contains(group);
  }

  /** The account of a domain; that of nothing where it is not declared. */
  Account account(String level, String domain) {
    return declared.getOrDefault(level, Map.of()).getOrDefault(domain, NOTHING);
  }

  Account declared(String level, String domain) {
    Account account = account(level, domain);
    require(account != NOTHING, "domain", domain);
    return account;
  }

  /** The hard rules of a workload, those at the top behind its own. */
  List<Rule> rulesOf(Workload workload) {
    List<Rule> all = new ArrayList<>(workload.terms().rules());
    for (Rule rule : rules) {
      if (fault != Fault.FORGETS_THE_RULES_AT_THE_TOP && isFor(rule, workload)) {
        all.add(rule);
      }
    }
    return all;
  }

  private static boolean isFor(Rule rule, Workload workload) {
    return !(rule instanceof Rule.OfGroup of) || isMember(workload, of.group());
  }

  int members(String group, String level, String domain) {
    int members = 0;
    for (Spot spot : spots) {
      if (spot.isIn(level, domain)) {
        for (Workload workload : spot.placed) {
          boolean counts =
              fault == Fault.COUNTS_NO_AVERSION_GROUPS
                  ? workload.terms().groups().contains(group)
                  : isMember(workload, group);
          members += counts ? 1 : 0;
        }
      }
    }
    return members;
  }

  void place(Workload workload, Spot spot) {
    spot.placed.add(workload);
    spot.account.take(workload.requirements());
    spot.onceHere.addAll(workload.aversionGroups());
    share(workload, spot, Account::take);
    position = spots.indexOf(spot);
  }

  void release(Workload workload, Spot spot) {
    spot.placed.remove(workload);
    if (fault == Fault.LOSES_A_RELEASE && workload.requirements().size() > 1) {
      return;
    }
    spot.account.give(workload.requirements());
    if (fault != Fault.FORGETS_WHAT_IS_SHARED_ON_RELEASE) {
      share(workload, spot, Account::give);
    }
  }

  private void share(Workload workload, Spot spot, BiConsumer<Account, Resources> how) {
    workload
        .terms()
        .shared()
        .forEach((level, shared) -> how.accept(account(level, spot.at(level)), shared));
  }

  // What follows changes the fleet. It checks first, and then changes.

  /**
   * Carries out a change; whether anything is another than before.
   *
   * @throws InvalidInputException if the change is wrong; then nothing has changed
   */
  boolean carryOut(Change change) {
    return change.match(new CarriedOut());
  }

  private final class CarriedOut implements Change.Cases<Boolean> {
    @Override
    public Boolean addNode(Change.AddNode add) {
      World.this.addNode(add.node());
      return true;
    }

    @Override
    public Boolean removeNode(Change.RemoveNode remove) {
      World.this.removeNode(remove.node());
      return true;
    }

    @Override
    public Boolean resize(Change.Resize resize) {
      return World.this.resize(resize.node(), resize.capacity());
    }

    @Override
    public Boolean cordon(Change.Cordon cordon) {
      return World.cordon(World.this.spot(cordon.node()).account, true);
    }

    @Override
    public Boolean uncordon(Change.Uncordon uncordon) {
      return World.cordon(World.this.spot(uncordon.node()).account, false);
    }

    @Override
    public Boolean assign(Change.Assign assign) {
      World.this.assign(assign.workload(), assign.node());
      return true;
    }

    @Override
    public Boolean move(Change.Move move) {
      World.this.move(move);
      return true;
    }

    @Override
    public Boolean release(Change.Release release) {
      Workload workload = placed(release.workload());
      World.this.release(workload, nodeOf(release.workload()));
      return true;
    }

    @Override
    public Boolean declare(Change.Declare declare) {
      World.this.declare(declare.domain());
      return true;
    }

    @Override
    public Boolean undeclare(Change.Undeclare undeclare) {
      World.this.undeclare(undeclare.level(), undeclare.domain());
      return true;
    }

    @Override
    public Boolean resizeDomain(Change.ResizeDomain resize) {
      return World.this.resize(resize.level(), resize.domain(), resize.capacity());
    }

    @Override
    public Boolean cordonDomain(Change.CordonDomain cordon) {
      return World.cordon(declared(cordon.level(), cordon.domain()), cordon.cordoned());
    }

    @Override
    public Boolean regroup(Change.Regroup regroup) {
      return World.this.regroup(regroup.workload(), regroup.groups());
    }
  }

  private static boolean cordon(Account account, boolean cordoned) {
    boolean changes = account.cordoned != cordoned;
    account.cordoned = cordoned;
    return changes;
  }

  private void assign(Workload workload, String node) {
    require(nodeOf(workload.name()) == null, "workload", workload.name());
    Spot spot = spot(node);
    require(new Question(this, workload).fits(spot), "node", node);
    place(workload, spot);
  }

  private void move(Change.Move move) {
    Workload workload = placed(move.workload());
    Spot from = spot(move.from());
    Spot to = spot(move.to());
    require(from == nodeOf(move.workload()) && from != to, "node", move.from());
    if (fault != Fault.MOVES_WITHOUT_ASKING_WHETHER_IT_FITS) {
      World without = new World(this);
      without.release(workload, without.spot(from.name));
      require(new Question(without, workload).fits(without.spot(to.name)), "node", to.name);
    }
    int before = position;
    release(workload, from);
    place(workload, to);
    if (fault != Fault.MOVES_THE_POSITION_WITH_A_MOVE) {
      position = before;
    }
  }

  private Spot add(Node node) {
    require(spots.stream().noneMatch(spot -> spot.name.equals(node.name())), "node", node.name());
    Set<String> names = new HashSet<>();
    Spot spot = new Spot(node, fault);
    for (Workload workload : spot.placed) {
      boolean free = names.add(workload.name()) && nodeOf(workload.name()) == null;
      require(free, "workload", workload.name());
      workload
          .terms()
          .shared()
          .forEach(
              (level, shared) ->
                  require(
                      spot.at(level) != null && account(level, spot.at(level)).hasAll(shared),
                      "shared",
                      workload.name()));
    }
    spots.add(spot);
    return spot;
  }

  private void addNode(Node node) {
    Spot spot = add(node);
    if (recycled) {
      spot.account.cordoned = true;
      recycled = false;
    }
    spot.placed.forEach(workload -> share(workload, spot, Account::take));
  }

  private void removeNode(String name) {
    Spot spot = spot(name);
    require(spot.placed.isEmpty(), "node", name);
    int index = spots.indexOf(spot);
    recycled = fault == Fault.RECYCLES_A_CORDON && spot.account.cordoned;
    spots.remove(index);
    if (index <= position && fault != Fault.KEEPS_THE_POSITION_ON_REMOVAL) {
      position--;
    }
    position = Math.min(position, spots.size() - 1);
  }

  private boolean resize(String node, Resources to) {
    Spot spot = spot(node);
    List<Resources> taken = spot.placed.stream().map(Workload::requirements).toList();
    requireAll(to, taken);
    return resize(spot.account, to, taken);
  }

  private static void requireAll(Resources to, List<Resources> taken) {
    taken.forEach(some -> require(to.names().containsAll(some.names()), "capacity", to.toString()));
  }

  private static boolean resize(Account account, Resources to, List<Resources> taken) {
    Map<String, Nanos> before = Map.copyOf(account.capacity);
    account.resize(to, taken);
    return !before.equals(account.capacity);
  }

  private void declare(Domain domain) {
    boolean isNew = account(domain.level(), domain.name()) == NOTHING;
    require(isNew || fault == Fault.TAKES_A_DOMAIN_TWICE, "domain", domain.name());
    accounts(domain.level())
        .put(
            domain.name(),
            new Account(domain.resources(), domain.units(), domain.cordoned(), fault));
  }

  private void undeclare(String level, String domain) {
    declared(level, domain);
    boolean isFree = taken(level, domain).isEmpty();
    require(isFree || fault == Fault.ENDS_A_DOMAIN_IN_USE, "domain", domain);
    declared.get(level).remove(domain);
  }

  private boolean resize(String level, String domain, Resources to) {
    Account account = declared(level, domain);
    List<Resources> taken = taken(level, domain);
    if (fault != Fault.RESIZES_A_DOMAIN_BELOW_ITS_USE) {
      requireAll(to, taken);
    }
    boolean changes = resize(account, to, taken);
    return changes || fault == Fault.COUNTS_EVERY_RESIZE_OF_A_DOMAIN;
  }

  private boolean regroup(String workload, Set<String> groups) {
    Workload before = placed(workload);
    Workload after = before.withTerms(before.terms().inGroups(groups));
    if (fault == Fault.REGROUPS_NOBODY) {
      return false;
    }
    nodeOf(workload).placed.replaceAll(placed -> placed == before ? after : placed);
    return !before.equals(after);
  }

  /** What those in a domain share of it. */
  private List<Resources> taken(String level, String domain) {
    List<Resources> taken = new ArrayList<>();
    for (Spot spot : spots) {
      if (spot.isIn(level, domain)) {
        for (Workload workload : spot.placed) {
          Resources shared = workload.terms().shared().get(level);
          if (shared != null) {
            taken.add(shared);
          }
        }
      }
    }
    return taken;
  }

  Spot spot(String name) {
    for (Spot spot : spots) {
      if (spot.name.equals(name)) {
        return spot;
      }
    }
    throw wrong("node", name);
  }

  /** The node of a placed workload; null where it is not placed. */
  Spot nodeOf(String workload) {
    for (Spot spot : spots) {
      if (spot.placed.stream().anyMatch(placed -> placed.name().equals(workload))) {
        return spot;
      }
    }
    return null;
  }

  Workload placed(String workload) {
    Spot spot = nodeOf(workload);
    require(spot != null, "workload", workload);
    return spot.placed.stream()
        .filter(one -> one.name().equals(workload))
        .findFirst()
        .orElseThrow();
  }

  static void require(boolean good, String what, String name) {
    if (!good) {
      throw wrong(what, name);
    }
  }

  static InvalidInputException wrong(String what, String name) {
    return new InvalidInputException(what, "name", "'" + name + "'", "another");
  }
}
