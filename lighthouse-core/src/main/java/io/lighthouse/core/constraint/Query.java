package io.lighthouse.core.constraint;

import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.BitSet;
import java.util.stream.Stream;

/**
 * The constraints of one demand, bound at one moment. It answers for that demand only, whatever
 * other queries are open. It holds until the fleet changes.
 *
 * <p>Its objects are pooled, so each query must be closed and not be used afterwards.
 */
public final class Query implements AutoCloseable {
  /** How preferences are treated. */
  public enum Mode {
    /** Only hard rules reject nodes. */
    HARD,
    /** Nodes that do not satisfy all preferences are rejected, too. */
    PREFERENCES_REQUIRED
  }

  public final NodeResources resources;
  public final Aversion aversion;

  /** The preferences of the workload, apart from friendly nodes. */
  public final Preferences preferences;

  private final Constraints constraints;
  private final Confinement confinement;
  private final PluginRules plugins;

  /** The hard rules, in the order in which they are checked. */
  private final Constraint[] hard;

  /** Those of {@link #hard} that concern a workload without terms in a plain fleet, in order. */
  private final Constraint[] plain;

  /** The hard rules that could reject the workload; the first {@link #activeCount}. */
  private final Constraint[] active;

  private int activeCount;

  /** When the demand was bound. */
  private final Clock.Stamp bound;

  private Demand demand;
  private Within within;

  /** Whether aversion has to be checked for any node. */
  private boolean prefersFriendly;

  private boolean hasPreferences;

  /** The slots of the candidates; null until they are gathered. */
  private BitSet candidates;

  Query(Ledger ledger, Constraints of) {
    constraints = of;
    bound = ledger.clock().stamp(Clock.Scope.ANYTHING);
    resources = new NodeResources(ledger, of.resourceRows);
    confinement = new Confinement(ledger);
    plugins = new PluginRules(of);
    aversion = new Aversion(ledger);
    preferences = new Preferences(ledger, of);
    // Rules are registered here.
    hard =
        new Constraint[] {
          new Cordons(ledger, of.openNodes),
          resources,
          new NodeUnits(ledger),
          new Domains(ledger),
          new Selection(of.selectionRows),
          new GroupRules(ledger, of),
          new PlacedBounds(ledger, of.domainNodes),
          confinement,
          plugins,
        };
    plain = Stream.of(hard).filter(Constraint::concernsPlain).toArray(Constraint[]::new);
    active = new Constraint[hard.length + 1];
  }

  void open(Demand wanted, Mode mode, Within domains) {
    demand = wanted;
    within = domains;
    candidates = null;
    bound.renew();
    confinement.set(domains);
    activeCount = 0;
    assert !wanted.isFreeOfTerms() || noOtherRuleRejects(wanted) : "a rule outside `plain` rejects";
    for (Constraint rule : wanted.isFreeOfTerms() ? plain : hard) {
      if (rule.prepare(wanted)) {
        active[activeCount++] = rule;
      }
    }
    boolean prefers = wanted.hasTerms() && preferences.prepare(wanted);
    hasPreferences = prefers && mode == Mode.HARD;
    if (prefers && mode == Mode.PREFERENCES_REQUIRED) {
      active[activeCount++] = preferences;
    }
    prefersFriendly = aversion.prepare(wanted);
  }

  /** Whether no rule outside {@link #plain} could reject a workload; for assertions. */
  private boolean noOtherRuleRejects(Demand wanted) {
    return Stream.of(hard).noneMatch(rule -> !rule.concernsPlain() && rule.prepare(wanted));
  }

  /** Gives the objects of the query back for later ones. */
  @Override
  public void close() {
    demand = null;
    resources.close();
    constraints.free(this);
  }

  /** The demand that the query answers for. */
  public Demand demand() {
    return demand;
  }

  /** The domains that the query is confined to. */
  public Within within() {
    return within;
  }

  /**
   * Whether the confinement, if any, admits a node. A node outside of it may have no broken
   * condition.
   */
  public boolean isWithin(int node) {
    return !confinement.isSet() || confinement.admits(node);
  }

  /**
   * Whether nothing that an answer depends on has changed since the demand was bound. If not, it
   * has to be bound again.
   */
  public boolean isCurrent() {
    return demand != null && bound.isCurrent();
  }

  // ---- one node ----

  /** Whether the workload fits a node, exactly. */
  public boolean fits(int node) {
    assert isCurrent() : "a query outlived a change";
    return resources.admits(node) && fitsBeside(node);
  }

  /**
   * Evaluates the rules of plug-ins again on a node that one of them may have judged differently
   * before. Does nothing where another condition is not met, for they are not evaluated there.
   *
   * @throws io.lighthouse.api.rule.RuleException if one judges it differently each time
   */
  public void verifyRules(int node) {
    for (int i = 0; i < activeCount; i++) {
      boolean isOfPlugin = active[i] == plugins || active[i] == preferences;
      if (!isOfPlugin && !active[i].admits(node)) {
        return;
      }
    }
    for (int i = 0; i < activeCount; i++) {
      if (active[i] == plugins) {
        plugins.verify(node);
      } else if (active[i] == preferences) {
        preferences.verify(node);
      }
    }
    if (hasPreferences) {
      preferences.verify(node);
    }
  }

  /** Whether the rules other than resources admit the workload to a node. */
  public boolean fitsBeside(int node) {
    for (int i = 0; i < activeCount; i++) {
      if (active[i] != resources && !active[i].admits(node)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a node holds a workload that shares an aversion group with this one. */
  public boolean averse(int node) {
    return prefersFriendly && !aversion.admits(node);
  }

  /** Whether some node is averse to the workload. */
  public boolean prefersFriendly() {
    return prefersFriendly;
  }

  /** Whether the nodes that fit are to be compared by preferences. */
  public boolean hasPreferences() {
    return hasPreferences;
  }

  /** Whether a search result may be remembered by the needs of the workload. */
  public boolean isRemembered() {
    for (int i = 0; i < activeCount; i++) {
      if (!active[i].sameForEqualDemands()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a node that a plain workload fits takes as many equal ones as its resources are enough
   * for. A rule that rejects no node yet may do so after some of them.
   */
  public boolean isLimitedByResourcesOnly() {
    for (Constraint rule : plain) {
      if (rule != resources && rule.changesWithPlacements()) {
        return false;
      }
    }
    return true;
  }

  // ---- all nodes ----

  /** Adds bitmaps of the hard rules: of all, or only of those whose searches may be remembered. */
  public void addRows(RowScan rows, boolean all) {
    for (int i = 0; i < activeCount; i++) {
      if (all || active[i].sameForEqualDemands()) {
        active[i].addRows(rows);
      }
    }
  }

  /** Adds the bitmaps of the hard rules except those of amounts, since a kept order has its own. */
  public void addNameRows(RowScan rows) {
    for (int i = 0; i < activeCount; i++) {
      if (active[i] == resources) {
        resources.addNameRows(rows);
      } else {
        active[i].addRows(rows);
      }
    }
  }

  /** Adds the bitmaps of the friendly nodes. */
  public void addFriendlyRows(RowScan rows) {
    if (prefersFriendly) {
      aversion.addRows(rows);
    }
  }

  /** Whether the bitmaps of the hard rules admit a node; false is certain. */
  public boolean mayFit(int node) {
    for (int i = 0; i < activeCount; i++) {
      if (!active[i].mayAdmit(node)) {
        return false;
      }
    }
    return true;
  }

  /** The slots of the candidates; null until they are gathered. */
  public BitSet candidates() {
    return candidates;
  }

  public void candidates(BitSet gathered) {
    candidates = gathered;
  }

  // ---- reasons ----

  /** Reports every broken condition of a node, rule by rule; the confinement to a domain last. */
  public void reportBroken(int node, Constraint.Broken broken) {
    for (int i = 0; i < activeCount; i++) {
      if (active[i] != confinement) {
        active[i].reportBroken(node, broken);
      }
    }
    if (confinement.isSet()) {
      confinement.reportBroken(node, broken);
    }
  }

  /** Counts the broken conditions of all nodes, or of the one domain that it is confined to. */
  public void count(Tally tally) {
    confinement.leaveOut(tally);
    resources.count(tally);
    for (int node = 0; activeCount > 1 && node < tally.nodes(); node++) {
      for (int i = 0; i < activeCount; i++) {
        if (active[i] != resources) {
          tally.count(node, active[i]);
        }
      }
    }
  }
}
