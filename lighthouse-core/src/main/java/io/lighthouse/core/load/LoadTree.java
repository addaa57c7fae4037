package io.lighthouse.core.load;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.share.Share;
import java.util.Arrays;

/**
 * A k-d tree over points of load, by halves down to a few nodes a leaf. The boxes are numbered as
 * in a heap: the children of a box b are 2b and 2b + 1. Nodes that take no workloads are in no
 * bounds.
 */
final class LoadTree {
  static final int ROOT = 1;

  private static final int LEAF = 8;

  private static final int SEVERAL = -1;

  private final LoadPoints points;
  private final LoadRule rule;
  private final int dimensions;

  /** Boxes from here on are leaves; there are twice as many boxes. */
  private final int leaves;

  /** The slots, leaf by leaf. */
  private final int[] nodes;

  /** Where each leaf begins in {@link #nodes}; one more. */
  private final int[] starts;

  /** By slot its leaf. */
  private final int[] leafOf;

  /** Bounds of the coordinates; [box * dimensions + dimension]. */
  private final long[] low;

  private final long[] high;

  /** The least shares in use; the same as {@link #low} where coordinates are shares. */
  private final long[] emptiest;

  /** By box the lowest slot that is open. */
  private final int[] least;

  /** By box the kind of all its nodes, or {@link #SEVERAL}. */
  private final int[] kinds;

  /** Coordinates of a node that is being read. */
  private final long[] coordinates;

  LoadTree(LoadPoints points) {
    this.points = points;
    rule = points.rule();
    dimensions = points.dimensions;
    nodes = points.byKind();
    int count = 1;
    while (count * LEAF < nodes.length) {
      count *= 2;
    }
    leaves = count;
    starts = new int[leaves + 1];
    starts[leaves] = nodes.length;
    leafOf = new int[points.kinds.length];
    low = new long[2 * leaves * dimensions];
    high = new long[2 * leaves * dimensions];
    emptiest = rule == LoadRule.FULLEST ? low : new long[2 * leaves * dimensions];
    least = new int[2 * leaves];
    kinds = new int[2 * leaves];
    coordinates = new long[dimensions];
    split(ROOT, 0, nodes.length);
    for (int box = 2 * leaves - 1; box >= ROOT; box--) {
      bind(box);
    }
  }

  private void split(int box, int from, int to) {
    boolean pure = from < to && points.kinds[nodes[from]] == points.kinds[nodes[to - 1]];
    kinds[box] = pure ? points.kinds[nodes[from]] : SEVERAL;
    for (int at = from; at < to; at++) {
      if (!points.whole(nodes[at])) {
        kinds[box] = SEVERAL;
      }
    }
    if (box >= leaves) {
      starts[box - leaves] = from;
      for (int at = from; at < to; at++) {
        leafOf[nodes[at]] = box;
      }
      return;
    }
    int middle = (from + to) >>> 1;
    if (pure && dimensions > 0) {
      select(from, to - 1, middle, widest(from, to));
    }
    split(2 * box, from, middle);
    split(2 * box + 1, middle, to);
  }

  private int widest(int from, int to) {
    long[] lowest = new long[dimensions];
    long[] highest = new long[dimensions];
    Arrays.fill(lowest, Long.MAX_VALUE);
    Arrays.fill(highest, Long.MIN_VALUE);
    for (int at = from; at < to; at++) {
      locate(nodes[at]);
      for (int d = 0; d < dimensions; d++) {
        lowest[d] = Math.min(lowest[d], coordinates[d]);
        highest[d] = Math.max(highest[d], coordinates[d]);
      }
    }
    int widest = 0;
    for (int d = 1; d < dimensions; d++) {
      if (highest[d] - lowest[d] > highest[widest] - lowest[widest]) {
        widest = d;
      }
    }
    return widest;
  }

  /** Puts the nodes with the smaller coordinates before a place (Hoare's quickselect). */
  private void select(int first, int last, int place, int dimension) {
    int from = first;
    int to = last;
    while (from < to) {
      long pivot = coordinate(nodes[(from + to) >>> 1], dimension);
      int i = from;
      int j = to;
      while (i <= j) {
        while (coordinate(nodes[i], dimension) < pivot) {
          i++;
        }
        while (coordinate(nodes[j], dimension) > pivot) {
          j--;
        }
        if (i <= j) {
          int moved = nodes[i];
          nodes[i++] = nodes[j];
          nodes[j--] = moved;
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

  private long coordinate(int node, int dimension) {
    if (rule == LoadRule.FULLEST) {
      return points.shares[node * dimensions + dimension];
    }
    locate(node);
    return coordinates[dimension];
  }

  /** Reads the coordinates of a node: its shares, or their deviations from their mean. */
  private void locate(int node) {
    long sum = 0;
    int count = 0;
    for (int d = 0; d < dimensions; d++) {
      coordinates[d] = points.shares[node * dimensions + d];
      if (coordinates[d] != LoadPoints.ABSENT) {
        sum += coordinates[d];
        count++;
      }
    }
    if (rule == LoadRule.VARIANCE && count > 0) {
      long mean = Math.floorDiv(sum, count);
      for (int d = 0; d < dimensions; d++) {
        if (coordinates[d] != LoadPoints.ABSENT) {
          coordinates[d] -= mean;
        }
      }
    }
  }

  /** A node has changed, and has been read. */
  void changed(int node) {
    for (int box = leafOf[node]; box >= ROOT; box >>= 1) {
      bind(box);
    }
  }

  /** Counts the bounds of a box, those of its children being right. */
  private void bind(int box) {
    int base = box * dimensions;
    Arrays.fill(low, base, base + dimensions, Long.MAX_VALUE);
    Arrays.fill(high, base, base + dimensions, Long.MIN_VALUE);
    Arrays.fill(emptiest, base, base + dimensions, Long.MAX_VALUE);
    least[box] = Integer.MAX_VALUE;
    if (box >= leaves) {
      for (int at = from(box); at < to(box); at++) {
        int node = nodes[at];
        if (!points.closed(node)) {
          locate(node);
          least[box] = Math.min(least[box], node);
          for (int d = 0; d < dimensions; d++) {
            low[base + d] = Math.min(low[base + d], coordinates[d]);
            high[base + d] = Math.max(high[base + d], coordinates[d]);
            long share = points.shares[node * dimensions + d];
            emptiest[base + d] = Math.min(emptiest[base + d], share);
          }
        }
      }
    } else {
      int left = 2 * box * dimensions;
      int right = left + dimensions;
      least[box] = Math.min(least[2 * box], least[2 * box + 1]);
      for (int d = 0; d < dimensions; d++) {
        low[base + d] = Math.min(low[left + d], low[right + d]);
        high[base + d] = Math.max(high[left + d], high[right + d]);
        emptiest[base + d] = Math.min(emptiest[left + d], emptiest[right + d]);
      }
    }
  }

  static int left(int box) {
    return 2 * box;
  }

  boolean leaf(int box) {
    return box >= leaves;
  }

  int least(int box) {
    return least[box];
  }

  int from(int leaf) {
    return starts[leaf - leaves];
  }

  int to(int leaf) {
    return starts[leaf - leaves + 1];
  }

  int node(int at) {
    return nodes[at];
  }

  /**
   * A lower bound on the scores of the nodes of a box that the workload of the search may fit;
   * {@link Long#MAX_VALUE} where it surely fits none.
   */
  long bound(int box) {
    if (least[box] == Integer.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    int base = box * dimensions;
    int kind = kinds[box];
    if (kind != SEVERAL && !points.mayHaveRoom(emptiest, base, kind)) {
      return Long.MAX_VALUE;
    }
    if (rule == LoadRule.FULLEST) {
      return fullest(base, kind);
    }
    return kind == SEVERAL ? 0 : variance(base, points.added(kind));
  }

  private long fullest(int base, int kind) {
    long bound = Long.MIN_VALUE;
    if (kind == SEVERAL) {
      for (int d = 0; d < dimensions; d++) {
        bound = Math.max(bound, low[base + d] + points.leastAdded(d));
      }
    } else {
      int added = points.added(kind);
      for (int d = 0; d < dimensions; d++) {
        bound = Math.max(bound, low[base + d] + points.addedAt(added + d));
      }
    }
    return bound >> (Share.BITS - rule.bits());
  }

  /** From the distance of 0 from the interval of each deviation. */
  private long variance(int base, int added) {
    long sum = 0;
    int count = 0;
    for (int d = 0; d < dimensions; d++) {
      if (low[base + d] != LoadPoints.ABSENT) {
        sum += points.addedAt(added + d);
        count++;
      }
    }
    if (count == 0) {
      return 0;
    }
    long mean = Math.floorDiv(sum, count);
    long squares = 0;
    int drop = Share.BITS - rule.bits();
    for (int d = 0; d < dimensions; d++) {
      if (low[base + d] != LoadPoints.ABSENT) {
        long deviation = points.addedAt(added + d) - mean;
        long lowest = ((low[base + d] + deviation) >> drop) - Share.SLACK;
        long highest = ((high[base + d] + deviation) >> drop) + Share.SLACK;
        squares += LoadPoints.square(lowest > 0 ? lowest : Math.min(0, highest));
      }
    }
    return LoadRule.variance(squares, count);
  }

  /** Recomputes the bounds of all boxes from the points, and puts the kept ones back. */
  void audit(Audit audit) {
    long[][] bounds = {low, high, emptiest};
    long[][] kept = {low.clone(), high.clone(), emptiest.clone()};
    int[] keptLeast = least.clone();
    for (int box = 2 * leaves - 1; box >= ROOT; box--) {
      bind(box);
    }
    for (int i = 0; i < bounds.length; i++) {
      for (int at = ROOT * dimensions; at < bounds[i].length; at++) {
        audit.equal("load: bound " + i + " at", at, bounds[i][at], kept[i][at]);
      }
      System.arraycopy(kept[i], 0, bounds[i], 0, kept[i].length);
    }
    for (int box = ROOT; box < 2 * leaves; box++) {
      audit.equal("load: lowest node of box", box, least[box], keptLeast[box]);
    }
    System.arraycopy(keptLeast, 0, least, 0, least.length);
  }
}
