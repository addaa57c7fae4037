package io.lighthouse.core.fleet;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.core.feasibility.Finder;
import io.lighthouse.core.feasibility.ScoreOrder;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A ledger as a strategy sees it. */
public final class FleetView implements Fleet {
  final Ledger ledger;
  final Finder finder;

  /** Null where the problem has none. */
  private final Rubric rubric;

  /** The views of the nodes, in their order; made when first asked for, then null no more. */
  private final List<NodeView> views = new ArrayList<>();

  /**
   * A view of a ledger.
   *
   * @param ledger the accounts
   * @param rubric the rubric of the problem; null where it has none
   */
  public FleetView(Ledger ledger, Rubric rubric) {
    this.ledger = ledger;
    this.rubric = rubric;
    finder = new Finder(ledger);
  }

  /**
   * Keeps the views in step when a node has been removed.
   *
   * @param index the index that it had
   */
  public void removed(int index) {
    if (index < views.size()) {
      NodeView gone = views.remove(index);
      if (gone != null) {
        gone.index = NodeView.GONE;
      }
      for (NodeView view : views.subList(index, views.size())) {
        if (view != null) {
          view.index--;
        }
      }
    }
  }

  /**
   * The next node that a workload fits, averse or not.
   *
   * @param demand what the workload needs
   * @param from the index of the node to begin at
   * @return the index of a node, or {@link Finder#NONE}
   */
  public int next(Demand demand, int from) {
    return demand.missing() ? Finder.NONE : finder.next(demand, from, false);
  }

  /** The index of a node of this fleet. */
  int own(FleetNode node) {
    if (node instanceof NodeView view && view.isOf(this)) {
      return view.index;
    }
    throw new IllegalArgumentException(node + " is not of this fleet");
  }

  @Override
  public int size() {
    return ledger.nodeCount();
  }

  @Override
  public NodeView node(int index) {
    if (index < 0 || index >= ledger.nodeCount()) {
      throw new IndexOutOfBoundsException(
          "node " + index + " of a fleet of " + ledger.nodeCount() + " nodes");
    }
    while (views.size() <= index) {
      views.add(null);
    }
    NodeView view = views.get(index);
    if (view == null) {
      view = new NodeView(this, index);
      views.set(index, view);
    }
    return view;
  }

  @Override
  public int lastPlaced() {
    return ledger.lastPlaced();
  }

  @Override
  public Optional<Rubric> rubric() {
    return Optional.ofNullable(rubric);
  }

  @Override
  public NodeOrder orderBy(Rubric weights) {
    ScoreOrder order = finder.orderBy(weights);
    return new OrderView(this, order, false);
  }
}
