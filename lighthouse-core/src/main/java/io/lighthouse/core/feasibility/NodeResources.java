package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeAccounts;
import io.lighthouse.core.ledger.ResourceTable;

/**
 * A node has everything that is required, and nothing negative would be left unless the workload is
 * immune to it. This covers names, wards, shortcomings and amounts.
 */
final class NodeResources extends Constraint {
  private final Ledger ledger;
  private final NodeAccounts accounts;
  private final ResourceTable columns;
  private Demand demand;

  /** The bitmaps of amounts; null without an index. */
  private Levels levels;

  private Eligibility names;

  /** Whether the levels made the last count of what falls short. */
  private boolean counted;

  NodeResources(Ledger ledger) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    columns = ledger.resources();
  }

  /** Keeps bitmaps of amounts from now on, and those of names, which are made if missing. */
  void index(Levels learned) {
    levels = learned;
    if (names == null) {
      names = new Eligibility(ledger);
    }
  }

  /** The nodes of each rare resource. */
  RareNames rareNames() {
    return names.rareNames();
  }

  @Override
  boolean ask(Demand wanted) {
    demand = wanted;
    return true;
  }

  @Override
  boolean admits(int node) {
    return accounts.suffices(node, demand);
  }

  private boolean borne(int id) {
    return demand.indexOf(id) >= 0 || demand.isImmuneTo(id);
  }

  /** A node that is too small for a need is so for every workload that requires as much. */
  @Override
  boolean uniform() {
    return demand.immunityCount() == 0 && !demand.hasNegativeNeed();
  }

  /** The levels have prepared the demand. */
  @Override
  void addRows(RowScan rows) {
    levels.addRows(rows);
    addNameRows(rows);
  }

  /** Adds only the bitmaps of names and of negative amounts. */
  void addNameRows(RowScan rows) {
    names.ask(demand, levels);
    names.addRows(rows);
  }

  @Override
  boolean mayAdmit(int node) {
    return names.admits(node);
  }

  // ---- reasons ----

  /** The condition is the slot of an account, or the complement of the index of a requirement. */
  @Override
  void tell(int node, Broken told) {
    Layout layout = accounts.layout(node);
    boolean located = demand.locate(layout);
    for (int i = 0; i < demand.size(); i++) {
      int slot = located ? demand.slot(i) : layout.slot(demand.id(i));
      long need = demand.need(i);
      if (slot < 0) {
        told.add(this, ~i, Reason.Kind.MISSING, demand.id(i), Math.abs(need), Math.abs(need));
      } else if (accounts.left(node, slot) < need && !demand.isImmune(i)) {
        tellShort(node, slot, need, told);
      }
    }
    for (int slot = 0; accounts.negatives(node) > 0 && slot < layout.size(); slot++) {
      int id = layout.id(slot);
      long left = accounts.left(node, slot);
      if (left < 0 && !borne(id)) {
        told.add(this, slot, kind(left), id, 1, 0);
      }
    }
  }

  private void tellShort(int node, int slot, long need, Broken told) {
    long left = accounts.left(node, slot);
    boolean ward = left == Long.MIN_VALUE;
    told.add(
        this,
        slot,
        kind(left),
        accounts.layout(node).id(slot),
        ward ? 1 : need - left,
        ward ? 0 : Math.abs(need));
  }

  private static Reason.Kind kind(long left) {
    return left >= 0
        ? Reason.Kind.SHORT
        : left == Long.MIN_VALUE ? Reason.Kind.WARD : Reason.Kind.SHORTCOMING;
  }

  @Override
  Reason reason(int node, int condition) {
    if (condition < 0) {
      int id = demand.id(~condition);
      return new Reason.Missing(
          columns.resource(id), columns.quantity(id, demand.need(~condition)));
    }
    int id = accounts.layout(node).id(condition);
    String name = columns.resource(id);
    int at = demand.indexOf(id);
    Quantity left = columns.quantity(id, accounts.left(node, condition));
    Quantity required = at < 0 ? Quantity.ZERO : columns.quantity(id, demand.need(at));
    Quantity lacking = required.minus(left);
    return left.signum() < 0
        ? new Reason.Negative(name, left, required, lacking)
        : new Reason.Insufficient(name, left, required, lacking);
  }

  @Override
  String about(int key) {
    return columns.resource(key);
  }

  /** Counts by the rough amounts of the levels, if every requirement has one. */
  @Override
  void count(Tally tally) {
    counted =
        levels != null && !tally.partial() && levels.countShort(demand, names.sound(), tally, this);
    if (!counted) {
      super.count(tally);
    }
  }

  /** The levels, if they made the last count; else null. */
  Levels countedBy() {
    return counted ? levels : null;
  }

  // ---- following the ledger ----

  /**
   * Follows placements on a node, or releases, after the accounts have changed.
   *
   * @param node the slot of the node
   * @param charged what each placement requires
   * @param times how many placements; negative for releases
   */
  void charged(int node, Demand charged, int times) {
    if (levels == null) {
      return;
    }
    long[] left = accounts.of(node);
    for (int i = 0; i < charged.size(); i++) {
      long after = left[charged.slot(i)];
      if (charged.need(i) != 0 && after != Long.MAX_VALUE && after != Long.MIN_VALUE) {
        levels.leftChanged(node, charged.id(i), after);
        if ((after + times * charged.need(i) ^ after) < 0) {
          names.signChanged(node, charged.id(i), after < 0);
        }
      }
    }
  }

  @Override
  void nodeCame(int node) {
    if (levels != null) {
      levels.nodeCame(node);
      names.nodeCame(node);
    }
  }

  @Override
  void nodeLeaving(int node) {
    if (levels != null) {
      levels.nodeLeaving(node);
      names.nodeLeaving(node);
    }
  }

  @Override
  void reshaped() {
    levels = null;
    names = null;
  }

  void audit(Audit audit) {
    if (levels != null) {
      levels.audit(audit);
      names.audit(audit);
    }
  }
}
