package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.ledger.Demand;
import java.util.ArrayList;
import java.util.List;

/**
 * The hard rules of plug-ins. A rule that reads only what placements do not change is evaluated
 * once per node and shape of workload. Its answers become a bitmap. Other rules are evaluated on
 * the nodes that satisfy all other conditions.
 */
final class PluginRules extends Constraint {
  private final NamedRules named;
  private final PluginRows pluginRows;
  private Workload workload;

  /**
   * The different rules of the workload, their first places among its hard rules, their checks, and
   * their bitmaps.
   */
  private final List<Rule.Named> rules = new ArrayList<>();

  private final List<Integer> places = new ArrayList<>();
  private final List<NamedRules.Check> checks = new ArrayList<>();
  private final List<BitRow> rows = new ArrayList<>();

  PluginRules(Constraints shared) {
    named = shared.named;
    pluginRows = shared.pluginRows;
  }

  @Override
  boolean prepare(Demand demand) {
    rules.clear();
    List<Rule> hard = demand.hardRules();
    if (hard.isEmpty()) {
      return false;
    }
    workload = demand.workload();
    places.clear();
    checks.clear();
    rows.clear();
    for (int i = 0; i < hard.size(); i++) {
      if (hard.get(i) instanceof Rule.Named rule && !rules.contains(rule)) {
        rules.add(rule);
        places.add(i);
        NamedRules.Check check = named.check(rule);
        checks.add(check);
        rows.add(check.isStatic() ? pluginRows.row(rule, workload) : null);
      }
    }
    return !rules.isEmpty();
  }

  @Override
  boolean concernsPlain() {
    return false;
  }

  @Override
  boolean admits(int node) {
    for (int i = 0; i < rules.size(); i++) {
      BitRow row = rows.get(i);
      if (row != null ? !row.has(node) : checks.get(i).judge(workload, node).excess() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Throws if a rule judges a node differently each time. */
  void verify(int node) {
    checks.forEach(check -> check.verify(workload, node));
  }

  @Override
  boolean monotone() {
    return checks.stream().allMatch(NamedRules.Check::monotone);
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
  void reportBroken(int node, Broken broken) {
    for (int i = 0; i < rules.size(); i++) {
      if (checks.get(i).judge(workload, node).excess() > 0) {
        broken.add(this, i, Reason.Kind.RULE, i, 1, 0);
      }
    }
  }

  @Override
  public Reason reason(int node, int condition) {
    Judgement judgement = checks.get(condition).judge(workload, node);
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
