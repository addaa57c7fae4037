package io.lighthouse.core.fleet;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.core.feasibility.ScoreOrder;

/** A kept order as a strategy sees it. */
final class OrderView implements NodeOrder {
  final FleetView fleet;
  final ScoreOrder order;
  final Rubric rubric;
  final boolean descending;

  OrderView(FleetView fleet, ScoreOrder order, Rubric rubric, boolean descending) {
    this.fleet = fleet;
    this.order = order;
    this.rubric = rubric;
    this.descending = descending;
  }

  @Override
  public NodeOrder descending() {
    return new OrderView(fleet, order, rubric, !descending);
  }

  @Override
  public int compare(FleetNode a, FleetNode b) {
    return order.compare(fleet.own(a), fleet.own(b), descending);
  }
}
