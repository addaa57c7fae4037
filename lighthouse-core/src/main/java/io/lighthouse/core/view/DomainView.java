package io.lighthouse.core.view;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Members;
import java.util.ArrayList;
import java.util.List;

/** A domain of a ledger as a strategy or rule sees it; found anew by its name at each question. */
record DomainView(FleetView fleet, String level, String name) implements FleetDomain {
  @Override
  public Resources left() {
    int domain = slot();
    return domain < 0
        ? Resources.none()
        : ledger().topology().level(index()).accounts().lefts(domain);
  }

  @Override
  public Resources capacity() {
    int domain = slot();
    return domain < 0
        ? Resources.none()
        : ledger().topology().level(index()).accounts().capacities(domain);
  }

  @Override
  public List<FleetNode> nodes() {
    List<FleetNode> nodes = new ArrayList<>();
    int domain = slot();
    if (domain >= 0) {
      for (int node : fleet.finder.domainNodes().nodes(index(), domain)) {
        nodes.add(fleet.at(node));
      }
    }
    return List.copyOf(nodes);
  }

  @Override
  public int members(String group) {
    int members = 0;
    for (FleetNode node : nodes()) {
      for (Workload workload : node.workloads()) {
        boolean is = Members.isMember(workload.aversionGroups(), workload.terms(), group);
        members += is ? 1 : 0;
      }
    }
    return members;
  }

  private Ledger ledger() {
    return fleet.ledger;
  }

  private int index() {
    return ledger().topology().levelIndex(level);
  }

  /** The slot of the domain; -1 where nothing names it any more. */
  private int slot() {
    return index() < 0 ? -1 : ledger().topology().level(index()).domain(name);
  }

  /** The same in every run, so without the fleet. */
  @Override
  public int hashCode() {
    return 31 * level.hashCode() + name.hashCode();
  }

  @Override
  public String toString() {
    return level + " '" + name + "'";
  }
}
