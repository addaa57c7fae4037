package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/**
 * The rules of one ledger, and the place where a rule is registered. A workload is prepared once.
 * After that, only the rules that could reject some node are evaluated on nodes.
 */
final class Constraints {
  /** How many of the first hard rules apply to a workload without terms in a plain fleet. */
  private static final int PLAIN = 2;

  final NodeResources resources;
  final Aversion aversion;

  /** The preferences of the current workload, apart from friendly nodes. */
  final Preferences soft;

  private final Confinement confinement;
  private final Cordons cordons;
  private final DomainNodes standing;

  /** Whether the current workload has preferences. */
  private boolean narrows;

  /** Whether preferences are treated as hard rules. */
  private boolean insisting;

  /** The hard rules, in the order in which their reasons are reported. */
  private final Constraint[] hard;

  /** The hard rules and the preferences: all rules that follow the ledger. */
  private final Constraint[] all;

  /** The hard rules that could reject the current workload; the first {@link #activeCount}. */
  private final Constraint[] active;

  private int activeCount;

  /**
   * The rules other than resources whose bitmaps may admit too many nodes; the first {@code
   * checkedCount}.
   */
  private final Constraint[] checked;

  private int checkedCount;

  /** Whether aversion has to be checked for any node. */
  private boolean prefers;

  /** The current workload, and the version at which it was prepared. */
  private Demand demand;

  private long serial;
  private long takenAt;
  private long changes;

  Constraints(Ledger ledger, NamedRules named) {
    resources = new NodeResources(ledger);
    aversion = new Aversion(ledger);
    // Rules are registered here.
    Selection selection = new Selection(ledger);
    PossibleNodes possible = new PossibleNodes(ledger, selection);
    standing = new DomainNodes(ledger);
    cordons = new Cordons(ledger);
    confinement = new Confinement(ledger);
    soft = new Preferences(ledger, selection, possible, standing, named);
    hard =
        new Constraint[] {
          cordons,
          resources,
          // The rules from here on apply only to terms, or to a fleet that is not plain.
          new NodeUnits(ledger),
          new Domains(ledger),
          selection,
          new GroupRules(ledger, possible, standing),
          new PlacedBounds(ledger),
          confinement,
          new PluginRules(ledger, named),
        };
    all = Arrays.copyOf(hard, hard.length + 1);
    all[hard.length] = aversion;
    active = new Constraint[hard.length + 1];
    checked = new Constraint[active.length];
  }

  /** Prepares a workload, unless it is the last one and nothing has changed since. */
  void take(Demand wanted) {
    if (wanted == demand && wanted.serial() == serial && takenAt == changes) {
      return;
    }
    demand = wanted;
    serial = wanted.serial();
    takenAt = changes;
    activeCount = 0;
    for (int i = 0; i < (wanted.isFreeOfTerms() ? PLAIN : hard.length); i++) {
      if (hard[i].ask(wanted)) {
        active[activeCount++] = hard[i];
      }
    }
    narrows = wanted.hasTerms() && soft.ask(wanted);
    if (narrows && insisting) {
      active[activeCount++] = soft;
    }
    prefers = aversion.ask(wanted);
  }

  /** Whether the current workload has preferences. */
  boolean narrows() {
    return narrows;
  }

  /** Requires excess 0 of all preferences from now on, or only the hard rules. */
  void insist(boolean on) {
    if (insisting != on) {
      insisting = on;
      changes++;
    }
  }

  /** Confines workloads to the domains of a level: to one, or to those that have not been tried. */
  void confine(String level, int domain, boolean[] tried) {
    confinement.set(level, domain, tried);
    changes++;
  }

  void liftConfinement() {
    confinement.lift();
    changes++;
  }

  /** How often something has changed that an answer depends on. */
  long changes() {
    return changes;
  }

  /** Whether the current workload fits a node, exactly. */
  boolean admits(int node) {
    return resources.admits(node) && admitsBeside(node);
  }

  /** Whether the rules other than resources admit the current workload to a node. */
  boolean admitsBeside(int node) {
    for (int i = 0; i < activeCount; i++) {
      if (active[i] != resources && !active[i].admits(node)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the current workload prefers some nodes to others. */
  boolean prefers() {
    return prefers;
  }

  /** Whether the current workload prefers other nodes to this one. */
  boolean averse(int node) {
    return prefers && aversion.excess(node) > 0;
  }

  /** Whether a search result for the current workload may be remembered by its needs. */
  boolean remembers() {
    for (int i = 0; i < activeCount; i++) {
      if (!isRemembered(active[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean isRemembered(Constraint rule) {
    return rule == resources || rule.uniform() && rule.lasting();
  }

  /**
   * Adds bitmaps of the hard rules. Those of rules whose searches may be remembered are added
   * unless they are present already. Those of the other rules are added on request.
   */
  void addRows(RowScan rows, boolean remembered, boolean others) {
    checkedCount = 0;
    for (int i = 0; i < activeCount; i++) {
      Constraint rule = active[i];
      boolean kept = isRemembered(rule);
      if (kept ? remembered : others) {
        rule.addRows(rows);
      }
      if (rule != resources && !((kept || others) && rule.rowsAreExact())) {
        checked[checkedCount++] = rule;
      }
    }
  }

  /** As {@link #admitsBeside}, for a node that has survived the added bitmaps. */
  boolean admitsSurvivor(int node) {
    for (int i = 0; i < checkedCount; i++) {
      if (!checked[i].admits(node)) {
        return false;
      }
    }
    assert admitsBeside(node) : "a row let node " + node + " pass";
    return true;
  }

  /** Adds the bitmaps of the hard rules except those of amounts, since a kept order has its own. */
  void addNameRows(RowScan rows) {
    for (int i = 0; i < activeCount; i++) {
      if (active[i] == resources) {
        resources.addNameRows(rows);
      } else {
        active[i].addRows(rows);
      }
    }
  }

  /** Adds the bitmaps of the preferences. */
  void addPreferredRows(RowScan rows) {
    if (prefers) {
      aversion.addRows(rows);
    }
  }

  /** Whether the bitmaps of the hard rules admit a node; false is certain. */
  boolean mayAdmit(int node) {
    for (int i = 0; i < activeCount; i++) {
      if (!active[i].mayAdmit(node)) {
        return false;
      }
    }
    return true;
  }

  /** Reports every broken condition of a node. */
  void tell(int node, Constraint.Broken told) {
    for (int i = 0; i < activeCount; i++) {
      active[i].tell(node, told);
    }
  }

  /**
   * Counts the broken conditions of all nodes, or of one domain where all workloads are confined to
   * it.
   */
  void count(Tally tally) {
    confinement.leaveOut(tally);
    for (int i = 0; i < activeCount; i++) {
      active[i].count(tally);
    }
  }

  // ---- following the ledger ----

  void charged(int node, Demand charged, int times) {
    changes++;
    resources.charged(node, charged, times);
  }

  /** Notes a change that no rule follows. */
  void loosened() {
    changes++;
  }

  void cordonChanged(int node) {
    changes++;
    for (Constraint rule : all) {
      rule.cordonChanged(node);
    }
  }

  void nodeCame(int node) {
    changes++;
    for (Constraint rule : all) {
      rule.nodeCame(node);
    }
  }

  void nodeLeaving(int node) {
    changes++;
    for (Constraint rule : all) {
      rule.nodeLeaving(node);
    }
  }

  void reshaped() {
    changes++;
    for (Constraint rule : all) {
      rule.reshaped();
    }
  }

  // ---- audit ----

  void audit(Audit audit) {
    cordons.audit(audit);
    resources.audit(audit);
    standing.audit(audit);
  }
}
