package io.lighthouse.core.ledger;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * The exact accounts of every node: its capacity, what is left of it, and which placements took it.
 * The only code that changes them.
 *
 * <p>For every node and resource, at every moment, the capacity is what is left plus the
 * requirements placed there. Nodes go by their index in the order of nodes, workloads by their
 * entry in {@link Placements}. Not thread-safe; a copy made by {@link #copy} shares nothing that
 * changes.
 */
public final class Ledger extends NodeAccounts {
  final Groups groups;
  private final Placements placements;

  /** The node that took the last placed workload; -1 before the first. */
  private int lastPlaced = -1;

  /** Reused for every batch. */
  final Admission admission;

  /** An empty ledger. */
  public Ledger() {
    groups = new Groups();
    placements = new Placements();
    admission = new Admission(columns);
  }

  private Ledger(Ledger other) {
    super(other);
    groups = other.groups.copy();
    placements = other.placements.copy();
    lastPlaced = other.lastPlaced;
    admission = new Admission(columns);
  }

  /**
   * An independent ledger with equal accounts, without a listener.
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
    int first = nodeCount();
    reserveNodes(nodes.size());
    int named = 0;
    List<Integer> entries = new ArrayList<>();
    try {
      for (Node node : nodes) {
        if (!takeName(first + named, node.name())) {
          throw new InvalidInputException(
              "node '" + node.name() + "'", "name", "given twice", "each name once");
        }
        named++;
        for (Workload workload : node.workloads()) {
          int entry = reserve(workload);
          if (entry < 0) {
            throw new InvalidInputException(
                "workload '" + workload.name() + "'",
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
      entries.forEach(this::unreserve);
      throw wrong;
    }
    for (Node node : nodes) {
      append(node);
      placements.addNode();
    }
    reshaped();
    int brought = 0;
    Demand demand = new Demand();
    for (int i = 0; i < nodes.size(); i++) {
      for (Workload workload : nodes.get(i).workloads()) {
        demand.compile(workload, this);
        account(first + i, demand, 1);
        placements.append(entries.get(brought++), first + i);
      }
    }
  }

  /**
   * Removes an empty node; those behind it move up. A position on it passes to the one before it.
   *
   * @param node the index of a node that holds nobody; cost linear in nodes and placements
   */
  public void removeNode(int node) {
    drop(node);
    placements.removeNode(node);
    groups.removeNode(node);
    if (lastPlaced >= node) {
      lastPlaced--;
    }
    reshaped();
  }

  /**
   * Gives a node another capacity; what is placed stays.
   *
   * @param node the index of a node
   * @param capacity what it has when empty, from now on
   * @throws InvalidInputException if a resource in use is missing, or a quantity is out of range
   */
  public void resize(int node, Resources capacity) {
    List<Workload> placed = workloads(node);
    for (Workload workload : placed) {
      for (String resource : workload.requirements().names()) {
        if (!capacity.has(resource)) {
          throw new InvalidInputException(
              "node '" + nodeName(node) + "'",
              "capacity." + resource,
              "missing",
              "every resource in use there; workload '" + workload.name() + "' requires it");
        }
      }
    }
    Node wanted = Node.of(nodeName(node), capacity);
    admission.admitNodes(this, List.of(wanted), node);
    replace(node, wanted, placed);
    reshaped();
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
    placements.reserveRoom(workloads.size());
    return new Batch(this, workloads);
  }

  int reserve(Workload workload) {
    return placements.reserve(workload);
  }

  void unreserve(int entry) {
    placements.unreserve(entry);
  }

  /**
   * Places a workload of an open batch, wholly.
   *
   * @param entry its entry
   * @param node the index of a node that it fits
   * @param demand what it needs
   */
  public void place(int entry, int node, Demand demand) {
    placements.log(entry, node, lastPlaced);
    account(node, demand, 1);
    placements.append(entry, node);
    lastPlaced = node;
  }

  /**
   * Takes a workload of an open batch from its node; it keeps its name.
   *
   * @param entry its entry
   * @param demand what it needs
   */
  public void take(int entry, Demand demand) {
    placements.log(entry, ~placements.node(entry), lastPlaced);
    account(placements.node(entry), demand, -1);
    placements.unlink(entry);
  }

  /**
   * Releases placed workloads for good.
   *
   * @param entries their entries, each once
   * @return the workloads, in that order
   */
  public List<Workload> release(int[] entries) {
    List<Workload> released = new ArrayList<>(entries.length);
    Demand demand = new Demand();
    for (int entry : entries) {
      Workload workload = placements.workload(entry);
      demand.compile(workload, this);
      account(placements.node(entry), demand, -1);
      placements.unlink(entry);
      unreserve(entry);
      released.add(workload);
    }
    return released;
  }

  /** Accounts for a placement (sign 1) or its end (sign -1). Never fails for what is settled. */
  private void account(int node, Demand demand, int sign) {
    charge(node, demand, sign);
    if (demand.grouped()) {
      for (String group : demand.workload().aversionGroups()) {
        if (sign > 0) {
          groups.add(group, node, nodeCount());
        } else {
          groups.remove(group, node);
        }
      }
    }
  }

  /**
   * Marks the present state of the open batch.
   *
   * @return a mark for {@link #back}
   */
  public int mark() {
    return placements.mark();
  }

  /**
   * Takes back everything since a mark, the newest first.
   *
   * @param mark what {@link #mark} returned, or 0 for all since the batch was opened
   */
  public void back(int mark) {
    Demand demand = new Demand();
    while (placements.mark() > mark) {
      int[] last = placements.unlog();
      demand.compile(placements.workload(last[0]), this);
      if (last[1] >= 0) {
        account(last[1], demand, -1);
        placements.unlink(last[0]);
      } else {
        account(~last[1], demand, 1);
        placements.relink(last[0], ~last[1], last[2]);
      }
      lastPlaced = last[3];
    }
  }

  /** Forgets the log: what was done since the batch was opened stands. */
  public void settle() {
    placements.settle();
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
   * @return the index of the node that took the last placed workload, or -1
   */
  public int lastPlaced() {
    return lastPlaced;
  }

  /**
   * Sets the round-robin position of a restored fleet.
   *
   * @param node the index of a node, or -1
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
   * The node of an entry.
   *
   * @param entry an entry
   * @return the index of its node; negative where it is not placed
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
   * @return the index of its node; negative where it is not placed
   */
  public int placedNode(String workload) {
    int entry = placements.find(workload);
    return entry < 0 ? -1 : placements.node(entry);
  }

  /**
   * The entries placed on a node.
   *
   * @param node its index
   * @return in the order in which they came
   */
  public int[] entries(int node) {
    return placements.entries(node);
  }

  /**
   * The number of workloads placed on a node.
   *
   * @param node its index
   * @return 0 or more
   */
  public int held(int node) {
    return placements.held(node);
  }

  /**
   * The workloads placed on a node.
   *
   * @param node its index
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
   * @param node its index
   * @return a copy of its accounts
   */
  public NodeState state(int node) {
    return new NodeState(
        nodeName(node), capacities(node), lefts(node), workloads(node), cordoned(node));
  }
}
