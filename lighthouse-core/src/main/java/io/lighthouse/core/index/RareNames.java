package io.lighthouse.core.index;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/**
 * The nodes that have each rare resource, such as one tag of thousands. A workload that requires a
 * rare resource needs only these few nodes checked. Memory: four bytes for each rare name of each
 * node.
 *
 * <p>On few nodes, no resource is rare. So they are chosen anew when the number of nodes has
 * doubled. Without that, batches took 3.2 times as long on 20,000 nodes with three wards of their
 * own each, which were added one by one after 60 had an index (2026-12-01).
 *
 * <p>Without lists of rare resources, the case {@code RARE} of {@code CliffBenchmark} took 62 times
 * as long on 100,000 nodes on 2026-11-24, and as long as with them on 10,000.
 */
public final class RareNames {
  /** A resource is rare if fewer than one in this many nodes have it. */
  private static final int RARITY = 64;

  /**
   * A listed resource is no longer rare if more than one in this many nodes have it, and at least
   * {@code LEAST_COMMON} nodes.
   */
  private static final int COMMON = 16;

  private static final int LEAST_COMMON = 16;

  private static final int[] NOBODY = {};

  private final Ledger ledger;
  private final NodeAccounts accounts;
  private final ResourceTable resources;

  /** By id: the nodes that have it, ascending; null where it is not rare. */
  private int[][] nodes;

  /** By id: how many nodes have it. */
  private int[] counts;

  /** How many nodes there were when the rare resources were chosen. */
  private final int nodesAtChoice;

  private boolean outdated;

  public RareNames(Ledger ledger) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    resources = ledger.resources();
    nodesAtChoice = ledger.nodes().nodeCount();
    int ids = resources.resourceIds();
    nodes = new int[ids][];
    counts = new int[ids];
    for (int id = 0; id < ids; id++) {
      if (resources.resource(id) == null || isRare(ledger, id)) {
        nodes[id] =
            resources.resource(id) == null || resources.nodesWith(id) == 0
                ? NOBODY
                : new int[resources.nodesWith(id)];
      }
    }
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      nodeAdded(node);
    }
  }

  /** The rarest resource that a demand requires; -1 where it requires no rare one. */
  public int rarest(Demand demand) {
    int rarest = -1;
    for (int i = 0; i < demand.size(); i++) {
      int id = demand.id(i);
      if (count(id) > 0 && (rarest < 0 || count(id) < count(rarest))) {
        rarest = id;
      }
    }
    return rarest;
  }

  /** How many nodes have a rare resource; 0 for one that is not rare. */
  public int count(int id) {
    return id < counts.length ? counts[id] : 0;
  }

  /** A node that has a rare resource; nodes ascend with the index. */
  public int node(int id, int index) {
    return nodes[id][index];
  }

  /** How many nodes that have a rare resource come before a node. */
  public int before(int id, int node) {
    int at = Arrays.binarySearch(nodes[id], 0, counts[id], node);
    return at < 0 ? -at - 1 : at;
  }

  /** Whether the nodes of a resource are listed. */
  boolean lists(int id) {
    return id < nodes.length && nodes[id] != null;
  }

  /** Adds a node. A resource that no node had before is listed. */
  void nodeAdded(int node) {
    outdated |= ledger.nodes().nodeCount() > 2L * nodesAtChoice;
    Layout layout = accounts.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (id >= nodes.length) {
        int known = nodes.length;
        nodes = Arrays.copyOf(nodes, id + 1 + id / 4);
        Arrays.fill(nodes, known, nodes.length, NOBODY);
        counts = Arrays.copyOf(counts, nodes.length);
      }
      if (nodes[id] != null) {
        insert(id, node);
      }
    }
  }

  private void insert(int id, int node) {
    int at = before(id, node);
    int count = counts[id]++;
    if (count == nodes[id].length) {
      nodes[id] = Arrays.copyOf(nodes[id], count + 1 + count / 2);
    }
    System.arraycopy(nodes[id], at, nodes[id], at + 1, count - at);
    nodes[id][at] = node;
    outdated |= count >= LEAST_COMMON && (long) COMMON * count > ledger.nodes().nodeCount();
  }

  /** Removes a node. A resource that only this node has, if added again, is rare at first. */
  void nodeRemoving(int node) {
    Layout layout = accounts.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (nodes[id] != null) {
        int at = before(id, node);
        System.arraycopy(nodes[id], at + 1, nodes[id], at, --counts[id] - at);
      }
      if (resources.nodesWith(id) == 1) {
        nodes[id] = NOBODY;
        counts[id] = 0;
      }
    }
  }

  /**
   * Whether other resources may be rare by now. True once a listed one was on enough nodes to be
   * worth bitmaps, or once there were more than twice as many nodes as at the choice.
   */
  public boolean isOutdated() {
    return outdated;
  }

  /** Whether few enough nodes have a resource to list them. */
  static boolean isRare(Ledger ledger, int id) {
    return ledger.resources().resource(id) != null
        && (long) RARITY * ledger.resources().nodesWith(id) < ledger.nodes().nodeCount();
  }

  /** Recomputes the lists of nodes of each rare resource. */
  void audit(Audit audit) {
    for (int id = 0; id < Math.min(nodes.length, resources.resourceIds()); id++) {
      if (nodes[id] == null) {
        audit.equal("nodes listed of common resource", id, 0, counts[id]);
        continue;
      }
      int count = 0;
      for (int node = 0; node < ledger.nodes().slotCount(); node++) {
        if (accounts.layout(node).slot(id) >= 0) {
          int listed =
              count < Math.min(counts[id], nodes[id].length) ? nodes[id][count] : NodeTable.NONE;
          audit.equal("a node that has rare resource", id, node, listed);
          count++;
        }
      }
      audit.equal("nodes that have rare resource", id, count, counts[id]);
    }
  }
}
