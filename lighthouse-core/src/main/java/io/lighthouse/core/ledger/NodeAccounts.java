package io.lighthouse.core.ledger;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * The accounts of the nodes of a {@link NodeTable}: the capacity of each, and what is left of it.
 * The ledger knows which placements took the rest. A dead slot looks like a cordoned node without
 * resources.
 *
 * <p>The domains of a {@link Level} are accounted for in the same way.
 */
public final class NodeAccounts {
  private static final Layout NO_RESOURCES = new Layout(new int[0]);
  private static final long[] NO_ACCOUNTS = {};

  private final NodeTable nodes;
  private final ResourceTable resources;
  private final UnitTable units;

  /** Notified where a change of scale makes derived state stale. */
  private final Listeners listeners;

  /** By node: its layout. */
  private Layout[] layouts = new Layout[8];

  /** By node: what is left by slot, then the capacity by slot; scaled, infinities marked. */
  private long[][] accounts = new long[8][];

  /** By node: the number of resources with less than 0 left. */
  private int[] negatives = new int[8];

  /** By node: whether it is cordoned. */
  private boolean[] cordoned = new boolean[8];

  private final Clock clock;

  /** Creates accounts without nodes. */
  NodeAccounts(Listeners listeners, Clock clock) {
    this.listeners = listeners;
    this.clock = clock;
    nodes = new NodeTable();
    resources = new ResourceTable();
    units = new UnitTable();
  }

  /** A copy that shares nothing that changes. */
  NodeAccounts(NodeAccounts other, Listeners listeners, Clock clock) {
    this.listeners = listeners;
    this.clock = clock;
    nodes = new NodeTable(other.nodes);
    resources = other.resources.copy();
    units = new UnitTable(other.units);
    layouts = other.layouts.clone();
    accounts = other.accounts.clone();
    negatives = other.negatives.clone();
    cordoned = other.cordoned.clone();
    for (int n = 0; n < nodes.slotCount(); n++) {
      if (nodes.alive(n)) {
        accounts[n] = accounts[n].clone();
        layouts[n] = resources.layout(new Layout(layouts[n].ids));
        layouts[n].users++;
      }
    }
  }

  // ---- adding, removing and changing nodes ----

  void reserveNodes(int more) {
    int wanted = nodes.slotCount() + more;
    if (wanted > layouts.length) {
      int length = Math.max(wanted, layouts.length + layouts.length / 2);
      nodes.reserve(length);
      layouts = Arrays.copyOf(layouts, length);
      accounts = Arrays.copyOf(accounts, length);
      negatives = Arrays.copyOf(negatives, length);
      cordoned = Arrays.copyOf(cordoned, length);
    }
  }

  /** Appends an empty node whose name, scales and range are settled. */
  void append(Node node) {
    int slot = nodes.append();
    cordoned[slot] = node.cordoned();
    fill(slot, node);
    units.set(slot, node.units());
    recountNegatives(slot);
  }

  /**
   * Saves the accounts of a node that will be removed or get other accounts, so that they can be
   * restored. Call it before a scale is settled for the new accounts: that scale may be too coarse
   * for these.
   */
  SavedAccounts save(int node) {
    return new SavedAccounts(
        resources,
        nodes.nodeName(node),
        layouts[node],
        accounts[node].clone(),
        cordoned[node],
        units.of(node));
  }

  /** Removes an empty node. Its slot is dead, and so keeps its place in the order. */
  void kill(int node) {
    clock.countShape();
    resources.use(layouts[node], -1);
    nodes.kill(node);
    layouts[node] = NO_RESOURCES;
    accounts[node] = NO_ACCOUNTS;
    negatives[node] = 0;
    cordoned[node] = true;
    units.set(node, Map.of());
  }

  /** Restores a node to its dead slot. */
  void revive(int node, SavedAccounts saved) {
    nodes.revive(node, saved.name());
    restore(node, saved);
  }

  /** Restores former accounts of a node. All other state is as it was then. */
  void restore(int node, SavedAccounts saved) {
    clock.countShape();
    resources.use(saved.layout(), 1);
    accounts[node] = saved.rescaled(this);
    layouts[node] = saved.layout();
    cordoned[node] = saved.cordoned();
    units.set(node, saved.units());
    int size = layouts[node].size();
    for (int slot = 0; slot < size; slot++) {
      resources.note(layouts[node].ids[slot], accounts[node][size + slot]);
    }
    recountNegatives(node);
  }

  /** Undoes the addition of the last node. */
  void unappend(int node) {
    kill(node);
    nodes.dropLast();
  }

  /** Renumbers all slots without the dead ones. Returns the new slot of each, -1 for a dead one. */
  int[] renumber() {
    clock.countShape();
    int[] moved = nodes.renumber();
    units.renumber(moved);
    for (int from = 0; from < moved.length; from++) {
      int to = moved[from];
      if (to >= 0 && to != from) {
        layouts[to] = layouts[from];
        accounts[to] = accounts[from];
        negatives[to] = negatives[from];
        cordoned[to] = cordoned[from];
      }
    }
    Arrays.fill(layouts, nodes.slotCount(), moved.length, null);
    Arrays.fill(accounts, nodes.slotCount(), moved.length, null);
    return moved;
  }

  /**
   * Whether a node keeps every resource, and no quantity changes between finite and infinite. Then
   * its accounts show what is taken, and its workloads need not be read.
   */
  boolean keepsAll(int node, Resources capacity) {
    Layout layout = layouts[node];
    for (int slot = 0; slot < layout.size(); slot++) {
      Quantity wanted = capacity.get(resources.names[layout.ids[slot]]).orElse(Quantity.INFINITY);
      if (wanted.isInfinite() || ResourceTable.isInfinite(accounts[node][slot])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Gives a node that keeps all resources a settled capacity; what is taken stays taken.
   *
   * @param had its accounts before the scales were settled
   */
  void replace(int node, Node wanted, SavedAccounts had) {
    Layout before = layouts[node];
    fill(node, wanted);
    resources.use(before, -1);
    for (int slot = 0; slot < before.size(); slot++) {
      int id = before.ids[slot];
      accounts[node][layouts[node].slot(id)] -= had.taken(slot);
    }
    recountNegatives(node);
    units.keep(node, wanted.resources()::has);
  }

  /**
   * Gives a node a settled capacity, and subtracts the requirements of the workloads placed on it.
   */
  void replace(int node, Node wanted, List<Workload> placed) {
    Layout before = layouts[node];
    fill(node, wanted);
    resources.use(before, -1);
    for (Workload workload : placed) {
      Resources requirements = workload.requirements();
      for (int i = 0; i < requirements.size(); i++) {
        int id = resources.find(requirements.name(i));
        int slot = layouts[node].slot(id);
        if (!ResourceTable.isInfinite(accounts[node][slot])) {
          accounts[node][slot] -= resources.need(id, requirements.quantity(i));
        }
      }
    }
    recountNegatives(node);
    units.keep(node, wanted.resources()::has);
  }

  /** Fills in the accounts of an empty node. */
  private void fill(int node, Node wanted) {
    clock.countShape();
    Layout layout = resources.layout(wanted.resources());
    resources.use(layout, 1);
    int size = layout.size();
    long[] account = new long[2 * size];
    for (int slot = 0; slot < size; slot++) {
      int id = layout.ids[slot];
      Quantity left = wanted.resources().quantity(slot);
      account[slot] = resources.account(id, Admission.capacity(wanted, resources.names[id], left));
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
    clock.countShape();
    cordoned[node] = closed;
  }

  // ---- accounts ----

  /**
   * Whether a workload fits a node. The node must be open and have everything required. Only
   * resources that the workload is immune to may be left below zero.
   *
   * @param node the slot of a node
   * @param demand what the workload needs
   * @return true if it fits; cost linear in the number of requirements, and also in the resources
   *     of a node with a negative one
   */
  public boolean fits(int node, Demand demand) {
    return !cordoned[node] && suffices(node, demand);
  }

  /**
   * Whether the accounts of a node, open or not, suffice for a workload. The node must have
   * everything required. Only resources that the workload is immune to may be left below zero.
   *
   * @param node the slot of a node
   * @param demand what the workload needs
   * @return true if they do; cost as for {@link #fits}
   */
  public boolean suffices(int node, Demand demand) {
    if (!demand.locate(layouts[node])) {
      return false;
    }
    long[] left = accounts[node];
    for (int i = 0; i < demand.size(); i++) {
      if (left[demand.slot(i)] < demand.need(i) && !demand.isImmune(i)) {
        return false;
      }
    }
    return negatives[node] == 0 || negativesAreTolerated(node, demand);
  }

  /**
   * How many workloads with the same requirements fit a node one after the other.
   *
   * @param node the slot of a node that has all that is required
   * @param demand what each workload needs; without immunities
   * @return 0 or more; {@link Long#MAX_VALUE} for no limit
   */
  public long copies(int node, Demand demand) {
    boolean there = demand.locate(layouts[node]);
    assert there && !demand.hasImmunities() : demand.workload();
    long[] left = accounts[node];
    long copies = Long.MAX_VALUE;
    for (int i = 0; i < demand.size(); i++) {
      long has = left[demand.slot(i)];
      long need = demand.need(i);
      if (need > 0 && has != ResourceTable.INFINITY) {
        copies = Math.min(copies, Math.max(0, has / need));
      }
    }
    return copies;
  }

  /** Whether every negative resource of a node is required (and so checked) or tolerated. */
  private boolean negativesAreTolerated(int node, Demand demand) {
    Layout layout = layouts[node];
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (accounts[node][slot] < 0 && demand.indexOf(id) < 0 && !demand.isImmuneTo(id)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Accounts for {@code times} placements, 1 or more, if they fit. Otherwise returns false and
   * changes nothing.
   */
  boolean admit(int node, Demand demand, int times) {
    if (cordoned[node]
        || !demand.locate(layouts[node])
        || (negatives[node] > 0 && !negativesAreTolerated(node, demand))) {
      return false;
    }
    boolean enough = charge(node, demand, times);
    if (!enough) {
      charge(node, demand, -times);
    }
    return enough;
  }

  /**
   * Accounts for {@code times} placements, or for ends of placements where that is negative. Never
   * fails for settled scales.
   *
   * @return whether there was enough of everything that the workload is not immune to
   */
  boolean charge(int node, Demand demand, int times) {
    boolean enough = true;
    boolean there = demand.locate(layouts[node]);
    assert there : demand.workload() + " requires what " + nodes.nodeName(node) + " does not have";
    long[] account = accounts[node];
    for (int i = 0; i < demand.size(); i++) {
      long need = demand.need(i);
      long change = times * need;
      resources.placed[demand.id(i)] += times * Math.abs(need);
      int slot = demand.slot(i);
      long before = account[slot];
      enough &= before >= change || demand.isImmune(i);
      if (need == 0 || ResourceTable.isInfinite(before)) {
        continue;
      }
      long after = before - change;
      account[slot] = after;
      if ((before ^ after) < 0) {
        negatives[node] += after < 0 ? 1 : -1;
      }
    }
    return enough;
  }

  /** Gives a resource another scale. Every account of it is a whole number at both scales. */
  void rescale(int id, int digits) {
    int before = resources.digits[id];
    if (before == digits) {
      return;
    }
    long up = Admission.POWERS[Math.max(0, digits - before)];
    long down = Admission.POWERS[Math.max(0, before - digits)];
    resources.digits[id] = digits;
    resources.largest[id] = resources.largest[id] / down * up;
    resources.placed[id] = resources.placed[id] / down * up;
    for (int n = 0; n < nodes.slotCount(); n++) {
      Layout layout = layouts[n];
      int slot = layout.slot(id);
      if (slot < 0) {
        continue;
      }
      long[] account = accounts[n];
      for (int i = slot; i < account.length; i += layout.size()) {
        if (!ResourceTable.isInfinite(account[i])) {
          account[i] = account[i] / down * up;
        }
      }
    }
    if (resources.nodes[id] > 0) {
      listeners.reshaped();
    }
  }

  /** The capacities of all nodes except one; -1 for no exception. */
  List<Quantity> capacitiesOf(int id, int except) {
    List<Quantity> capacities = new ArrayList<>();
    for (int n = 0; n < nodes.slotCount(); n++) {
      int slot = layouts[n].slot(id);
      if (slot >= 0 && n != except) {
        capacities.add(resources.quantity(id, accounts[n][layouts[n].size() + slot]));
      }
    }
    return capacities;
  }

  /** Counts a node out of its layout before its accounts are replaced. */
  void unuse(int node) {
    resources.use(layouts[node], -1);
  }

  // ---- reading ----

  /** The nodes that have these accounts. */
  NodeTable nodes() {
    return nodes;
  }

  /**
   * The resources, with their scales.
   *
   * @return those of these accounts, which change with them
   */
  public ResourceTable resources() {
    return resources;
  }

  /**
   * The units in which the nodes' resources may be required.
   *
   * @return the units, which change with the accounts
   */
  public UnitTable units() {
    return units;
  }

  /**
   * Whether a node rejects new workloads.
   *
   * @param node its slot
   * @return true if it is cordoned
   */
  public boolean cordoned(int node) {
    return cordoned[node];
  }

  /**
   * The number of resources of a node with less than 0 left.
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
   * @return which account belongs to which resource
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
   * The accounts of a node: what is left by slot, then the capacity by slot. This is the ledger's
   * own array, which callers must not change.
   *
   * @param node its slot
   * @return scaled
   */
  public long[] of(int node) {
    return accounts[node];
  }

  /**
   * What is left of every resource of a node.
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

  /**
   * Whether a node has a given capacity, rounded as the ledger does.
   *
   * @param node its slot
   * @param capacity a capacity
   * @return true if it is the node's capacity
   */
  public boolean hasCapacity(int node, Resources capacity) {
    int[] ids = layouts[node].ids;
    boolean same = ids.length == capacity.size();
    for (int slot = 0; same && slot < ids.length; slot++) {
      Quantity has = resources.quantity(ids[slot], capacity(node, slot));
      same =
          resources.names[ids[slot]].equals(capacity.name(slot))
              && has.equals(ResourceTable.offered(capacity.quantity(slot)));
    }
    return same;
  }

  private Resources resources(int node, int from) {
    Layout layout = layouts[node];
    String[] of = new String[layout.size()];
    Quantity[] quantities = new Quantity[of.length];
    for (int slot = 0; slot < of.length; slot++) {
      int id = layout.ids[slot];
      of[slot] = resources.names[id];
      quantities[slot] = resources.quantity(id, accounts[node][from + slot]);
    }
    return Resources.of(of, quantities);
  }

  // ---- audit ----

  /**
   * Recomputes what is left from the capacities and the requirements placed.
   *
   * @param taken by slot: the requirements placed there
   * @param of what kind of thing the slots belong to
   */
  void audit(Audit audit, IntFunction<List<Resources>> taken, String of) {
    int[] having = new int[resources.resourceIds()];
    for (int node = 0; node < nodes.slotCount(); node++) {
      Layout layout = layouts[node];
      List<Resources> there = layout.size() == 0 ? List.of() : taken.apply(node);
      int below = 0;
      for (int slot = 0; slot < layout.size(); slot++) {
        int id = layout.ids[slot];
        having[id]++;
        long left = capacity(node, slot);
        if (!ResourceTable.isInfinite(left)) {
          for (Resources one : there) {
            left -= one.get(resources.names[id]).map(q -> resources.need(id, q)).orElse(0L);
          }
        }
        below += left < 0 ? 1 : 0;
        audit.equal(of + " " + node + ": left of " + resources.names[id], left, left(node, slot));
      }
      audit.equal(of + ": negative resources", node, below, negatives[node]);
      if (!nodes.alive(node)) {
        audit.equal(of + " " + node + ": cordon of a dead slot", true, cordoned[node]);
      }
    }
    for (int id = 0; id < having.length; id++) {
      audit.equal(of + "s that have resource", id, having[id], resources.nodes[id]);
    }
  }
}
