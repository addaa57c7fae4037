package io.lighthouse.core.index;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;
import java.util.List;

/**
 * Bitmaps for what does not depend on amounts: the nodes that have a name, and those with nothing
 * below 0. A demand takes the bitmaps that concern it.
 *
 * <p>Rare names ({@link RareNames}) have no bitmaps of their own, so that there are few however
 * many names exist. One bitmap has the nodes with nothing below 0, whatever the name. A demand that
 * requires a name of which some node has less than 0, or is immune to it, gets a copy. In the copy,
 * the nodes with less than 0 of that name are corrected. Some copies are kept: without, the case
 * MANY_TENANTS of {@code CliffBenchmark} takes 5.3 times as long on 10,000 nodes, and TENANTS 1.24
 * times (2026-11-25).
 */
public final class Eligibility {
  /** For how many sets of names copies of the bitmap of sound nodes are kept; a power of two. */
  private static final int COPIES = 64;

  private static final int[] NONE = {};

  private final NodeAccounts accounts;
  private final NodeTable nodes;
  private final ResourceTable resources;
  private final RareNames rareNames;

  /** How many slots every bitmap has room for. */
  private int capacity;

  /** By id: the nodes that have it; null before the first query. */
  private BitRow[] having;

  /** By id of a name that is not rare: the nodes with less than 0 of it; null until a node has. */
  private BitRow[] below;

  /** By id: how many nodes have less than 0 of it. */
  private int[] negatives;

  /** The nodes that have nothing below 0. */
  private final BitRow sound;

  /** How often {@link #sound} has changed. */
  private long changes;

  /** Copies of it, the names that each is for, and the number of changes when it was made. */
  private final BitRow[] copies = new BitRow[COPIES];

  private final int[][] copiesFor = new int[COPIES][];
  private final long[] copiedAt = new long[COPIES];

  Eligibility(Ledger ledger) {
    accounts = ledger.accounts();
    nodes = ledger.nodes();
    resources = ledger.resources();
    rareNames = new RareNames(ledger);
    capacity = nodes.slotCount();
    having = new BitRow[resources.resourceIds()];
    below = new BitRow[having.length];
    negatives = new int[having.length];
    sound = noNode();
    for (int node = 0; node < nodes.slotCount(); node++) {
      sound.set(node, nodes.alive(node));
      Layout layout = accounts.layout(node);
      for (int slot = 0; accounts.negatives(node) > 0 && slot < layout.size(); slot++) {
        if (accounts.left(node, slot) < 0) {
          signChanged(node, layout.id(slot), true);
        }
      }
    }
  }

  private BitRow noNode() {
    return new BitRow((Math.max(capacity, nodes.slotCount()) + 63) >> 6);
  }

  /** The nodes that have nothing below 0. */
  public BitRow sound() {
    return sound;
  }

  public RareNames rareNames() {
    return rareNames;
  }

  /** Follows a resource on a node whose remaining amount has passed 0. */
  void signChanged(int node, int id, boolean negative) {
    negatives[id] += negative ? 1 : -1;
    setSound(node, accounts.negatives(node) == 0);
    if (!rareNames.lists(id)) {
      if (below[id] == null) {
        below[id] = noNode();
      }
      below[id].set(node, negative);
    }
  }

  private void setSound(int node, boolean on) {
    sound.set(node, on);
    changes++;
  }

  /** Adds the bitmaps of a demand. A resource that has a bitmap of amounts needs none here. */
  public void choose(Demand demand, Levels levels, List<BitRow> into) {
    for (int i = 0; i < demand.size(); i++) {
      int id = demand.id(i);
      if (resources.nodesWith(id) < nodes.nodeCount()
          && !rareNames.lists(id)
          && !levels.hasRow(demand, i)) {
        into.add(having(id));
      }
    }
    if (sound.count() < nodes.nodeCount()) {
      BitRow row = soundFor(demand);
      if (row.count() < nodes.nodeCount()) {
        into.add(row);
      }
    }
  }

  /** The nodes with nothing below 0 except of names that a demand requires or is immune to. */
  private BitRow soundFor(Demand demand) {
    int[] exempt = exempt(demand);
    if (exempt.length == 0) {
      return sound;
    }
    int hash = Arrays.hashCode(exempt);
    int at = (hash ^ hash >>> 7) & COPIES - 1;
    if (copiedAt[at] != changes || !Arrays.equals(copiesFor[at], exempt)) {
      copies[at] = copy(exempt);
      copiesFor[at] = exempt;
      copiedAt[at] = changes;
    }
    return copies[at];
  }

  /** The names that a demand requires or is immune to and that are negative somewhere, sorted. */
  private int[] exempt(Demand demand) {
    int required = demand.size();
    int[] ids = new int[required + demand.immunityCount()];
    int count = 0;
    for (int i = 0; i < ids.length; i++) {
      int id = i < required ? demand.id(i) : demand.immunity(i - required);
      if (id < negatives.length && negatives[id] > 0) {
        ids[count++] = id;
      }
    }
    Arrays.sort(ids, 0, count);
    return Arrays.copyOf(ids, count);
  }

  /** A bitmap of its own, since an open query may still have the one before. */
  private BitRow copy(int[] exempt) {
    BitRow copy = new BitRow(sound.words.length);
    copy.copy(sound);
    for (int id : exempt) {
      for (int k = 0; k < rareNames.count(id); k++) {
        putRight(copy, rareNames.node(id, k), exempt);
      }
      for (int at = 0; below[id] != null && at < below[id].words.length; at++) {
        for (long word = below[id].words[at]; word != 0; word &= word - 1) {
          putRight(copy, (at << 6) + Long.numberOfTrailingZeros(word), exempt);
        }
      }
    }
    return copy;
  }

  private void putRight(BitRow copy, int node, int[] exempt) {
    if (isSound(node, exempt)) {
      copy.set(node);
    }
  }

  /** Whether a node has nothing below 0, apart from some names. */
  private boolean isSound(int node, int[] exempt) {
    Layout layout = accounts.layout(node);
    for (int slot = 0; accounts.negatives(node) > 0 && slot < layout.size(); slot++) {
      if (accounts.left(node, slot) < 0 && Arrays.binarySearch(exempt, layout.id(slot)) < 0) {
        return false;
      }
    }
    return true;
  }

  private BitRow having(int id) {
    if (having[id] == null) {
      having[id] = noNode();
      for (int node = 0; node < nodes.slotCount(); node++) {
        if (accounts.layout(node).slot(id) >= 0) {
          having[id].set(node);
        }
      }
    }
    return having[id];
  }

  /** Adds a node. */
  void nodeAdded(int node) {
    rareNames.nodeAdded(node);
    if (resources.resourceIds() > having.length) {
      int ids = resources.resourceIds() + having.length / 4;
      having = Arrays.copyOf(having, ids);
      below = Arrays.copyOf(below, ids);
      negatives = Arrays.copyOf(negatives, ids);
    }
    if (node >= capacity) {
      reach(node + node / 4);
    }
    setSound(node, true);
    Layout layout = accounts.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (having[id] != null) {
        having[id].set(node);
      }
      if (accounts.left(node, slot) < 0) {
        signChanged(node, id, true);
      }
    }
  }

  private void reach(int slot) {
    sound.reach(slot);
    for (int id = 0; id < having.length; id++) {
      if (having[id] != null) {
        having[id].reach(slot);
      }
      if (below[id] != null) {
        below[id].reach(slot);
      }
    }
    capacity = slot + 1;
  }

  /** Removes a node, and with it what is known of a resource that only this node has. */
  void nodeRemoving(int node) {
    setSound(node, false);
    Layout layout = accounts.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (having[id] != null) {
        having[id].clear(node);
      }
      if (accounts.left(node, slot) < 0) {
        negatives[id]--;
      }
      if (below[id] != null) {
        below[id].clear(node);
      }
      if (resources.nodesWith(id) == 1) {
        having[id] = null;
        below[id] = null;
      }
    }
    rareNames.nodeRemoving(node);
  }

  /** Recomputes the names and the negative amounts of all nodes. */
  void audit(Audit audit) {
    int slots = nodes.slotCount();
    rareNames.audit(audit);
    for (int id = 0; id < Math.min(having.length, resources.resourceIds()); id++) {
      int of = id;
      if (having[id] != null) {
        having[id].audit(
            audit,
            "nodes that have resource " + id,
            node -> nodes.alive(node) && accounts.layout(node).slot(of) >= 0,
            slots);
      }
      int count = 0;
      for (int node = 0; node < slots; node++) {
        count += isNegative(node, id) ? 1 : 0;
      }
      audit.equal("nodes with less than 0 of resource", id, count, negatives[id]);
      if (below[id] != null) {
        String what = "nodes with less than 0 of resource " + id;
        below[id].audit(audit, what, node -> isNegative(node, of), slots);
      }
    }
    auditSound(audit, "nodes without negative amounts", sound, NONE);
    for (int at = 0; at < COPIES; at++) {
      if (copiesFor[at] != null && copiedAt[at] == changes) {
        String what =
            "nodes without negative amounts other than of " + Arrays.toString(copiesFor[at]);
        auditSound(audit, what, copies[at], copiesFor[at]);
      }
    }
  }

  private void auditSound(Audit audit, String what, BitRow row, int[] exempt) {
    row.audit(audit, what, node -> nodes.alive(node) && isSound(node, exempt), nodes.slotCount());
  }

  private boolean isNegative(int node, int id) {
    int slot = accounts.layout(node).slot(id);
    return slot >= 0 && accounts.left(node, slot) < 0;
  }
}
