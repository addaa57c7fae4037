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
 * Who took the rest is the ledger's.
 *
 * <p>Nodes go by their slot: slots stand in the order of nodes, and a node keeps its own as long as
 * it is there. The slot of a removed node stays behind as a dead one: cordoned, without resources.
 * Dead slots go when all are numbered anew ({@link Ledger#commit}).
 */
public abstract sealed class NodeAccounts permits Ledger, Level {
  final Columns columns;

  private static final Layout NO_RESOURCES = new Layout(new int[0]);
  private static final long[] NO_ACCOUNTS = {};

  private final Slots slots;
  private final NameTable nodeByName;

  /** By node; empty where the slot is dead. */
  private String[] names = new String[8];

  /** By node. */
  private Layout[] layouts = new Layout[8];

  /** By node: what is left by slot, then the capacity by slot; scaled, infinities marked. */
  private long[][] accounts = new long[8][];

  /** By node: how many resources have less than 0 left. */
  private int[] negatives = new int[8];

  /** By node. */
  private boolean[] cordoned = new boolean[8];

  /** Counts the changes of names, capacities and cordons. */
  private long shapes;

  /** Told of every change, in this order. */
  private LedgerListener[] listeners = {};

  /** No nodes. */
  NodeAccounts() {
    columns = new Columns();
    slots = new Slots();
    nodeByName = new NameTable(node -> names[node]);
  }

  /** A copy that shares nothing that changes, without a listener. */
  NodeAccounts(NodeAccounts other) {
    columns = other.columns.copy();
    slots = new Slots(other.slots);
    nodeByName = other.nodeByName.copy(node -> names[node]);
    names = other.names.clone();
    layouts = other.layouts.clone();
    accounts = other.accounts.clone();
    negatives = other.negatives.clone();
    cordoned = other.cordoned.clone();
    for (int n = 0; n < slots.count(); n++) {
      if (alive(n)) {
        accounts[n] = accounts[n].clone();
        layouts[n] = columns.layout(new Layout(layouts[n].ids));
        layouts[n].users++;
      }
    }
  }

  /**
   * Adds one who is told of changes from now on, after those added before.
   *
   * @param told the listener; it must not throw and must not change the ledger
   */
  public void listen(LedgerListener told) {
    listeners = Arrays.copyOf(listeners, listeners.length + 1);
    listeners[listeners.length - 1] = told;
  }

  /**
   * Ends what {@link #listen} began.
   *
   * @param told the listener
   */
  public void unlisten(LedgerListener told) {
    listeners = Arrays.stream(listeners).filter(one -> one != told).toArray(LedgerListener[]::new);
  }

  // ---- nodes that come, go and change ----

  void reserveNodes(int more) {
    int wanted = slots.count() + more;
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
    int slot = slots.count();
    slots.append();
    cordoned[slot] = node.cordoned();
    fill(slot, node);
    recountNegatives(slot);
  }

  /** The accounts of a node that goes, or is given others, as they can be put back. */
  Saved save(int node) {
    int[] digits = new int[layouts[node].size()];
    for (int slot = 0; slot < digits.length; slot++) {
      digits[slot] = columns.digits[layouts[node].ids[slot]];
    }
    return new Saved(names[node], layouts[node], accounts[node], digits, cordoned[node]);
  }

  /** What {@link #save} keeps. The scale of each resource may have changed since. */
  record Saved(String name, Layout layout, long[] account, int[] digits, boolean cordoned) {}

  /** Takes a node away that nobody is on; its slot is dead, and so keeps its place in the order. */
  void kill(int node) {
    shapes++;
    columns.use(layouts[node], -1);
    nodeByName.remove(names[node]);
    slots.die(node);
    names[node] = "";
    layouts[node] = NO_RESOURCES;
    accounts[node] = NO_ACCOUNTS;
    negatives[node] = 0;
    cordoned[node] = true;
  }

  /** Puts a node back into its dead slot. */
  void revive(int node, Saved saved) {
    slots.revive(node);
    nodeByName.add(saved.name, node);
    names[node] = saved.name;
    cordoned[node] = saved.cordoned;
    restore(node, saved);
  }

  /** Gives a node accounts that it had. */
  void restore(int node, Saved saved) {
    shapes++;
    columns.use(saved.layout, 1);
    for (int slot = 0; slot < saved.digits.length; slot++) {
      int id = saved.layout.ids[slot];
      int now = columns.digits[id];
      if (now < saved.digits[slot]) {
        rescale(id, saved.digits[slot]);
      }
      long up = Admission.POWERS[Math.max(0, now - saved.digits[slot])];
      for (int i = slot; up > 1 && i < saved.account.length; i += saved.digits.length) {
        if (!Columns.isInfinite(saved.account[i])) {
          saved.account[i] *= up;
        }
      }
    }
    layouts[node] = saved.layout;
    accounts[node] = saved.account;
    for (int slot = 0; slot < saved.digits.length; slot++) {
      columns.note(saved.layout.ids[slot], saved.account[saved.digits.length + slot]);
    }
    recountNegatives(node);
  }

  /** Takes back the node behind all others. */
  void unappend(int node) {
    kill(node);
    slots.dropLast();
  }

  void trim() {
    slots.trim();
  }

  /** Whether there are so many dead slots that numbering anew costs less than they do. */
  boolean worn() {
    int dead = slots.count() - slots.liveCount();
    return dead > Math.max(64, slots.liveCount());
  }

  /**
   * Numbers all slots anew, without the dead ones; answers the new one of each, -1 for a dead one.
   */
  int[] renumber() {
    shapes++;
    int[] moved = slots.close();
    for (int from = 0; from < moved.length; from++) {
      int to = moved[from];
      if (to >= 0 && to != from) {
        names[to] = names[from];
        layouts[to] = layouts[from];
        accounts[to] = accounts[from];
        negatives[to] = negatives[from];
        cordoned[to] = cordoned[from];
      }
    }
    Arrays.fill(names, slots.count(), moved.length, null);
    Arrays.fill(layouts, slots.count(), moved.length, null);
    Arrays.fill(accounts, slots.count(), moved.length, null);
    nodeByName.renumber(moved);
    return moved;
  }

  /**
   * Whether a node keeps every resource, and none becomes infinite or finite: then its accounts say
   * what is taken, and nobody who is placed there has to be asked.
   */
  boolean keepsAll(int node, Resources capacity) {
    Layout layout = layouts[node];
    for (int slot = 0; slot < layout.size(); slot++) {
      Quantity wanted = capacity.get(columns.names[layout.ids[slot]]).orElse(Quantity.INFINITY);
      if (wanted.isInfinite() || Columns.isInfinite(accounts[node][slot])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Gives a node that keeps all resources a capacity that is settled; what is taken stays taken.
   */
  void replace(int node, Node wanted) {
    Layout before = layouts[node];
    long[] had = accounts[node];
    fill(node, wanted);
    columns.use(before, -1);
    for (int slot = 0; slot < before.size(); slot++) {
      long taken = had[before.size() + slot] - had[slot];
      accounts[node][layouts[node].slot(before.ids[slot])] -= taken;
    }
    recountNegatives(node);
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
    shapes++;
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

  void setCordon(int node, boolean closed) {
    shapes++;
    cordoned[node] = closed;
    for (LedgerListener listener : listeners) {
      listener.cordonChanged(node);
    }
  }

  // ---- accounts ----

  /**
   * Whether a workload fits a node: the node is open, has everything required, and nothing that the
   * workload is not immune to would be left below zero.
   *
   * @param node the slot of a node
   * @param demand what the workload needs
   * @return true if it fits; cost linear in what is required, and in what the node has where
   *     something on it is negative
   */
  public boolean fits(int node, Demand demand) {
    return !cordoned[node] && suffices(node, demand);
  }

  /**
   * Whether the accounts of a node suffice for a workload, be it open or not: it has everything
   * required, and nothing that the workload is not immune to would be left below zero.
   *
   * @param node the slot of a node
   * @param demand what the workload needs
   * @return true if they do; cost as of {@link #fits}
   */
  public boolean suffices(int node, Demand demand) {
    if (!demand.locate(layouts[node])) {
      return false;
    }
    long[] left = accounts[node];
    for (int i = 0; i < demand.size(); i++) {
      if (left[demand.slot(i)] < demand.need(i) && !demand.immune(i)) {
        return false;
      }
    }
    return negatives[node] == 0 || negativesAreBorne(node, demand);
  }

  /** Whether every negative resource of a node is required (and so checked) or tolerated. */
  private boolean negativesAreBorne(int node, Demand demand) {
    Layout layout = layouts[node];
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (accounts[node][slot] < 0 && demand.indexOf(id) < 0 && !demand.immuneTo(id)) {
        return false;
      }
    }
    return true;
  }

  /** Accounts for a placement (sign 1) or its end (sign -1). Never fails for what is settled. */
  void charge(int node, Demand demand, int sign, boolean tell) {
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
    }
    for (int i = 0; tell && i < listeners.length; i++) {
      listeners[i].charged(node, demand, sign);
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
    for (int n = 0; n < slots.count(); n++) {
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

  /** What all that is placed requires of a resource, as the accounts take it. */
  abstract List<Quantity> requirements(String resource);

  /** The capacities of all nodes but one; -1 for all. */
  List<Quantity> capacitiesOf(int id, int except) {
    List<Quantity> capacities = new ArrayList<>();
    for (int n = 0; n < slots.count(); n++) {
      int slot = layouts[n].slot(id);
      if (slot >= 0 && n != except) {
        capacities.add(columns.quantity(id, accounts[n][layouts[n].size() + slot]));
      }
    }
    return capacities;
  }

  void reshaped() {
    for (LedgerListener listener : listeners) {
      listener.reshaped();
    }
  }

  /** Something outside the accounts of nodes has become more, or is open again. */
  void loosened() {
    for (LedgerListener listener : listeners) {
      listener.loosened();
    }
  }

  void came(int node) {
    for (LedgerListener listener : listeners) {
      listener.nodeCame(node);
    }
  }

  void leaving(int node) {
    for (LedgerListener listener : listeners) {
      listener.nodeLeaving(node);
    }
  }

  void renumbered(int[] renumbered) {
    for (LedgerListener listener : listeners) {
      listener.renumbered(renumbered);
    }
  }

  /** The present accounts of a node are about to be replaced. */
  void unuse(int node) {
    columns.use(layouts[node], -1);
  }

  void freed(int node) {
    for (LedgerListener listener : listeners) {
      listener.slotFreed(node);
    }
  }

  // ---- reading ----

  /**
   * The number of nodes.
   *
   * @return 0 or more
   */
  public int nodeCount() {
    return slots.liveCount();
  }

  /**
   * Slots stay below this.
   *
   * @return 0 or more; the number of nodes and of dead slots
   */
  public int slotCount() {
    return slots.count();
  }

  /**
   * Whether a slot has a node.
   *
   * @param slot from 0 to {@code slotCount() - 1}
   * @return false where its node was removed
   */
  public boolean alive(int slot) {
    return slots.isLive(slot);
  }

  /**
   * The place of a node in the order of nodes.
   *
   * @param slot the slot of a node
   * @return from 0 to {@code nodeCount() - 1}
   */
  public int index(int slot) {
    return slots.rank(slot);
  }

  /**
   * The node at a place in the order of nodes.
   *
   * @param index from 0 to {@code nodeCount() - 1}
   * @return its slot
   */
  public int slot(int index) {
    return slots.select(index);
  }

  /** The node before a slot in the order of nodes, or -1. */
  int nodeBefore(int slot) {
    return slots.last(slot);
  }

  /**
   * A node by name.
   *
   * @param name a name
   * @return its slot
   * @throws InvalidInputException if there is no such node
   */
  public int node(String name) {
    int node = nodeByName.get(name);
    if (node < 0) {
      throw new InvalidInputException(
          "distributor",
          "node",
          "'" + name + "'",
          nodeCount() == 0
              ? "none, it has no nodes"
              : nodeCount() <= 20
                  ? "one of " + String.join(", ", nodeNames())
                  : "one of its " + nodeCount() + " nodes");
    }
    return node;
  }

  /** Counts the changes of names, capacities and cordons. */
  long shapes() {
    return shapes;
  }

  /** The slot of a name; -1 where there is none. */
  int find(String name) {
    return nodeByName.get(name);
  }

  /** The names of all nodes, in the order of nodes. */
  private List<String> nodeNames() {
    List<String> all = new ArrayList<>();
    for (int slot = 0; slot < slots.count(); slot++) {
      if (alive(slot)) {
        all.add(names[slot]);
      }
    }
    return all;
  }

  /**
   * The name of a node.
   *
   * @param node its slot
   * @return its name
   */
  public String nodeName(int node) {
    return names[node];
  }

  /**
   * Whether a node takes nobody new.
   *
   * @param node its slot
   * @return true if it is cordoned
   */
  public boolean cordoned(int node) {
    return cordoned[node];
  }

  /**
   * How many resources of a node have less than 0 left.
   *
   * @param node its slot
   * @return 0 or more
   */
  public int negatives(int node) {
    return negatives[node];
  }

  /**
   * The layout of a node.
   *
   * @param node its slot
   * @return which account is of which resource
   */
  public Layout layout(int node) {
    return layouts[node];
  }

  /**
   * What is left of one resource of one node.
   *
   * @param node its slot
   * @param slot the place of the account
   * @return scaled; {@link Long#MAX_VALUE} and {@link Long#MIN_VALUE} for the infinities
   */
  public long left(int node, int slot) {
    return accounts[node][slot];
  }

  /**
   * The capacity of one resource of one node.
   *
   * @param node its slot
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
   * @param node its slot
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
   * @param node its slot
   * @return a copy
   */
  public Resources lefts(int node) {
    return resources(node, 0);
  }

  /**
   * The capacity of a node.
   *
   * @param node its slot
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
