package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The hard rules of plug-ins. A rule that reads only what placements do not change is evaluated
 * once per node and shape of workload. Its answers become a bitmap. Other rules are evaluated on
 * the nodes that satisfy all other conditions.
 */
final class PluginRules extends Constraint {
  /** How many bitmaps are kept; one more evicts the oldest. */
  private static final int MOST_ROWS = 128;

  private final Ledger ledger;
  private final NamedRules named;
  private Workload workload;

  /** The rules of the current workload, their places among its hard rules, and their bitmaps. */
  private final List<Rule.Named> rules = new ArrayList<>();

  private final List<Integer> places = new ArrayList<>();
  private final List<BitRow> rows = new ArrayList<>();
  private final Map<Object, BitRow> known = new LinkedHashMap<>();
  private long seen = -1;

  PluginRules(Ledger ledger, NamedRules named) {
    this.ledger = ledger;
    this.named = named;
  }

  @Override
  boolean ask(Demand demand) {
    rules.clear();
    if (!demand.hasTerms() && ledger.rules().isEmpty()) {
      return false;
    }
    workload = demand.workload();
    places.clear();
    rows.clear();
    List<Rule> hard = ledger.hardRules(demand);
    for (int i = 0; i < hard.size(); i++) {
      if (hard.get(i) instanceof Rule.Named rule) {
        rules.add(rule);
        places.add(i);
        rows.add(named.check(rule).isStatic() ? row(rule) : null);
      }
    }
    return !rules.isEmpty();
  }

  private record Key(
      Rule.Named rule, Object required, Object immunities, Object groups, Terms terms) {}

  /** The nodes that keep a rule that reads only what placements do not change. */
  private BitRow row(Rule.Named rule) {
    if (seen != ledger.shapeChanges()) {
      seen = ledger.shapeChanges();
      known.clear();
    }
    Key key =
        new Key(
            rule,
            workload.requirements(),
            workload.immunities(),
            workload.aversionGroups(),
            workload.terms());
    BitRow row = known.get(key);
    if (row == null) {
      if (known.size() == MOST_ROWS) {
        known.remove(known.keySet().iterator().next());
      }
      int nodes = ledger.nodes().slotCount();
      row = new BitRow((nodes + 63) >> 6);
      NamedRules.Check check = named.check(rule);
      for (int node = 0; node < nodes; node++) {
        row.set(node, ledger.nodes().alive(node) && check.judge(workload, node).excess() == 0);
      }
      known.put(key, row);
    }
    return row;
  }

  @Override
  boolean admits(int node) {
    for (int i = 0; i < rules.size(); i++) {
      boolean keeps =
          rows.get(i) != null
              ? rows.get(i).has(node)
              : named.check(rules.get(i)).judge(workload, node).excess() == 0;
      if (!keeps) {
        return false;
      }
    }
    return true;
  }

  @Override
  boolean uniform() {
    return false;
  }

  @Override
  boolean lasting() {
    for (Rule.Named rule : rules) {
      if (!named.check(rule).lasting()) {
        return false;
      }
    }
    return true;
  }

  @Override
  void addRows(RowScan scan) {
    for (BitRow row : rows) {
      if (row != null) {
        scan.add(row);
      }
    }
  }

  /** The condition is the index of a rule. */
  @Override
  void tell(int node, Broken told) {
    for (int i = 0; i < rules.size(); i++) {
      if (named.check(rules.get(i)).judge(workload, node).excess() > 0) {
        told.add(this, i, Reason.Kind.RULE, i, 1, 0);
      }
    }
  }

  @Override
  Reason reason(int node, int condition) {
    Judgement judgement = named.check(rules.get(condition)).judge(workload, node);
    return new Reason.ByRule(
        rules.get(condition).rule(),
        judgement.text(),
        judgement.excess(),
        judgement.numbers(),
        places.get(condition));
  }

  @Override
  String about(int key) {
    return rules.get(key).rule();
  }
}
