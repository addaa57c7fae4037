package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of bits "has at least this much left": for each common resource a few levels, for each level
 * a row, one bit a node.
 *
 * <p>The levels are quantiles of what is required. A workload asks for the row of the highest level
 * that is not above its need; what survives is checked exactly, so levels steer cost only. When
 * what is left of a node falls, the walk down the levels that it crosses clears their bits; when it
 * rises, the walk up sets them.
 */
final class Levels {
  /** More levels are more bits to flip, fewer are more survivors to check; 16 measured best. */
  private static final int MOST_LEVELS = 16;

  private static final int MOST_DIMENSIONS = 32;

  private final Ledger ledger;

  /** By id: the dimension of a resource, or -1. */
  private final int[] dimensions;

  /** Levels of each dimension, scaled, ascending. */
  private final long[][] levels;

  /** The highest level that a node has, or -1; [node * dimensions + dimension]. */
  private final byte[] height;

  /**
   * Roughly what is left, all dimensions of a node side by side: shifted right so that the levels
   * take 15 bits, 0 for less than nothing, the most for more; [node * dimensions + dimension].
   * Rough as it is, it never says too little, and many nodes fit the nearest cache.
   */
  private final char[] room;

  /** How far each dimension is shifted. */
  private final int[] shifts;

  /**
   * The dimensions that the demand at hand requires, and roughly how much; the first {@link
   * #asked}.
   */
  private int[] askedDimensions = new int[8];

  private char[] askedRoom = new char[8];

  /** The highest level not above each need; -1 where even the lowest is above it. */
  private int[] askedLevels = new int[8];

  private int asked;

  /** One bit a node; [dimension][level][node / 64]. */
  private final long[][][] rows;

  /** Every node; for a question that no other row narrows. */
  private final long[] all;

  /** Orders whose own rows follow the same levels. */
  private final List<BlockOrder> followers = new ArrayList<>();

  /** Reads all nodes. Cost: nodes times dimensions times levels. */
  Levels(Ledger ledger, NeedSample sample) {
    this.ledger = ledger;
    int nodes = ledger.nodeCount();
    int words = (nodes + 63) >> 6;
    dimensions = new int[ledger.resourceIds()];
    Arrays.fill(dimensions, -1);
    List<long[]> chosen = new ArrayList<>();
    for (int id = 0; id < dimensions.length && chosen.size() < MOST_DIMENSIONS; id++) {
      boolean common = ledger.resource(id) != null && 8L * ledger.nodesWith(id) >= nodes;
      if (common && sample.has(id)) {
        dimensions[id] = chosen.size();
        chosen.add(sample.levels(id, MOST_LEVELS));
      }
    }
    levels = chosen.toArray(long[][]::new);
    height = new byte[levels.length * nodes];
    Arrays.fill(height, (byte) -1);
    room = new char[levels.length * nodes];
    shifts = new int[levels.length];
    for (int d = 0; d < levels.length; d++) {
      long highest = levels[d][levels[d].length - 1];
      shifts[d] = Math.max(0, Long.SIZE - 15 - Long.numberOfLeadingZeros(Math.max(highest, 1)));
    }
    rows = new long[levels.length][][];
    for (int d = 0; d < levels.length; d++) {
      rows[d] = new long[levels[d].length][words];
    }
    all = new long[words];
    for (int node = 0; node < nodes; node++) {
      all[node >> 6] |= 1L << node;
      Layout layout = ledger.layout(node);
      for (int slot = 0; slot < layout.size(); slot++) {
        int d = dimensions[layout.id(slot)];
        if (d >= 0) {
          changed(node, d, ledger.left(node, slot));
        }
      }
    }
  }

  /** Whether the sample would give the same levels again. */
  boolean matches(NeedSample sample) {
    for (int id = 0; id < dimensions.length; id++) {
      int d = dimensions[id];
      if (d >= 0 && sample.has(id) && !Arrays.equals(levels[d], sample.levels(id, MOST_LEVELS))) {
        return false;
      }
    }
    return true;
  }

  int words() {
    return all.length;
  }

  long[] all() {
    return all;
  }

  int dimensions() {
    return levels.length;
  }

  int levels(int dimension) {
    return levels[dimension].length;
  }

  int height(int dimension, int node) {
    return height[node * levels.length + dimension];
  }

  void follow(BlockOrder order) {
    followers.add(order);
  }

  /** Takes up a demand, for {@link #addRows} and {@link #covers}. */
  void ask(Demand demand) {
    asked = 0;
    if (demand.size() > askedRoom.length) {
      askedDimensions = new int[demand.size()];
      askedRoom = new char[demand.size()];
      askedLevels = new int[demand.size()];
    }
    for (int i = 0; i < demand.size(); i++) {
      int d = dimension(demand.id(i));
      if (d >= 0 && !demand.immune(i)) {
        askedDimensions[asked] = d;
        askedLevels[asked] = level(d, demand.need(i));
        askedRoom[asked++] = rough(d, demand.need(i));
      }
    }
  }

  /** Adds the rows of the demand at hand, from these or a follower's rows of the same levels. */
  void addRows(RowScan scan, long[][][] from) {
    for (int i = 0; i < asked; i++) {
      if (askedLevels[i] >= 0) {
        scan.add(from[askedDimensions[i]][askedLevels[i]]);
      }
    }
  }

  long[][][] rows() {
    return rows;
  }

  /** Whether a node may have enough of what the demand at hand requires; a no is sure. */
  boolean covers(int node) {
    int base = node * levels.length;
    for (int i = 0; i < asked; i++) {
      if (room[base + askedDimensions[i]] < askedRoom[i]) {
        return false;
      }
    }
    return true;
  }

  private char rough(int dimension, long amount) {
    return (char) Math.min(Math.max(amount, 0) >> shifts[dimension], Character.MAX_VALUE);
  }

  int dimension(int id) {
    return id < dimensions.length ? dimensions[id] : -1;
  }

  /** The highest level not above a need; -1 where even the lowest is above it. */
  int level(int dimension, long need) {
    long[] of = levels[dimension];
    long above = 0;
    for (int i = 0; i < of.length; i++) {
      above += (need - of[i]) >>> 63; // Both are below 2^62, so the sign is right, and no branch.
    }
    return of.length - 1 - (int) above;
  }

  /** What is left of a resource on a node has changed. */
  void leftChanged(int node, int id, long after) {
    int d = dimension(id);
    if (d >= 0) {
      changed(node, d, after);
    }
  }

  private void changed(int node, int d, long after) {
    long[] of = levels[d];
    int at = node * levels.length + d;
    room[at] = rough(d, after);
    int now = height[at];
    while (now >= 0 && of[now] > after) {
      rows[d][now][node >> 6] &= ~(1L << node);
      for (int i = 0; i < followers.size(); i++) {
        followers.get(i).flip(d, now, node, false);
      }
      now--;
    }
    while (now + 1 < of.length && of[now + 1] <= after) {
      now++;
      rows[d][now][node >> 6] |= 1L << node;
      for (int i = 0; i < followers.size(); i++) {
        followers.get(i).flip(d, now, node, true);
      }
    }
    height[at] = (byte) now;
  }
}
