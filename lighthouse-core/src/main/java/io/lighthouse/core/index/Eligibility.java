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
 * Bitmaps for what does not depend on amounts: the nodes that have a name, and those that do not
 * have less than 0 of it. A demand takes the bitmaps that concern it.
 *
 * <p>A common name of which a node has had less than 0 has a bitmap of the nodes that do not. All
 * rare names ({@link RareNames}) share one, so that there are few bitmaps however many names exist.
 * A demand may require a rare name of which some node has less than 0, or be immune to it. It gets
 * a copy of the shared bitmap, in which such names do not count. A few copies are kept: without,
 * the case MANY_TENANTS of {@code CliffBenchmark} takes 5.3 times as long on 10,000 nodes, and
 * TENANTS 1.24 times (2026-11-25). With one shared bitmap for all names, batches of {@code
 * BatchBenchmark} with rules took 5 to 20 times as long (2026-12-01), since each change of a sign
 * makes the copies stale.
 */
public final class Eligibility {
  /** For how many sets of rare names copies of the shared bitmap are kept; a power of two. */
  private static final int COPIES = 8;

  private static final int[] NONE = {};

  private final NodeAccounts accounts;
  private final NodeTable nodes;
  private final ResourceTable resources;
  private final RareNames rareNames;

  /** How many slots every bitmap has room for. */
  private int capacity;

  /** By id: the nodes that have it; null before the first query. */
  private BitRow[] having;

  /** By id of a common name: the nodes that do not have less than 0; null until a node has. */
  private BitRow[] sound;

  /** By id: how many nodes have less than 0 of it. */
  private int[] negatives;

  /** Ids that have a bitmap of sound nodes; the first {@link #soundCount}. */
  private int[] soundIds = new int[8];

  private int soundCount;

  /** The nodes that do not have less than 0 of any rare name. */
  private final BitRow soundOfRare;

  /** How often {@link #soundOfRare} has changed. */
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
    sound = new BitRow[having.length];
    negatives = new int[having.length];
    soundOfRare = everyNode();
    for (int node = 0; node < nodes.slotCount(); node++) {
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

  private BitRow everyNode() {
    BitRow row = noNode();
    for (int node = 0; node < nodes.slotCount(); node++) {
      row.set(node, nodes.alive(node));
    }
    return row;
  }

  public RareNames rareNames() {
    return rareNames;
  }

  /** Follows a resource on a node whose remaining amount has passed 0. */
  void signChanged(int node, int id, boolean negative) {
    negatives[id] += negative ? 1 : -1;
    if (rareNames.lists(id)) {
      setSoundOfRare(node, isSoundOfRare(node, NONE));
      return;
    }
    if (sound[id] == null) {
      sound[id] = everyNode();
      if (soundCount == soundIds.length) {
        soundIds = Arrays.copyOf(soundIds, 2 * soundCount);
      }
      soundIds[soundCount++] = id;
    }
    sound[id].set(node, !negative);
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
    for (int i = 0; i < soundCount; i++) {
      int id = soundIds[i];
      if (negatives[id] > 0 && demand.indexOf(id) < 0 && !demand.isImmuneTo(id)) {
        into.add(sound[id]);
      }
    }
    if (soundOfRare.count() < nodes.nodeCount()) {
      into.add(soundOfRareFor(demand));
    }
  }

  private void setSoundOfRare(int node, boolean on) {
    soundOfRare.set(node, on);
    changes++;
  }

  /** Whether a node has nothing below 0 of rare names, apart from some of them. */
  private boolean isSoundOfRare(int node, int[] exempt) {
    Layout layout = accounts.layout(node);
    for (int slot = 0; accounts.negatives(node) > 0 && slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (accounts.left(node, slot) < 0
          && rareNames.lists(id)
          && Arrays.binarySearch(exempt, id) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The nodes with nothing below 0 of rare names that the demand is not exempt from. */
  private BitRow soundOfRareFor(Demand demand) {
    int[] exempt = exempt(demand);
    if (exempt.length == 0) {
      return soundOfRare;
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

  /**
   * The rare names that a demand requires or is immune to and that are negative somewhere, sorted.
   */
  private int[] exempt(Demand demand) {
    int required = demand.size();
    int[] ids = new int[required + demand.immunityCount()];
    int count = 0;
    for (int i = 0; i < ids.length; i++) {
      int id = i < required ? demand.id(i) : demand.immunity(i - required);
      if (id < negatives.length && negatives[id] > 0 && rareNames.lists(id)) {
        ids[count++] = id;
      }
    }
    Arrays.sort(ids, 0, count);
    return Arrays.copyOf(ids, count);
  }

  /** A bitmap of its own, since an open query may still have the one before. */
  private BitRow copy(int[] exempt) {
    BitRow copy = new BitRow(soundOfRare.words.length);
    copy.copy(soundOfRare);
    for (int id : exempt) {
      for (int k = 0; k < rareNames.count(id); k++) {
        int node = rareNames.node(id, k);
        if (!copy.has(node) && isSoundOfRare(node, exempt)) {
          copy.set(node);
        }
      }
    }
    return copy;
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
      sound = Arrays.copyOf(sound, ids);
      negatives = Arrays.copyOf(negatives, ids);
    }
    if (node >= capacity) {
      reach(node + node / 4);
    }
    for (int i = 0; i < soundCount; i++) {
      sound[soundIds[i]].set(node);
    }
    setSoundOfRare(node, true);
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
    soundOfRare.reach(slot);
    for (int id = 0; id < having.length; id++) {
      if (having[id] != null) {
        having[id].reach(slot);
      }
      if (sound[id] != null) {
        sound[id].reach(slot);
      }
    }
    capacity = slot + 1;
  }

  /** Removes a node, and with it what is known of a resource that only this node has. */
  void nodeRemoving(int node) {
    for (int i = 0; i < soundCount; i++) {
      sound[soundIds[i]].clear(node);
    }
    setSoundOfRare(node, false);
    Layout layout = accounts.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (having[id] != null) {
        having[id].clear(node);
      }
      if (accounts.left(node, slot) < 0) {
        negatives[id]--;
      }
      if (resources.nodesWith(id) == 1) {
        forget(id);
      }
    }
    rareNames.nodeRemoving(node);
  }

  private void forget(int id) {
    having[id] = null;
    if (sound[id] != null) {
      sound[id] = null;
      int at = 0;
      while (soundIds[at] != id) {
        at++;
      }
      System.arraycopy(soundIds, at + 1, soundIds, at, --soundCount - at);
    }
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
      int below = 0;
      for (int node = 0; node < slots; node++) {
        below += isNegative(node, id) ? 1 : 0;
      }
      audit.equal("nodes with less than 0 of resource", id, below, negatives[id]);
      if (sound[id] != null) {
        sound[id].audit(
            audit,
            "nodes without less than 0 of resource " + id,
            node -> nodes.alive(node) && !isNegative(node, of),
            slots);
      }
    }
    auditSoundOfRare(audit, soundOfRare, NONE);
    for (int at = 0; at < COPIES; at++) {
      if (copiesFor[at] != null && copiedAt[at] == changes) {
        auditSoundOfRare(audit, copies[at], copiesFor[at]);
      }
    }
  }

  private void auditSoundOfRare(Audit audit, BitRow row, int[] exempt) {
    String what = "nodes without negative amounts of rare resources";
    row.audit(
        audit,
        exempt.length == 0 ? what : what + " other than of " + Arrays.toString(exempt),
        node -> nodes.alive(node) && isSoundOfRare(node, exempt),
        nodes.slotCount());
  }

  private boolean isNegative(int node, int id) {
    int slot = accounts.layout(node).slot(id);
    return slot >= 0 && accounts.left(node, slot) < 0;
  }
}
