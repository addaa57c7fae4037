package io.lighthouse.core.feasibility;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the nodes that fit a workload, friendly ones first. Every question is answered in one pass:
 * while no friendly node is found, the first averse one that fits is kept.
 */
public final class Finder implements LedgerListener {
  /** What a question answers where nothing fits. */
  public static final int NONE = -1;

  private final Ledger ledger;
  private final List<ScoreOrder> orders = new ArrayList<>();

  /**
   * A finder that follows a ledger from now on.
   *
   * @param ledger the accounts
   */
  public Finder(Ledger ledger) {
    this.ledger = ledger;
    ledger.listen(this);
  }

  /**
   * An order that is kept from now on.
   *
   * @param rubric the weights
   * @return the order; the same one for an equal rubric
   */
  public ScoreOrder orderBy(Rubric rubric) {
    for (ScoreOrder order : orders) {
      if (order.rubric().equals(rubric)) {
        return order;
      }
    }
    ScoreOrder order = new ScoreOrder(rubric, ledger);
    orders.add(order);
    return order;
  }

  /**
   * The first friendly node that fits, from a node on, wrapping round once; if there is none, the
   * first averse one.
   *
   * @param demand what the workload needs
   * @param from the index of the node to begin at, from 0 to the number of nodes
   * @return the index of a node, or {@link #NONE}
   */
  public int first(Demand demand, int from) {
    int nodes = ledger.nodeCount();
    int averse = NONE;
    for (int i = 0, node = from; i < nodes; i++, node++) {
      if (node >= nodes) {
        node = 0;
      }
      if (Fit.fits(ledger, node, demand)) {
        if (!Fit.averse(node, demand)) {
          return node;
        }
        averse = averse == NONE ? node : averse;
      }
    }
    return averse;
  }

  /**
   * The first friendly node that fits, in a kept order; if there is none, the first averse one.
   *
   * @param demand what the workload needs
   * @param order the order
   * @param descending whether from its other end
   * @return the index of a node, or {@link #NONE}
   */
  public int first(Demand demand, ScoreOrder order, boolean descending) {
    int friendly = NONE;
    int averse = NONE;
    for (int node = 0; node < ledger.nodeCount(); node++) {
      if (Fit.fits(ledger, node, demand)) {
        if (!Fit.averse(node, demand)) {
          if (friendly == NONE || order.compare(node, friendly, descending) < 0) {
            friendly = node;
          }
        } else if (friendly == NONE
            && (averse == NONE || order.compare(node, averse, descending) < 0)) {
          averse = node;
        }
      }
    }
    return friendly != NONE ? friendly : averse;
  }

  /**
   * The next node that fits, without wrapping.
   *
   * @param demand what the workload needs
   * @param from the index of the node to begin at
   * @param friendlyOnly whether averse nodes are passed over
   * @return the index of a node, or {@link #NONE}
   */
  public int next(Demand demand, int from, boolean friendlyOnly) {
    for (int node = from; node < ledger.nodeCount(); node++) {
      if (Fit.fits(ledger, node, demand) && !(friendlyOnly && Fit.averse(node, demand))) {
        return node;
      }
    }
    return NONE;
  }

  @Override
  public void leftChanged(int node, int slot, long before, long after) {
    // Scores are computed when they are asked for.
  }

  @Override
  public void cordonChanged(int node) {
    // Read when it is asked for.
  }

  @Override
  public void reshaped() {
    for (ScoreOrder order : orders) {
      order.reshaped();
    }
  }
}
