package io.lighthouse.core.order;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;

/**
 * The orders of one ledger that follow every change. There are at most {@link #MOST}. One more
 * displaces the least recently used one, which is kept again at its next query.
 *
 * <p>Where each placement dropped the order, {@code DecisionBenchmark} ({@code BIN_PACK}, 1,000
 * nodes) took 14 times as long on 2026-11-25.
 */
public final class KeptOrders {
  /** How many orders are kept up to date. */
  public static final int MOST = 16;

  private final Ledger ledger;

  /** The one used last is at the end. Never grows, so that every order that is kept is here. */
  private final List<ScoreOrder> orders = new ArrayList<>(MOST + 1);

  /** The nodes by name; null while no order is kept in blocks. */
  private NameOrder names;

  public KeptOrders(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The kept order of a rubric, or null. */
  public ScoreOrder find(Rubric rubric) {
    for (ScoreOrder order : orders) {
      if (order.rubric().equals(rubric)) {
        return order;
      }
    }
    return null;
  }

  /** Keeps an order up to date from now on. */
  public void keep(ScoreOrder order) {
    int last = orders.size() - 1;
    if (last >= 0 && orders.get(last) == order) {
      return;
    }
    int earlier = orders.indexOf(order);
    orders.add(order); // First: where the stack ends here, each order is still notified.
    if (earlier >= 0) {
      orders.remove(earlier);
    } else if (orders.size() > MOST) {
      orders.get(0).reshaped();
      orders.remove(0);
    }
  }

  /** The nodes by name, which follow the ledger from now on. */
  public NameOrder names() {
    if (names == null) {
      names = new NameOrder(ledger);
    }
    return names;
  }

  // ---- following the ledger ----

  /** Follows a change of what is left on a node. */
  public void settled(int node) {
    for (int i = 0; i < orders.size(); i++) {
      orders.get(i).settled(node);
    }
  }

  /** Follows a node that was added, or that got new accounts. */
  public void nodeAdded(int node) {
    if (names != null) {
      int before = names.relabelled();
      names.add(node);
      if (names.relabelled() != before) {
        orders.forEach(ScoreOrder::relabelled);
      }
    }
    for (int i = 0; i < orders.size(); i++) {
      orders.get(i).nodeAdded(node);
    }
  }

  /** Follows a node that is about to be removed, or to get new accounts. */
  public void nodeRemoving(int node) {
    for (int i = 0; i < orders.size(); i++) {
      orders.get(i).nodeRemoving(node);
    }
    if (names != null) {
      names.remove(node);
    }
  }

  /** Follows new levels of the index. */
  public void relevelled() {
    orders.forEach(ScoreOrder::relevelled);
  }

  /** Follows a change of the set of nodes. */
  public void reshaped() {
    names = null;
    orders.forEach(ScoreOrder::reshaped);
  }

  // ---- audit ----

  public void audit(Audit audit) {
    if (names != null) {
      names.audit(audit);
    }
    orders.forEach(order -> order.audit(audit));
  }
}
