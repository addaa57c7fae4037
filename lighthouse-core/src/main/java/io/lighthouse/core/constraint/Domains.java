package io.lighthouse.core.constraint;

import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.Requirements;
import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;
import io.lighthouse.core.ledger.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every domain that contains the node is open and has what the workload shares of it. It has
 * nothing negative to which the workload is not immune. The node also belongs to a domain at every
 * level of which the workload shares something.
 */
final class Domains extends Constraint {
  private final Topology topology;

  /** What counts of reasons are about: a level, and a resource there or none. */
  private record Key(String level, String about) {}

  private final List<Key> keys = new ArrayList<>();

  private Demand demand;

  /** The reason that was reported last. */
  private Reason reason;

  Domains(Ledger ledger) {
    topology = ledger.topology();
  }

  @Override
  boolean prepare(Demand wanted) {
    demand = wanted;
    keys.clear();
    if (demand.sharesUnknownLevel()) {
      return true;
    }
    for (int level = 0; level < demand.levelCount(); level++) {
      if (demand.shared(level) != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  boolean concernsPlain() {
    return false;
  }

  @Override
  boolean admits(int node) {
    return topology.suffices(node, demand) && unitsAllow(node);
  }

  private boolean unitsAllow(int node) {
    for (int i = 0; i < demand.levelCount(); i++) {
      Level level = topology.level(i);
      int domain = demand.shared(i) == null ? NodeTable.NONE : level.domainOf(node);
      if (domain != NodeTable.NONE
          && level.accounts().units().has(domain)
          && !level.accounts().units().allow(domain, wanted(level), immunities())) {
        return false;
      }
    }
    return true;
  }

  private Set<String> immunities() {
    return demand.workload().immunities();
  }

  private Resources wanted(Level level) {
    return demand.workload().terms().shared().getOrDefault(level.name(), Resources.none());
  }

  /** The answer is the same for all workloads that share nothing. */
  @Override
  boolean sameForEqualDemands() {
    return !demand.hasTerms();
  }

  // ---- reasons ----

  @Override
  void reportBroken(int node, Broken broken) {
    Set<String> names = new TreeSet<>(Names.order());
    for (int i = 0; i < topology.levelCount(); i++) {
      names.add(topology.level(i).name());
    }
    names.addAll(demand.workload().terms().shared().keySet());
    names.remove(Rule.FLEET);
    names.forEach(level -> report(node, level, broken));
    report(node, Rule.FLEET, broken);
  }

  private void reportNowhere(String level, Broken broken) {
    reason = new Reason.NoDomain(level, -1);
    broken.add(this, 0, Reason.Kind.NO_DOMAIN, key(level, ""), 1, 0);
  }

  private void report(int node, String name, Broken broken) {
    int index = topology.levelIndex(name);
    if (index < 0) {
      reportNowhere(name, broken);
    } else if (demand.shared(index) != null) {
      report(node, topology.level(index), demand.shared(index), broken);
    }
  }

  private void report(int node, Level level, Requirements shared, Broken broken) {
    int domain = level.domainOf(node);
    if (domain == NodeTable.NONE) {
      if (shared.size() > 0) {
        reportNowhere(level.name(), broken);
      }
      return;
    }
    if (level.accounts().cordoned(domain)) {
      reason = new Reason.At(level.name(), level.domains().nodeName(domain), new Reason.Cordoned());
      broken.add(this, 0, Reason.Kind.CORDONED, key(level.name(), ""), 0, 1);
    }
    for (String resource : resources(level, domain)) {
      report(level, domain, resource, shared, broken);
    }
  }

  /** The resources of a domain and those that are required of it, by name. */
  private Set<String> resources(Level level, int domain) {
    Set<String> names = new TreeSet<>(Names.order());
    names.addAll(wanted(level).names());
    Layout layout = level.accounts().layout(domain);
    for (int i = 0; i < layout.size(); i++) {
      names.add(level.resources().resource(layout.id(i)));
    }
    return names;
  }

  private void report(
      Level level, int domain, String resource, Requirements shared, Broken broken) {
    Resources wanted = wanted(level);
    Quantity required = wanted.get(resource).map(ResourceTable::required).orElse(Quantity.ZERO);
    int id = level.resources().resourceId(resource);
    int slot = id < 0 ? -1 : level.accounts().layout(domain).slot(id);
    if (slot < 0) {
      // Compared with 0, as on a node: a domain without the resource is infinitely far.
      int against = required.signum() == 0 ? 0 : 1;
      at(level, domain, resource, new Reason.Missing(resource, required), against, against, broken);
      return;
    }
    boolean immune = immunities().contains(resource);
    Unit unit = level.accounts().units().unit(domain, resource);
    if (!immune && !unit.allows(wanted.get(resource).orElse(Quantity.ZERO))) {
      Reason off = new Reason.OffUnit(resource, wanted.get(resource).orElseThrow(), unit);
      at(level, domain, resource, off, 1, 0, broken);
    }
    long account = level.accounts().left(domain, slot);
    Quantity left = level.resources().quantity(id, account);
    if (immune || required.compareTo(left) <= 0 && (wanted.has(resource) || left.signum() >= 0)) {
      return;
    }
    Quantity lacking = required.minus(left);
    int index = shared.indexOf(id);
    long need = index < 0 ? 0 : shared.need(index);
    boolean ward = account == Long.MIN_VALUE;
    Reason shortfall =
        left.signum() < 0
            ? new Reason.Negative(resource, left, required, lacking)
            : new Reason.Insufficient(resource, left, required, lacking);
    at(
        level,
        domain,
        resource,
        shortfall,
        ward ? 1 : need - account,
        ward ? 0 : Math.abs(need),
        broken);
  }

  private void at(
      Level level,
      int domain,
      String resource,
      Reason there,
      long lacking,
      long against,
      Broken broken) {
    reason = new Reason.At(level.name(), level.domains().nodeName(domain), there);
    broken.add(this, 0, there.kind(), key(level.name(), resource), lacking, against);
  }

  @Override
  public Reason reason(int node, int condition) {
    return reason;
  }

  private int key(String level, String about) {
    Key key = new Key(level, about);
    int at = keys.indexOf(key);
    if (at >= 0) {
      return at;
    }
    keys.add(key);
    return keys.size() - 1;
  }

  @Override
  String level(int key) {
    return keys.get(key).level();
  }

  @Override
  String about(int key) {
    return keys.get(key).about();
  }
}
