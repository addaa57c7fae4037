package io.lighthouse.core.feasibility;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;

/**
 * The orders of one ledger that are told of every change. There are so many at most: one more makes
 * the least recently asked one give way, which is kept again as soon as it is asked.
 */
final class KeptOrders {
  /** So many orders are kept up to date. */
  static final int MOST = 16;

  private final Ledger ledger;
  private final List<ScoreOrder> orders = new ArrayList<>();

  /** Counts the questions put to orders. */
  private long asked;

  /** The nodes by name; null while no order is kept in blocks. */
  private NameOrder names;

  KeptOrders(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The kept order of a rubric, or null. */
  ScoreOrder find(Rubric rubric) {
    for (ScoreOrder order : orders) {
      if (order.rubric().equals(rubric)) {
        return order;
      }
    }
    return null;
  }

  /** Keeps an order up to date from now on; the levels are those of the index, null for none. */
  void keep(ScoreOrder order, Levels levels) {
    order.used(asked++);
    if (order.kept()) {
      return;
    }
    order.keep();
    if (orders.size() < MOST) {
      orders.add(order);
      return;
    }
    int oldest = 0;
    for (int i = 1; i < orders.size(); i++) {
      if (orders.get(i).lastUse() < orders.get(oldest).lastUse()) {
        oldest = i;
      }
    }
    orders.set(oldest, order).drop(levels);
  }

  /** The nodes by name, which follow the ledger from now on. */
  NameOrder names() {
    if (names == null) {
      names = new NameOrder(ledger);
    }
    return names;
  }

  // ---- following the ledger ----

  /** What is left of a node has changed. */
  void settled(int node) {
    for (int i = 0; i < orders.size(); i++) {
      orders.get(i).settled(node);
    }
  }

  /** A node has come, or has come back with other accounts. */
  void nodeCame(int node) {
    if (names != null) {
      int before = names.relabelled();
      names.came(node);
      if (names.relabelled() != before) {
        orders.forEach(ScoreOrder::relabelled);
      }
    }
    for (int i = 0; i < orders.size(); i++) {
      orders.get(i).nodeCame(node);
    }
  }

  /** A node is about to go, or to be given other accounts. */
  void nodeLeaving(int node) {
    for (int i = 0; i < orders.size(); i++) {
      orders.get(i).nodeLeaving(node);
    }
    if (names != null) {
      names.leaving(node);
    }
  }

  /** The levels of the index are others. */
  void relevelled() {
    orders.forEach(ScoreOrder::relevelled);
  }

  /** The nodes are others than before. */
  void reshaped() {
    names = null;
    orders.forEach(ScoreOrder::reshaped);
  }

  // ---- audit ----

  void audit(Audit audit) {
    if (names != null) {
      names.audit(audit);
    }
    orders.forEach(order -> order.audit(audit));
  }
}
