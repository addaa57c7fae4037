package io.lighthouse.core.plan;

import io.lighthouse.core.account.NodeTable;
import java.util.Arrays;

/** By place of a domain, the limits that holders there set to the members of a group. */
final class HolderLimits {
  /** By place: the least limit of the holders that no step moves. */
  private final int[] fixed;

  /** The limits of the holders that steps move, ascending. */
  private final int[] moved;

  /** How often moved holders set each limit; [place * moved + index of the limit]. */
  private final int[] counts;

  HolderLimits(int[] fixed, int[] moved) {
    this.fixed = fixed;
    this.moved = moved;
    counts = new int[fixed.length * moved.length];
  }

  /** A copy whose counts change by themselves. */
  HolderLimits(HolderLimits other) {
    fixed = other.fixed;
    moved = other.moved;
    counts = other.counts.clone();
  }

  /** Adds the limits of a moved holder as often as a count says, which may be below 0. */
  void add(int[] limits, int place, int count) {
    for (int i = 0; place != NodeTable.NONE && i < limits.length; i++) {
      counts[place * moved.length + Arrays.binarySearch(moved, limits[i])] += count;
    }
  }

  /** The least limit at a place. */
  int least(int place) {
    for (int i = 0; i < moved.length; i++) {
      if (counts[place * moved.length + i] > 0) {
        return Math.min(moved[i], fixed[place]);
      }
    }
    return fixed[place];
  }

  /** How many counts there are. */
  int size() {
    return counts.length;
  }
}
