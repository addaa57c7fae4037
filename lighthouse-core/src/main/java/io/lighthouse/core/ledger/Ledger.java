package io.lighthouse.core.ledger;

import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.core.account.Admission;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.ResourceTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * The exact accounts of every node: its capacity, what is left of it, and which placements took the
 * rest. No other code changes them.
 *
 * <p>For every node and resource, at every moment, the capacity is what is left plus the
 * requirements placed there. Nodes are identified by slot ({@link NodeTable}), workloads by entry
 * in {@link Placements}.
 *
 * <p>Every change adds its inverse to a log. {@link #savepoint} and {@link #rollBack} undo changes
 * of every kind, the newest first, to exactly the state before. {@link #commit} forgets the log.
 * Until then, unused resource names and slots stay as they are.
 *
 * <p>Not thread-safe; a copy made by {@link #copy} shares nothing that changes.
 */
public final class Ledger {
  final Clock clock = new Clock();

  /** In the order in which they were added. */
  private final List<LedgerListener> listeners = new ArrayList<>();

  private final List<PlacementListener> placementListeners = new ArrayList<>();

  final ResourceTable resources;
  final NodeAccounts accounts;
  final NodeTable nodes;
  final Topology topology;
  final Members members;
  final Placements placements;
  public final UndoLog log = new UndoLog(this);
  final Charges charges = new Charges(this);
  private final NodeChanges nodeChanges = new NodeChanges(this);
  final DomainChanges domainChanges = new DomainChanges(this);

  /** The rules at the top of the problem. */
  List<Rule> rules = List.of();

  /** The node that took the last placed workload; -1 before the first. */
  private int lastPlaced = -1;

  /** Keeps what {@link #prefetch} read, so that the read is not optimized away. */
  private int prefetched;

  /** Reused for every batch. */
  public final Admission admission;

  /** An empty ledger. */
  public Ledger() {
    listeners.add(clock);
    accounts = new NodeAccounts(() -> notifyListeners(LedgerListener::reshaped), clock::countShape);
    nodes = accounts.nodes();
    resources = accounts.resources();
    topology = new Topology(this);
    members = new Members(this);
    placements = new Placements();
    admission = new Admission(accounts, placements::requirements);
  }

  private Ledger(Ledger other) {
    listeners.add(clock);
    accounts =
        new NodeAccounts(
            other.accounts, () -> notifyListeners(LedgerListener::reshaped), clock::countShape);
    nodes = accounts.nodes();
    resources = accounts.resources();
    topology = new Topology(this, other.topology);
    members = new Members(this, other.members);
    placements = new Placements(other.placements);
    admission = new Admission(accounts, placements::requirements);
    lastPlaced = other.lastPlaced;
    rules = other.rules;
  }

  /**
   * An independent ledger with equal accounts, without listeners and without a log. Cost: linear in
   * nodes and placements.
   */
  public Ledger copy() {
    return new Ledger(this);
  }

  /**
   * Adds a listener for later changes. It must not throw and must not change the ledger. Listeners
   * are notified in the order in which they were added.
   */
  public void listen(LedgerListener listener) {
    listeners.add(listener);
  }

  /**
   * Adds a listener for later placements and their ends, as {@link #listen} does for the rest. With
   * one list of listeners, an empty call for each placement cost a batch of round robin 5 % ({@code
   * BatchBenchmark}, 10,000 nodes, 2026-11-29).
   */
  public void listenToPlacements(PlacementListener listener) {
    placementListeners.add(listener);
  }

  /** Notifies all listeners. */
  void notifyListeners(Consumer<LedgerListener> event) {
    listeners.forEach(event);
  }

  /** Notifies the clock and all listeners of placements, or of their ends. */
  void notifyCharged(int node, Demand demand, int times) {
    clock.charged(node, demand, times);
    for (int i = 0; i < placementListeners.size(); i++) {
      placementListeners.get(i).charged(node, demand, times);
    }
  }

  // ---- its parts, which change with it ----

  /** The table of the nodes. */
  public NodeTable nodes() {
    return nodes;
  }

  /** The capacities of the nodes, and what is left of them. */
  public NodeAccounts accounts() {
    return accounts;
  }

  /** The resources of the nodes. */
  public ResourceTable resources() {
    return resources;
  }

  /** The operations that add, remove and change nodes. */
  public NodeChanges nodeChanges() {
    return nodeChanges;
  }

  /** The operations that declare, undeclare and change domains. */
  public DomainChanges domainChanges() {
    return domainChanges;
  }

  /** The levels and their domains. */
  public Topology topology() {
    return topology;
  }

  /** The table of which workload is on which node. */
  public Placements placements() {
    return placements;
  }

  /** The members of groups. */
  public Members members() {
    return members;
  }

  /** Makes a placed workload a member of other groups. */
  public void regroup(int entry, Set<String> groups) {
    Workload before = placements.workload(entry);
    log.append(() -> regroup(entry, before));
    regroup(entry, before.withTerms(before.terms().inGroups(groups)));
  }

  private void regroup(int entry, Workload as) {
    Workload before = placements.workload(entry);
    members.account(before.aversionGroups(), before.terms(), placements.nodeOf(entry), -1);
    placements.replace(entry, as);
    members.account(as.aversionGroups(), as.terms(), placements.nodeOf(entry), 1);
    notifyListeners(LedgerListener::loosened);
  }

  /**
   * Whether the fleet has no declared domains or units, and no rules at the top. Then a workload
   * without terms and groups fits every open node that has enough.
   */
  public boolean hasNoTerms() {
    return topology.hasNoAccounts() && !accounts.units().any() && rules.isEmpty();
  }

  /** The clock that validates caches. It counts the changes of this ledger. */
  public Clock clock() {
    return clock;
  }

  /** The rules at the top of the problem, in the order given. */
  public List<Rule> rules() {
    return rules;
  }

  // ---- batches and placements ----

  /**
   * Places a workload of an open batch completely, or throws before anything has changed.
   *
   * @throws InternalErrorException if it does not fit there; the caller must propose a node that
   *     fits
   */
  public void place(int entry, int node, Demand needed) {
    if (!accounts.fits(node, needed)
        || !needed.isFreeOfTerms() && !topology.suffices(node, needed)) {
      throw unfit(node, needed);
    }
    putBack(entry, node, needed);
  }

  /**
   * Places {@code count} workloads, 1 or more, that require the same and have no terms on one node.
   *
   * @param entries by index in their batch, their entries
   * @throws InternalErrorException as in {@link #place}
   */
  public void placeAlike(IntUnaryOperator entries, int first, int count, int node, Demand needed) {
    log.reserve(count); // Where memory ends here, nothing is charged.
    if (!accounts.fits(node, needed, count)) {
      throw unfit(node, needed);
    }
    accounts.charge(node, needed, count);
    notifyCharged(node, needed, count);
    for (int i = first; i < first + count; i++) {
      int entry = entries.applyAsInt(i);
      log.appendPlacement(entry, node, lastPlaced, i);
      placements.append(entry, node);
      lastPlaced = node;
    }
    squashIfLong();
  }

  private InternalErrorException unfit(int node, Demand needed) {
    return new InternalErrorException(
        "workload '"
            + needed.workload().name()
            + "' was to be placed on node '"
            + nodes.nodeName(node)
            + "', which it does not fit",
        null);
  }

  /**
   * Places a workload back where it was before, even if a quantity drops below zero. The node must
   * have all that is required. The caller must check the resulting state.
   */
  public void putBack(int entry, int node, Demand needed) {
    log.appendPlacement(entry, node, lastPlaced, needed.index());
    charges.charge(node, needed, 1, true);
    placements.append(entry, node);
    lastPlaced = node;
    squashIfLong();
  }

  /** Removes a workload from its node; it keeps its name. */
  public void remove(int entry, Demand needed) {
    int node = placements.nodeOf(entry);
    log.appendEnd(entry, node, placements.previous(entry), needed.index());
    charges.charge(node, needed, -1, true);
    placements.unlink(entry);
    squashIfLong();
  }

  private void squashIfLong() {
    if (log.isLong()) {
      log.squash();
    }
  }

  /** Releases placed workloads, given by their entries, each once. Returns them in that order. */
  public Workload[] release(int[] entries) {
    Workload[] released = new Workload[entries.length];
    for (int i = 0; i < entries.length; i++) {
      released[i] = placements.workload(entries[i]);
      prefetch(entries[i]);
    }
    for (int i = 0; i < entries.length; i++) {
      remove(entries[i], demand(entries[i]));
    }
    log.append(() -> placements.reserveAgain(entries, released));
    for (int entry : entries) {
      placements.unreserve(entry);
    }
    return released;
  }

  /** What a placed workload needs, compiled now. */
  public Demand demand(int entry) {
    return Demand.of(placements.workload(entry), placements.nodeOf(entry), this);
  }

  /**
   * Touches what the end of a placement will read, which may be anywhere in memory. Several such
   * reads overlap here; at the ends themselves they would run one after the other.
   *
   * <p>Without this, {@code ChurnBenchmark.hundred} took 1.4 times as long with prioritized and 1.3
   * times with bin-pack (10,000 nodes, 2026-11-24).
   */
  private void prefetch(int entry) {
    Resources required = placements.workload(entry).requirements();
    for (int i = 0; i < required.size(); i++) {
      prefetched += required.quantity(i).scale();
    }
    long[] account = accounts.of(placements.nodeOf(entry));
    prefetched += account.length == 0 ? 0 : (int) account[0];
  }

  // ---- the log ----

  /**
   * The entries that were placed since a savepoint and are still placed, in the order of their last
   * placement. After a long search that order is lost; the entries then come node by node.
   */
  public int[] placedSince(int savepoint) {
    return log.placedSince(savepoint);
  }

  /** Marks the present state; returns a savepoint for {@link #rollBack}. */
  public int savepoint() {
    return log.savepoint();
  }

  /**
   * Forgets the savepoints after a given one, the newest that a roll back may still use. All
   * changes remain, and the log is kept shorter.
   */
  public void newestSavepoint(int savepoint) {
    log.keepSavepoint(savepoint);
  }

  /** Undoes everything since a savepoint, the newest first; since the last commit where it is 0. */
  public void rollBack(int savepoint) {
    rollBack(savepoint, null);
  }

  /**
   * Undoes everything since a savepoint, the newest first.
   *
   * @param savepoint a result of {@link #savepoint} since the batch was opened
   * @param demands the demands of the only batch open since the savepoint, if it still is, by
   *     index. Null otherwise; then the requirements are compiled again
   */
  public void rollBack(int savepoint, IntFunction<Demand> demands) {
    log.rollBack(savepoint, demands);
  }

  /** Makes all changes since the last commit final: forgets the log and whatever is unused now. */
  public void commit() {
    log.clear();
    resources.dropUnused();
    placements.freeUnused();
    if (topology.forgetUnused()) {
      members.recount();
      notifyListeners(LedgerListener::reshaped);
    }
    nodeChanges.commit();
  }

  // ---- reading ----

  /** The round-robin position: the slot of the node that took the last placed workload, or -1. */
  public int lastPlaced() {
    return lastPlaced;
  }

  /**
   * Sets the round-robin position. No inverse is logged: a roll back restores the position before
   * the placements and the removals of nodes that it takes back.
   */
  public void lastPlaced(int node) {
    lastPlaced = node;
  }

  /** A copy of a node's accounts as they are now. */
  public NodeState state(int node) {
    return new NodeState(
        nodes.nodeName(node),
        accounts.capacities(node),
        accounts.lefts(node),
        placements.workloads(node),
        accounts.cordoned(node),
        topology.domainsOf(node),
        accounts.units().of(node));
  }

  /** The name of the node of a workload; empty where it is not placed. */
  public Optional<String> nodeOf(String workload) {
    int node = placements.placedNode(workload);
    return node < 0 ? Optional.empty() : Optional.of(nodes.nodeName(node));
  }

  /** Has the listeners compute anew what they derive from the accounts. */
  public void recomputeDerived() {
    notifyListeners(LedgerListener::reshaped);
  }

  // ---- audit ----

  /** Recomputes all counts and sums of the ledger from the capacities and placements. */
  public void audit(Audit audit) {
    placements.audit(audit, nodes.slotCount());
    if (!audit.findings().isEmpty()) {
      return; // The other checks rely on these lists.
    }
    placements.auditNames(audit);
    accounts.audit(audit, this::takenOfNode, "node");
    topology.audit(audit);
    members.audit(audit);
  }

  private List<Resources> takenOfNode(int node) {
    return placements.workloads(node).stream().map(Workload::requirements).toList();
  }
}
