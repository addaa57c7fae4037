package io.lighthouse.core.constraint;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Ledger;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The nodes that keep a rule of a plug-in, if the rule reads only what placements do not change. It
 * is evaluated once per node and shape of workload.
 */
final class PluginRows {
  /** How many bitmaps are kept; one more evicts the oldest. */
  private static final int MOST_ROWS = 128;

  private final Ledger ledger;
  private final NamedRules named;
  private final Map<Key, BitRow> known = new LinkedHashMap<>();

  /** When the bitmaps were made. */
  private final Clock.Stamp made;

  PluginRows(Ledger ledger, NamedRules named) {
    this.ledger = ledger;
    this.named = named;
    made = ledger.clock().stamp(Clock.Scope.SHAPE);
  }

  /** A rule, and a workload without a name of its own. */
  private record Key(Rule.Named rule, Workload shape) {}

  /** The nodes on which a workload keeps a rule. */
  BitRow row(Rule.Named rule, Workload workload) {
    if (made.renew()) {
      known.clear();
    }
    Key key = new Key(rule, workload.named("shape"));
    BitRow row = known.get(key);
    if (row == null) {
      if (known.size() == MOST_ROWS) {
        known.remove(known.keySet().iterator().next());
      }
      int nodes = ledger.nodes().slotCount();
      row = new BitRow((nodes + 63) >> 6);
      NamedRules.Check check = named.check(rule);
      for (int node = 0; node < nodes; node++) {
        row.set(node, keeps(check, workload, node));
      }
      known.put(key, row);
    }
    return row;
  }

  private boolean keeps(NamedRules.Check check, Workload workload, int node) {
    return ledger.nodes().alive(node) && check.judge(workload, node).excess() == 0;
  }

  /** Evaluates the rules again, where the bitmaps are valid. */
  void audit(Audit audit) {
    if (made.isCurrent()) {
      known.forEach(
          (key, row) -> {
            NamedRules.Check check = named.check(key.rule());
            row.audit(
                audit,
                "nodes of " + key,
                node -> keeps(check, key.shape(), node),
                ledger.nodes().slotCount());
          });
    }
  }
}
