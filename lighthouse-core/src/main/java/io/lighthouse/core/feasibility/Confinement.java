package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeTable;

/**
 * Keeps the members of a gang in one domain: that of the first member. The first member itself gets
 * a domain that has not been tried. The engine sets it for as long as it tries a gang.
 */
final class Confinement extends Constraint {
  /** Any domain that has not been tried. */
  static final int ANY = -1;

  private static final Resources NOTHING = Resources.none();

  private final Ledger ledger;

  /**
   * The index of the level; negative while no workload is confined, below -1 for a level without
   * nodes.
   */
  private int level;

  private boolean set;
  private String name;
  private int domain;

  /** By domain: whether it has been tried. */
  private boolean[] tried;

  private Demand demand;

  Confinement(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Confines all workloads from now on. */
  void set(String to, int in, boolean[] without) {
    set = true;
    name = to;
    level = ledger.topology().levelIndex(to);
    domain = in;
    tried = without;
  }

  void lift() {
    set = false;
  }

  @Override
  boolean ask(Demand wanted) {
    demand = wanted;
    return set;
  }

  @Override
  boolean admits(int node) {
    int in = ledger.topology().domainOf(level, node);
    return in != NodeTable.NONE && (domain == ANY ? !tried[in] : in == domain);
  }

  @Override
  boolean uniform() {
    return false;
  }

  @Override
  boolean lasting() {
    return false;
  }

  /** Leaves out the nodes outside the one domain that all workloads are confined to. */
  void leaveOut(Tally tally) {
    for (int node = 0; set && domain != ANY && node < tally.nodes(); node++) {
      if (ledger.topology().domainOf(level, node) != domain) {
        tally.leaveOut(node);
      }
    }
  }

  /**
   * Reports a node outside the level, unless the workload shares something of the level: then
   * another rule reports it. A node in another domain has no reason: the gang was placed elsewhere.
   */
  @Override
  void tell(int node, Broken told) {
    boolean nowhere = ledger.topology().domainOf(level, node) == NodeTable.NONE;
    if (nowhere && demand.workload().terms().shared().getOrDefault(name, NOTHING).size() == 0) {
      told.add(this, 0, Reason.Kind.NO_DOMAIN, 0, 1, 0);
    }
  }

  @Override
  Reason reason(int node, int condition) {
    return new Reason.NoDomain(name, -1);
  }

  @Override
  String level(int key) {
    return name;
  }
}
