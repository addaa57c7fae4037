package io.lighthouse.core.load;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.share.Share;
import java.util.Arrays;

/**
 * A k-d tree over points of load, by halves down to a few nodes a leaf. The boxes are numbered as
 * in a heap: the children of a box b are 2b and 2b + 1. Nodes that take no workloads are in no
 * bounds. A box of nodes of equal capacity is divided by their loads. Any other box is divided by
 * the capacities where they differ, and between two kinds where it has such an edge near its
 * middle. By {@link LoadRule#VARIANCE}, a node whose load changes moves to another leaf. A box of
 * equal capacities is divided anew once many changes have left nodes where they may not belong.
 *
 * <p>Bounds are rounded down. Where thousands of nodes are equal (empty, say), a bound that is one
 * part too low makes the search visit all of them. So the bound of equal nodes is their score. A
 * batch of {@code spread} ({@code fleet-problem 100000 1000000 2 80}) took 31 s without this on
 * 2026-11-26, 14 s with it, and 12.5 s where boxes were divided anew, too (docs/lab/engine.md).
 *
 * <p>Where each of 5,000 nodes has a capacity of its own, 40,000 workloads by {@code spread} took
 * 10 times as long before boxes were divided by capacities, on 2026-11-27 (docs/lab/engine.md).
 * They took twice as long before boxes had inverses of their capacities, and leaves what a workload
 * adds at least, on 2026-11-28 (docs/lab/packings.md). On 10,000 nodes of four kinds, {@code
 * spread} took 1.2 times as long before boxes ended at the edges of kinds. There {@code balance}
 * took 1.9 times as long before its nodes moved between leaves (docs/lab/packings.md).
 *
 * <p>{@code BatchBenchmark} ({@code BALANCE}, 10,000 nodes) took 1.4 times as long without these
 * moves on 2026-11-29. With one count of misplaced nodes for all boxes, it took 1.9 times as long,
 * and {@code SPREAD} 2.1 times.
 */
final class LoadTree {
  static final int ROOT = 1;

  /** A leaf has this many nodes at most where the tree is built by halves. */
  private static final int LEAF = 8;

  /** The number of places of a leaf. */
  private static final int PLACES = 12;

  /** For each of its leaves, a box has this many misplaced nodes before it is divided anew. */
  private static final int MOST_MISPLACED = 4;

  /** Where nodes do not move, a box with fewer levels below it is not divided anew alone. */
  private static final int FEW_LEVELS = 3;

  /** Stands for the kind of a box with nodes of several kinds. */
  private static final int SEVERAL = -1;

  /** The same for a box with a node of which more counts than what is in its point. */
  private static final int PARTIAL = -2;

  private final LoadPoints points;
  private final LoadRule rule;
  private final int dimensions;

  /** Boxes from here on are leaves; there are twice as many boxes. */
  private final int leaves;

  /** Whether there are more kinds than leaves, so that most boxes are of several kinds. */
  private final boolean varied;

  /** The slots of the nodes, by place: those of a leaf are the first of its places. */
  private final int[] nodes;

  /** The number of nodes of each box. */
  private final int[] sizes;

  /** By slot its leaf; 0 where it has none. */
  private final int[] leafOf;

  /** By box the dimension by which it is divided; used where it is of one kind. */
  private final byte[] divided;

  /** By box the first node that belonged to its right half, and its coordinate then. */
  private final int[] edges;

  private final long[] edgeKeys;

  /** The nodes of a box that is being divided. */
  private final int[] order;

  /** Bounds of the coordinates; [box * dimensions + dimension]. */
  private final long[] low;

  private final long[] high;

  /** The least shares in use; the same as {@link #low} where coordinates are shares. */
  private final long[] emptiest;

  /** By box the lowest slot that is open. */
  private final int[] least;

  /** By box the kind of all its nodes, {@link #SEVERAL} or {@link #PARTIAL}. */
  private final int[] kinds;

  /** By box whether all its nodes that are open have the same in use, and are of one kind. */
  private final boolean[] equal;

  /**
   * The inverse of the largest capacity of a box without a kind; 0 where no node has one; [box *
   * dimensions + dimension].
   */
  private final long[] leastInverse;

  /** The inverse of the smallest capacity; as {@link #leastInverse}. */
  private final long[] mostInverse;

  /**
   * By box how many changes, since it was divided, have left a node of it where it may not belong,
   * in this box or in a box within.
   */
  private final int[] misplaced;

  /** Coordinates of a node that is being read. */
  private final long[] coordinates;

  /** Bounds of a leaf that is being read. */
  private final long[] lowest;

  private final long[] highest;
  private final long[] emptiestOfAll;

  /** What the workload of the search adds at least to the shares of a box that is being read. */
  private final long[] leastAdded;

  /** The same at most. */
  private final long[] mostAdded;

  LoadTree(LoadPoints points) {
    this.points = points;
    rule = points.rule();
    dimensions = points.dimensions;
    order = points.byKind();
    int count = 1;
    while (count * LEAF < order.length) {
      count *= 2;
    }
    leaves = count;
    varied = points.kindCount() > leaves;
    nodes = new int[leaves * PLACES];
    sizes = new int[2 * leaves];
    leafOf = new int[points.kinds.length];
    divided = new byte[leaves];
    misplaced = new int[2 * leaves];
    edges = new int[leaves];
    edgeKeys = new long[leaves];
    low = new long[2 * leaves * dimensions];
    high = new long[2 * leaves * dimensions];
    emptiest = rule == LoadRule.FULLEST ? low : new long[2 * leaves * dimensions];
    least = new int[2 * leaves];
    kinds = new int[2 * leaves];
    equal = new boolean[2 * leaves];
    coordinates = new long[dimensions];
    lowest = new long[dimensions];
    highest = new long[dimensions];
    emptiestOfAll = new long[dimensions];
    leastInverse = new long[2 * leaves * dimensions];
    mostInverse = new long[2 * leaves * dimensions];
    leastAdded = new long[dimensions];
    mostAdded = new long[dimensions];
    split(ROOT, 0, order.length);
  }

  private void split(int box, int from, int to) {
    misplaced[box] = 0;
    int parent = kinds[box >> 1];
    kinds[box] = box > ROOT && parent >= 0 ? parent : kindOf(from, to);
    if (kinds[box] < 0) {
      findInverses(box, from, to);
    }
    if (box >= leaves) {
      sizes[box] = to - from;
      System.arraycopy(order, from, nodes, from(box), to - from);
      for (int at = from; at < to; at++) {
        leafOf[order[at]] = box;
      }
      bind(box);
      return;
    }
    int middle = (from + to) >>> 1;
    if (from < to && dimensions > 0) {
      int dimension = widest(box, from, to);
      select(from, to - 1, middle, dimension);
      if (dimension >= dimensions) {
        middle = edgeOfKind(box, from, middle, to);
        select(from, to - 1, middle, dimension);
      }
      divided[box] = (byte) dimension;
      edges[box] = order[middle];
      edgeKeys[box] = coordinate(order[middle], dimension);
    }
    split(2 * box, from, middle);
    split(2 * box + 1, middle, to);
    bind(box);
  }

  private int kindOf(int from, int to) {
    int kind = from < to ? points.kinds[order[from]] : SEVERAL;
    for (int at = from; at < to; at++) {
      if (!points.whole(order[at])) {
        return PARTIAL;
      }
      kind = points.kinds[order[at]] == kind ? kind : SEVERAL;
    }
    return kind;
  }

  /**
   * The edge of the kind in the middle of a box that was divided by capacities: where the nodes of
   * that kind begin, or where they end. The nearer edge counts, at most a quarter of the box away;
   * else it is the middle.
   */
  private int edgeOfKind(int box, int from, int middle, int to) {
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
    return isNear && larger <= PLACES << height(2 * box) ? edge : middle;
  }

  private void findInverses(int box, int from, int to) {
    for (int d = 0; d < dimensions; d++) {
      long least = Long.MAX_VALUE;
      long most = 0;
      for (int at = from; at < to; at++) {
        long inverse = points.inverse(order[at], d);
        if (inverse != LoadPoints.ABSENT) {
          least = Math.min(least, inverse);
          most = Math.max(most, inverse);
        }
      }
      leastInverse[box * dimensions + d] = Math.min(least, most);
      mostInverse[box * dimensions + d] = most;
    }
  }

  /**
   * The dimension by which a box is split: the one in which its capacities differ the most, counted
   * from {@link #dimensions} on, or else its coordinates. What a workload adds to a share is in
   * inverse proportion to the capacity, so capacities are compared by their inverses.
   */
  private int widest(int box, int from, int to) {
    if (kinds[box] < 0) {
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
      locate(order[at]);
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

  /**
   * A node has changed, and has been read. By {@link LoadRule#VARIANCE} it moves to the leaf where
   * it belongs now. By {@link LoadRule#FULLEST} the loads of all nodes grow together, and most
   * leaves are outdated before moves win anything. So there each change counts as misplaced.
   */
  void changed(int node) {
    int leaf = leafOf[node];
    if (leaf == 0) {
      return;
    }
    int around = rule == LoadRule.VARIANCE ? move(node, leaf) : leaf >> FEW_LEVELS;
    int outdated = around < leaves ? misplaced(around) : 0;
    if (outdated != 0) {
      split(outdated, 0, gather(outdated));
    }
    for (int box = outdated == 0 ? leafOf[node] : outdated >> 1; box >= ROOT; box >>= 1) {
      bind(box);
    }
  }

  /**
   * Moves a node to the leaf where it belongs, or near it where that leaf is full.
   *
   * @return the smallest box around its leaf in which it belongs
   */
  private int move(int node, int from) {
    int around = leafFor(node, from);
    while (isFull(around) && !contains(around, from)) {
      around >>= 1;
    }
    if (!contains(around, from)) {
      int to = around;
      while (to < leaves) {
        to = 2 * to + (sizes[2 * to] <= sizes[2 * to + 1] ? 0 : 1);
      }
      remove(node, from);
      add(node, to);
      for (int box = from; !contains(box, to); box >>= 1) {
        bind(box);
      }
    }
    return around;
  }

  /** Counts a node as misplaced within a box; returns the largest box to be divided anew, or 0. */
  private int misplaced(int within) {
    int outdated = 0;
    for (int box = within; box >= ROOT && kinds[box] >= 0; box >>= 1) {
      misplaced[box]++;
      if (misplaced[box] > MOST_MISPLACED << height(box)) {
        outdated = box;
      }
    }
    return outdated;
  }

  private boolean isFull(int box) {
    return sizes[box] == PLACES << height(box);
  }

  private boolean contains(int box, int leaf) {
    return leaf >> height(box) == box;
  }

  /** The leaf where a node belongs. In a box of several kinds it stays where it was. */
  private int leafFor(int node, int before) {
    locate(node);
    int box = ROOT;
    for (int below = height(ROOT) - 1; below >= 0; below--) {
      boolean isRight;
      if (kinds[box] < 0 || dimensions == 0) {
        isRight = (before >> below & 1) != 0;
      } else {
        long key = coordinates[divided[box]];
        isRight = compare(key, node, edgeKeys[box], edges[box]) >= 0;
      }
      box = 2 * box + (isRight ? 1 : 0);
    }
    return box;
  }

  private void remove(int node, int leaf) {
    int at = from(leaf);
    while (nodes[at] != node) {
      at++;
    }
    sizes[leaf]--;
    nodes[at] = nodes[to(leaf)];
  }

  private void add(int node, int leaf) {
    nodes[to(leaf)] = node;
    sizes[leaf]++;
    leafOf[node] = leaf;
  }

  /** Reads the nodes of a box into {@link #order}; returns their number. */
  private int gather(int box) {
    int count = 0;
    for (int leaf = first(box); leaf <= last(box); leaf++) {
      System.arraycopy(nodes, from(leaf), order, count, sizes[leaf]);
      count += sizes[leaf];
    }
    return count;
  }

  /** The number of levels below a box. */
  private int height(int box) {
    return Integer.numberOfLeadingZeros(box) - Integer.numberOfLeadingZeros(leaves);
  }

  private int first(int box) {
    return box << height(box);
  }

  private int last(int box) {
    return ((box + 1) << height(box)) - 1;
  }

  /** Computes the bounds of a box, those of its children being right. */
  private void bind(int box) {
    if (box >= leaves) {
      bindLeaf(box);
    } else {
      bindChildren(box);
    }
  }

  private void bindLeaf(int box) {
    forgetBounds();
    Arrays.fill(emptiestOfAll, Long.MAX_VALUE);
    int first = Integer.MAX_VALUE;
    for (int at = from(box); at < to(box); at++) {
      int node = nodes[at];
      if (!points.closed(node)) {
        locate(node);
        first = Math.min(first, node);
        extendBounds();
        for (int d = 0; d < dimensions; d++) {
          emptiestOfAll[d] = Math.min(emptiestOfAll[d], points.shares[node * dimensions + d]);
        }
      }
    }
    boolean same = kinds[box] >= 0;
    for (int at = from(box); same && at < to(box); at++) {
      same = points.closed(nodes[at]) || points.areEqual(nodes[at], first);
    }
    least[box] = first;
    equal[box] = same;
    int base = box * dimensions;
    for (int d = 0; d < dimensions; d++) {
      low[base + d] = lowest[d];
      high[base + d] = highest[d];
      emptiest[base + d] = emptiestOfAll[d];
    }
  }

  private void bindChildren(int box) {
    int one = least[2 * box];
    int other = least[2 * box + 1];
    least[box] = Math.min(one, other);
    sizes[box] = sizes[2 * box] + sizes[2 * box + 1];
    equal[box] =
        kinds[box] >= 0
            && equal[2 * box]
            && equal[2 * box + 1]
            && (Math.max(one, other) == Integer.MAX_VALUE || points.areEqual(one, other));
    int base = box * dimensions;
    for (int at = base, left = 2 * base; at < base + dimensions; at++, left++) {
      int right = left + dimensions;
      low[at] = Math.min(low[left], low[right]);
      high[at] = Math.max(high[left], high[right]);
      emptiest[at] = Math.min(emptiest[left], emptiest[right]);
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
    return (leaf - leaves) * PLACES;
  }

  int to(int leaf) {
    return from(leaf) + sizes[leaf];
  }

  int node(int at) {
    return nodes[at];
  }

  /**
   * The first place of a leaf at or after a place whose node may be better than the best so far;
   * {@link #to} where there is none.
   */
  int next(int leaf, int from, long bestScore, int best) {
    int kind = kinds[leaf];
    int to = to(leaf);
    if (kind < 0) {
      return nextOfSeveral(leaf, from, bestScore, best);
    }
    int more = points.added(kind);
    long earlier = points.limit(kind, bestScore);
    long later = points.limit(kind, bestScore - 1);
    int at = from;
    while (at < to && !points.isWithin(nodes[at], more, nodes[at] < best ? earlier : later)) {
      at++;
    }
    return at;
  }

  /**
   * As {@link #next}. Most nodes of a leaf are ruled out by what the workload adds at least to any
   * of them.
   */
  private int nextOfSeveral(int leaf, int from, long bestScore, int best) {
    for (int d = 0; d < dimensions; d++) {
      leastAdded[d] = points.addedAtLeast(d, leastInverse[leaf * dimensions + d]);
    }
    long limit = rule == LoadRule.FULLEST ? LoadPoints.limitOfFullest(bestScore) : Long.MAX_VALUE;
    int to = to(leaf);
    int at = from;
    while (at < to
        && !(points.isWithin(nodes[at], leastAdded, 0, limit)
            && promises(at, nodes[at] < best ? bestScore : bestScore - 1))) {
      at++;
    }
    return at;
  }

  /** Whether a node may have at most a score; false is certain. */
  private boolean promises(int at, long score) {
    int kind = points.kinds[nodes[at]];
    return !points.whole(nodes[at])
        || points.isWithin(nodes[at], points.added(kind), points.limit(kind, score));
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
    if (kind < 0) {
      return rule == LoadRule.FULLEST ? fullestOfSeveral(base) : varianceOfSeveral(box);
    }
    int added = points.added(kind);
    if (!points.mayHaveRoom(emptiest, base, added)) {
      return Long.MAX_VALUE;
    }
    if (equal[box]) {
      return points.score(least[box]);
    }
    return rule == LoadRule.FULLEST ? fullest(base, added) : variance(base, added);
  }

  private long fullestOfSeveral(int base) {
    long bound = Long.MIN_VALUE;
    for (int d = 0; d < dimensions; d++) {
      long share = low[base + d] + points.addedAtLeast(d, leastInverse[base + d]);
      if (share > points.room(d)) {
        return Long.MAX_VALUE;
      }
      bound = Math.max(bound, share);
    }
    return bound >> (Share.BITS - rule.bits());
  }

  /** As {@link #variance}, with intervals of what the workload adds. */
  private long varianceOfSeveral(int box) {
    if (kinds[box] == PARTIAL || !varied) {
      return 0;
    }
    int base = box * dimensions;
    long sumOfLeast = 0;
    long sumOfMost = 0;
    int count = 0;
    for (int d = 0; d < dimensions; d++) {
      if (high[base + d] == LoadPoints.ABSENT) {
        continue;
      }
      leastAdded[d] = points.addedAtLeast(d, leastInverse[base + d]);
      if (emptiest[base + d] + leastAdded[d] > points.room(d)) {
        return Long.MAX_VALUE;
      }
      if (low[base + d] == LoadPoints.ABSENT || !points.knowsMost(d, mostInverse[base + d])) {
        return 0;
      }
      mostAdded[d] = points.addedAtMost(d, mostInverse[base + d]);
      sumOfLeast += leastAdded[d];
      sumOfMost += mostAdded[d];
      count++;
    }
    long squares = 0;
    int drop = Share.BITS - rule.bits();
    for (int d = 0; d < dimensions; d++) {
      if (high[base + d] != LoadPoints.ABSENT) {
        long leastMean = (sumOfLeast - leastAdded[d] + mostAdded[d]) / count;
        long mostMean = (sumOfMost - mostAdded[d] + leastAdded[d]) / count;
        long lowest = ((low[base + d] + leastAdded[d] - mostMean) >> drop) - Share.SLACK;
        long highest = ((high[base + d] + mostAdded[d] - leastMean) >> drop) + Share.SLACK;
        squares += LoadPoints.square(lowest > 0 ? lowest : Math.min(0, highest));
      }
    }
    return count == 0 ? 0 : LoadRule.variance(squares, count);
  }

  private long fullest(int base, int added) {
    long bound = Long.MIN_VALUE;
    for (int d = 0; d < dimensions; d++) {
      bound = Math.max(bound, low[base + d] + points.addedAt(added + d));
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

  /** Recomputes the bounds of all boxes from the points; puts the kept ones back. */
  void audit(Audit audit) {
    long[][] derived = {low, high, emptiest};
    long[][] kept = {low.clone(), high.clone(), emptiest.clone()};
    int[] keptLeast = least.clone();
    int[] keptSizes = sizes.clone();
    boolean[] keptEqual = equal.clone();
    for (int box = 2 * leaves - 1; box >= ROOT; box--) {
      bind(box);
    }
    for (int i = 0; i < derived.length; i++) {
      for (int at = 0; at < kept[i].length; at++) {
        audit.equal("load: bound " + i + " at", at, derived[i][at], kept[i][at]);
      }
      System.arraycopy(kept[i], 0, derived[i], 0, kept[i].length);
    }
    int inLeaves = 0;
    for (int node = 0; node < leafOf.length; node++) {
      inLeaves += leafOf[node] == 0 ? 0 : 1;
    }
    audit.equal("load: nodes in the tree", ROOT, inLeaves, sizes[ROOT]);
    for (int leaf = leaves; leaf < 2 * leaves; leaf++) {
      for (int at = from(leaf); at < to(leaf); at++) {
        audit.equal("load: leaf of node", nodes[at], leaf, leafOf[nodes[at]]);
      }
    }
    for (int box = ROOT; box < 2 * leaves; box++) {
      audit.equal("load: lowest node of box", box, least[box], keptLeast[box]);
      audit.equal("load: nodes of box", box, sizes[box], keptSizes[box]);
      audit.equal("load: equal nodes in box", box, equal[box] ? 1 : 0, keptEqual[box] ? 1 : 0);
    }
    if (inLeaves == sizes[ROOT]) {
      auditKinds(audit);
      auditPlaces(audit);
    }
    System.arraycopy(keptLeast, 0, least, 0, least.length);
    System.arraycopy(keptSizes, 0, sizes, 0, sizes.length);
    System.arraycopy(keptEqual, 0, equal, 0, equal.length);
  }

  /**
   * Checks that no box of equal capacities has more nodes in its wrong half than it has counted.
   */
  private void auditPlaces(Audit audit) {
    int[] elsewhere = new int[2 * leaves];
    for (int leaf = leaves; leaf < 2 * leaves; leaf++) {
      for (int at = from(leaf); at < to(leaf); at++) {
        int belongs = leafFor(nodes[at], leaf);
        int box = leaf;
        while (!contains(box, belongs)) {
          box >>= 1;
        }
        elsewhere[box]++;
      }
    }
    for (int box = ROOT; box < leaves; box++) {
      if (kinds[box] >= 0 && (rule == LoadRule.VARIANCE || height(box) >= FEW_LEVELS)) {
        int most = Math.max(elsewhere[box], misplaced[box]);
        audit.equal("load: misplaced nodes of box", box, most, misplaced[box]);
      }
    }
  }

  /** Recomputes the kinds and inverses of all boxes. */
  private void auditKinds(Audit audit) {
    long[] keptLeast = leastInverse.clone();
    long[] keptMost = mostInverse.clone();
    for (int box = ROOT; box < 2 * leaves; box++) {
      int count = gather(box);
      if (count > 0 && !points.hasLeftOut(order, count)) {
        audit.equal("load: kind of box", box, kindOf(0, count), kinds[box]);
      }
      if (kinds[box] < 0) {
        findInverses(box, 0, count);
      }
    }
    for (int at = 0; at < leastInverse.length; at++) {
      audit.equal("load: least inverse", at, leastInverse[at], keptLeast[at]);
      audit.equal("load: largest inverse", at, mostInverse[at], keptMost[at]);
    }
    System.arraycopy(keptLeast, 0, leastInverse, 0, leastInverse.length);
    System.arraycopy(keptMost, 0, mostInverse, 0, mostInverse.length);
  }
}
