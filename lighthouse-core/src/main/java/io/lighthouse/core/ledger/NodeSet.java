package io.lighthouse.core.ledger;

import java.util.Arrays;

/**
 * A set of node indexes: a short sorted list while it is small, a row of bits once it holds more
 * than one node in {@value #DENSITY}. So its memory is at most {@code DENSITY / 8} bytes a member,
 * and a large one can be ANDed.
 */
public final class NodeSet {
  private static final int DENSITY = 256;

  /** Members in ascending order, the first {@link #size}; unused once there are bits. */
  private int[] members = new int[2];

  /** One bit a node; null while the list serves. */
  private long[] bits;

  private int size;

  NodeSet() {}

  private NodeSet(NodeSet other) {
    members = other.members.clone();
    bits = other.bits == null ? null : other.bits.clone();
    size = other.size;
  }

  NodeSet copy() {
    return new NodeSet(this);
  }

  /**
   * The number of members.
   *
   * @return 0 or more
   */
  public int size() {
    return size;
  }

  /**
   * The members as bits, where the set is large.
   *
   * @return one bit a node, 64 a word, as many words as its largest member ever needed; or null
   */
  public long[] bits() {
    return bits;
  }

  /**
   * A member of a set without {@link #bits}.
   *
   * @param index from 0 to {@code size() - 1}, in ascending order
   * @return the index of a node
   */
  public int member(int index) {
    return members[index];
  }

  /**
   * Whether a node is in the set.
   *
   * @param node the index of a node
   * @return true if it is
   */
  public boolean has(int node) {
    if (bits != null) {
      return node >> 6 < bits.length && (bits[node >> 6] >>> node & 1) != 0;
    }
    return Arrays.binarySearch(members, 0, size, node) >= 0;
  }

  void add(int node, int nodes) {
    if (bits == null && size >= 16 && size > nodes / DENSITY) {
      bits = new long[(nodes + 63) >> 6];
      for (int i = 0; i < size; i++) {
        bits[members[i] >> 6] |= 1L << members[i];
      }
      members = null;
    }
    if (bits != null) {
      if (node >> 6 >= bits.length) {
        bits = Arrays.copyOf(bits, Math.max((nodes + 63) >> 6, (node >> 6) + 1));
      }
      bits[node >> 6] |= 1L << node;
    } else {
      int at = -Arrays.binarySearch(members, 0, size, node) - 1;
      if (size == members.length) {
        members = Arrays.copyOf(members, 2 * size);
      }
      System.arraycopy(members, at, members, at + 1, size - at);
      members[at] = node;
    }
    size++;
  }

  void remove(int node) {
    if (bits != null) {
      bits[node >> 6] &= ~(1L << node);
    } else {
      int at = Arrays.binarySearch(members, 0, size, node);
      System.arraycopy(members, at + 1, members, at, size - at - 1);
    }
    size--;
  }

  /** Closes the gap of a node that is no member; those behind it move up. */
  void removeIndex(int node) {
    if (bits == null) {
      for (int i = 0; i < size; i++) {
        if (members[i] > node) {
          members[i]--;
        }
      }
      return;
    }
    int word = node >> 6;
    if (word >= bits.length) {
      return;
    }
    long below = (1L << node) - 1;
    bits[word] = (bits[word] & below) | ((bits[word] >>> 1) & ~below);
    for (int i = word + 1; i < bits.length; i++) {
      bits[i - 1] |= bits[i] << 63;
      bits[i] >>>= 1;
    }
  }
}
