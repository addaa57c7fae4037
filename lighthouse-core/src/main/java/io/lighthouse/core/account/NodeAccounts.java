package io.lighthouse.core.account;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The accounts of the nodes of a {@link NodeTable}: the capacity of each, and what is left of it.
 * The ledger knows which placements took the rest. A dead slot looks like a cordoned node without
 * resources.
 *
 * <p>The domains of a level are accounted for in the same way.
 */
public final class NodeAccounts {
  private final NodeTable nodes;
  private final ResourceTable resources;
  private final UnitTable units;

  /** Runs after a change of scale, which makes derived state stale. */
  private final Runnable rescaled;

  /** By node: its layout. */
  Layout[] layouts = new Layout[8];

  /** By node: what is left by slot, then the capacity by slot; scaled, infinities marked. */
  long[][] accounts = new long[8][];

  /** By node: the number of resources with less than 0 left. */
  int[] negatives = new int[8];

  /** By node: whether it is cordoned. */
  boolean[] cordoned = new boolean[8];

  private final AccountChanges changes;

  /** Creates accounts without nodes. */
  public NodeAccounts(Runnable rescaled, Runnable shapeChanged) {
    this.rescaled = rescaled;
    nodes = new NodeTable();
    resources = new ResourceTable();
    units = new UnitTable();
    changes = new AccountChanges(this, shapeChanged);
  }

  /** A copy that shares nothing that changes. */
  public NodeAccounts(NodeAccounts other, Runnable rescaled, Runnable shapeChanged) {
    this.rescaled = rescaled;
    nodes = new NodeTable(other.nodes);
    resources = new ResourceTable(other.resources);
    units = new UnitTable(other.units);
    changes = new AccountChanges(this, shapeChanged);
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

  // ---- accounts ----

  /**
   * Whether a workload fits a node. The node must be open and have everything required. Only
   * resources that the workload is immune to may be left below zero. Cost: linear in the number of
   * requirements, and also in the resources of a node with a negative one.
   */
  public boolean fits(int node, Requirements required) {
    return fits(node, required, 1);
  }

  /** Whether {@code times} workloads, 1 or more, fit a node one after the other. */
  public boolean fits(int node, Requirements required, int times) {
    return !cordoned[node] && suffices(node, required, times);
  }

  /** Whether a workload fits a node, open or cordoned; otherwise as {@link #fits}. */
  public boolean suffices(int node, Requirements required) {
    return suffices(node, required, 1);
  }

  private boolean suffices(int node, Requirements required, int times) {
    Layout layout = layouts[node];
    long[] left = accounts[node];
    int slot = -1;
    for (int i = 0; i < required.size(); i++) {
      slot = layout.slot(required.id(i), slot + 1);
      if (slot < 0 || left[slot] < times * required.need(i) && !required.isImmune(i)) {
        return false;
      }
    }
    return negatives[node] == 0 || negativesAreTolerated(node, required);
  }

  /**
   * How many workloads with the same requirements, without immunities, fit a node one after the
   * other; {@link Long#MAX_VALUE} for no limit. The node has all that is required.
   */
  public long copies(int node, Requirements required) {
    assert !required.hasImmunities() : nodes.nodeName(node);
    Layout layout = layouts[node];
    long[] left = accounts[node];
    long copies = Long.MAX_VALUE;
    int slot = -1;
    for (int i = 0; i < required.size(); i++) {
      slot = layout.slot(required.id(i), slot + 1);
      long has = left[slot];
      long need = required.need(i);
      if (need > 0 && has != ResourceTable.INFINITY) {
        copies = Math.min(copies, Math.max(0, has / need));
      }
    }
    return copies;
  }

  /** Whether every negative resource of a node is required (and so checked) or tolerated. */
  private boolean negativesAreTolerated(int node, Requirements required) {
    Layout layout = layouts[node];
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (accounts[node][slot] < 0 && required.indexOf(id) < 0 && !required.isImmuneTo(id)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Accounts for {@code times} placements, or for ends of placements where that is negative. Never
   * fails for settled scales.
   */
  public void charge(int node, Requirements required, int times) {
    Layout layout = layouts[node];
    int slot = -1;
    for (int i = 0; i < required.size(); i++) {
      slot = layout.slot(required.id(i), slot + 1);
      assert slot >= 0 : nodes.nodeName(node) + " lacks a resource that is charged there";
      charge(node, slot, required.id(i), required.need(i), times);
    }
  }

  private void charge(int node, int slot, int id, long need, int times) {
    resources.placed[id] += times * Math.abs(need);
    long before = accounts[node][slot];
    if (need == 0 || ResourceTable.isInfinite(before)) {
      return;
    }
    long after = before - times * need;
    accounts[node][slot] = after;
    if ((before ^ after) < 0) {
      negatives[node] += after < 0 ? 1 : -1;
    }
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
      rescaled.run();
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

  // ---- reading ----

  /** The operations that add, remove and change nodes. */
  public AccountChanges changes() {
    return changes;
  }

  /** The nodes that have these accounts. */
  public NodeTable nodes() {
    return nodes;
  }

  /** The resources, with their scales; they change with these accounts. */
  public ResourceTable resources() {
    return resources;
  }

  /** The units in which the nodes' resources may be required; they change with the accounts. */
  public UnitTable units() {
    return units;
  }

  /** Whether a node rejects new workloads. */
  public boolean cordoned(int node) {
    return cordoned[node];
  }

  /** The number of resources of a node with less than 0 left. */
  public int negatives(int node) {
    return negatives[node];
  }

  /** Which account of a node belongs to which resource. */
  public Layout layout(int node) {
    return layouts[node];
  }

  /**
   * What is left of one resource of one node, by the place of its account. It is scaled; {@link
   * Long#MAX_VALUE} and {@link Long#MIN_VALUE} are the infinities.
   */
  public long left(int node, int slot) {
    return accounts[node][slot];
  }

  /** The capacity of one resource of one node, as {@link #left}. */
  public long capacity(int node, int slot) {
    return accounts[node][layouts[node].size() + slot];
  }

  /**
   * The accounts of a node: what is left by slot, then the capacity by slot, as {@link #left}. This
   * is the ledger's own array, which callers must not change.
   */
  public long[] of(int node) {
    return accounts[node];
  }

  /** What is left of every resource of a node: a copy. */
  public Resources lefts(int node) {
    return resources(node, 0);
  }

  /** The capacity of a node: a copy. */
  public Resources capacities(int node) {
    return resources(node, layouts[node].size());
  }

  /** Whether a node has a given capacity, rounded as the ledger does. */
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
   * Recomputes what is left, and the sums and bounds by resource, from the capacities and the
   * requirements placed.
   *
   * @param taken by slot: the requirements placed there
   * @param of what kind of thing the slots belong to
   */
  public void audit(Audit audit, IntFunction<List<Resources>> taken, String of) {
    int[] having = new int[resources.resourceIds()];
    long[] largest = new long[having.length];
    long[] placed = new long[having.length];
    int count = 0;
    for (int node = 0; node < nodes.slotCount(); node++) {
      Layout layout = layouts[node];
      List<Resources> there = layout.size() == 0 ? List.of() : taken.apply(node);
      there.forEach(one -> addMagnitudes(placed, one));
      int below = 0;
      for (int slot = 0; slot < layout.size(); slot++) {
        int id = layout.ids[slot];
        having[id]++;
        long left = capacity(node, slot);
        if (!ResourceTable.isInfinite(left)) {
          largest[id] = Math.max(largest[id], Math.abs(left));
          for (Resources one : there) {
            left -= one.get(resources.names[id]).map(q -> resources.need(id, q)).orElse(0L);
          }
        }
        below += left < 0 ? 1 : 0;
        audit.equal(of + " " + node + ": left of " + resources.names[id], left, left(node, slot));
      }
      audit.equal(of + ": negative resources", node, below, negatives[node]);
      if (nodes.alive(node)) {
        audit.equal(of + " by the name", node, node, nodes.find(nodes.nodeName(node)));
        audit.equal(of + ": place in the order", node, count, nodes.index(node));
        audit.equal(of + " at the place", count, node, nodes.slot(count));
        count++;
      } else {
        audit.equal(of + " " + node + ": cordon of a dead slot", true, cordoned[node]);
      }
    }
    audit.equal(of + ": number of live slots", count, nodes.nodeCount());
    for (int id = 0; id < having.length; id++) {
      audit.equal(of + "s that have resource", id, having[id], resources.nodes[id]);
      if (having[id] > 0) {
        int found = resources.find(resources.names[id]);
        audit.equal(of + ": resource by the name", id, id, found);
      }
      audit.equal(of + ": placed sum of resource", id, placed[id], resources.placed[id]);
      audit.equal( // A bound, which may be too high.
          of + ": largest capacity of resource",
          id,
          Math.max(largest[id], resources.largest[id]),
          resources.largest[id]);
    }
  }

  private void addMagnitudes(long[] sums, Resources required) {
    for (int i = 0; i < required.size(); i++) {
      int id = resources.find(required.name(i));
      if (id != NameTable.NONE) { // Otherwise the name is lost, which the audit reports.
        sums[id] += Math.abs(resources.need(id, required.quantity(i)));
      }
    }
  }
}
