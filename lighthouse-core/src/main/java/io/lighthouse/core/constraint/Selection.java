package io.lighthouse.core.constraint;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Reason;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.index.SelectionRows;
import io.lighthouse.core.ledger.Demand;
import java.util.List;

/** The node satisfies every condition of the workload's {@code where}. */
final class Selection extends Constraint {
  private final SelectionRows rows;
  private List<Condition> where;
  private BitRow row;

  Selection(SelectionRows rows) {
    this.rows = rows;
  }

  @Override
  boolean prepare(Demand demand) {
    if (demand.terms().where().isEmpty()) {
      return false;
    }
    where = demand.terms().where();
    row = rows.row(where);
    return true;
  }

  @Override
  boolean concernsPlain() {
    return false;
  }

  @Override
  boolean admits(int node) {
    return row.has(node);
  }

  @Override
  void addRows(RowScan scan) {
    scan.add(row);
  }

  @Override
  boolean mayAdmit(int node) {
    return row.has(node);
  }

  @Override
  void reportBroken(int node, Broken broken) {
    if (row.has(node)) {
      return;
    }
    for (int i = 0; i < where.size(); i++) {
      if (!rows.meets(node, where.get(i))) {
        broken.add(this, i, Reason.Kind.NOT_SELECTED, i, 1, 0);
      }
    }
  }

  @Override
  public Reason reason(int node, int condition) {
    return new Reason.NotSelected(condition);
  }

  @Override
  String about(int key) {
    return String.valueOf(key);
  }
}
