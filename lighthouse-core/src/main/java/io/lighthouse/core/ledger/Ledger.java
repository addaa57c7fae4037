package io.lighthouse.core.ledger;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
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
public final class Ledger {
  final Columns columns;
  final Groups groups;
  private final Placements placements;

  private int nodeCount;
  private final NameTable nodeByName;

  /** By node. */
  private String[] names = new String[8];

  /** By node. */
  private Layout[] layouts = new Layout[8];

  /** By node: what is left by slot, then the capacity by slot; scaled, infinities marked. */
  private long[][] accounts = new long[8][];

  /** By node: how many resources have less than 0 left. */
  private int[] negatives = new int[8];

  /** By node. */
  private boolean[] cordoned = new boolean[8];

  /** The node that took the last placed workload; -1 before the first. */
  private int lastPlaced = -1;

  private LedgerListener listener;

  /** Reused for every batch. */
  final Admission admission;

  /** An empty ledger. */
  public Ledger() {
    columns = new Columns();
    groups = new Groups();
    placements = new Placements();
    nodeByName = new NameTable(node -> names[node]);
    admission = new Admission(columns);
  }

  private Ledger(Ledger other) {
    columns = other.columns.copy();
    groups = other.groups.copy();
    placements = other.placements.copy();
    nodeCount = other.nodeCount;
    nodeByName = other.nodeByName.copy(node -> names[node]);
    names = other.names.clone();
    layouts = other.layouts.clone();
    accounts = other.accounts.clone();
    negatives = other.negatives.clone();
    cordoned = other.cordoned.clone();
    lastPlaced = other.lastPlaced;
    admission = new Admission(columns);
    for (int n = 0; n < nodeCount; n++) {
      accounts[n] = accounts[n].clone();
      layouts[n] = columns.layout(new Layout(layouts[n].ids));
      layouts[n].users++;
    }
  }

  /**
   * An independent ledger with equal accounts, without a listener.
   *
   * @return the copy; cost linear in nodes and placements
   */
  public Ledger copy() {
    return new Ledger(this);
  }

  /**
   * Sets who is told of changes.
   *
   * @param told the one listener
   */
  public void listen(LedgerListener told) {
    listener = told;
  }

  // ---- nodes ----

  /**
   * Adds nodes behind the last, all or none.
   *
   * @param nodes the nodes, with the workloads that they bring along
   * @throws InvalidInputException if a name is taken, or a quantity is out of range
   */
  public void addNodes(List<Node> nodes) {
    reserveNodes(nodes.size());
    int named = 0;
    List<Integer> entries = new ArrayList<>();
    try {
      for (Node node : nodes) {
        names[nodeCount + named] = node.name();
        if (!nodeByName.add(node.name(), nodeCount + named)) {
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
      admit(nodes, -1);
    } catch (InvalidInputException wrong) {
      for (Node node : nodes.subList(0, named)) {
        nodeByName.remove(node.name());
      }
      entries.forEach(this::unreserve);
      admission.dropUnused();
      throw wrong;
    }
    int brings = 0;
    for (Node node : nodes) {
      append(node);
    }
    reshaped();
    int first = nodeCount - nodes.size();
    for (Node node : nodes) {
      for (Workload workload : node.workloads()) {
        Demand demand = new Demand();
        demand.compile(workload, this);
        account(first, demand, 1);
        placements.append(entries.get(brings++), first);
      }
      first++;
    }
  }

  /** Settles the scales for nodes that come in, one of them perhaps in the place of another. */
  private void admit(List<Node> nodes, int replaced) {
    admission.begin();
    for (Node node : nodes) {
      for (int i = 0; i < node.resources().size(); i++) {
        int id = columns.intern(node.resources().name(i));
        admission.note(id, Columns.offered(node.resources().quantity(i)));
      }
      for (Workload workload : node.workloads()) {
        Resources requirements = workload.requirements();
        for (int i = 0; i < requirements.size(); i++) {
          int id = columns.find(requirements.name(i));
          admission.note(id, Columns.required(requirements.quantity(i)));
        }
      }
    }
    for (Node node : nodes) {
      for (int i = 0; i < node.resources().size(); i++) {
        String name = node.resources().name(i);
        Quantity left = node.resources().quantity(i);
        admission.offer(columns.find(name), Admission.capacity(node, name, left));
      }
      for (Workload workload : node.workloads()) {
        Resources requirements = workload.requirements();
        for (int i = 0; i < requirements.size(); i++) {
          int id = columns.find(requirements.name(i));
          Quantity required = Columns.required(requirements.quantity(i));
          admission.require(id, admission.note(id, required), required.scale());
        }
      }
    }
    admission.admit(this, nodes, List.of(), replaced);
  }

  /**
   * Appends a node whose names, scales and range are settled, empty: what it brings comes later.
   */
  private void append(Node node) {
    int n = nodeCount++;
    names[n] = node.name();
    cordoned[n] = node.cordoned();
    Layout layout = columns.layout(node.resources());
    columns.use(layout, 1);
    layouts[n] = layout;
    int size = layout.size();
    accounts[n] = new long[2 * size];
    for (int slot = 0; slot < size; slot++) {
      Quantity left = node.resources().quantity(slot);
      Quantity capacity = Admission.capacity(node, columns.names[layout.ids[slot]], left);
      accounts[n][slot] = columns.account(layout.ids[slot], capacity);
      accounts[n][size + slot] = accounts[n][slot];
    }
    recountNegatives(n);
    placements.addNode();
  }

  private void recountNegatives(int node) {
    negatives[node] = 0;
    for (int slot = 0; slot < layouts[node].size(); slot++) {
      if (accounts[node][slot] < 0) {
        negatives[node]++;
      }
    }
  }

  private void reserveNodes(int more) {
    int wanted = nodeCount + more;
    if (wanted > names.length) {
      int length = Math.max(wanted, names.length + names.length / 2);
      names = Arrays.copyOf(names, length);
      layouts = Arrays.copyOf(layouts, length);
      accounts = Arrays.copyOf(accounts, length);
      negatives = Arrays.copyOf(negatives, length);
      cordoned = Arrays.copyOf(cordoned, length);
    }
  }

  /**
   * Removes an empty node; those behind it move up. A position on it passes to the one before it.
   *
   * @param node the index of a node that holds nobody; cost linear in nodes and placements
   */
  public void removeNode(int node) {
    columns.use(layouts[node], -1);
    nodeByName.remove(names[node]);
    int behind = --nodeCount - node;
    System.arraycopy(names, node + 1, names, node, behind);
    System.arraycopy(layouts, node + 1, layouts, node, behind);
    System.arraycopy(accounts, node + 1, accounts, node, behind);
    System.arraycopy(negatives, node + 1, negatives, node, behind);
    System.arraycopy(cordoned, node + 1, cordoned, node, behind);
    names[nodeCount] = null;
    layouts[nodeCount] = null;
    accounts[nodeCount] = null;
    nodeByName.closeGap(node);
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
              "node '" + names[node] + "'",
              "capacity." + resource,
              "missing",
              "every resource in use there; workload '" + workload.name() + "' requires it");
        }
      }
    }
    try {
      admit(List.of(Node.of(names[node], capacity)), node);
    } catch (InvalidInputException wrong) {
      admission.dropUnused();
      throw wrong;
    }
    Layout before = layouts[node];
    Layout layout = columns.layout(capacity);
    columns.use(layout, 1);
    columns.use(before, -1);
    layouts[node] = layout;
    accounts[node] = new long[2 * layout.size()];
    for (int slot = 0; slot < layout.size(); slot++) {
      Quantity offered = Columns.offered(capacity.quantity(slot));
      long left = columns.account(layout.ids[slot], offered);
      accounts[node][layout.size() + slot] = left;
      if (!offered.isInfinite()) {
        for (Workload workload : placed) {
          left -=
              workload
                  .requirements()
                  .get(capacity.name(slot))
                  .map(Columns::required)
                  .orElse(Quantity.ZERO)
                  .scaledTo(columns.digits[layout.ids[slot]]);
        }
      }
      accounts[node][slot] = left;
    }
    recountNegatives(node);
    reshaped();
  }

  /**
   * Cordons a node, or opens it.
   *
   * @param node the index of a node
   * @param closed whether it takes nobody new
   */
  public void cordon(int node, boolean closed) {
    if (cordoned[node] != closed) {
      cordoned[node] = closed;
      if (listener != null) {
        listener.cordonChanged(node);
      }
    }
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
    boolean there = demand.locate(layouts[node]);
    assert there : demand.workload() + " requires what " + names[node] + " does not have";
    long[] account = accounts[node];
    for (int i = 0; i < demand.size(); i++) {
      long need = demand.need(i);
      columns.placed[demand.id(i)] += sign * Math.abs(need);
      int slot = demand.slot(i);
      long before = account[slot];
      if (need == 0 || Columns.isInfinite(before)) {
        continue;
      }
      long after = before - sign * need;
      account[slot] = after;
      if ((before ^ after) < 0) {
        negatives[node] += after < 0 ? 1 : -1;
      }
      if (listener != null) {
        listener.leftChanged(node, slot, before, after);
      }
    }
    if (listener != null) {
      listener.settled(node);
    }
    if (demand.grouped()) {
      for (String group : demand.workload().aversionGroups()) {
        if (sign > 0) {
          groups.add(group, node, nodeCount);
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

  // ---- scales ----

  /** Gives a column another scale; every account of it is whole at both. */
  void rescale(int id, int digits) {
    int before = columns.digits[id];
    if (before == digits) {
      return;
    }
    long up = Admission.POWERS[Math.max(0, digits - before)];
    long down = Admission.POWERS[Math.max(0, before - digits)];
    columns.digits[id] = digits;
    columns.largest[id] = columns.largest[id] / down * up;
    columns.placed[id] = columns.placed[id] / down * up;
    for (int n = 0; n < nodeCount; n++) {
      Layout layout = layouts[n];
      int slot = layout.slot(id);
      if (slot < 0) {
        continue;
      }
      long[] account = accounts[n];
      for (int i = slot; i < account.length; i += layout.size()) {
        if (!Columns.isInfinite(account[i])) {
          account[i] = account[i] / down * up;
        }
      }
    }
    if (columns.nodes[id] > 0) {
      reshaped();
    }
  }

  /** The capacities of all nodes but one; -1 for all. */
  List<Quantity> capacitiesOf(int id, int except) {
    List<Quantity> capacities = new ArrayList<>();
    for (int n = 0; n < nodeCount; n++) {
      int slot = layouts[n].slot(id);
      if (slot >= 0 && n != except) {
        capacities.add(columns.quantity(id, accounts[n][layouts[n].size() + slot]));
      }
    }
    return capacities;
  }

  List<Quantity> requirements(String resource) {
    return placements.requirements(resource);
  }

  private void reshaped() {
    if (listener != null) {
      listener.reshaped();
    }
  }

  // ---- reading ----

  /**
   * The number of nodes.
   *
   * @return 0 or more
   */
  public int nodeCount() {
    return nodeCount;
  }

  /**
   * A node by name.
   *
   * @param name a name
   * @return its index
   * @throws InvalidInputException if there is no such node
   */
  public int node(String name) {
    int node = nodeByName.get(name);
    if (node < 0) {
      throw new InvalidInputException(
          "distributor",
          "node",
          "'" + name + "'",
          nodeCount == 0
              ? "none, it has no nodes"
              : nodeCount <= 20
                  ? "one of " + String.join(", ", Arrays.asList(names).subList(0, nodeCount))
                  : "one of its " + nodeCount + " nodes");
    }
    return node;
  }

  /**
   * The name of a node.
   *
   * @param node its index
   * @return its name
   */
  public String nodeName(int node) {
    return names[node];
  }

  /**
   * Whether a node takes nobody new.
   *
   * @param node its index
   * @return true if it is cordoned
   */
  public boolean cordoned(int node) {
    return cordoned[node];
  }

  /**
   * How many resources of a node have less than 0 left.
   *
   * @param node its index
   * @return 0 or more
   */
  public int negatives(int node) {
    return negatives[node];
  }

  /**
   * The layout of a node.
   *
   * @param node its index
   * @return which account is of which resource
   */
  public Layout layout(int node) {
    return layouts[node];
  }

  /**
   * What is left of one resource of one node.
   *
   * @param node its index
   * @param slot the place of the account
   * @return scaled; {@link Long#MAX_VALUE} and {@link Long#MIN_VALUE} for the infinities
   */
  public long left(int node, int slot) {
    return accounts[node][slot];
  }

  /**
   * The capacity of one resource of one node.
   *
   * @param node its index
   * @param slot the place of the account
   * @return scaled, as {@link #left}
   */
  public long capacity(int node, int slot) {
    return accounts[node][layouts[node].size() + slot];
  }

  /**
   * The accounts of a node, the ledger's own: what is left by slot, then the capacity by slot. Not
   * to be written.
   *
   * @param node its index
   * @return scaled
   */
  public long[] accounts(int node) {
    return accounts[node];
  }

  /**
   * A scaled amount as a quantity.
   *
   * @param id the id of its resource
   * @param account the amount
   * @return the quantity
   */
  public Quantity quantity(int id, long account) {
    return columns.quantity(id, account);
  }

  /**
   * The name of a resource.
   *
   * @param id its id
   * @return its name
   */
  public String resource(int id) {
    return columns.names[id];
  }

  /**
   * The id of a resource.
   *
   * @param name its name
   * @return its id, or -1 where no node has it
   */
  public int resourceId(String name) {
    int id = columns.find(name);
    return id < 0 || columns.nodes[id] == 0 ? -1 : id;
  }

  /**
   * The column of a resource, also of one that only an open batch names.
   *
   * @param name its name
   * @return its id, or -1
   */
  public int column(String name) {
    return columns.find(name);
  }

  /**
   * Ids of resources stay below this.
   *
   * @return 0 or more
   */
  public int resourceIds() {
    return columns.count;
  }

  /**
   * How many nodes have a resource.
   *
   * @param id its id
   * @return 0 or more
   */
  public int nodesWith(int id) {
    return columns.nodes[id];
  }

  /**
   * The digits after the point of a resource's scaled amounts.
   *
   * @param id its id
   * @return from 0 to 9
   */
  public int digits(int id) {
    return columns.digits[id];
  }

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
        names[node], capacities(node), lefts(node), workloads(node), cordoned[node]);
  }

  /**
   * What is left of everything on a node.
   *
   * @param node its index
   * @return a copy
   */
  public Resources lefts(int node) {
    return resources(node, 0);
  }

  /**
   * The capacity of a node.
   *
   * @param node its index
   * @return a copy
   */
  public Resources capacities(int node) {
    return resources(node, layouts[node].size());
  }

  private Resources resources(int node, int from) {
    Layout layout = layouts[node];
    String[] of = new String[layout.size()];
    Quantity[] quantities = new Quantity[of.length];
    for (int slot = 0; slot < of.length; slot++) {
      int id = layout.ids[slot];
      of[slot] = columns.names[id];
      quantities[slot] = columns.quantity(id, accounts[node][from + slot]);
    }
    return Resources.of(of, quantities);
  }
}
