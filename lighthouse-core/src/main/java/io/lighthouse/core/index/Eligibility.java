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

/**
 * Bitmaps for what does not depend on amounts: the nodes that have a name, and those with nothing
 * below 0 of a resource. A demand takes the bitmaps that concern it ({@link NameRows}).
 *
 * <p>Rare names ({@link RareNames}) have no bitmaps of their own, so that there are few however
 * many names exist. All negative amounts of rare names share one bitmap. Those of all names share
 * another, for a demand that would need many bitmaps. A demand that requires a shared name, or is
 * immune to it, gets a copy of the shared bitmap. In the copy, the nodes with less than 0 of that
 * name are corrected. A few copies are kept: without, the case MANY_TENANTS of {@code
 * CliffBenchmark} takes 5.3 times as long on 10,000 nodes, and TENANTS 1.24 times (2026-11-25).
 */
public final class Eligibility {
  /** For how many sets of names copies of a shared bitmap are kept; a power of two. */
  private static final int COPIES = 8;

  /** A demand that would need more bitmaps of sound nodes than this takes the shared one. */
  private static final int MANY = 6;

  private static final int[] NONE = {};

  private final NodeAccounts accounts;
  private final NodeTable nodes;
  private final ResourceTable columns;
  private final RareNames rareNames;

  /** How many slots every bitmap has room for. */
  private int capacity;

  /** By id: the nodes that have it; null before the first query. */
  private BitRow[] having;

  /** By id: the nodes that do not have less than 0 of it; null until a node has. */
  private BitRow[] sound;

  /** By id: how many nodes have less than 0 of it. */
  private int[] negatives;

  /** Ids that have a bitmap of sound nodes; the first {@link #soundCount}. */
  private int[] soundIds = new int[8];

  private int soundCount;

  /** The nodes that have nothing negative of a rare name. */
  private final SharedRow soundOfRare;

  /** The nodes that have nothing negative at all. */
  private final SharedRow soundOfAll;

  Eligibility(Ledger ledger) {
    accounts = ledger.accounts();
    nodes = ledger.nodes();
    columns = ledger.resources();
    rareNames = new RareNames(ledger);
    capacity = nodes.slotCount();
    having = new BitRow[columns.resourceIds()];
    sound = new BitRow[having.length];
    negatives = new int[having.length];
    soundOfRare = new SharedRow(true);
    soundOfAll = new SharedRow(false);
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

  /** The nodes that have nothing below 0. */
  public BitRow sound() {
    return soundOfAll.row;
  }

  public RareNames rareNames() {
    return rareNames;
  }

  /** Follows a resource on a node whose remaining amount has passed 0. */
  void signChanged(int node, int id, boolean negative) {
    negatives[id] += negative ? 1 : -1;
    soundOfAll.set(node, accounts.negatives(node) == 0);
    if (rareNames.lists(id)) {
      soundOfRare.set(node, soundOfRare.isSound(node, NONE));
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

  /** Chooses the bitmaps of a demand. A resource that has a bitmap of amounts needs none here. */
  public void choose(Demand demand, Levels levels, NameRows into) {
    into.begin(levels);
    for (int i = 0; i < demand.size(); i++) {
      int id = demand.id(i);
      if (columns.nodesWith(id) < nodes.nodeCount()
          && !rareNames.lists(id)
          && !levels.hasRow(demand, i)) {
        into.add(having(id));
      }
    }
    if (soundOfAll.row.count() < nodes.nodeCount()) {
      chooseSound(demand, into);
    }
  }

  private void chooseSound(Demand demand, NameRows into) {
    int before = into.count();
    for (int i = 0; i < soundCount; i++) {
      int id = soundIds[i];
      if (negatives[id] > 0 && demand.indexOf(id) < 0 && !demand.isImmuneTo(id)) {
        into.add(sound[id]);
      }
    }
    SharedRow shared = soundOfRare;
    if (into.count() > before + MANY) {
      into.cut(before);
      shared = soundOfAll;
    }
    if (shared.row.count() < nodes.nodeCount()) {
      into.add(shared.but(demand));
    }
  }

  /**
   * The nodes that have nothing negative of many names, with copies for demands that are exempt
   * from some of these.
   */
  private final class SharedRow {
    private final boolean ofRare;
    private final BitRow row = everyNode();

    /** How often the bitmap has changed. */
    private long changes;

    /** Copies, the names that each is for, and the version at which it was made. */
    private final BitRow[] copies = new BitRow[COPIES];

    private final int[][] copiesFor = new int[COPIES][];
    private final long[] copiedAt = new long[COPIES];

    SharedRow(boolean ofRare) {
      this.ofRare = ofRare;
    }

    boolean isOf(int id) {
      return !ofRare || rareNames.lists(id);
    }

    void set(int node, boolean on) {
      row.set(node, on);
      changes++;
    }

    /** Whether a node has nothing negative of these names, apart from some of them. */
    boolean isSound(int node, int[] exempt) {
      Layout layout = accounts.layout(node);
      for (int slot = 0; accounts.negatives(node) > 0 && slot < layout.size(); slot++) {
        int id = layout.id(slot);
        if (accounts.left(node, slot) < 0 && isOf(id) && Arrays.binarySearch(exempt, id) < 0) {
          return false;
        }
      }
      return true;
    }

    void audit(Audit audit, String what) {
      int slots = nodes.slotCount();
      row.audit(audit, what, node -> nodes.alive(node) && isSound(node, NONE), slots);
      for (int at = 0; at < COPIES; at++) {
        if (copiesFor[at] != null && copiedAt[at] == changes) {
          int[] exempt = copiesFor[at];
          copies[at].audit(
              audit,
              what + " other than of " + Arrays.toString(exempt),
              node -> nodes.alive(node) && isSound(node, exempt),
              slots);
        }
      }
    }

    /**
     * The nodes that have nothing negative of these names, not counting names that the demand is
     * exempt from.
     */
    BitRow but(Demand demand) {
      int[] exempt = exempt(demand);
      if (exempt.length == 0) {
        return row;
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
        if (id < negatives.length && negatives[id] > 0 && isOf(id)) {
          ids[count++] = id;
        }
      }
      Arrays.sort(ids, 0, count);
      return Arrays.copyOf(ids, count);
    }

    /** A bitmap of its own, since an open query may still have the one before. */
    private BitRow copy(int[] exempt) {
      BitRow copy = new BitRow(row.words.length);
      copy.copy(row);
      for (int id : exempt) {
        if (rareNames.lists(id)) {
          for (int k = 0; k < rareNames.count(id); k++) {
            putRight(copy, rareNames.node(id, k), exempt);
          }
          continue;
        }
        for (int at = 0; at < Math.min(copy.words.length, sound[id].words.length); at++) {
          for (long word = ~sound[id].words[at]; word != 0; word &= word - 1) {
            int node = (at << 6) + Long.numberOfTrailingZeros(word);
            if (node < nodes.slotCount() && nodes.alive(node)) {
              putRight(copy, node, exempt);
            }
          }
        }
      }
      return copy;
    }

    private void putRight(BitRow copy, int node, int[] exempt) {
      if (!copy.has(node) && isSound(node, exempt)) {
        copy.set(node);
      }
    }
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
  void nodeCame(int node) {
    rareNames.nodeCame(node);
    if (columns.resourceIds() > having.length) {
      int ids = columns.resourceIds() + having.length / 4;
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
    soundOfRare.set(node, true);
    soundOfAll.set(node, true);
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
    soundOfRare.row.reach(slot);
    soundOfAll.row.reach(slot);
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
  void nodeLeaving(int node) {
    for (int i = 0; i < soundCount; i++) {
      sound[soundIds[i]].clear(node);
    }
    soundOfRare.set(node, false);
    soundOfAll.set(node, false);
    Layout layout = accounts.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      if (having[id] != null) {
        having[id].clear(node);
      }
      if (accounts.left(node, slot) < 0) {
        negatives[id]--;
      }
      if (columns.nodesWith(id) == 1) {
        forget(id);
      }
    }
    rareNames.nodeLeaving(node);
  }

  private void forget(int id) {
    having[id] = null;
    negatives[id] = 0;
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
    for (int id = 0; id < Math.min(having.length, columns.resourceIds()); id++) {
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
    soundOfAll.audit(audit, "nodes without negative amounts");
    soundOfRare.audit(audit, "nodes without negative amounts of rare resources");
  }

  private boolean isNegative(int node, int id) {
    int slot = accounts.layout(node).slot(id);
    return slot >= 0 && accounts.left(node, slot) < 0;
  }
}
