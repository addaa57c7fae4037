package io.lighthouse.core.ledger;

import io.lighthouse.api.DomainState;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.Requirements;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The levels of a ledger, such as racks and zones, with their domains: the nodes of each domain,
 * and what is left of the declared ones. The fleet's own level, with one domain, is the first.
 */
public final class Topology {
  /** The index of a level that no node and no domain names. */
  public static final int NO_LEVEL = -2;

  /** Up to this number of unused domains or levels are kept: to forget them costs a recount. */
  static final int MOST_UNUSED = 64;

  private final Ledger ledger;
  private final List<Level> levels = new ArrayList<>();
  private final Map<String, Integer> byName = new HashMap<>();

  /** Creates a topology with only the fleet's level. */
  Topology(Ledger ledger) {
    this.ledger = ledger;
    byName.put(Rule.FLEET, 0);
    levels.add(new Level(ledger, Rule.FLEET));
  }

  /** A copy that shares nothing that changes. */
  Topology(Ledger ledger, Topology other) {
    this.ledger = ledger;
    for (Level level : other.levels) {
      byName.put(level.name(), levels.size());
      levels.add(new Level(ledger, level));
    }
  }

  /** A level by name; an unknown level is created. */
  Level intern(String name) {
    Integer index = byName.get(name);
    if (index == null) {
      index = levels.size();
      ledger.members.levelAdded(index);
      levels.add(new Level(ledger, name));
      byName.put(name, index); // Last: where memory ends before, no name leads to a missing level.
    }
    return levels.get(index);
  }

  // ---- adding and removing nodes ----

  /** Adds a node to its domains, which are given by level without the fleet's. */
  void addNode(int node, Map<String, String> domains) {
    levels.get(0).addNode(node, Rule.FLEET);
    domains.forEach((level, domain) -> intern(level).addNode(node, domain));
  }

  /** Removes a node from all its domains. */
  void removeNode(int node) {
    for (Level level : levels) {
      level.removeNode(node);
    }
  }

  /** Adopts the new slots of the nodes. */
  void renumberNodes(int[] renumbered) {
    levels.forEach(level -> level.renumberNodes(renumbered));
  }

  /**
   * Forgets undeclared domains that no node names, and levels without others. Returns whether the
   * slots of domains or the indexes of levels have changed. Call it only when no roll back is
   * possible.
   */
  boolean forgetUnused() {
    boolean moved = forgetUnusedLevels();
    for (Level level : levels) {
      moved |= level.forgetUnused();
    }
    return moved;
  }

  /**
   * Forgets unused levels where most are, except for the fleet's own. Without, a node that comes
   * and goes at a level of its own took 75 times as long after 20,000 such levels on 2026-11-29.
   */
  private boolean forgetUnusedLevels() {
    int unused = 0;
    for (Level level : levels) {
      unused += level.isUnused() ? 1 : 0;
    }
    if (unused <= MOST_UNUSED || 2 * unused <= levels.size()) {
      return false;
    }
    for (int level = levels.size() - 1; level > 0; level--) {
      if (levels.get(level).isUnused()) {
        levels.remove(level);
        ledger.members.levelRemoved(level);
      }
    }
    byName.clear();
    for (int level = 0; level < levels.size(); level++) {
      byName.put(levels.get(level).name(), level);
    }
    return true;
  }

  // ---- what is shared ----

  /**
   * Settles the scales for what workloads share, level by level in the order of names.
   *
   * @throws InvalidInputException if a quantity is out of range
   */
  public void admitShares(List<Workload> workloads) {
    Set<String> shared = new TreeSet<>();
    workloads.forEach(workload -> shared.addAll(workload.terms().shared().keySet()));
    for (String level : shared) {
      int index = levelIndex(level);
      if (index >= 0) {
        levels.get(index).admission.admitWorkloads(workloads);
      }
    }
  }

  /** Checks that workloads on a new node share only what the node's domains have. */
  void checkShares(Node node) {
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
    int slot = domain == null || index < 0 ? -1 : levels.get(index).domains().find(domain);
    for (String resource : shared.names()) {
      if (slot < 0 || !levels.get(index).accounts().lefts(slot).has(resource)) {
        throw new InvalidInputException(
            Thing.node(node.name()),
            "workloads['" + workload.name() + "'].shared." + level + "." + resource,
            domain == null ? "of a level at which the node stands nowhere" : "missing there",
            "what the node's domain of that level has");
      }
    }
  }

  /** Takes a workload's shares from the node's domains (sign 1), or returns them (-1). */
  void charge(int node, Demand needed, int sign) {
    boolean gave = false;
    for (int i = 0; i < needed.levelCount(); i++) {
      Requirements shared = needed.shared(i);
      int domain = levels.get(i).domainOf(node);
      if (shared == null || shared.size() == 0 || domain == NodeTable.NONE) {
        continue;
      }
      NodeAccounts accounts = levels.get(i).accounts();
      if (shared.areAllIn(accounts.layout(domain))) {
        accounts.charge(domain, shared, sign);
        gave |= sign < 0 || shared.hasNegativeNeed();
      }
    }
    if (gave) {
      ledger.notifyListeners(LedgerListener::loosened);
    }
  }

  /**
   * Whether the domains of a node are open and have enough for a workload's shares, at every level.
   * Only resources that the workload is immune to may be negative.
   */
  public boolean suffices(int node, Demand needed) {
    if (needed.sharesUnknownLevel()) {
      return false;
    }
    for (int i = 0; i < needed.levelCount(); i++) {
      Requirements shared = needed.shared(i);
      if (shared == null) {
        continue;
      }
      Level level = levels.get(i);
      int domain = level.domainOf(node);
      if (domain == NodeTable.NONE ? shared.size() > 0 : !level.accounts().fits(domain, shared)) {
        return false;
      }
    }
    return true;
  }

  // ---- reading ----

  /** The level of a declared domain. */
  Level declared(String level, String domain) {
    int index = levelIndex(level);
    int slot = index < 0 ? -1 : levels.get(index).domains().find(domain);
    if (slot < 0 || !levels.get(index).isDeclared(slot)) {
      throw new InvalidInputException(
          "distributor",
          "domain",
          "'" + domain + "' of level '" + level + "'",
          "a declared domain");
    }
    return levels.get(index);
  }

  /**
   * A copy of the accounts of a declared domain as they are now.
   *
   * @throws InvalidInputException if it is not declared
   */
  public DomainState domain(String level, String domain) {
    Level of = declared(level, domain);
    return of.state(of.domains().find(domain));
  }

  /** All declared domains as they are now, by level, then by name. */
  public List<DomainState> domains() {
    List<DomainState> states = new ArrayList<>();
    for (Level level : levels) {
      for (int domain = 0; domain < level.domains().slotCount(); domain++) {
        if (level.domains().alive(domain) && level.isDeclared(domain)) {
          states.add(level.state(domain));
        }
      }
    }
    states.sort(
        Comparator.comparing(DomainState::level, Names.order())
            .thenComparing(DomainState::name, Names.order()));
    return states;
  }

  /** The name of a node's domain at each level, without the fleet's. */
  Map<String, String> domainsOf(int node) {
    if (levels.size() == 1) {
      return Map.of();
    }
    Map<String, String> domains = new TreeMap<>(Names.order());
    for (Level level : levels.subList(1, levels.size())) {
      if (level.domainOf(node) != NodeTable.NONE) {
        domains.put(level.name(), level.domains().nodeName(level.domainOf(node)));
      }
    }
    return domains;
  }

  /** Whether no domain has an account or is closed. Then domains matter only to terms. */
  boolean hasNoAccounts() {
    for (int i = 0; i < levels.size(); i++) {
      if (levels.get(i).hasAccounts()) {
        return false;
      }
    }
    return true;
  }

  /** The number of levels, 1 or more; the fleet's is the first. */
  public int levelCount() {
    return levels.size();
  }

  /** The level of an index below {@link #levelCount}. */
  public Level level(int index) {
    return levels.get(index);
  }

  /**
   * The index of a level by name; {@link Members#NODE} for the level of nodes; {@link #NO_LEVEL}
   * where nothing names it.
   */
  public int levelIndex(String name) {
    if (name.equals(Rule.NODE)) {
      return Members.NODE;
    }
    return byName.getOrDefault(name, NO_LEVEL);
  }

  /**
   * The slot of a node's domain at a level, or {@link NodeTable#NONE}; at level {@link
   * Members#NODE} the node's own slot.
   */
  public int domainOf(int level, int node) {
    return level == Members.NODE
        ? node
        : level < 0 || level >= levels.size() ? NodeTable.NONE : levels.get(level).domainOf(node);
  }

  /** The name of a domain at a level, which may be {@link Members#NODE}. */
  public String domainName(int level, int domain) {
    return level == Members.NODE
        ? ledger.nodes().nodeName(domain)
        : levels.get(level).domains().nodeName(domain);
  }

  /** The slots of domains at a level, which may be {@link Members#NODE}, are below this. */
  public int domainCount(int level) {
    return level == Members.NODE
        ? ledger.nodes.slotCount()
        : levels.get(level).domains().slotCount();
  }

  /** Recomputes the nodes of the domains, and what is left of the declared ones. */
  void audit(Audit audit) {
    levels.forEach(level -> level.audit(audit));
  }
}
