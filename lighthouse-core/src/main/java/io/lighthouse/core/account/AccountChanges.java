package io.lighthouse.core.account;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Adds, removes and changes the nodes of {@link NodeAccounts}. */
public final class AccountChanges {
  private static final Layout NO_RESOURCES = new Layout(new int[0]);
  private static final long[] NO_ACCOUNTS = {};

  private final NodeAccounts of;
  private final NodeTable nodes;
  private final ResourceTable resources;
  private final UnitTable units;

  /** Runs at each change that placing does not make. */
  private final Runnable shapeChanged;

  AccountChanges(NodeAccounts of, Runnable shapeChanged) {
    this.of = of;
    this.shapeChanged = shapeChanged;
    nodes = of.nodes();
    resources = of.resources();
    units = of.units();
  }

  /** Makes room for {@code more} nodes. */
  public void reserve(int more) {
    int wanted = nodes.slotCount() + more;
    if (wanted > of.layouts.length) {
      int length = Math.max(wanted, of.layouts.length + of.layouts.length / 2);
      nodes.reserve(length);
      of.accounts = Arrays.copyOf(of.accounts, length);
      of.negatives = Arrays.copyOf(of.negatives, length);
      of.cordoned = Arrays.copyOf(of.cordoned, length);
      of.layouts = Arrays.copyOf(of.layouts, length); // Last: its length is that of all.
    }
  }

  /** Appends an empty node whose scales and range are settled. */
  public void append(Node node) {
    int slot = nodes.slotCount();
    fill(slot, node);
    of.cordoned[slot] = node.cordoned();
    units.set(slot, node.units());
    recountNegatives(slot);
    nodes.append(); // Last: where memory ends before, there is no such node.
  }

  /**
   * Saves the accounts of a node that will be removed or get other accounts, so that they can be
   * restored. Call it before a scale is settled for the new accounts: that scale may be too coarse
   * for these.
   */
  public SavedAccounts save(int node) {
    int[] digits = new int[of.layouts[node].size()];
    for (int slot = 0; slot < digits.length; slot++) {
      digits[slot] = resources.digits[of.layouts[node].ids[slot]];
    }
    return new SavedAccounts(
        nodes.nodeName(node),
        of.layouts[node],
        of.accounts[node].clone(),
        digits,
        of.cordoned[node],
        units.of(node));
  }

  /** Removes an empty node. Its slot is dead, and so keeps its place in the order. */
  public void kill(int node) {
    shapeChanged.run();
    resources.use(of.layouts[node], -1);
    nodes.kill(node);
    of.layouts[node] = NO_RESOURCES;
    of.accounts[node] = NO_ACCOUNTS;
    of.negatives[node] = 0;
    of.cordoned[node] = true;
    units.set(node, Map.of());
  }

  /** Restores a node to its dead slot. */
  public void revive(int node, SavedAccounts saved) {
    nodes.revive(node, saved.name());
    fill(node, saved);
  }

  /** Restores former accounts of a node. All other state is as it was then. */
  public void restore(int node, SavedAccounts saved) {
    resources.use(of.layouts[node], -1);
    fill(node, saved);
  }

  private void fill(int node, SavedAccounts saved) {
    shapeChanged.run();
    resources.use(saved.layout(), 1);
    of.accounts[node] = saved.rescaled(of);
    of.layouts[node] = saved.layout();
    of.cordoned[node] = saved.cordoned();
    units.set(node, saved.units());
    int size = of.layouts[node].size();
    for (int slot = 0; slot < size; slot++) {
      resources.note(of.layouts[node].ids[slot], of.accounts[node][size + slot]);
    }
    recountNegatives(node);
  }

  /** Undoes the addition of the last node. */
  public void unappend(int node) {
    kill(node);
    nodes.dropLast();
  }

  /** Renumbers all slots without the dead ones. Returns the new slot of each, -1 for a dead one. */
  public int[] renumber() {
    shapeChanged.run();
    int[] moved = nodes.renumber();
    units.renumber(moved);
    for (int from = 0; from < moved.length; from++) {
      int to = moved[from];
      if (to >= 0 && to != from) {
        of.layouts[to] = of.layouts[from];
        of.accounts[to] = of.accounts[from];
        of.negatives[to] = of.negatives[from];
        of.cordoned[to] = of.cordoned[from];
      }
    }
    Arrays.fill(of.layouts, nodes.slotCount(), moved.length, null);
    Arrays.fill(of.accounts, nodes.slotCount(), moved.length, null);
    return moved;
  }

  /**
   * Whether a node keeps every resource, and no quantity changes between finite and infinite. Then
   * its accounts show what is taken, and its workloads need not be read. Otherwise a resize by
   * {@code NodeChangeBenchmark} (bin-pack, 10,000 nodes) took 3.2 times as long on 2026-11-29.
   */
  public boolean keepsAll(int node, Resources capacity) {
    Layout layout = of.layouts[node];
    for (int slot = 0; slot < layout.size(); slot++) {
      Quantity wanted = capacity.get(resources.names[layout.ids[slot]]).orElse(Quantity.INFINITY);
      if (wanted.isInfinite() || ResourceTable.isInfinite(of.accounts[node][slot])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Gives a node a settled capacity; what is taken stays taken.
   *
   * @param had its accounts before the scales were settled
   * @param placed the workloads placed on it; empty where it {@link #keepsAll}
   */
  public void replace(int node, Node wanted, SavedAccounts had, List<Workload> placed) {
    fill(node, wanted);
    resources.use(had.layout(), -1);
    long[] account = of.accounts[node];
    for (int slot = 0; slot < of.layouts[node].size(); slot++) {
      if (!ResourceTable.isInfinite(account[slot])) {
        account[slot] -= taken(of.layouts[node].ids[slot], had, placed);
      }
    }
    recountNegatives(node);
    units.keep(node, wanted.resources()::has);
  }

  /**
   * What is taken of a resource: by the accounts, or by the workloads where these do not show it.
   */
  private long taken(int id, SavedAccounts had, List<Workload> placed) {
    int slot = had.layout().slot(id);
    if (slot >= 0 && !ResourceTable.isInfinite(had.account()[slot])) {
      return had.taken(slot, resources);
    }
    long taken = 0;
    for (Workload workload : placed) {
      Quantity required = workload.requirements().get(resources.names[id]).orElse(Quantity.ZERO);
      taken += resources.need(id, required);
    }
    return taken;
  }

  /** Fills in the accounts of an empty node. Where memory ends here, nothing has changed. */
  private void fill(int node, Node wanted) {
    Layout layout = resources.layout(wanted.resources());
    int size = layout.size();
    long[] account = new long[2 * size];
    for (int slot = 0; slot < size; slot++) {
      int id = layout.ids[slot];
      Quantity left = wanted.resources().quantity(slot);
      account[slot] = resources.account(id, Admission.capacity(wanted, resources.names[id], left));
      account[size + slot] = account[slot];
    }
    shapeChanged.run();
    resources.use(layout, 1);
    of.layouts[node] = layout;
    of.accounts[node] = account;
  }

  private void recountNegatives(int node) {
    of.negatives[node] = 0;
    for (int slot = 0; slot < of.layouts[node].size(); slot++) {
      if (of.accounts[node][slot] < 0) {
        of.negatives[node]++;
      }
    }
  }

  public void setCordon(int node, boolean closed) {
    shapeChanged.run();
    of.cordoned[node] = closed;
  }
}
