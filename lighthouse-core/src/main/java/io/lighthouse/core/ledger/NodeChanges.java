package io.lighthouse.core.ledger;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.core.account.SavedAccounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Adds, removes, resizes, cordons and opens the nodes of a ledger. The inverse of every change is
 * in the ledger's log before the change is made, for memory may end anywhere.
 */
public final class NodeChanges {
  private final Ledger ledger;

  /** Slots whose node was removed since the last commit. */
  private final List<Integer> vacated = new ArrayList<>();

  NodeChanges(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * Adds nodes after the last one, all or none.
   *
   * @param added the nodes, with the workloads that they bring along
   * @throws InvalidInputException if a name is taken, or a quantity is out of range
   */
  public void add(List<Node> added) {
    List<Workload> brought = new ArrayList<>();
    for (Node node : added) {
      ledger.topology.checkShares(node);
      brought.addAll(node.workloads());
    }
    ledger.topology.admitShares(brought);
    brought.forEach(workload -> ledger.members.countFor(workload.terms().rules()));
    addAsTheyAre(added);
  }

  /** Adds nodes as {@link #add} does; their domains are declared later. */
  private void addAsTheyAre(List<Node> added) {
    int first = ledger.nodes.slotCount();
    ledger.accounts.changes().reserve(added.size());
    ledger.placements.reserveNodes(added.size());
    int named = 0;
    int brought = 0;
    int[] entries = new int[added.stream().mapToInt(node -> node.workloads().size()).sum()];
    boolean[] announced = new boolean[1];
    try {
      for (Node node : added) {
        if (!ledger.nodes.takeName(first + named, node.name())) {
          throw new InvalidInputException(
              Thing.node(node.name()), "name", "given twice", "each name once");
        }
        named++;
        for (Workload workload : node.workloads()) {
          entries[brought] = ledger.placements.reserve(workload);
          if (entries[brought] < 0) {
            throw new InvalidInputException(
                Thing.workload(workload.name()),
                "name",
                "placed twice, the second time on node '" + node.name() + "'",
                "each workload on one node");
          }
          brought++;
        }
      }
      ledger.admission.admitNodes(added, -1);
      ledger.log.append(() -> takeBack(first, added, entries, announced[0]));
    } catch (RuntimeException | Error wrong) { // An error, too: it may be for want of memory.
      freeNames(added.subList(0, named), entries, brought);
      throw wrong;
    }
    brought = 0;
    for (int i = 0; i < added.size(); i++) {
      ledger.accounts.changes().append(added.get(i));
      ledger.placements.addNode();
      ledger.topology.addNode(first + i, added.get(i).domains());
      for (Workload workload : added.get(i).workloads()) {
        ledger.charges.charge(first + i, Demand.of(workload, first + i, ledger), 1, false);
        ledger.placements.append(entries[brought++], first + i);
      }
    }
    if (added.size() == 1) {
      ledger.notifyListeners(one -> one.nodeAdded(first));
    } else {
      ledger.notifyListeners(LedgerListener::reshaped);
    }
    announced[0] = true;
  }

  private void freeNames(List<Node> named, int[] entries, int count) {
    named.forEach(node -> ledger.nodes.freeName(node.name()));
    for (int i = 0; i < count; i++) {
      ledger.placements.unreserve(entries[i]);
    }
  }

  /**
   * Undoes the addition of nodes and of the workloads that they brought along.
   *
   * @param first the slot of the first; all slots from it on are theirs
   * @param announced whether all listeners were notified of them; if some may not have been, the
   *     state of each listener is stale
   */
  private void takeBack(int first, List<Node> added, int[] entries, boolean announced) {
    int slots = ledger.nodes.slotCount(); // Fewer than all where memory ended halfway.
    for (int last = slots - 1; last >= first; last--) {
      int node = last;
      if (announced) {
        ledger.notifyListeners(one -> one.nodeRemoving(node));
      }
      int[] placed = ledger.placements.entries(node);
      for (int i = placed.length - 1; i >= 0; i--) {
        ledger.charges.charge(node, ledger.demand(placed[i]), -1, false);
        ledger.placements.unlink(placed[i]);
      }
      ledger.topology.removeNode(node);
      ledger.accounts.changes().unappend(node);
      ledger.placements.dropNode();
      ledger.notifyListeners(one -> one.slotFreed(node));
    }
    freeNames(added.subList(slots - first, added.size()), entries, entries.length);
    if (!announced) {
      ledger.recomputeDerived();
    }
  }

  /**
   * Removes an empty node. A round-robin position on it moves to the node before it. Its slot
   * remains as a dead one.
   */
  public void remove(int node) {
    int position = ledger.lastPlaced();
    SavedAccounts saved = ledger.accounts.changes().save(node);
    Map<String, String> domains = ledger.topology.domainsOf(node);
    ledger.notifyListeners(one -> one.nodeRemoving(node));
    ledger.log.append(
        () -> {
          ledger.accounts.changes().revive(node, saved);
          ledger.topology.addNode(node, domains);
          int last = vacated.size() - 1;
          if (last >= 0 && vacated.get(last) == node) { // Not there where memory ended before.
            vacated.remove(last);
          }
          ledger.lastPlaced(position);
          ledger.notifyListeners(one -> one.nodeAdded(node));
        });
    ledger.topology.removeNode(node);
    ledger.accounts.changes().kill(node);
    vacated.add(node);
    if (position == node) {
      ledger.lastPlaced(ledger.nodes.nodeBefore(node));
    }
  }

  /**
   * Gives a node another capacity; what is placed stays. Returns whether this changed it.
   *
   * @throws InvalidInputException if a resource in use is missing, or a quantity is out of range
   */
  public boolean resize(int node, Resources capacity) {
    if (ledger.accounts.hasCapacity(node, capacity)) {
      return false;
    }
    List<Workload> placed =
        ledger.accounts.changes().keepsAll(node, capacity)
            ? List.of()
            : ledger.placements.workloads(node);
    for (Workload workload : placed) {
      for (String resource : workload.requirements().names()) {
        if (!capacity.has(resource)) {
          throw new InvalidInputException(
              Thing.node(ledger.nodes.nodeName(node)),
              "capacity." + resource,
              "missing",
              "every resource in use there; workload '" + workload.name() + "' requires it");
        }
      }
    }
    Node wanted = Node.of(ledger.nodes.nodeName(node), capacity);
    SavedAccounts saved = ledger.accounts.changes().save(node);
    ledger.admission.admitNodes(List.of(wanted), node);
    ledger.notifyListeners(one -> one.nodeRemoving(node));
    ledger.log.append(
        () -> {
          ledger.notifyListeners(one -> one.nodeRemoving(node));
          ledger.accounts.changes().restore(node, saved);
          ledger.notifyListeners(one -> one.nodeAdded(node));
        });
    ledger.accounts.changes().replace(node, wanted, saved, placed);
    ledger.notifyListeners(one -> one.nodeAdded(node));
    return true;
  }

  /** Cordons a node, or opens it; returns whether this changed the node. */
  public boolean cordon(int node, boolean closed) {
    if (ledger.accounts.cordoned(node) == closed) {
      return false;
    }
    ledger.log.append(() -> setCordon(node, !closed));
    setCordon(node, closed);
    return true;
  }

  private void setCordon(int node, boolean closed) {
    ledger.accounts.changes().setCordon(node, closed);
    ledger.notifyListeners(one -> one.cordonChanged(node));
  }

  /**
   * Loads a whole fleet: nodes with the workloads that they bring along, declared domains, and the
   * rules at the top. The resources given for a domain are what is left of it with those workloads.
   *
   * @throws InvalidInputException if a name is taken, a quantity is out of range, or a workload on
   *     a node shares what the node's domain lacks
   */
  public void load(List<Node> added, List<Domain> domains, List<Rule> top) {
    ledger.rules = List.copyOf(top);
    addAsTheyAre(added);
    for (Domain domain : domains) {
      ledger.domainChanges.load(domain);
    }
    added.forEach(ledger.topology::checkShares);
    List<Rule> all = new ArrayList<>(top);
    for (Node node : added) {
      node.workloads().forEach(workload -> all.addAll(workload.terms().rules()));
    }
    ledger.members.countFor(all);
  }

  /**
   * Frees the slots of removed nodes for others, and renumbers all slots where many are dead. No
   * roll back is possible after that.
   */
  void commit() {
    if (vacated.isEmpty()) {
      return;
    }
    vacated.forEach(node -> ledger.notifyListeners(one -> one.slotFreed(node)));
    vacated.clear();
    int slots = ledger.nodes.slotCount();
    ledger.nodes.trim();
    for (int slot = ledger.nodes.slotCount(); slot < slots; slot++) {
      ledger.placements.dropNode();
    }
    if (ledger.nodes.isSparse()) {
      renumber();
    }
  }

  private void renumber() {
    int[] renumbered = ledger.accounts.changes().renumber();
    ledger.placements.renumber(renumbered);
    ledger.topology.renumberNodes(renumbered);
    ledger.members.renumber(renumbered);
    int position = ledger.lastPlaced();
    ledger.lastPlaced(position < 0 ? -1 : renumbered[position]);
    ledger.notifyListeners(one -> one.renumbered(renumbered));
    ledger.notifyListeners(LedgerListener::reshaped);
  }
}
