package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/**
 * Keeps the members of a gang in one domain: that of the first member. The first member itself gets
 * a domain that has not been tried.
 */
final class Confinement extends Constraint {
  private static final Resources NOTHING = Resources.none();

  private final Ledger ledger;
  private Within within = Within.FLEET;

  /** The index of the level; below -1 for a level without nodes. */
  private int level;

  private Demand demand;

  Confinement(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Confines the query to domains of a level. */
  void set(Within domains) {
    within = domains;
    if (isSet()) {
      level = ledger.topology().levelIndex(domains.level());
    }
  }

  /** Whether the query is confined at all. */
  boolean isSet() {
    return within != Within.FLEET;
  }

  @Override
  boolean prepare(Demand wanted) {
    demand = wanted;
    return isSet();
  }

  @Override
  boolean admits(int node) {
    int in = ledger.topology().domainOf(level, node);
    return in != NodeTable.NONE
        && (within.domain() == Within.ANY ? !within.tried()[in] : in == within.domain());
  }

  @Override
  boolean changesWithPlacements() {
    return false;
  }

  /** Leaves out the nodes outside the one domain that all workloads are confined to. */
  void leaveOut(Tally tally) {
    boolean one = isSet() && within.domain() != Within.ANY;
    for (int node = 0; one && node < tally.nodes(); node++) {
      if (ledger.topology().domainOf(level, node) != within.domain()) {
        tally.leaveOut(node);
      }
    }
  }

  /**
   * Reports a node outside the level, unless the workload shares something of the level: then
   * another rule reports it. A node in another domain has no reason: the gang was placed elsewhere.
   */
  @Override
  void reportBroken(int node, Broken broken) {
    boolean nowhere = ledger.topology().domainOf(level, node) == NodeTable.NONE;
    if (nowhere
        && demand.workload().terms().shared().getOrDefault(within.level(), NOTHING).size() == 0) {
      broken.add(this, 0, Reason.Kind.NO_DOMAIN, 0, 1, 0);
    }
  }

  @Override
  public Reason reason(int node, int condition) {
    return new Reason.NoDomain(within.level(), -1);
  }

  @Override
  String level(int key) {
    return within.level();
  }
}
