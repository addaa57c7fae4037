package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.index.LevelNeeds;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.index.ResourceRows;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;

/**
 * A node has everything that is required, and nothing negative would be left unless the workload is
 * immune to it. This covers names, wards, shortcomings and amounts.
 */
public final class NodeResources extends Constraint {
  private final NodeAccounts accounts;
  private final ResourceTable resources;
  private final ResourceRows rows;
  private Demand demand;

  /** What the demand requires of the levels; taken when first wanted, until {@link #close}. */
  private final LevelNeeds amounts = new LevelNeeds();

  /** The bitmaps of names that concern the demand, and the levels beside which they were chosen. */
  private final List<BitRow> names = new ArrayList<>();

  private Levels namesBeside;

  NodeResources(Ledger ledger, ResourceRows rows) {
    this.rows = rows;
    accounts = ledger.accounts();
    resources = ledger.resources();
  }

  @Override
  boolean prepare(Demand wanted) {
    demand = wanted;
    return true;
  }

  /** Lets go of the demand, and of what is derived from it. */
  void close() {
    demand = null;
    amounts.forget();
    names.clear();
    namesBeside = null;
  }

  /** What the demand requires of the levels; only with an index. */
  public LevelNeeds amounts() {
    if (!amounts.isOf(rows.levels())) {
      amounts.take(rows.levels(), demand);
    }
    return amounts;
  }

  /** The bitmaps of names that concern the demand; only with an index. */
  private List<BitRow> names() {
    if (namesBeside != rows.levels()) {
      names.clear();
      rows.names().choose(demand, rows.levels(), names);
      namesBeside = rows.levels();
    }
    return names;
  }

  @Override
  public boolean admits(int node) {
    return accounts.suffices(node, demand);
  }

  @Override
  boolean sameForEqualDemands() {
    return true;
  }

  @Override
  void addRows(RowScan scan) {
    amounts().addRows(scan);
    addNameRows(scan);
  }

  /** Adds only the bitmaps of names and of negative amounts. */
  void addNameRows(RowScan scan) {
    List<BitRow> added = rows.usesNames() ? names() : List.of();
    for (int i = 0; i < added.size(); i++) {
      scan.add(added.get(i));
    }
  }

  @Override
  boolean mayAdmit(int node) {
    List<BitRow> asked = rows.usesNames() ? names() : List.of();
    for (int i = 0; i < asked.size(); i++) {
      if (!asked.get(i).has(node)) {
        return false;
      }
    }
    return true;
  }

  // ---- reasons ----

  /** The condition is the slot of an account, or the complement of the index of a requirement. */
  @Override
  void reportBroken(int node, Broken broken) {
    Layout layout = accounts.layout(node);
    for (int i = 0; i < demand.size(); i++) {
      int slot = layout.slot(demand.id(i));
      long need = demand.need(i);
      if (slot < 0) {
        broken.add(this, ~i, Reason.Kind.MISSING, demand.id(i), Math.abs(need), Math.abs(need));
      } else if (accounts.left(node, slot) < need && !demand.isImmune(i)) {
        reportShort(node, slot, need, broken);
      }
    }
    for (int slot = 0; accounts.negatives(node) > 0 && slot < layout.size(); slot++) {
      int id = layout.id(slot);
      long left = accounts.left(node, slot);
      if (left < 0 && demand.indexOf(id) < 0 && !demand.isImmuneTo(id)) {
        broken.add(this, slot, kind(left), id, 1, 0);
      }
    }
  }

  private void reportShort(int node, int slot, long need, Broken broken) {
    long left = accounts.left(node, slot);
    boolean ward = left == Long.MIN_VALUE;
    broken.add(
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
  public Reason reason(int node, int condition) {
    if (condition < 0) {
      int id = demand.id(~condition);
      return new Reason.Missing(
          resources.resource(id), resources.quantity(id, demand.need(~condition)));
    }
    int id = accounts.layout(node).id(condition);
    String name = resources.resource(id);
    int at = demand.indexOf(id);
    Quantity left = resources.quantity(id, accounts.left(node, condition));
    Quantity required = at < 0 ? Quantity.ZERO : resources.quantity(id, demand.need(at));
    Quantity lacking = required.minus(left);
    return left.signum() < 0
        ? new Reason.Negative(name, left, required, lacking)
        : new Reason.Insufficient(name, left, required, lacking);
  }

  @Override
  String about(int key) {
    return resources.resource(key);
  }

  /**
   * Counts the broken conditions of all nodes: by the rough amounts of the levels, if every
   * requirement has one.
   */
  void count(Tally tally) {
    if (rows.levels() != null && amounts().showShort()) {
      int[][] counts =
          amounts.countShort(
              accounts, tally.nodes(), tally.broken(), node -> tally.count(node, this));
      for (int i = 0; i < demand.size(); i++) {
        int d = amounts.dimension(i);
        tally.add(this, Reason.Kind.SHORT, demand.id(i), counts[0][d]);
        tally.add(this, Reason.Kind.MISSING, demand.id(i), counts[1][d]);
      }
      return;
    }
    for (int node = 0; node < tally.nodes(); node++) {
      tally.count(node, this);
    }
  }
}
