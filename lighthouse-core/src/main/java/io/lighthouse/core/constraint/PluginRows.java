package io.lighthouse.core.constraint;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.index.ShapeCache;
import io.lighthouse.core.ledger.Ledger;
import java.util.function.IntPredicate;

/**
 * The nodes that keep a rule of a plug-in, if the rule reads only what placements do not change. It
 * is evaluated once per node and shape of workload.
 */
final class PluginRows {
  /** How many bitmaps are kept. */
  private static final int MOST_ROWS = 128;

  private final Ledger ledger;
  private final NamedRules named;
  private final ShapeCache<Key, BitRow> rows;

  PluginRows(Ledger ledger, NamedRules named) {
    this.ledger = ledger;
    this.named = named;
    rows = new ShapeCache<>(ledger, MOST_ROWS);
  }

  /** A rule, and a workload without a name of its own. */
  private record Key(Rule.Named rule, Workload shape) {}

  /** The nodes on which a workload keeps a rule. */
  BitRow row(Rule.Named rule, Workload workload) {
    Key key = new Key(rule, workload.named("shape"));
    return rows.get(key, () -> BitRow.of(ledger.nodes().slotCount(), keeping(rule, workload)));
  }

  private IntPredicate keeping(Rule.Named rule, Workload workload) {
    NamedRules.Check check = named.check(rule);
    return node -> ledger.nodes().alive(node) && check.judge(workload, node).excess() == 0;
  }

  /** Evaluates the rules again, where the bitmaps are valid. */
  void audit(Audit audit) {
    rows.valid()
        .forEach(
            (key, row) ->
                row.audit(
                    audit,
                    "nodes of " + key,
                    keeping(key.rule(), key.shape()),
                    ledger.nodes().slotCount()));
  }
}
