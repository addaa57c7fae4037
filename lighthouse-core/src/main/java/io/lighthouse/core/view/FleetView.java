package io.lighthouse.core.view;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.load.LoadIndex;
import io.lighthouse.core.load.LoadRule;
import io.lighthouse.core.registry.Registry;
import io.lighthouse.core.search.Explainer;
import io.lighthouse.core.search.Finder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A ledger as a strategy sees it: nodes go by their place in the order of nodes, the index. */
public final class FleetView implements Fleet, LedgerListener {
  final Ledger ledger;
  final Finder finder;
  private final Explainer explainer;
  private final RuleViews rules;

  /** Null where the problem has none. */
  private final Rubric rubric;

  /** By slot the view of its node; null before its first use. */
  private NodeView[] views = {};

  private final AmountsView amounts;

  /** By rule; null until it is first needed. */
  private final LoadIndex[] loads = new LoadIndex[LoadRule.values().length];

  /** What Lighthouse itself threw inside a question of the strategy; null where nothing. */
  private Throwable broken;

  /** Whether the stack or the memory was exhausted, perhaps in the middle of a change. */
  private boolean exhausted;

  /**
   * A view of a ledger.
   *
   * @param rubric the rubric of the problem; null where it has none
   * @param rules the rules of plug-ins that are there
   */
  public FleetView(Ledger ledger, Rubric rubric, Registry<PlacementRule, RuleDescription> rules) {
    this.ledger = ledger;
    this.rubric = rubric;
    this.rules = new RuleViews(this, rules);
    finder = new Finder(ledger, this.rules);
    explainer = new Explainer(finder);
    amounts = new AmountsView(this);
    ledger.listen(this);
  }

  /** The finder that answers for this fleet. */
  public Finder finder() {
    return finder;
  }

  /** What explains the answers of the finder. */
  public Explainer explainer() {
    return explainer;
  }

  /** The accounts of this fleet. */
  public Ledger ledger() {
    return ledger;
  }

  /** The index of loads for a rule, kept from now on. */
  public LoadIndex loads(LoadRule rule) {
    if (loads[rule.ordinal()] == null) {
      loads[rule.ordinal()] = new LoadIndex(ledger, finder, rule);
    }
    return loads[rule.ordinal()];
  }

  /** The slot of a node of this fleet. */
  int own(FleetNode node) {
    if (node instanceof NodeView view && view.isOf(this)) {
      return view.slot;
    }
    throw new IllegalArgumentException(node + " is not of this fleet");
  }

  /** The slot at an index. */
  public int slot(int index) {
    if (index < 0 || index >= ledger.nodes().nodeCount()) {
      throw new IndexOutOfBoundsException(
          "node " + index + " of a fleet of " + Plural.of(ledger.nodes().nodeCount(), "node"));
    }
    return ledger.nodes().slot(index);
  }

  /** The node of a slot that has one; the same object for the same node. */
  public NodeView at(int slot) {
    if (slot >= views.length) {
      views = Arrays.copyOf(views, Math.max(ledger.nodes().slotCount(), 2 * views.length));
    }
    if (views[slot] == null) {
      views[slot] = new NodeView(this, slot);
    }
    return views[slot];
  }

  @Override
  public int size() {
    return ledger.nodes().nodeCount();
  }

  @Override
  public NodeView node(int index) {
    return at(slot(index));
  }

  @Override
  public int lastPlaced() {
    int slot = ledger.lastPlaced();
    return slot < 0 ? -1 : ledger.nodes().index(slot);
  }

  @Override
  public Optional<Rubric> rubric() {
    return Optional.ofNullable(rubric);
  }

  @Override
  public NodeOrder orderBy(Rubric weights) {
    return new OrderView(this, finder.orderBy(weights), false);
  }

  /**
   * Checks that the plug-in rules in use are known and have valid settings.
   *
   * @throws InvalidInputException if one is of a plug-in, and it or a setting is unknown
   */
  public void checkKnown(Iterable<Rule> used) {
    for (Rule rule : used) {
      if (rule instanceof Rule.Named named) {
        rules.check(named);
      }
    }
  }

  /** The same of the rules and preferences of workloads. */
  public void checkKnownTo(List<Workload> workloads) {
    Terms last = Terms.NONE;
    for (Workload workload : workloads) {
      Terms terms = workload.terms();
      if (terms != last) { // Replicas have the same object.
        checkKnown(terms.rules());
        checkKnown(terms.preferences());
        last = terms;
      }
    }
  }

  /**
   * The same of workloads that have a node, or are given one by name. The exception names the
   * workload and the index of the rule.
   */
  public void checkKnownToPlaced(List<Workload> placed) {
    for (Workload workload : placed) {
      checkKnown(workload, "rules", workload.terms().rules());
      checkKnown(workload, "preferences", workload.terms().preferences());
    }
  }

  private void checkKnown(Workload workload, String field, List<Rule> used) {
    for (int i = 0; i < used.size(); i++) {
      try {
        checkKnown(List.of(used.get(i)));
      } catch (InvalidInputException wrong) {
        String rule = wrong.thing().map(Thing::name).orElse(wrong.subject());
        throw new InvalidInputException(
            Thing.workload(workload.name()),
            field + "[" + i + "]",
            wrong.field().equals("name")
                ? wrong.found()
                : "'" + rule + "', whose " + wrong.field() + " is " + wrong.found(),
            wrong.allowed());
      }
    }
  }

  @Override
  public List<FleetDomain> domains(String level) {
    int index = ledger.topology().levelIndex(level);
    List<FleetDomain> domains = new ArrayList<>();
    if (index >= 0) {
      for (String name : ledger.topology().level(index).domainNames()) {
        domains.add(new DomainView(this, level, name));
      }
    }
    return List.copyOf(domains);
  }

  @Override
  public Amounts amounts() {
    return amounts;
  }

  /** Whether code of a rule is running. */
  public boolean callsRule() {
    return rules.isRunning();
  }

  /**
   * What a rule must not do, to be thrown into its code. The rule has then failed, even if it
   * catches that.
   *
   * @param what the words for it
   */
  public IllegalStateException faultOfRule(String what) {
    return rules.fault(what);
  }

  // ---- what is our own fault ----

  /**
   * What Lighthouse itself threw inside a question of the strategy, to be thrown there: whatever
   * the strategy makes of it, the call ends with it ({@link #checkSound}).
   */
  public RuntimeException broken(Throwable thrown) {
    noteExhausted(thrown);
    if (thrown instanceof StackOverflowError overflow) {
      throw overflow; // Most likely the depth of the strategy's own calls.
    }
    if (broken == null) {
      broken = thrown;
    }
    if (thrown instanceof RuleException failed) {
      return failed;
    }
    return new InternalErrorException(thrown.toString(), thrown);
  }

  /** Forgets what Lighthouse threw outside of a call of the strategy; its caller has it. */
  public void forgetBroken() {
    broken = null;
  }

  /** Ends the call where Lighthouse itself has thrown since the last time. */
  public void checkSound() {
    Throwable thrown = broken;
    broken = null;
    if (thrown instanceof VirtualMachineError error) {
      throw error;
    }
    if (thrown instanceof RuleException failed) {
      throw failed;
    }
    if (thrown != null) {
      throw new InternalErrorException(
          "the engine threw inside a question of the strategy: " + thrown, thrown);
    }
  }

  /** Remembers that the stack or the memory was exhausted, if that was thrown. */
  public void noteExhausted(Throwable thrown) {
    exhausted |= thrown instanceof VirtualMachineError;
  }

  /**
   * Whether the stack or the memory was exhausted since {@link #countAgain}, perhaps in the middle
   * of a change.
   */
  public boolean wasExhausted() {
    return exhausted;
  }

  // ---- the audit of derived state ----

  /**
   * Counts the accounts again, and has all that is derived from them computed anew. Returns what is
   * wrong with the accounts; empty where they are sound.
   */
  public List<String> countAgain() {
    Audit audit = new Audit();
    ledger.audit(audit);
    ledger.recomputeDerived();
    exhausted = false;
    return audit.findings();
  }

  /**
   * Recomputes all state that is derived from the accounts: counts of groups, members and domains,
   * the rows and orders of the index, its lower bounds, and the trees of loads. Not part of any
   * call; tests use it at random moments.
   *
   * @return one sentence for each value that differs; empty where all agree
   */
  public List<String> audit() {
    Audit audit = new Audit();
    ledger.audit(audit);
    finder.audit(audit);
    for (LoadIndex load : loads) {
      if (load != null) {
        load.audit(audit);
      }
    }
    return audit.findings();
  }

  // ---- following the ledger ----

  @Override
  public void slotFreed(int node) {
    if (node < views.length && views[node] != null) {
      views[node].slot = NodeView.GONE;
      views[node] = null;
    }
  }

  @Override
  public void renumbered(int[] renumbered) {
    NodeView[] moved = new NodeView[views.length];
    for (int slot = 0; slot < views.length; slot++) {
      if (views[slot] != null) {
        views[slot].slot = renumbered[slot];
        moved[renumbered[slot]] = views[slot];
      }
    }
    views = moved;
  }
}
