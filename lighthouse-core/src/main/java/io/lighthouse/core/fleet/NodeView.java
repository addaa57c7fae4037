package io.lighthouse.core.fleet;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.core.ledger.Ledger;
import java.util.List;
import java.util.Optional;

/** A node of a ledger as a strategy sees it. */
final class NodeView implements FleetNode {
  /** The index of a node that was removed. */
  static final int GONE = -1;

  /** What a strategy answers that wants no candidate. */
  static final NodeView DECLINED = new NodeView(null, GONE);

  private final FleetView fleet;
  int index;

  NodeView(FleetView fleet, int index) {
    this.fleet = fleet;
    this.index = index;
  }

  boolean isOf(FleetView other) {
    return fleet == other && index != GONE;
  }

  @Override
  public String name() {
    return ledger().nodeName(index);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public Optional<Quantity> left(String resource) {
    int slot = slot(resource);
    return slot < 0 ? Optional.empty() : Optional.of(quantity(slot, ledger().left(index, slot)));
  }

  @Override
  public Optional<Quantity> capacity(String resource) {
    int slot = slot(resource);
    return slot < 0
        ? Optional.empty()
        : Optional.of(quantity(slot, ledger().capacity(index, slot)));
  }

  @Override
  public Resources left() {
    return ledger().lefts(index);
  }

  @Override
  public Resources capacity() {
    return ledger().capacities(index);
  }

  @Override
  public int placedCount() {
    return ledger().held(index);
  }

  @Override
  public List<Workload> workloads() {
    return ledger().workloads(index);
  }

  @Override
  public String toString() {
    return index == GONE ? "no node" : "node '" + name() + "'";
  }

  private Ledger ledger() {
    if (index == GONE) {
      throw new IllegalStateException(
          this == DECLINED ? "declining is no node" : "the node was removed");
    }
    return fleet.ledger;
  }

  private int slot(String resource) {
    int id = ledger().resourceId(resource);
    return id < 0 ? -1 : ledger().layout(index).slot(id);
  }

  private Quantity quantity(int slot, long account) {
    return ledger().quantity(ledger().layout(index).id(slot), account);
  }
}
