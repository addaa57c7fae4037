package io.lighthouse.core.view;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.core.order.ScoreOrder;

/** A kept order as a strategy sees it. */
public final class OrderView implements NodeOrder {
  final FleetView fleet;
  final ScoreOrder order;
  final boolean descending;

  OrderView(FleetView fleet, ScoreOrder order, boolean descending) {
    this.fleet = fleet;
    this.order = order;
    this.descending = descending;
  }

  /** What the order weighs. */
  public Rubric rubric() {
    return order.rubric();
  }

  /** Whether the highest score comes first. */
  public boolean isDescending() {
    return descending;
  }

  @Override
  public NodeOrder descending() {
    return new OrderView(fleet, order, !descending);
  }

  @Override
  public int compare(FleetNode a, FleetNode b) {
    return order.compare(fleet.own(a), fleet.own(b), descending);
  }
}
