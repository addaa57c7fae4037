package io.lighthouse.core.ledger;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The accounts of the nodes of a {@link Ledger}: their names, their capacity, what is left of it.
 * Who took the rest is the ledger's. Nodes go by their index in the order of nodes.
 */
public abstract sealed class NodeAccounts permits Ledger {
  final Columns columns;

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

  private LedgerListener listener;

  /** No nodes. */
  NodeAccounts() {
    columns = new Columns();
    nodeByName = new NameTable(node -> names[node]);
  }

  /** A copy that shares nothing that changes, without a listener. */
  NodeAccounts(NodeAccounts other) {
    columns = other.columns.copy();
    nodeCount = other.nodeCount;
    nodeByName = other.nodeByName.copy(node -> names[node]);
    names = other.names.clone();
    layouts = other.layouts.clone();
    accounts = other.accounts.clone();
    negatives = other.negatives.clone();
    cordoned = other.cordoned.clone();
    for (int n = 0; n < nodeCount; n++) {
      accounts[n] = accounts[n].clone();
      layouts[n] = columns.layout(new Layout(layouts[n].ids));
      layouts[n].users++;
    }
  }

  /**
   * Sets who is told of changes.
   *
   * @param told the one listener
   */
  public void listen(LedgerListener told) {
    listener = told;
  }

  // ---- nodes that come, go and change ----

  void reserveNodes(int more) {
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

  /** Takes the name of a node that comes in; answers false where it is in use. */
  boolean takeName(int node, String name) {
    names[node] = name;
    return nodeByName.add(name, node);
  }

  /** Frees the name of a node that does not come in after all. */
  void freeName(String name) {
    nodeByName.remove(name);
  }

  /** Appends a node whose name, scales and range are settled; nobody is on it yet. */
  void append(Node node) {
    cordoned[nodeCount] = node.cordoned();
    fill(nodeCount, node);
    recountNegatives(nodeCount);
    nodeCount++;
  }

  /** Takes a node away that nobody is on; those behind it move up. */
  void drop(int node) {
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
  }

  /** Gives a node a capacity that is settled, and has those placed on it take theirs from it. */
  void replace(int node, Node wanted, List<Workload> placed) {
    Layout before = layouts[node];
    fill(node, wanted);
    columns.use(before, -1);
    for (Workload workload : placed) {
      Resources requirements = workload.requirements();
      for (int i = 0; i < requirements.size(); i++) {
        int id = columns.find(requirements.name(i));
        int slot = layouts[node].slot(id);
        if (!Columns.isInfinite(accounts[node][slot])) {
          Quantity required = Columns.required(requirements.quantity(i));
          accounts[node][slot] -= required.scaledTo(columns.digits[id]);
        }
      }
    }
    recountNegatives(node);
  }

  /** The accounts of a node with nobody on it. */
  private void fill(int node, Node wanted) {
    Layout layout = columns.layout(wanted.resources());
    columns.use(layout, 1);
    int size = layout.size();
    long[] account = new long[2 * size];
    for (int slot = 0; slot < size; slot++) {
      int id = layout.ids[slot];
      Quantity left = wanted.resources().quantity(slot);
      account[slot] = columns.account(id, Admission.capacity(wanted, columns.names[id], left));
      account[size + slot] = account[slot];
    }
    layouts[node] = layout;
    accounts[node] = account;
  }

  private void recountNegatives(int node) {
    negatives[node] = 0;
    for (int slot = 0; slot < layouts[node].size(); slot++) {
      if (accounts[node][slot] < 0) {
        negatives[node]++;
      }
    }
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

  // ---- accounts ----

  /** Accounts for a placement (sign 1) or its end (sign -1). Never fails for what is settled. */
  void charge(int node, Demand demand, int sign) {
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
  }

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

  void reshaped() {
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
