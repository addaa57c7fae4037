package io.lighthouse.core.account;

import java.util.Arrays;

/**
 * The slots of the nodes, in the order of nodes, with gaps where nodes were removed: a bit vector
 * with rank and select.
 *
 * <p>A node keeps its slot as long as it exists, whatever happens to the nodes before it. Its place
 * in the order is its rank among the live slots. Counts of bits before each word make both
 * operations a look-up (G. Jacobson, "Space-efficient static trees and graphs", FOCS 1989). The
 * counts are recomputed at their first use after a change, and not at all while there is no gap.
 */
final class Slots {
  /** One bit per slot: whether it belongs to a node. */
  private long[] live = new long[1];

  /** Slots below this have been given out. */
  private int count;

  private int liveCount;

  /** By word: the number of live slots before it. Valid while {@link #stale} is false. */
  private int[] before = new int[1];

  private boolean stale;

  Slots() {}

  Slots(Slots other) {
    live = other.live.clone();
    count = other.count;
    liveCount = other.liveCount;
    before = other.before.clone();
    stale = other.stale;
  }

  int count() {
    return count;
  }

  int liveCount() {
    return liveCount;
  }

  boolean isLive(int slot) {
    return (live[slot >> 6] >>> slot & 1) != 0;
  }

  /** Adds a slot after the last one. */
  void append() {
    int word = count >> 6;
    if (word == live.length) {
      live = Arrays.copyOf(live, 2 * word);
    }
    count++;
    revive(count - 1);
  }

  void revive(int slot) {
    liveCount += isLive(slot) ? 0 : 1;
    live[slot >> 6] |= 1L << slot;
    stale = true;
  }

  void die(int slot) {
    live[slot >> 6] &= ~(1L << slot);
    liveCount--;
    stale = true;
  }

  /** Removes the last slot, which is dead. */
  void dropLast() {
    count--;
  }

  /** Removes the dead slots after the last live one. */
  void trim() {
    count = last(count) + 1;
  }

  /** The last live slot before a slot, or -1. */
  int last(int slot) {
    for (int at = slot - 1; at >= 0; at--) {
      long word = live[at >> 6] << 63 - at;
      if (word != 0) {
        return at - Long.numberOfLeadingZeros(word);
      }
      at &= ~63;
    }
    return -1;
  }

  /** The place of a live slot in the order of nodes. */
  int rank(int slot) {
    if (liveCount == count) {
      return slot;
    }
    freshen();
    return before[slot >> 6] + Long.bitCount(live[slot >> 6] & (1L << slot) - 1);
  }

  /** The slot at a place in the order of nodes. */
  int select(int index) {
    if (liveCount == count) {
      return index;
    }
    freshen();
    int low = 0;
    int high = count - 1 >> 6;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (before[middle] <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long word = live[low];
    for (int skip = index - before[low]; skip > 0; skip--) {
      word &= word - 1;
    }
    return (low << 6) + Long.numberOfTrailingZeros(word);
  }

  /**
   * Removes the gaps: all slots are live then, in the same order. Returns the new place of each
   * slot, -1 for a dead one.
   */
  int[] close() {
    int[] moved = new int[count];
    int next = 0;
    for (int slot = 0; slot < count; slot++) {
      moved[slot] = isLive(slot) ? next++ : -1;
    }
    Arrays.fill(live, 0);
    count = next;
    liveCount = 0;
    for (int slot = 0; slot < next; slot++) {
      revive(slot);
    }
    return moved;
  }

  private void freshen() {
    if (!stale) {
      return;
    }
    int words = (count + 63) >> 6;
    if (before.length < words) {
      before = new int[live.length];
    }
    int sum = 0;
    for (int word = 0; word < words; word++) {
      before[word] = sum;
      sum += Long.bitCount(live[word]);
    }
    stale = false;
  }
}
