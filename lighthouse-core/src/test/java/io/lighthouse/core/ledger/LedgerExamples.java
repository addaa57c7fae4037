package io.lighthouse.core.ledger;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.BatchOfOne;
import java.util.List;

/** A ledger, and short ways to say what happens to it. */
abstract class LedgerExamples {
  final Ledger ledger = new Ledger();
  Demand demand;

  void nodes(Node... nodes) {
    ledger.nodeChanges().add(List.of(nodes));
  }

  static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  /** Places without asking whether it fits: the ledger accounts, the engine judges. */
  void place(Workload workload, int node) {
    BatchOfOne.place(ledger, workload, node);
  }

  void release(String... names) {
    int[] entries = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      entries[i] = ledger.placements().entryOf(names[i]);
    }
    ledger.release(entries);
  }

  List<String> names(int node) {
    return ledger.placements().workloads(node).stream().map(Workload::name).toList();
  }

  /** The nodes that hold workloads of an aversion group; null where none does. */
  static NodeSet holders(Ledger ledger, String group) {
    int id = ledger.members.find(group);
    NodeSet nodes = id < 0 ? null : ledger.members.averseNodes(id);
    return nodes == null || nodes.size() == 0 ? null : nodes;
  }
}
