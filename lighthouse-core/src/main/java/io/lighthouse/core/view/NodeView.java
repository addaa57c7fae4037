package io.lighthouse.core.view;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.core.ledger.Ledger;
import java.util.List;
import java.util.Optional;

/** A node of a ledger as a strategy sees it. */
public final class NodeView implements FleetNode {
  /** The slot of a node that was removed. */
  static final int GONE = -1;

  /** The answer of a strategy that declines all candidates. */
  public static final NodeView DECLINED = new NodeView(null, GONE);

  private final FleetView fleet;
  int slot;

  NodeView(FleetView fleet, int slot) {
    this.fleet = fleet;
    this.slot = slot;
  }

  /** Whether this is a node of a fleet, and was not removed. */
  public boolean isOf(FleetView other) {
    return fleet == other && slot != GONE && fleet.ledger.nodes().alive(slot);
  }

  /** The slot of the node in its ledger; {@value #GONE} if it was removed. */
  public int slot() {
    return slot;
  }

  @Override
  public String name() {
    return ledger().nodes().nodeName(slot);
  }

  @Override
  public int index() {
    return ledger().nodes().index(slot);
  }

  @Override
  public Optional<Quantity> left(String resource) {
    int at = at(resource);
    return at < 0
        ? Optional.empty()
        : Optional.of(quantity(at, ledger().accounts().left(slot, at)));
  }

  @Override
  public Optional<Quantity> capacity(String resource) {
    int at = at(resource);
    return at < 0
        ? Optional.empty()
        : Optional.of(quantity(at, ledger().accounts().capacity(slot, at)));
  }

  @Override
  public Resources left() {
    return ledger().accounts().lefts(slot);
  }

  @Override
  public Resources capacity() {
    return ledger().accounts().capacities(slot);
  }

  @Override
  public int placedCount() {
    return ledger().placements().count(slot);
  }

  @Override
  public List<Workload> workloads() {
    return ledger().placements().workloads(slot);
  }

  @Override
  public Optional<FleetDomain> domain(String level) {
    Ledger of = ledger();
    int index = of.topology().levelIndex(level);
    int domain = index < 0 ? -1 : of.topology().domainOf(index, slot);
    return domain < 0
        ? Optional.empty()
        : Optional.of(new DomainView(fleet, level, of.topology().domainName(index, domain)));
  }

  @Override
  public String toString() {
    return slot == GONE || !fleet.ledger.nodes().alive(slot) ? "no node" : "node '" + name() + "'";
  }

  private Ledger ledger() {
    if (slot == GONE || !fleet.ledger.nodes().alive(slot)) {
      throw new IllegalStateException(
          this == DECLINED ? "declining is no node" : "the node was removed");
    }
    return fleet.ledger;
  }

  /** The index of the account of a resource in those of the node; -1 where it has none. */
  private int at(String resource) {
    int id = ledger().resources().resourceId(resource);
    return id < 0 ? -1 : ledger().accounts().layout(slot).slot(id);
  }

  private Quantity quantity(int at, long account) {
    return ledger().resources().quantity(ledger().accounts().layout(slot).id(at), account);
  }
}
