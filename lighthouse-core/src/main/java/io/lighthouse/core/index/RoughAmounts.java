package io.lighthouse.core.index;

import io.lighthouse.core.account.NodeAccounts;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Roughly what is left on each node, four dimensions side by side in a long. The lanes have 16
 * bits, of which the upper one is for borrowing. So one subtraction compares all four (L. Lamport,
 * "Multiple byte processing with full-word instructions", CACM 18, 1975). The amounts are rounded
 * so that no node that has enough is excluded.
 *
 * <p>A refusal counts all nodes with them: without, the case EXPLAINED of CliffBenchmark takes 1.6
 * times as long on 10,000 nodes (2026-11-24).
 */
final class RoughAmounts {
  private static final int LANES = 4;

  /** The upper bits of a dimension select its long, the lower two its lane. */
  private static final int LANE_BITS = 2;

  private static final long BORROWS = 0x8000_8000_8000_8000L;
  private static final long AMOUNTS = ~BORROWS;

  /** The largest amount in a lane. */
  static final int MOST = 0x7FFE;

  /** How far each dimension is shifted so that the levels take 15 bits. */
  private final int[] shifts;

  /** How many longs the lanes of all dimensions take. */
  private final int longs;

  /** [node * longs + dimension / 4]. */
  private long[] room;

  RoughAmounts(int[] shifts, int capacity) {
    this.shifts = shifts;
    longs = (shifts.length + LANES - 1) / LANES;
    room = new long[longs * capacity];
  }

  void reach(int capacity) {
    room = Arrays.copyOf(room, longs * capacity);
  }

  /** Sets what is left of a dimension on a node. */
  void set(int node, int dimension, long left) {
    int at = node * longs + indexOf(dimension);
    int shift = shift(dimension);
    room[at] = room[at] & ~(0xFFFFL << shift) | lane(dimension, left) << shift;
  }

  /** Sets all amounts of a node to nothing. */
  void clear(int node) {
    Arrays.fill(room, node * longs, (node + 1) * longs, 0);
  }

  /** Where the lane of a dimension begins in its long. */
  private static int shift(int dimension) {
    return (dimension & LANES - 1) * Short.SIZE;
  }

  /** An amount in 15 bits: 0 for a negative amount, the maximum for one above the levels. */
  long lane(int dimension, long amount) {
    return amount < 0 ? 0 : Math.min(amount >> shifts[dimension], MOST) + 1;
  }

  /** How many longs the lanes of all dimensions take. */
  int longs() {
    return longs;
  }

  /** Which long has the lane of a dimension. */
  static int indexOf(int dimension) {
    return dimension >> LANE_BITS;
  }

  /** An amount of a dimension in its lane, beside lanes of 0. */
  long lanes(int dimension, long amount) {
    return lane(dimension, amount) << shift(dimension);
  }

  /** Whether a node may have enough; false is certain. */
  boolean covers(int node, LevelNeeds needs) {
    for (int at = 0; at < longs; at++) {
      if (!atMost(needs.lanes(at), room[node * longs + at])) {
        return false;
      }
    }
    return true;
  }

  /** Whether each lane of one is at most the same lane of the other. */
  static boolean atMost(long some, long other) {
    return ((other | BORROWS) - some & BORROWS) == BORROWS;
  }

  // ---- what falls short ----

  /**
   * Counts for each node how many requirements it falls short of, and for each requirement how many
   * nodes do. The lanes of some nodes do not decide: equal lanes that stand for many amounts, or
   * something negative. These nodes are checked exactly.
   *
   * @param accounts tells the nodes that have something below 0
   * @param slots the limit of slots
   * @param broken by slot: the number of broken conditions, to which the shortfalls are added; a
   *     slot with {@link Integer#MAX_VALUE} is left out
   * @param exactly counts a node for which its lanes do not decide
   * @return by dimension: how many nodes have too little, and how many do not have it
   */
  int[][] countShort(
      LevelNeeds needs, NodeAccounts accounts, int slots, int[] broken, IntConsumer exactly) {
    long[] unsure = new long[longs];
    for (int i = 0; i < needs.count(); i++) {
      int d = needs.dimension(i);
      if (shifts[d] > 0 || lane(d, needs.need(i)) > MOST) {
        unsure[indexOf(d)] |= 0x8000L << shift(d);
      }
    }
    int[][] counts = new int[2][LANES * longs];
    for (int node = 0; node < slots; node++) {
      if (broken[node] == Integer.MAX_VALUE) {
        continue;
      }
      if (accounts.negatives(node) == 0 && decides(node, needs, unsure)) {
        broken[node] += countShort(node, needs, counts);
      } else {
        exactly.accept(node);
      }
    }
    return counts;
  }

  /** Whether no lane of a node that may be equal to a need without deciding is so. */
  private boolean decides(int node, LevelNeeds needs, long[] unsure) {
    long equal = 0;
    for (int at = 0; at < longs; at++) {
      equal |= ~((room[node * longs + at] ^ needs.lanes(at)) + AMOUNTS) & unsure[at];
    }
    return equal == 0;
  }

  private int countShort(int node, LevelNeeds needs, int[][] counts) {
    int count = 0;
    for (int at = 0; at < longs; at++) {
      long have = room[node * longs + at];
      long less = ~((have | BORROWS) - needs.lanes(at)) & BORROWS;
      count += Long.bitCount(less);
      for (; less != 0; less &= less - 1) {
        int lane = Long.numberOfTrailingZeros(less) / Short.SIZE;
        boolean none = (have >>> lane * Short.SIZE & 0xFFFF) == 0;
        counts[none ? 1 : 0][LANES * at + lane]++;
      }
    }
    return count;
  }

  /** The lane of a dimension on a node. */
  long of(int node, int dimension) {
    return room[node * longs + indexOf(dimension)] >>> shift(dimension) & 0xFFFF;
  }
}
