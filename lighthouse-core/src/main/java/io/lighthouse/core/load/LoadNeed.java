package io.lighthouse.core.load;

import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.Share;

/**
 * What the workload of a search adds to the shares in use of a node, where it has no room, and the
 * score of a node with it. What it adds is computed once for each kind of nodes.
 */
final class LoadNeed {
  /** A whole capacity as a share. */
  private static final long WHOLE = 1L << Share.BITS;

  private final LoadPoints points;
  private final LoadRule rule;
  private final NodeAccounts accounts;
  private final int dimensions;

  /** The workload. */
  private Demand demand;

  /** The number of workloads so far. */
  private long query;

  /** By dimension its scaled need. */
  private final long[] needs;

  /** By dimension the share of the largest capacity that it adds, at most {@link #WHOLE}. */
  private final long[] leastParts;

  /** By dimension the share above which it has no room. */
  private final long[] room;

  /** Whether it may fit a node to which it adds an extreme share. */
  private boolean addsExtreme;

  /** The share that it adds; [kind * dimensions + dimension]. */
  private final long[] added;

  /** By kind the query for which {@link #added} is good. */
  private final long[] addedFor;

  /** The shares of a node that is scored. */
  private final long[] parts;

  LoadNeed(Ledger ledger, LoadPoints points) {
    accounts = ledger.accounts();
    this.points = points;
    rule = points.rule();
    dimensions = points.dimensions;
    needs = new long[dimensions];
    leastParts = new long[dimensions];
    room = new long[dimensions];
    parts = new long[dimensions];
    added = new long[points.kindCount() * dimensions];
    addedFor = new long[points.kindCount()];
  }

  /** Binds a workload, which later calls are about. */
  void bind(Demand of) {
    query++;
    demand = of;
    addsExtreme = false;
    for (int d = 0; d < dimensions; d++) {
      int at = of.indexOf(points.resourceId(d));
      needs[d] = at < 0 ? 0 : of.need(at);
      boolean limited = at >= 0 && needs[d] > 0 && !of.isImmune(at);
      Share largest = points.largest(d);
      Share smallest = points.smallest(d);
      leastParts[d] = largest == null ? 0 : Math.min(WHOLE, largest.quick(needs[d]));
      room[d] = limited ? WHOLE : Long.MAX_VALUE;
      addsExtreme |= !limited && smallest != null && LoadPoints.isExtreme(smallest.quick(needs[d]));
    }
  }

  /**
   * Whether a share in use, or one that the workload adds, is extreme somewhere. Only immunities,
   * negative needs and nodes that were made smaller make this possible. Then shares cannot be
   * added, and bounds of boxes are not certain. A node that is too small for the workload does not
   * count: however shares are added, it has no room.
   */
  boolean meetsExtremeShares() {
    return addsExtreme || points.hasExtremeShares();
  }

  // ---- what is added ----

  /** The index for {@link #addedAt} of the first share that the workload adds to a kind. */
  int added(int kind) {
    int base = kind * dimensions;
    if (addedFor[kind] != query) {
      addedFor[kind] = query;
      for (int d = 0; d < dimensions; d++) {
        Share capacity = points.capacity(kind, d);
        added[base + d] = needs[d] == 0 || capacity == null ? 0 : capacity.quick(needs[d]);
      }
    }
    return base;
  }

  long addedAt(int at) {
    return added[at];
  }

  /**
   * What the workload adds at least to the share of a capacity, and of any smaller one. A negative
   * need counts as the lowest share.
   *
   * @param inverse of the capacity; 0 where no node has one
   */
  long addedAtLeast(int dimension, long inverse) {
    // The product of two shares, in parts of 2^40. The first is at most a whole, and the second at
    // most 2^60 parts. Both are shifted for the upper 64 bits of the product to be the answer.
    return needs[dimension] < 0
        ? -Share.MOST
        : Math.multiplyHigh(leastParts[dimension] << 22, inverse << 2);
  }

  /** Whether {@link #addedAtMost} is certain. */
  boolean knowsMost(int dimension, long inverse) {
    return needs[dimension] >= 0 && leastParts[dimension] < WHOLE && inverse < Share.MOST;
  }

  /**
   * What the workload adds at most to the share of a capacity, and of any larger one. Both shares
   * of the product are up to {@link Share#SLACK} and one parts too low.
   *
   * @param inverse of the capacity; 0 where no node has one
   */
  long addedAtMost(int dimension, long inverse) {
    return addedAtLeast(dimension, inverse) + (inverse >> (Share.BITS - 2)) + 6;
  }

  // ---- room ----

  /** The share above which the workload has no room. */
  long room(int dimension) {
    return room[dimension];
  }

  /**
   * Whether nodes may have room for the workload; false is certain.
   *
   * @param inUse the least shares in use of them, from {@code base} on
   * @param more what {@link #added} has for their kind
   */
  boolean mayHaveRoom(long[] inUse, int base, int more) {
    for (int d = 0; d < dimensions; d++) {
      if (inUse[base + d] + added[more + d] > room[d]) {
        return false;
      }
    }
    return true;
  }

  // ---- scores ----

  /**
   * A limit for {@link #isWithin}: beyond it, a node of a kind surely has a higher score.
   *
   * @param score the highest that is of interest
   */
  long limit(int kind, long score) {
    if (rule == LoadRule.FULLEST) {
      return limitOfFullest(score);
    }
    int count = 0;
    for (int d = 0; d < dimensions; d++) {
      count += points.capacity(kind, d) == null ? 0 : 1;
    }
    return count == 0 ? Long.MAX_VALUE : 2 * LoadRule.leastSquares(score, count);
  }

  /** As {@link #limit}, by {@link LoadRule#FULLEST}. */
  static long limitOfFullest(long score) {
    int drop = Share.BITS - LoadRule.FULLEST.bits();
    return score >= Long.MAX_VALUE >> drop ? Long.MAX_VALUE : ((score + 1) << drop) - 1;
  }

  /**
   * Whether the workload may have room on a node and a score of interest there; false is certain.
   *
   * <p>The largest share is compared as it is. The squared deviations of shares have at least half
   * the square of the difference between the largest and the smallest as their sum.
   *
   * @param more what {@link #added} has for its kind
   */
  boolean isWithin(int node, int more, long limit) {
    return isWithin(node, added, more, limit);
  }

  /**
   * The same.
   *
   * @param adds what the workload adds to the shares of the node, from {@code from} on
   */
  boolean isWithin(int node, long[] adds, int from, long limit) {
    long[] shares = points.shares;
    int base = node * dimensions;
    long lowest = Long.MAX_VALUE;
    long highest = Long.MIN_VALUE;
    for (int d = 0; d < dimensions; d++) {
      long share = shares[base + d] + adds[from + d];
      if (share > room[d]) {
        return false;
      }
      if (shares[base + d] != LoadPoints.ABSENT) {
        lowest = Math.min(lowest, share);
        highest = Math.max(highest, share);
      }
    }
    if (rule == LoadRule.FULLEST) {
      return highest <= limit;
    }
    int drop = Share.BITS - rule.bits();
    return limit == Long.MAX_VALUE
        || LoadRule.square(Math.max(0, (highest >> drop) - (lowest >> drop) - 1)) < limit;
  }

  /** The score of a node with the workload on it; the lowest is the best. */
  long score(int node) {
    if (!points.whole(node) || meetsExtremeShares()) {
      return rule.score(accounts, node, demand);
    }
    int kind = added(points.kinds[node]);
    int base = node * dimensions;
    int count = 0;
    for (int d = 0; d < dimensions; d++) {
      long inUse = points.shares[base + d];
      if (inUse != LoadPoints.ABSENT) {
        parts[count++] = share(node, d, inUse + added[kind + d]);
      }
    }
    return rule.score(parts, count);
  }

  /** A share in the parts of the rule, exactly: the quick one, unless it is near the next part. */
  private long share(int node, int dimension, long quick) {
    int drop = Share.BITS - rule.bits();
    long parts = 1L << drop;
    if ((quick & (parts - 1)) < parts - 2 * Share.SLACK - 2) {
      return quick >> drop;
    }
    Share capacity = points.capacity(points.kinds[node], dimension);
    return capacity.exact(points.used(node, dimension) + needs[dimension], rule.bits());
  }
}
