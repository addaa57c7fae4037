package io.lighthouse.core.load;

import java.util.Arrays;

/**
 * How each box of a {@link LoadTree} is divided into two halves: by which coordinate, and at which
 * node.
 *
 * <p>A box of nodes of equal capacity is divided by their loads. Any other box is divided by the
 * capacities where they differ, and between two kinds where it has such an edge near its middle. On
 * 10,000 nodes of four kinds, {@code spread} took 1.2 times as long before boxes ended at the edges
 * of kinds. Where each of 5,000 nodes has a capacity of its own, 40,000 workloads by {@code spread}
 * took 10 times as long before boxes were divided by capacities, on 2026-11-27 (docs/lab).
 */
final class LoadDivisions {
  private final LoadPoints points;
  private final int dimensions;

  /** The nodes that are divided. */
  private final int[] order;

  /** By box the dimension by which it is divided; used where it is of one kind. */
  private final byte[] divided;

  /** By box the first node that belonged to its right half, and its coordinate then. */
  private final int[] edges;

  private final long[] edgeKeys;

  /** The coordinates of a node, and their bounds over the nodes of a box that is being divided. */
  private final long[] coordinates;

  private final long[] lowest;
  private final long[] highest;

  /**
   * No divisions yet.
   *
   * @param boxes the limit of the boxes that are divided
   * @param order the caller's array of nodes, which {@link #divide} reorders
   */
  LoadDivisions(LoadPoints points, int boxes, int[] order) {
    this.points = points;
    this.order = order;
    dimensions = points.dimensions;
    divided = new byte[boxes];
    edges = new int[boxes];
    edgeKeys = new long[boxes];
    coordinates = new long[dimensions];
    lowest = new long[dimensions];
    highest = new long[dimensions];
  }

  /**
   * Divides a box of nodes that are not of one kind or have coordinates.
   *
   * @param isOneKind whether all its nodes are of one kind
   * @param most how many nodes a half has at most
   * @return where those of its right half begin
   */
  int divide(int box, boolean isOneKind, int from, int to, int most) {
    int middle = (from + to) >>> 1;
    int dimension = widest(isOneKind, from, to);
    select(from, to - 1, middle, dimension);
    if (dimension >= dimensions) {
      middle = edgeOfKind(from, middle, to, most);
      select(from, to - 1, middle, dimension);
    }
    divided[box] = (byte) dimension;
    edges[box] = order[middle];
    edgeKeys[box] = coordinate(order[middle], dimension);
    return middle;
  }

  /** Whether a node belongs to the right half of a box of one kind. */
  boolean isRight(int box, int node, long[] located) {
    return compare(located[divided[box]], node, edgeKeys[box], edges[box]) >= 0;
  }

  /**
   * The dimension by which a box is divided: the one in which its capacities differ the most,
   * counted from {@link #dimensions} on, or else its coordinates. What a workload adds to a share
   * is in inverse proportion to the capacity, so capacities are compared by their inverses.
   */
  private int widest(boolean isOneKind, int from, int to) {
    if (!isOneKind) {
      forgetBounds();
      for (int at = from; at < to; at++) {
        for (int d = 0; d < dimensions; d++) {
          coordinates[d] = points.inverse(order[at], d);
        }
        extendBounds();
      }
      int widest = widest();
      if (lowest[widest] < highest[widest]) {
        return dimensions + widest;
      }
    }
    forgetBounds();
    for (int at = from; at < to; at++) {
      points.locate(order[at], coordinates);
      extendBounds();
    }
    return widest();
  }

  private void forgetBounds() {
    Arrays.fill(lowest, Long.MAX_VALUE);
    Arrays.fill(highest, Long.MIN_VALUE);
  }

  private void extendBounds() {
    for (int d = 0; d < dimensions; d++) {
      lowest[d] = Math.min(lowest[d], coordinates[d]);
      highest[d] = Math.max(highest[d], coordinates[d]);
    }
  }

  private int widest() {
    int widest = 0;
    for (int d = 1; d < dimensions; d++) {
      if (highest[d] - lowest[d] > highest[widest] - lowest[widest]) {
        widest = d;
      }
    }
    return widest;
  }

  /**
   * The edge of the kind in the middle of a box that was divided by capacities: where the nodes of
   * that kind begin, or where they end. The nearer edge counts, at most a quarter of the box away;
   * else it is the middle.
   */
  private int edgeOfKind(int from, int middle, int to, int most) {
    int kind = points.kinds[order[middle]];
    int before = 0;
    int behind = 0;
    for (int at = from; at < to; at++) {
      if (points.kinds[order[at]] == kind) {
        before += at < middle ? 1 : 0;
        behind += at < middle ? 0 : 1;
      }
    }
    int edge = before < behind ? middle - before : middle + behind;
    int larger = Math.max(edge - from, to - edge);
    boolean isNear = Math.abs(edge - middle) <= (to - from) / 4;
    return isNear && larger <= most ? edge : middle;
  }

  /**
   * Puts the nodes with the smaller coordinate before a place (Hoare's quickselect). Of equal ones
   * those of the lower kind come first, of one kind the lower slots.
   */
  private void select(int first, int last, int place, int dimension) {
    int from = first;
    int to = last;
    while (from < to) {
      int pivot = order[(from + to) >>> 1];
      long key = coordinate(pivot, dimension);
      int i = from;
      int j = to;
      while (i <= j) {
        while (compare(coordinate(order[i], dimension), order[i], key, pivot) < 0) {
          i++;
        }
        while (compare(coordinate(order[j], dimension), order[j], key, pivot) > 0) {
          j--;
        }
        if (i <= j) {
          swap(i++, j--);
        }
      }
      if (place <= j) {
        to = j;
      } else if (place >= i) {
        from = i;
      } else {
        return;
      }
    }
  }

  private void swap(int at, int other) {
    int node = order[at];
    order[at] = order[other];
    order[other] = node;
  }

  private int compare(long key, int node, long otherKey, int other) {
    if (key != otherKey) {
      return key < otherKey ? -1 : 1;
    }
    int compared = Integer.compare(points.kinds[node], points.kinds[other]);
    return compared != 0 ? compared : Integer.compare(node, other);
  }

  private long coordinate(int node, int dimension) {
    if (dimension >= dimensions) {
      return points.inverse(node, dimension - dimensions);
    }
    if (points.rule() == LoadRule.FULLEST) {
      return points.shares[node * dimensions + dimension];
    }
    points.locate(node, coordinates);
    return coordinates[dimension];
  }
}
