package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;

/**
 * The members of a gang stand in one domain: in that of the first, or, for the first, in one that
 * has not been tried. Set by the engine for as long as it tries a gang.
 */
final class Confinement extends Constraint {
  /** Stands for any domain that has not been tried. */
  static final int ANY = -1;

  private static final Resources NOTHING = Resources.none();

  private final Ledger ledger;

  /**
   * The index of the level; negative while nobody is confined, below -1 where nothing stands there.
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

  /** Confines whoever is asked about from now on. */
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
    return in != Level.NOWHERE && (domain == ANY ? !tried[in] : in == domain);
  }

  @Override
  boolean uniform() {
    return false;
  }

  @Override
  boolean lasting() {
    return false;
  }

  /** Leaves out the nodes that are not in the one domain that all are confined to. */
  void leaveOut(Tally tally) {
    for (int node = 0; set && domain != ANY && node < tally.nodes(); node++) {
      if (ledger.topology().domainOf(level, node) != domain) {
        tally.leaveOut(node);
      }
    }
  }

  /**
   * Where the workload shares something of the level, that is told already. A node in another
   * domain has nothing to be told: the gang went elsewhere.
   */
  @Override
  void tell(int node, Broken told) {
    boolean nowhere = ledger.topology().domainOf(level, node) == Level.NOWHERE;
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
