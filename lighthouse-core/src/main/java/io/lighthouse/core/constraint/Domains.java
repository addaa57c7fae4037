package io.lighthouse.core.constraint;

import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.Requirements;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;
import io.lighthouse.core.ledger.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Every domain that contains the node is open and has what the workload shares of it. It has
 * nothing negative to which the workload is not immune. The node also belongs to a domain at every
 * level of which the workload shares something.
 */
final class Domains extends Constraint {
  private final Topology topology;

  /** What the counts of reasons are about: a level, and a resource there. */
  private final List<String> levels = new ArrayList<>();

  private final List<String> abouts = new ArrayList<>();

  private Demand demand;

  /** The reason that was reported last. */
  private Reason reason;

  Domains(Ledger ledger) {
    topology = ledger.topology();
  }

  @Override
  boolean prepare(Demand wanted) {
    demand = wanted;
    levels.clear();
    abouts.clear();
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
      Requirements shared = demand.shared(i);
      int domain = shared == null ? NodeTable.NONE : topology.level(i).domainOf(node);
      if (domain == NodeTable.NONE || !topology.level(i).accounts().units().has(domain)) {
        continue;
      }
      Resources wanted = wanted(topology.level(i));
      for (int k = 0; k < wanted.size(); k++) {
        if (!allows(topology.level(i), domain, wanted, k)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean allows(Level level, int domain, Resources wanted, int index) {
    Unit unit = level.accounts().units().unit(domain, wanted.name(index));
    return unit == Unit.ANY
        || demand.workload().immunities().contains(wanted.name(index))
        || unit.allows(wanted.quantity(index));
  }

  private Resources wanted(Level level) {
    return demand.workload().terms().shared().getOrDefault(level.name(), Resources.none());
  }

  /**
   * The answer is the same for all workloads that share nothing and have no immunities. An immunity
   * may be to a resource that only domains have.
   */
  @Override
  boolean sameForEqualDemands() {
    return !demand.hasTerms() && !demand.hasImmunities();
  }

  // ---- reasons ----

  @Override
  void reportBroken(int node, Broken broken) {
    List<Level> sorted = new ArrayList<>();
    for (int i = 1; i < topology.levelCount(); i++) {
      sorted.add(topology.level(i));
    }
    sorted.sort(Comparator.comparing(Level::name, Names.order()));
    sorted.add(topology.level(0));
    List<String> unknown = new ArrayList<>();
    for (String level : demand.workload().terms().shared().keySet()) {
      if (topology.levelIndex(level) < 0) {
        unknown.add(level);
      }
    }
    for (Level level : sorted) {
      while (!unknown.isEmpty()
          && Names.compare(unknown.get(0), level.name()) < 0
          && level != topology.level(0)) {
        reportNowhere(unknown.remove(0), broken);
      }
      if (level == topology.level(0)) {
        unknown.forEach(name -> reportNowhere(name, broken));
      }
      report(node, level, broken);
    }
  }

  private void reportNowhere(String level, Broken broken) {
    reason = new Reason.NoDomain(level, -1);
    broken.add(this, 0, Reason.Kind.NO_DOMAIN, key(level, ""), 1, 0);
  }

  private void report(int node, Level level, Broken broken) {
    Requirements shared = demand.shared(topology.levelIndex(level.name()));
    if (shared == null) {
      return;
    }
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
  private List<String> resources(Level level, int domain) {
    List<String> names = new ArrayList<>(wanted(level).names());
    Layout layout = level.accounts().layout(domain);
    for (int i = 0; i < layout.size(); i++) {
      String name = level.resources().resource(layout.id(i));
      if (!names.contains(name)) {
        names.add(name);
      }
    }
    names.sort(Names.order());
    return names;
  }

  private void report(
      Level level, int domain, String resource, Requirements shared, Broken broken) {
    Resources wanted = wanted(level);
    Quantity required = wanted.get(resource).map(Domains::asTaken).orElse(Quantity.ZERO);
    int id = level.resources().resourceId(resource);
    int slot = id < 0 ? -1 : level.accounts().layout(domain).slot(id);
    if (slot < 0) {
      // Compared with 0, as on a node: a domain without the resource is infinitely far.
      int against = required.signum() == 0 ? 0 : 1;
      at(level, domain, resource, new Reason.Missing(resource, required), against, against, broken);
      return;
    }
    boolean immune = demand.workload().immunities().contains(resource);
    Unit unit = level.accounts().units().unit(domain, resource);
    if (!immune && !unit.allows(wanted.get(resource).orElse(Quantity.ZERO))) {
      Reason off = new Reason.OffUnit(resource, wanted.get(resource).orElseThrow(), unit);
      at(level, domain, resource, off, 1, 0, broken);
    }
    Quantity left = level.resources().quantity(id, level.accounts().left(domain, slot));
    if (immune || required.compareTo(left) <= 0 && (wanted.has(resource) || left.signum() >= 0)) {
      return;
    }
    Quantity lacking = required.minus(left);
    int index = shared.indexOf(id);
    long need = index < 0 ? 0 : shared.need(index);
    long lacks =
        level.accounts().left(domain, slot) == Long.MIN_VALUE
            ? 1
            : need - level.accounts().left(domain, slot);
    long against =
        index < 0 || level.accounts().left(domain, slot) == Long.MIN_VALUE ? 0 : Math.abs(need);
    Reason shortfall =
        left.signum() < 0
            ? new Reason.Negative(resource, left, required, lacking)
            : new Reason.Insufficient(resource, left, required, lacking);
    at(level, domain, resource, shortfall, lacks, against, broken);
  }

  /** The amount as the ledger reads it: at most nine digits, rounded up. */
  private static Quantity asTaken(Quantity quantity) {
    return quantity.rounded(java.math.RoundingMode.CEILING);
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
    for (int i = 0; i < levels.size(); i++) {
      if (levels.get(i).equals(level) && abouts.get(i).equals(about)) {
        return i;
      }
    }
    levels.add(level);
    abouts.add(about);
    return levels.size() - 1;
  }

  @Override
  String level(int key) {
    return levels.get(key);
  }

  @Override
  String about(int key) {
    return abouts.get(key);
  }
}
