package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.index.SelectionRows;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.BitSet;
import java.util.List;

/**
 * The preferences of a workload, of which the first counts most. Of the nodes that fit, those with
 * the least excess of the first preference are kept. Of these, those with the least excess of the
 * next are kept, and so on. The order is lexicographic, so there are no weights.
 *
 * <p>As a constraint it requires excess 0 of all preferences. A node that satisfies this is among
 * the best.
 */
public final class Preferences extends Constraint {
  private final SelectionRows selection;
  private final GroupRules groups;
  private final NamedRules named;
  private Workload workload;
  private List<Rule> rules = List.of();

  /** By preference: the nodes that satisfy it, where it is a list of conditions. */
  private BitRow[] met = {};

  /** By preference: its check, where it is a rule of a plug-in. */
  private NamedRules.Check[] checks = {};

  /** By preference: the least excess of the nodes that {@link #narrow} compared by it. */
  private long[] leasts = {};

  Preferences(Ledger ledger, Constraints shared) {
    named = shared.named;
    selection = shared.selectionRows;
    groups = new GroupRules(ledger, shared);
  }

  @Override
  boolean prepare(Demand demand) {
    rules = demand.terms().preferences();
    if (rules.isEmpty()) {
      return false;
    }
    workload = demand.workload();
    groups.prepare(demand, rules);
    met = new BitRow[rules.size()];
    checks = new NamedRules.Check[rules.size()];
    leasts = new long[rules.size()];
    for (int i = 0; i < rules.size(); i++) {
      rules.get(i).match(new Reading(i));
    }
    return true;
  }

  /** Prepares one preference, by its kind. */
  private final class Reading implements Rule.GroupCases<Void> {
    private final int preference;

    Reading(int preference) {
      this.preference = preference;
    }

    @Override
    public Void ofGroup(Rule.OfGroup rule) {
      return null; // The rules of groups are prepared together.
    }

    @Override
    public Void where(Rule.Where rule) {
      met[preference] = selection.row(rule.conditions());
      return null;
    }

    @Override
    public Void named(Rule.Named rule) {
      checks[preference] = named.check(rule);
      return null;
    }
  }

  public int size() {
    return rules.size();
  }

  /** The excess of one preference on a node. */
  public long excess(int preference, int node) {
    if (met[preference] != null) {
      return met[preference].has(node) ? 0 : 1;
    }
    if (checks[preference] != null) {
      return checks[preference].judge(workload, node).excess();
    }
    return groups.excess(preference, node);
  }

  @Override
  public boolean admits(int node) {
    for (int i = 0; i < rules.size(); i++) {
      if (excess(i, node) > 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  void addRows(RowScan rows) {
    for (int i = 0; i < rules.size(); i++) {
      if (met[i] != null) {
        rows.add(met[i]);
      }
    }
    groups.addRows(rows);
  }

  @Override
  void reportBroken(int node, Broken broken) {}

  @Override
  public Reason reason(int node, int condition) {
    throw new IllegalStateException("a preference breaks nothing");
  }

  /** Keeps only the best of some nodes, which are given by their slots. */
  public void narrow(BitSet nodes) {
    for (int i = 0; i < rules.size(); i++) {
      leasts[i] = Long.MAX_VALUE;
      for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
        leasts[i] = Math.min(leasts[i], excess(i, node));
      }
      for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
        if (excess(i, node) > leasts[i]) {
          nodes.clear(node);
        }
      }
    }
  }

  /** Why a node is not among the best of the nodes that {@link #narrow} got. */
  public Reason worse(int node) {
    for (int i = 0; i < rules.size(); i++) {
      if (excess(i, node) > leasts[i]) {
        return new Reason.Worse(i, excess(i, node), leasts[i]);
      }
    }
    verify(node);
    throw new IllegalStateException("node " + node + " is among the best");
  }

  /** Throws if a rule of a plug-in judges a node differently each time. */
  void verify(int node) {
    for (int i = 0; i < rules.size(); i++) {
      if (checks[i] != null) {
        checks[i].verify(workload, node);
      }
    }
  }
}
