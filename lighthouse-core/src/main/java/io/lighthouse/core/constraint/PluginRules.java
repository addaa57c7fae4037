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
   * A rule of the workload.
   *
   * @param place its first place among the hard rules
   * @param row the nodes that keep it; null where placements may change the answer
   */
  private record Checked(Rule.Named rule, int place, NamedRules.Check check, BitRow row) {}

  /** The different rules of the workload, in their order. */
  private final List<Checked> rules = new ArrayList<>();

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
    for (int i = 0; i < hard.size(); i++) {
      if (hard.get(i) instanceof Rule.Named rule && hard.indexOf(rule) == i) {
        NamedRules.Check check = named.check(rule);
        BitRow row = check.isStatic() ? pluginRows.row(rule, workload) : null;
        rules.add(new Checked(rule, i, check, row));
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
      Checked of = rules.get(i);
      if (of.row != null ? !of.row.has(node) : of.check.judge(workload, node).excess() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Throws if a rule judges a node differently each time. */
  void verify(int node) {
    rules.forEach(of -> of.check.verify(workload, node));
  }

  @Override
  void addRows(RowScan scan) {
    for (Checked of : rules) {
      if (of.row != null) {
        scan.add(of.row);
      }
    }
  }

  /** The condition is the index of a rule. */
  @Override
  void reportBroken(int node, Broken broken) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).check.judge(workload, node).excess() > 0) {
        broken.add(this, i, Reason.Kind.RULE, i, 1, 0);
      }
    }
  }

  @Override
  public Reason reason(int node, int condition) {
    Checked of = rules.get(condition);
    Judgement judgement = of.check.judge(workload, node);
    return new Reason.ByRule(
        of.rule.rule(), judgement.text(), judgement.excess(), judgement.numbers(), of.place);
  }

  @Override
  String about(int key) {
    return rules.get(key).rule.rule();
  }
}
