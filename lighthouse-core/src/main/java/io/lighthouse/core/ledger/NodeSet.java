package io.lighthouse.core.ledger;

import java.util.Arrays;

/**
 * A set of node indexes. It is a short sorted list while small, and a row of bits once it holds
 * more than one node in {@value #DENSITY}. So its memory is at most {@code DENSITY / 8} bytes per
 * member, and a large set can be ANDed.
 */
public final class NodeSet {
  private static final int DENSITY = 256;

  /** Members in ascending order, the first {@link #size}; null once bits are used. */
  private int[] members = new int[2];

  /** One bit per node, 0 for a member and 1 for all others; null while the list is used. */
  private long[] free;

  private int size;

  /** How often the set has changed, and the node added last; -1 after a removal. */
  private long changes;

  private int added = -1;

  NodeSet() {}

  /** A copy that shares nothing that changes. */
  NodeSet(NodeSet other) {
    members = other.members == null ? null : other.members.clone();
    free = other.free == null ? null : other.free.clone();
    size = other.size;
  }

  /** The number of members. */
  public int size() {
    return size;
  }

  /** Counts the changes of this set, so that callers can keep derived state until it changes. */
  public long changes() {
    return changes;
  }

  /** The node that the last change added; negative after any other change. */
  public int lastAdded() {
    return added;
  }

  /**
   * The nodes that are not in the set, as bits, if the set is large: 1 for every node that is no
   * member; else null. The row is the set's own, changes with it, and has at least {@code words}
   * words.
   */
  public long[] free(int words) {
    if (free != null && free.length < words) {
      grow(words);
    }
    return free;
  }

  /** Clears the bit of each member in a row of one bit per node. */
  public void clearFrom(long[] row) {
    if (free == null) {
      for (int i = 0; i < size; i++) {
        row[members[i] >> 6] &= ~(1L << members[i]);
      }
      return;
    }
    for (int i = 0; i < Math.min(row.length, free.length); i++) {
      row[i] &= free[i];
    }
  }

  /** Whether a node is in the set. */
  public boolean has(int node) {
    if (free != null) {
      return node >> 6 < free.length && (free[node >> 6] >>> node & 1) == 0;
    }
    return find(node) >= 0;
  }

  /**
   * The index of a node in the list, or the complement of its insertion point. Most are added at
   * the end.
   */
  private int find(int node) {
    return size == 0 || members[size - 1] < node
        ? ~size
        : Arrays.binarySearch(members, 0, size, node);
  }

  /** Adds a node; returns false, and changes nothing, where it is in the set already. */
  boolean add(int node, int nodes) {
    if (free == null && size >= 16 && size > nodes / DENSITY) {
      long[] row = new long[(nodes + 63) >> 6];
      Arrays.fill(row, -1L);
      clearFrom(row);
      free = row;
      members = null;
    }
    if (free != null) {
      if (node >> 6 >= free.length) {
        grow((node >> 6) + 1);
      }
      if ((free[node >> 6] >>> node & 1) == 0) {
        return false;
      }
      free[node >> 6] &= ~(1L << node);
    } else {
      int at = ~find(node);
      if (at < 0) {
        return false;
      }
      if (size == members.length) {
        members = Arrays.copyOf(members, 2 * size);
      }
      System.arraycopy(members, at, members, at + 1, size - at);
      members[at] = node;
    }
    size++;
    changes++;
    added = node;
    return true;
  }

  void remove(int node) {
    if (free != null) {
      free[node >> 6] |= 1L << node;
    } else {
      int at = Arrays.binarySearch(members, 0, size, node);
      System.arraycopy(members, at + 1, members, at, size - at - 1);
    }
    size--;
    changes++;
    added = -1;
  }

  /** Replaces every member with its new slot; their order stays. */
  void renumber(int[] renumbered) {
    changes++;
    added = -1;
    if (free == null) {
      for (int i = 0; i < size; i++) {
        members[i] = renumbered[members[i]];
      }
      return;
    }
    long[] before = free;
    free = new long[before.length];
    Arrays.fill(free, -1L);
    for (int at = 0; at < before.length; at++) {
      for (long word = ~before[at]; word != 0; word &= word - 1) {
        int node = renumbered[(at << 6) + Long.numberOfTrailingZeros(word)];
        free[node >> 6] &= ~(1L << node);
      }
    }
  }

  private void grow(int words) {
    int from = free.length;
    free = Arrays.copyOf(free, words);
    Arrays.fill(free, from, words, -1L);
  }
}
