package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/**
 * The rules of one ledger, and the place where a rule is registered. A workload is taken up once;
 * only the rules that could say no of some node are asked about nodes then.
 */
final class Constraints {
  /** So many hard rules, the first, may say no to a workload without terms in a plain fleet. */
  private static final int PLAIN = 2;

  final NodeResources resources;
  final Aversion aversion;

  /** What the workload at hand would rather have, beside friendly nodes. */
  final Preferences soft;

  private final Confinement confinement;
  private final Cordons cordons;
  private final DomainNodes standing;

  /** Whether the workload at hand has preferences. */
  private boolean narrows;

  /** Whether these are asked for as if they were hard. */
  private boolean insisting;

  /** The hard rules, in the order in which their reasons are told. */
  private final Constraint[] hard;

  /** These and what is preferred: whoever follows the ledger. */
  private final Constraint[] all;

  /** The hard rules that could say no to the workload at hand; the first {@link #activeCount}. */
  private final Constraint[] active;

  private int activeCount;

  /** Those beside resources whose rows may have let too many pass; the first so many. */
  private final Constraint[] checked;

  private int checkedCount;

  /** Whether the aversion of any node is to be asked. */
  private boolean prefers;

  /** The workload at hand, and when it was taken up. */
  private Demand demand;

  private long serial;
  private long takenAt;
  private long changes;

  Constraints(Ledger ledger, NamedRules named) {
    resources = new NodeResources(ledger);
    aversion = new Aversion(ledger);
    // Here a rule is registered.
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
          // From here on only for terms, or for a fleet that is not plain.
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

  /** Takes up a workload, unless that is the last one and nothing has changed since. */
  void take(Demand wanted) {
    if (wanted == demand && wanted.serial() == serial && takenAt == changes) {
      return;
    }
    demand = wanted;
    serial = wanted.serial();
    takenAt = changes;
    activeCount = 0;
    for (int i = 0; i < (wanted.plain() ? PLAIN : hard.length); i++) {
      if (hard[i].ask(wanted)) {
        active[activeCount++] = hard[i];
      }
    }
    narrows = wanted.termed() && soft.ask(wanted);
    if (narrows && insisting) {
      active[activeCount++] = soft;
    }
    prefers = aversion.ask(wanted);
  }

  /** Whether the workload at hand has preferences. */
  boolean narrows() {
    return narrows;
  }

  /** Asks for excess 0 of all preferences from now on, or only for what is hard. */
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

  /** How often something has changed that an answer hangs on. */
  long changes() {
    return changes;
  }

  /** Whether the workload at hand fits a node, exactly. */
  boolean admits(int node) {
    return resources.admits(node) && admitsBeside(node);
  }

  /** Whether the rules beside its resources admit the workload at hand to a node. */
  boolean admitsBeside(int node) {
    for (int i = 0; i < activeCount; i++) {
      if (active[i] != resources && !active[i].admits(node)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the workload at hand prefers some nodes to others. */
  boolean prefers() {
    return prefers;
  }

  /** Whether the workload at hand prefers other nodes to this one. */
  boolean averse(int node) {
    return prefers && aversion.excess(node) > 0;
  }

  /** Whether what a search for the workload at hand finds out may be remembered by its needs. */
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
   * Adds rows of the hard rules: of those of which a search may be remembered, unless these are
   * there already, and of the others where they are wanted.
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

  /** As {@link #admitsBeside}, of a node that has survived the rows that were added. */
  boolean admitsSurvivor(int node) {
    for (int i = 0; i < checkedCount; i++) {
      if (!checked[i].admits(node)) {
        return false;
      }
    }
    assert admitsBeside(node) : "a row let node " + node + " pass";
    return true;
  }

  /**
   * Adds the rows of the hard rules, but for the rows of amounts, which a kept order has of its
   * own.
   */
  void addNameRows(RowScan rows) {
    for (int i = 0; i < activeCount; i++) {
      if (active[i] == resources) {
        resources.addNameRows(rows);
      } else {
        active[i].addRows(rows);
      }
    }
  }

  /** Adds the rows of what is preferred. */
  void addPreferredRows(RowScan rows) {
    if (prefers) {
      aversion.addRows(rows);
    }
  }

  /** Whether the rows of the hard rules admit a node; a no is sure. */
  boolean mayAdmit(int node) {
    for (int i = 0; i < activeCount; i++) {
      if (!active[i].mayAdmit(node)) {
        return false;
      }
    }
    return true;
  }

  /** Tells every broken condition of a node. */
  void tell(int node, Constraint.Broken told) {
    for (int i = 0; i < activeCount; i++) {
      active[i].tell(node, told);
    }
  }

  /** Counts the broken conditions of all nodes; of one domain, where all are confined to it. */
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

  /** Something has changed that no rule keeps in step with. */
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
