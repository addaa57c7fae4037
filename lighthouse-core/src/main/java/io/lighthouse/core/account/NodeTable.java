package io.lighthouse.core.account;

import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The nodes that exist: by name, by slot, and by place in the order of nodes. The domains of a
 * level are kept in the same way.
 *
 * <p>Nodes are identified by slot. Slots are in the order of nodes, and a node keeps its slot as
 * long as it exists. The slot of a removed node remains as a dead one. Dead slots disappear when a
 * commit renumbers all slots.
 *
 * <p>The place of a node is its rank among the live slots, a bit vector with rank and select.
 * Counts of bits before each word make both operations a look-up (G. Jacobson, "Space-efficient
 * static trees and graphs", FOCS 1989). The counts are recomputed at their first use after a
 * change, and not at all while there is no gap.
 */
public final class NodeTable {
  /** No node, and no domain. */
  public static final int NONE = -1;

  private final NameTable byName;

  /** By slot: the name; empty where the slot is dead. */
  private String[] names = new String[8];

  /** The slots that have a node. */
  private final BitSet live = new BitSet();

  /** Slots below this have been given out. */
  private int count;

  private int liveCount;

  /** The words of {@link #live}; valid while {@link #stale} is false, and never written to. */
  private long[] words = {};

  /** By word: the number of live slots before it. Valid as the words are. */
  private int[] before = {};

  private boolean stale;

  NodeTable() {
    byName = new NameTable(node -> names[node]);
  }

  /** A copy that shares nothing that changes. */
  NodeTable(NodeTable other) {
    byName = other.byName.copy(node -> names[node]);
    names = other.names.clone();
    live.or(other.live);
    count = other.count;
    liveCount = other.liveCount;
    words = other.words;
    before = other.before;
    stale = other.stale;
  }

  // ---- adding and removing nodes ----

  /** Makes room for {@code length} slots. */
  void reserve(int length) {
    names = Arrays.copyOf(names, length);
  }

  /** Takes the name of a new node; returns false where it is in use. */
  public boolean takeName(int node, String name) {
    names[node] = name;
    return byName.add(name, node);
  }

  /** Frees the name of a node that is not added after all. */
  public void freeName(String name) {
    byName.remove(name);
  }

  /** Adds a node after the last one. */
  void append() {
    live.set(count);
    count++;
    liveCount++;
    stale = true;
  }

  /** Removes a node. Its slot is dead, and so keeps its place in the order. */
  void kill(int node) {
    byName.remove(names[node]);
    live.clear(node);
    liveCount--;
    stale = true;
    names[node] = ""; // Last: it shows that the removal is whole.
  }

  /** Restores a node to its slot, which is dead unless the removal ended halfway. */
  void revive(int node, String name) {
    live.set(node);
    boolean wholly = names[node].isEmpty(); // The removal may have ended halfway.
    liveCount = wholly ? liveCount + 1 : live.cardinality();
    stale = true;
    byName.add(name, node);
    names[node] = name;
  }

  /** Removes the last slot, which is dead. */
  void dropLast() {
    count--;
  }

  /** Removes the dead slots after the last live one. */
  public void trim() {
    count = live.length();
  }

  /** Whether the dead slots cost more than renumbering would. */
  public boolean isSparse() {
    return count - liveCount > Math.max(64, liveCount);
  }

  /** Renumbers all slots without the dead ones. Returns the new slot of each, -1 for a dead one. */
  int[] renumber() {
    int[] moved = new int[count];
    int next = 0;
    for (int slot = 0; slot < count; slot++) {
      moved[slot] = -1;
      if (alive(slot)) {
        names[next] = names[slot];
        moved[slot] = next++;
      }
    }
    Arrays.fill(names, next, count, null);
    byName.renumber(moved);
    live.clear();
    live.set(0, next);
    count = next;
    stale = true;
    return moved;
  }

  // ---- reading ----

  /** The number of nodes. */
  public int nodeCount() {
    return liveCount;
  }

  /** The number of nodes and dead slots; all slots are below it. */
  public int slotCount() {
    return count;
  }

  /** Whether a slot has a node; false where its node was removed. */
  public boolean alive(int slot) {
    return live.get(slot);
  }

  /** The place of a node in the order of nodes, below {@link #nodeCount}. */
  public int index(int slot) {
    if (liveCount == count) {
      return slot;
    }
    freshen();
    return before[slot >> 6] + Long.bitCount(words[slot >> 6] & (1L << slot) - 1);
  }

  /** The slot of the node at a place in the order of nodes. */
  public int slot(int index) {
    if (liveCount == count) {
      return index;
    }
    freshen();
    int low = 0;
    int high = words.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (before[middle] <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long word = words[low];
    for (int skip = index - before[low]; skip > 0; skip--) {
      word &= word - 1;
    }
    return (low << 6) + Long.numberOfTrailingZeros(word);
  }

  private void freshen() {
    if (!stale) {
      return;
    }
    words = live.toLongArray();
    before = new int[words.length];
    for (int word = 1; word < words.length; word++) {
      before[word] = before[word - 1] + Long.bitCount(words[word - 1]);
    }
    stale = false;
  }

  /** The node before a slot in the order of nodes, or -1. */
  public int nodeBefore(int slot) {
    return live.previousSetBit(slot - 1);
  }

  /**
   * The slot of a node by name.
   *
   * @throws InvalidInputException if there is no such node
   */
  public int node(String name) {
    int node = byName.get(name);
    if (node < 0) {
      throw new InvalidInputException(
          "distributor",
          "node",
          "'" + name + "'",
          nodeCount() == 0
              ? "none, it has no nodes"
              : nodeCount() <= 20
                  ? "one of " + String.join(", ", nodeNames())
                  : "one of its " + nodeCount() + " nodes");
    }
    return node;
  }

  /** The slot of a name; -1 where there is none. */
  public int find(String name) {
    return byName.get(name);
  }

  /** The names of all nodes, in the order of nodes. */
  private List<String> nodeNames() {
    List<String> all = new ArrayList<>();
    for (int slot = 0; slot < count; slot++) {
      if (alive(slot)) {
        all.add(names[slot]);
      }
    }
    return all;
  }

  /** The name of a node. */
  public String nodeName(int node) {
    return names[node];
  }
}
