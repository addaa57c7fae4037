package io.lighthouse.core.load;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.share.Share;
import java.util.Arrays;

/**
 * For each box of a {@link LoadTree}, bounds of the points of its nodes, and so a lower bound of
 * the scores that the workload of the search gets there. Nodes that take no workloads are in no
 * bounds.
 *
 * <p>Bounds are rounded down. Where thousands of nodes are equal (empty, say), a bound that is one
 * part too low makes the search visit all of them. So the bound of equal nodes is their score. A
 * batch of {@code spread} ({@code fleet-problem 100000 1000000 2 80}) took 31 s without this on
 * 2026-11-26, and 14 s with it (docs/lab/engine.md).
 *
 * <p>Where each node has a capacity of its own, {@code spread} took twice as long before boxes had
 * inverses of their capacities, and leaves what a workload adds at least, on 2026-11-28
 * (docs/lab/packings.md).
 */
final class LoadBounds {
  /** Stands for the kind of a box with nodes of several kinds. */
  private static final int SEVERAL = -1;

  /** The same for a box with a node of which more counts than what is in its point. */
  private static final int PARTIAL = -2;

  private final LoadPoints points;
  private final LoadNeed need;
  private final LoadRule rule;
  private final int dimensions;

  /** The slots of the nodes, by place; the tree's own array. */
  private final int[] nodes;

  /** Whether there are more kinds than leaves, so that most boxes are of several kinds. */
  private final boolean varied;

  /** By box the kind of all its nodes, {@link #SEVERAL} or {@link #PARTIAL}. */
  private final int[] kinds;

  /**
   * The inverse of the largest capacity of a box without a kind; 0 where no node has one; [box *
   * dimensions + dimension].
   */
  private final long[] leastInverse;

  /** The inverse of the smallest capacity; as {@link #leastInverse}. */
  private final long[] mostInverse;

  /** Bounds of the coordinates; [box * dimensions + dimension]. */
  private final long[] low;

  private final long[] high;

  /** The least shares in use; the same as {@link #low} where coordinates are shares. */
  private final long[] emptiest;

  /** By box the lowest slot that is open. */
  private final int[] least;

  /** By box whether all its nodes that are open have the same in use, and are of one kind. */
  private final boolean[] equal;

  /** The coordinates of a node that is being read. */
  private final long[] coordinates;

  /** What the workload adds at least to the shares of a box that is being read. */
  private final long[] leastAdded;

  /** The same at most. */
  private final long[] mostAdded;

  /**
   * Bounds of boxes without nodes.
   *
   * @param leaves how many leaves there are; boxes from here on are leaves
   * @param nodes the slots of the nodes, by place; the tree changes it
   */
  LoadBounds(LoadPoints points, LoadNeed need, int leaves, int[] nodes) {
    this.points = points;
    this.need = need;
    this.nodes = nodes;
    rule = points.rule();
    dimensions = points.dimensions;
    varied = points.kindCount() > leaves;
    kinds = new int[2 * leaves];
    leastInverse = new long[2 * leaves * dimensions];
    mostInverse = new long[2 * leaves * dimensions];
    low = new long[2 * leaves * dimensions];
    high = new long[2 * leaves * dimensions];
    emptiest = rule == LoadRule.FULLEST ? low : new long[2 * leaves * dimensions];
    least = new int[2 * leaves];
    equal = new boolean[2 * leaves];
    coordinates = new long[dimensions];
    leastAdded = new long[dimensions];
    mostAdded = new long[dimensions];
  }

  // ---- what a box keeps until it is divided anew ----

  /** Reads the capacities of a box, those of the box around it being right. */
  void readKind(int box, int[] of, int from, int to) {
    int parent = kinds[box >> 1];
    kinds[box] = box > LoadTree.ROOT && parent >= 0 ? parent : kindOf(of, from, to);
    findInverses(box, of, from, to);
  }

  private int kindOf(int[] of, int from, int to) {
    int kind = from < to ? points.kinds[of[from]] : SEVERAL;
    for (int at = from; at < to; at++) {
      if (!points.whole(of[at])) {
        return PARTIAL;
      }
      kind = points.kinds[of[at]] == kind ? kind : SEVERAL;
    }
    return kind;
  }

  /** Reads the inverses of the capacities of a box; a box of one kind needs none. */
  void findInverses(int box, int[] of, int from, int to) {
    if (kinds[box] >= 0) {
      return;
    }
    for (int d = 0; d < dimensions; d++) {
      long fewest = Long.MAX_VALUE;
      long most = 0;
      for (int at = from; at < to; at++) {
        long inverse = points.inverse(of[at], d);
        if (inverse != LoadPoints.ABSENT) {
          fewest = Math.min(fewest, inverse);
          most = Math.max(most, inverse);
        }
      }
      leastInverse[box * dimensions + d] = Math.min(fewest, most);
      mostInverse[box * dimensions + d] = most;
    }
  }

  /** Whether all nodes of a box are of one kind, and all that counts is in their points. */
  boolean isOneKind(int box) {
    return kinds[box] >= 0;
  }

  // ---- what changes with the loads ----

  /** Computes the bounds of a leaf, whose nodes are in some places. */
  void bindLeaf(int leaf, int from, int to) {
    int base = leaf * dimensions;
    Arrays.fill(low, base, base + dimensions, Long.MAX_VALUE);
    Arrays.fill(high, base, base + dimensions, Long.MIN_VALUE);
    Arrays.fill(emptiest, base, base + dimensions, Long.MAX_VALUE);
    int first = Integer.MAX_VALUE;
    for (int at = from; at < to; at++) {
      int node = nodes[at];
      if (!points.closed(node)) {
        points.locate(node, coordinates);
        first = Math.min(first, node);
        for (int d = 0; d < dimensions; d++) {
          low[base + d] = Math.min(low[base + d], coordinates[d]);
          high[base + d] = Math.max(high[base + d], coordinates[d]);
          long inUse = points.shares[node * dimensions + d];
          emptiest[base + d] = Math.min(emptiest[base + d], inUse);
        }
      }
    }
    boolean same = kinds[leaf] >= 0;
    for (int at = from; same && at < to; at++) {
      same = points.closed(nodes[at]) || points.areEqual(nodes[at], first);
    }
    least[leaf] = first;
    equal[leaf] = same;
  }

  /** Computes the bounds of a box that is no leaf, those of its children being right. */
  void bindChildren(int box) {
    int one = least[2 * box];
    int other = least[2 * box + 1];
    least[box] = Math.min(one, other);
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

  /** The lowest slot of a box that is open; {@link Integer#MAX_VALUE} where none is. */
  int least(int box) {
    return least[box];
  }

  // ---- a box for the workload of the search ----

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
    int added = need.added(kind);
    if (!need.mayHaveRoom(emptiest, base, added)) {
      return Long.MAX_VALUE;
    }
    if (equal[box]) {
      return need.score(least[box]);
    }
    return rule == LoadRule.FULLEST ? fullest(base, added) : variance(base, added);
  }

  private long fullest(int base, int added) {
    long bound = Long.MIN_VALUE;
    for (int d = 0; d < dimensions; d++) {
      bound = Math.max(bound, low[base + d] + need.addedAt(added + d));
    }
    return bound >> (Share.BITS - rule.bits());
  }

  /** From the distance of 0 from the interval of each deviation. */
  private long variance(int base, int added) {
    long sum = 0;
    int count = 0;
    for (int d = 0; d < dimensions; d++) {
      if (low[base + d] != LoadPoints.ABSENT) {
        sum += need.addedAt(added + d);
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
        long deviation = need.addedAt(added + d) - mean;
        long lowest = ((low[base + d] + deviation) >> drop) - Share.SLACK;
        long highest = ((high[base + d] + deviation) >> drop) + Share.SLACK;
        squares += LoadRule.square(lowest > 0 ? lowest : Math.min(0, highest));
      }
    }
    return LoadRule.variance(squares, count);
  }

  private long fullestOfSeveral(int base) {
    long bound = Long.MIN_VALUE;
    for (int d = 0; d < dimensions; d++) {
      long share = low[base + d] + need.addedAtLeast(d, leastInverse[base + d]);
      if (share > need.room(d)) {
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
      leastAdded[d] = need.addedAtLeast(d, leastInverse[base + d]);
      if (emptiest[base + d] + leastAdded[d] > need.room(d)) {
        return Long.MAX_VALUE;
      }
      if (low[base + d] == LoadPoints.ABSENT || !need.knowsMost(d, mostInverse[base + d])) {
        return 0;
      }
      mostAdded[d] = need.addedAtMost(d, mostInverse[base + d]);
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
        squares += LoadRule.square(lowest > 0 ? lowest : Math.min(0, highest));
      }
    }
    return count == 0 ? 0 : LoadRule.variance(squares, count);
  }

  // ---- the nodes of a leaf for the workload of the search ----

  /**
   * The first place of a leaf from one on whose node may be better than the best so far; {@code to}
   * where there is none.
   *
   * @param to where the nodes of the leaf end
   */
  int next(int leaf, int from, int to, long bestScore, int best) {
    int kind = kinds[leaf];
    if (kind < 0) {
      return nextOfSeveral(leaf, from, to, bestScore, best);
    }
    int more = need.added(kind);
    long earlier = need.limit(kind, bestScore);
    long later = need.limit(kind, bestScore - 1);
    int at = from;
    while (at < to && !need.isWithin(nodes[at], more, nodes[at] < best ? earlier : later)) {
      at++;
    }
    return at;
  }

  /**
   * As {@link #next}. Most nodes of a leaf are ruled out by what the workload adds at least to any
   * of them.
   */
  private int nextOfSeveral(int leaf, int from, int to, long bestScore, int best) {
    for (int d = 0; d < dimensions; d++) {
      leastAdded[d] = need.addedAtLeast(d, leastInverse[leaf * dimensions + d]);
    }
    long limit = rule == LoadRule.FULLEST ? LoadNeed.limitOfFullest(bestScore) : Long.MAX_VALUE;
    int at = from;
    while (at < to
        && !(need.isWithin(nodes[at], leastAdded, 0, limit)
            && promises(nodes[at], nodes[at] < best ? bestScore : bestScore - 1))) {
      at++;
    }
    return at;
  }

  /** Whether a node may have at most a score; false is certain. */
  private boolean promises(int node, long score) {
    int kind = points.kinds[node];
    return !points.whole(node) || need.isWithin(node, need.added(kind), need.limit(kind, score));
  }

  // ---- audit ----

  /** Bounds of the same kinds of boxes, and of nothing else yet. */
  LoadBounds ofSameKinds() {
    LoadBounds fresh = new LoadBounds(points, need, least.length / 2, nodes);
    System.arraycopy(kinds, 0, fresh.kinds, 0, kinds.length);
    return fresh;
  }

  /** Compares the kind of a box with that of its first {@code count} nodes. */
  void auditKind(Audit audit, int box, int[] of, int count) {
    if (count > 0 && !points.hasLeftOut(of, count)) {
      audit.equal("load: kind of box", box, kindOf(of, 0, count), kinds[box]);
    }
  }

  /** Compares all bounds with those that were computed anew. */
  void audit(Audit audit, LoadBounds fresh) {
    equal(audit, "low bound", fresh.low, low);
    equal(audit, "high bound", fresh.high, high);
    equal(audit, "least share", fresh.emptiest, emptiest);
    equal(audit, "least inverse", fresh.leastInverse, leastInverse);
    equal(audit, "largest inverse", fresh.mostInverse, mostInverse);
    for (int box = LoadTree.ROOT; box < least.length; box++) {
      audit.equal("load: lowest node of box", box, fresh.least[box], least[box]);
      audit.equal("load: equal nodes in box", box, fresh.equal[box] ? 1 : 0, equal[box] ? 1 : 0);
    }
  }

  private static void equal(Audit audit, String what, long[] expected, long[] kept) {
    for (int at = 0; at < kept.length; at++) {
      audit.equal("load: " + what + " at", at, expected[at], kept[at]);
    }
  }
}
