package io.lighthouse.core.index;

import io.lighthouse.api.Reason;
import io.lighthouse.core.bitmap.BitRow;
import java.util.Arrays;

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

  /** The most nodes that a lane can count. */
  private static final int STRETCH = (1 << Short.SIZE) - 1;

  /** The largest amount in a lane. */
  static final int MOST = 0x7FFE;

  /** How far each dimension is shifted so that the levels take 15 bits. */
  private final int[] shifts;

  /** How many longs the lanes of all dimensions take. */
  private final int longs;

  /** [node * longs + dimension / 4]. */
  private long[] room;

  /** By node: lanes of the last count that do not decide, and those that fall short. */
  private long[] equal = {};

  private long[] lacks = {};

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
   * nodes do. The loop over all nodes only loads, subtracts and adds. The lanes of some nodes do
   * not decide: equal lanes that stand for many amounts, or something negative. These nodes are
   * taken out of the count again and checked exactly.
   *
   * @param needs a dimension for each requirement of their demand
   * @param nodes the slots that have a node
   * @param sound the nodes that have nothing below 0
   */
  void countShort(LevelNeeds needs, BitRow nodes, BitRow sound, ShortNodes into) {
    long[] unsure = new long[longs];
    boolean sure = true;
    for (int i = 0; i < needs.count(); i++) {
      int d = needs.dimension(i);
      if (shifts[d] > 0 || lane(d, needs.need(i)) > MOST) {
        unsure[indexOf(d)] |= 0x8000L << shift(d);
        sure = false;
      }
    }
    int[] lacking = new int[LANES * longs];
    int[] missing = new int[LANES * longs];
    if (equal.length < into.nodes()) {
      equal = new long[into.nodes() + into.nodes() / 4];
      lacks = new long[equal.length];
    }
    if (!sure) {
      Arrays.fill(equal, 0, into.nodes(), 0);
    }
    for (int at = 0; at < longs; at++) {
      if (needs.lanes(at) != 0) {
        countLong(at, needs.lanes(at), unsure[at], into, lacking, missing);
      }
    }
    for (int at = 0; at < (into.nodes() + 63) >> 6; at++) {
      long strange = ~nodes.words[at] | ~sound.words[at] | (sure ? 0 : equalIn(at, into.nodes()));
      for (; strange != 0; strange &= strange - 1) {
        int node = (at << 6) + Long.numberOfTrailingZeros(strange);
        if (node < into.nodes()) {
          into.broken()[node] -= takeOut(node, needs, lacking, missing);
          if (nodes.has(node)) {
            into.countExactly(node);
          }
        }
      }
    }
    for (int i = 0; i < needs.count(); i++) {
      int id = needs.demand().id(i);
      into.add(Reason.Kind.SHORT, id, lacking[needs.dimension(i)]);
      into.add(Reason.Kind.MISSING, id, missing[needs.dimension(i)]);
    }
  }

  /** Counts four dimensions, in runs of nodes short enough that no lane overflows. */
  private void countLong(
      int at, long need, long unsure, ShortNodes into, int[] lacking, int[] missing) {
    int[] broken = into.broken();
    for (int from = 0; from < into.nodes(); from += STRETCH) {
      int to = Math.min(into.nodes(), from + STRETCH);
      long less = 0;
      long none = 0;
      for (int node = from; node < to; node++) {
        long have = room[node * longs + at];
        long short4 = (~((have | BORROWS) - need) & BORROWS) >>> 15;
        less += short4;
        none += ~(have + AMOUNTS) >>> 15 & short4;
        equal[node] |= ~((have ^ need) + AMOUNTS) & unsure;
        lacks[node] = short4;
      }
      for (int node = from; node < to; node++) {
        long sum = lacks[node] + (lacks[node] >>> 32);
        broken[node] += (int) (sum + (sum >>> 16)) & 7;
      }
      for (int lane = 0; lane < LANES; lane++) {
        int without = (int) (none >>> lane * Short.SIZE & 0xFFFF);
        missing[LANES * at + lane] += without;
        lacking[LANES * at + lane] += (int) (less >>> lane * Short.SIZE & 0xFFFF) - without;
      }
    }
  }

  /** Which of 64 nodes have lanes that do not decide. */
  private long equalIn(int word, int nodes) {
    long any = 0;
    int to = Math.min(nodes, word + 1 << 6);
    for (int node = word << 6; node < to; node++) {
      any |= equal[node];
    }
    if (any == 0) {
      return 0;
    }
    long bits = 0;
    for (int node = word << 6; node < to; node++) {
      bits |= equal[node] != 0 ? 1L << node : 0;
    }
    return bits;
  }

  /** Takes a node out of the count; returns how many shortfalls it had there. */
  private int takeOut(int node, LevelNeeds needs, int[] lacking, int[] missing) {
    int count = 0;
    for (int at = 0; at < longs; at++) {
      long have = room[node * longs + at];
      long short4 = ~((have | BORROWS) - needs.lanes(at)) & BORROWS;
      count += Long.bitCount(short4);
      for (; short4 != 0; short4 &= short4 - 1) {
        int lane = Long.numberOfTrailingZeros(short4) / Short.SIZE;
        boolean none = (have >>> lane * Short.SIZE & 0xFFFF) == 0;
        (none ? missing : lacking)[LANES * at + lane]--;
      }
    }
    return count;
  }

  /** The lane of a dimension on a node. */
  long of(int node, int dimension) {
    return room[node * longs + indexOf(dimension)] >>> shift(dimension) & 0xFFFF;
  }
}
