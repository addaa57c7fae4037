package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;

/**
 * The nodes that have each rare resource, such as one tag of thousands. A workload that requires
 * one needs no more than their few to be checked. Memory: four bytes for each rare name of each
 * node.
 */
final class RareNames {
  /** A resource is rare on fewer than one node in so many. */
  private static final int RARITY = 64;

  private final Ledger ledger;

  /** By id: where its nodes begin in {@link #nodes}; one more. */
  private final int[] starts;

  private final int[] nodes;

  RareNames(Ledger ledger) {
    this.ledger = ledger;
    int ids = ledger.resourceIds();
    starts = new int[ids + 1];
    for (int id = 0; id < ids; id++) {
      starts[id + 1] = starts[id] + (isRare(ledger, id) ? ledger.nodesWith(id) : 0);
    }
    nodes = new int[starts[ids]];
    int[] ends = starts.clone();
    for (int node = 0; node < ledger.slotCount(); node++) {
      Layout layout = ledger.layout(node);
      for (int slot = 0; slot < layout.size(); slot++) {
        int id = layout.id(slot);
        if (starts[id + 1] > starts[id]) {
          nodes[ends[id]++] = node;
        }
      }
    }
  }

  /** The rarest resource that a demand requires; -1 where it requires no rare one. */
  int rarest(Demand demand) {
    if (nodes.length == 0) {
      return -1;
    }
    int rarest = -1;
    for (int i = 0; i < demand.size(); i++) {
      int id = demand.id(i);
      if (id < starts.length - 1 && count(id) > 0 && (rarest < 0 || count(id) < count(rarest))) {
        rarest = id;
      }
    }
    return rarest;
  }

  int count(int id) {
    return starts[id + 1] - starts[id];
  }

  /** A node that has a rare resource, ascending with the index. */
  int node(int id, int index) {
    return nodes[starts[id] + index];
  }

  /** How many nodes that have a rare resource stand before a node. */
  int before(int id, int node) {
    int low = 0;
    int high = count(id);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (node(id, middle) < node) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether so few nodes have a resource that they are listed. */
  static boolean isRare(Ledger ledger, int id) {
    return ledger.resource(id) != null && (long) RARITY * ledger.nodesWith(id) < ledger.nodeCount();
  }
}
