package io.lighthouse.core.ledger;

import io.lighthouse.api.DomainState;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.account.Admission;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.account.SavedAccounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;

/**
 * The domains of one level: which node belongs to which domain, and the accounts of the declared
 * ones. A domain is accounted for as a node is, with resources of its own: {@code power} of a rack
 * is not {@code power} of a node. An undeclared domain has no resources.
 *
 * <p>Domains are identified by their slot in the level, nodes by theirs in the ledger.
 */
public final class Level {
  private final Ledger ledger;
  private final String name;
  private final NodeAccounts accounts;
  private final NodeTable domains;
  private final ResourceTable resources;
  final Admission admission;

  /** By domain: whether it is declared. */
  private final BitSet declared = new BitSet();

  /** By domain: the number of its nodes. */
  private int[] nodeCounts = new int[8];

  /** By node: its domain, or {@link NodeTable#NONE}. */
  private int[] domainOf = new int[0];

  /** The number of domains that are undeclared and have no nodes. */
  private int unused;

  Level(Ledger ledger, String name) {
    this(ledger, name, new NodeAccounts(() -> {}, ledger.clock::countShape));
  }

  /** A copy that shares nothing that changes. */
  Level(Ledger ledger, Level other) {
    this(ledger, other.name, new NodeAccounts(other.accounts, () -> {}, ledger.clock::countShape));
    declared.or(other.declared);
    nodeCounts = other.nodeCounts.clone();
    domainOf = other.domainOf.clone();
    unused = other.unused;
  }

  private Level(Ledger ledger, String name, NodeAccounts accounts) {
    this.ledger = ledger;
    this.name = name;
    this.accounts = accounts;
    domains = accounts.nodes();
    resources = accounts.resources();
    admission = new Admission(accounts, name, this::shared, this::shares);
  }

  /** The name of the level, such as {@code rack}. */
  public String name() {
    return name;
  }

  /** The domains, in the order in which they were first named. */
  public NodeTable domains() {
    return domains;
  }

  /** The capacities of the domains, and what is left of them. */
  public NodeAccounts accounts() {
    return accounts;
  }

  /** The resources of the domains. */
  public ResourceTable resources() {
    return resources;
  }

  /** The slot of a node's domain, or {@link NodeTable#NONE}. */
  public int domainOf(int node) {
    return node < domainOf.length ? domainOf[node] : NodeTable.NONE;
  }

  /** Whether some domain could reject a workload: it has resources or is closed. */
  public boolean hasAccounts() {
    return !declared.isEmpty();
  }

  /** Whether a domain is declared. */
  public boolean isDeclared(int domain) {
    return declared.get(domain);
  }

  /** The slot of a domain by name; -1 where no node names it and it is not declared. */
  public int domain(String domain) {
    int slot = domains.find(domain);
    return slot >= 0 && !isUnused(slot) ? slot : -1;
  }

  /** The names of the domains that have nodes or are declared, in the order of names. */
  public List<String> domainNames() {
    List<String> names = new ArrayList<>();
    for (int domain = 0; domain < domains.slotCount(); domain++) {
      if (domains.alive(domain) && !isUnused(domain)) {
        names.add(domains.nodeName(domain));
      }
    }
    names.sort(Names.order());
    return names;
  }

  /** The slot of a domain by name; an unknown domain is created. */
  int intern(String domain) {
    int slot = domains.find(domain);
    if (slot >= 0) {
      return slot;
    }
    slot = domains.slotCount();
    if (slot >= nodeCounts.length) {
      nodeCounts = Arrays.copyOf(nodeCounts, 2 * slot);
    }
    Node empty = Node.of(domain, Resources.none());
    accounts.changes().reserve(1);
    declared.clear(slot);
    nodeCounts[slot] = 0;
    domains.takeName(slot, domain);
    try {
      accounts.changes().append(empty);
    } catch (Error wrong) { // Memory has ended: there is no such domain.
      domains.freeName(domain);
      throw wrong;
    }
    unused++;
    return slot;
  }

  /** Adds a node to a domain. */
  void addNode(int node, String domain) {
    int slot = intern(domain);
    if (node >= domainOf.length) {
      int from = domainOf.length;
      domainOf = Arrays.copyOf(domainOf, Math.max(node + 1, from + from / 2));
      Arrays.fill(domainOf, from, domainOf.length, NodeTable.NONE);
    }
    domainOf[node] = slot;
    unused -= isUnused(slot) ? 1 : 0;
    nodeCounts[slot]++;
    ledger.clock.countShape();
  }

  /** Removes a node from its domain. */
  void removeNode(int node) {
    int slot = domainOf(node);
    if (slot != NodeTable.NONE) {
      nodeCounts[slot]--;
      unused += isUnused(slot) ? 1 : 0;
      domainOf[node] = NodeTable.NONE;
      ledger.clock.countShape();
    }
  }

  /** Whether no node names a domain, and none is declared. */
  boolean isUnused() {
    return unused == domains.nodeCount();
  }

  private boolean isUnused(int domain) {
    return nodeCounts[domain] == 0 && !declared.get(domain);
  }

  /** Adopts the new slots of the nodes. */
  void renumberNodes(int[] renumbered) {
    int[] moved = new int[domainOf.length];
    Arrays.fill(moved, NodeTable.NONE);
    for (int node = 0; node < Math.min(domainOf.length, renumbered.length); node++) {
      if (renumbered[node] >= 0) {
        moved[renumbered[node]] = domainOf[node];
      }
    }
    domainOf = moved;
    ledger.clock.countShape();
  }

  /**
   * Forgets undeclared domains that no node names. Call it only when no roll back is possible.
   * Returns whether the slots of domains have changed.
   */
  boolean forgetUnused() {
    resources.dropUnused();
    if (unused <= Topology.MOST_UNUSED || 2 * unused <= domains.slotCount()) {
      return false;
    }
    for (int domain = 0; domain < domains.slotCount(); domain++) {
      if (domains.alive(domain) && isUnused(domain)) {
        accounts.changes().kill(domain);
      }
    }
    unused = 0;
    int[] renumbered = accounts.changes().renumber();
    for (int from = 0; from < renumbered.length; from++) {
      int to = renumbered[from];
      if (to >= 0 && to != from) {
        declared.set(to, declared.get(from));
        declared.clear(from);
        nodeCounts[to] = nodeCounts[from];
      }
    }
    for (int node = 0; node < domainOf.length; node++) {
      domainOf[node] =
          domainOf[node] == NodeTable.NONE ? NodeTable.NONE : renumbered[domainOf[node]];
    }
    resources.dropUnused();
    ledger.clock.countShape();
    return true;
  }

  // ---- declared domains ----

  /**
   * Gives a domain accounts. A roll back restores the former ones.
   *
   * @param left what is left now, with everything that is placed there; null where the capacity is
   *     given
   * @param capacity its capacity when nothing is placed; null where what is left is given
   */
  void settle(int domain, Resources left, Resources capacity) {
    List<Workload> placed = placedIn(domain);
    Resources given = left == null ? capacity : left;
    for (Workload workload : placed) {
      for (String resource : workload.requirements().names()) {
        if (!given.has(resource)) {
          throw new InvalidInputException(
              Thing.domain(name, domains.nodeName(domain)),
              "resources." + resource,
              "missing",
              "every resource in use there; workload '" + workload.name() + "' shares it");
        }
      }
    }
    Node node =
        left == null
            ? Node.of(domains.nodeName(domain), capacity)
            : new Node(domains.nodeName(domain), left, placed, false);
    SavedAccounts former = accounts.changes().save(domain);
    boolean wasDeclared = declared.get(domain);
    admission.admitNodes(List.of(node), domain);
    ledger.log.append(
        () -> {
          accounts.changes().restore(domain, former);
          setDeclared(domain, wasDeclared, former.cordoned());
          ledger.notifyListeners(LedgerListener::loosened);
        });
    accounts.changes().replace(domain, node, former, placed);
    if (left != null) {
      placed.forEach(this::countPlaced);
    }
  }

  /** Counts the share of a workload that a node brought along as placed from now on. */
  private void countPlaced(Workload share) {
    for (int i = 0; i < share.requirements().size(); i++) {
      int id = resources.find(share.requirements().name(i));
      long need = resources.need(id, share.requirements().quantity(i));
      resources.placed[id] += Math.abs(need);
    }
  }

  /** Marks a domain whose accounts are settled as declared or not, and as closed or open. */
  void setDeclared(int domain, boolean isDeclared, boolean closed) {
    unused -= isUnused(domain) ? 1 : 0;
    declared.set(domain, isDeclared);
    unused += isUnused(domain) ? 1 : 0;
    accounts.changes().setCordon(domain, closed);
  }

  /** The shares of the workloads on the nodes of a domain, under the workloads' names. */
  private List<Workload> placedIn(int domain) {
    List<Workload> placed = new ArrayList<>();
    forEachShare(
        node -> domainOf(node) == domain,
        (owner, shared) -> placed.add(new Workload(owner, shared, Set.of(), Set.of())));
    return placed;
  }

  /** What all placed workloads share of a resource, as the accounts round it. */
  private List<Quantity> shares(String resource) {
    List<Quantity> all = new ArrayList<>();
    forEachShare(
        node -> true,
        (owner, shared) -> shared.get(resource).map(ResourceTable::required).ifPresent(all::add));
    return all;
  }

  /** Passes on the name and the share of each workload on some nodes that shares anything. */
  private void forEachShare(IntPredicate nodes, BiConsumer<String, Resources> action) {
    for (int node = 0; node < ledger.nodes.slotCount(); node++) {
      if (ledger.nodes.alive(node) && nodes.test(node)) {
        for (Workload workload : ledger.placements.workloads(node)) {
          Resources shared = workload.terms().shared().get(name);
          if (shared != null) {
            action.accept(workload.name(), shared);
          }
        }
      }
    }
  }

  /** A workload's share of this level. */
  private Resources shared(Workload workload) {
    return workload.terms().shared().getOrDefault(name, Resources.none());
  }

  /** A copy of a declared domain's accounts as they are now. */
  public DomainState state(int domain) {
    return new DomainState(
        name,
        domains.nodeName(domain),
        accounts.capacities(domain),
        accounts.lefts(domain),
        accounts.units().of(domain),
        accounts.cordoned(domain));
  }

  // ---- audit ----

  /** Recomputes which node belongs to which domain, and what is left of the declared domains. */
  void audit(Audit audit) {
    int[] nodes = new int[domains.slotCount()];
    for (int node = 0; node < ledger.nodes.slotCount(); node++) {
      int domain = domainOf(node);
      if (domain != NodeTable.NONE) {
        nodes[domain]++;
      }
    }
    int free = 0;
    for (int domain = 0; domain < nodes.length; domain++) {
      audit.equal(
          "level '" + name + "': nodes in domain", domain, nodes[domain], nodeCounts[domain]);
      free += domains.alive(domain) && isUnused(domain) ? 1 : 0;
    }
    audit.equal("level '" + name + "': unused domains", free, unused);
    accounts.audit(
        audit,
        domain -> placedIn(domain).stream().map(Workload::requirements).toList(),
        "domain of level '" + name + "'");
  }
}
