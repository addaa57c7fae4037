package io.lighthouse.core.view;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.core.order.ScoreOrder;

/** A kept order as a strategy sees it. */
public final class OrderView implements NodeOrder {
  final FleetView fleet;
  final ScoreOrder order;
  private final Rubric rubric;
  final boolean descending;

  OrderView(FleetView fleet, ScoreOrder order, Rubric rubric, boolean descending) {
    this.fleet = fleet;
    this.order = order;
    this.rubric = rubric;
    this.descending = descending;
  }

  /**
   * What the order weighs.
   *
   * @return its weights
   */
  public Rubric rubric() {
    return rubric;
  }

  /**
   * The direction of the order.
   *
   * @return true if the highest score comes first
   */
  public boolean isDescending() {
    return descending;
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
