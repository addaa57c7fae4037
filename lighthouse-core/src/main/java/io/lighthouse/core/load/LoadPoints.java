package io.lighthouse.core.load;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.FleetCapacities;
import io.lighthouse.core.share.Share;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The nodes as points: what is in use of the most common resources, as shares of the capacity, and
 * the score of a node for the workload of the search. Nodes of equal capacity are of one kind, for
 * which the share that the workload would add is computed once.
 */
final class LoadPoints {
  /** Stands for the share of a resource that a node does not have. */
  static final long ABSENT = -(1L << 61);

  /**
   * Larger shares are extreme. The sum of two that are not stays below {@link Share#MOST}, from
   * which on the sum of shares is no longer the share of the sum.
   */
  private static final long EXTREME = Share.MOST / 2;

  /** A whole capacity as a share. */
  private static final long WHOLE = 1L << Share.BITS;

  /** The number of resources of a point at most; the others are read from the accounts. */
  private static final int MOST_DIMENSIONS = 6;

  private final Ledger ledger;
  private final NodeAccounts accounts;
  private final NodeTable nodes;
  private final LoadRule rule;

  /** Ids of the resources that make up a point. */
  private int[] columns = {};

  /** The number of them. */
  int dimensions;

  /** Shares in use, quick; [slot * dimensions + dimension]. */
  long[] shares = {};

  /** What is in use, scaled; beside {@link #shares}. */
  private long[] used = {};

  /** By slot its kind. */
  int[] kinds = {};

  /** By slot whether it takes no workloads, or is left out. */
  private boolean[] closed = {};

  /** By slot whether it is no point any more. */
  private boolean[] leftOut = {};

  /** By slot whether all that counts is in its point. */
  private boolean[] whole = {};

  /** By slot whether it has an extreme share in use. */
  private boolean[] extreme = {};

  /** The number of such nodes. */
  private int extremeCount;

  /** Whether the workload of the search may fit a node to which it adds an extreme share. */
  private boolean addsExtreme;

  private final Map<List<Long>, Integer> kindByCapacity = new HashMap<>();

  /** By kind and dimension; null where there is no capacity. */
  private Share[] capacities = {};

  private int kindCount;

  /**
   * By kind and dimension the largest capacity of any node divided by that of the kind, as a share;
   * {@link #ABSENT} where there is no capacity.
   */
  private long[] inverses = {};

  /** By dimension the largest capacity of any node; null where no node has one. */
  private Share[] largest = {};

  /** The smallest capacities; as {@link #largest}. */
  private Share[] smallest = {};

  /** The scaled need of the workload of the search by dimension. */
  private long[] needs = {};

  /**
   * By dimension the share of the largest capacity that the workload of the search adds, at most
   * {@link #WHOLE}.
   */
  private long[] leastParts = {};

  /** By kind the query for which {@link #added} is good. */
  private long[] addedFor = {};

  /** By dimension the share above which the workload of the search has no room. */
  private long[] room = {};

  /** The share that the workload of the search adds; [kind * dimensions + dimension]. */
  private long[] added = {};

  private long query;

  /** The workload of the search. */
  private Demand demand;

  /** The shares of a node that is scored. */
  private final long[] parts = new long[MOST_DIMENSIONS];

  LoadPoints(Ledger ledger, LoadRule rule) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    nodes = ledger.nodes();
    this.rule = rule;
  }

  void forget() {
    dimensions = 0;
    kindByCapacity.clear();
    kindCount = 0;
    extremeCount = 0;
    addsExtreme = false;
    shares = new long[0];
    columns = new int[0];
    whole = new boolean[0];
  }

  /** Whether there was a node at a slot, or could have been, when all were read. */
  boolean has(int slot) {
    return slot < closed.length;
  }

  /** Whether a node takes no workloads, or is left out, or was added since all were read. */
  boolean closed(int node) {
    return !has(node) || closed[node];
  }

  /** A node has other accounts from now on, or none: until all are read again it is no point. */
  void leaveOut(int slot) {
    if (has(slot)) {
      leftOut[slot] = true;
      whole[slot] = false;
    }
  }

  /** Whether some of the first {@code count} nodes are no points any more. */
  boolean hasLeftOut(int[] slots, int count) {
    for (int at = 0; at < count; at++) {
      if (leftOut[slots[at]]) {
        return true;
      }
    }
    return false;
  }

  /** Whether two nodes of one kind have the same in use. */
  boolean areEqual(int node, int other) {
    for (int d = 0; d < dimensions; d++) {
      if (used[node * dimensions + d] != used[other * dimensions + d]) {
        return false;
      }
    }
    return true;
  }

  int kindCount() {
    return kindCount;
  }

  boolean whole(int node) {
    return whole[node];
  }

  /** The slots of the nodes that are there, by kind. */
  int[] byKind() {
    int[] next = new int[kindCount + 1];
    for (int slot = 0; slot < kinds.length; slot++) {
      next[kinds[slot] + 1] += nodes.alive(slot) ? 1 : 0;
    }
    for (int kind = 0; kind < kindCount; kind++) {
      next[kind + 1] += next[kind];
    }
    int[] slots = new int[next[kindCount]];
    for (int slot = 0; slot < kinds.length; slot++) {
      if (nodes.alive(slot)) {
        slots[next[kinds[slot]]++] = slot;
      }
    }
    return slots;
  }

  /** Chooses the dimensions, and reads every node. */
  void readAll() {
    forget();
    int slots = nodes.slotCount();
    columns =
        FleetCapacities.mostCommon(ledger, FleetCapacities.nodeCounts(ledger), MOST_DIMENSIONS);
    dimensions = columns.length;
    shares = new long[slots * dimensions];
    used = new long[slots * dimensions];
    kinds = new int[slots];
    closed = new boolean[slots];
    leftOut = new boolean[slots];
    whole = new boolean[slots];
    extreme = new boolean[slots];
    needs = new long[dimensions];
    room = new long[dimensions];
    leastParts = new long[dimensions];
    largest = new Share[dimensions];
    smallest = new Share[dimensions];
    for (int slot = 0; slot < slots; slot++) {
      readKind(slot);
      read(slot);
    }
    inverses = new long[kindCount * dimensions];
    for (int at = 0; at < inverses.length; at++) {
      Share most = largest[at % dimensions];
      inverses[at] = capacities[at] == null ? ABSENT : capacities[at].quick(most.capacity());
    }
    added = new long[kindCount * dimensions];
    addedFor = new long[kindCount];
    query = 0;
  }

  private void readKind(int slot) {
    Layout layout = accounts.layout(slot);
    long[] capacity = new long[dimensions];
    int counted = 0;
    for (int at = 0; at < layout.size(); at++) {
      counted += Share.measurable(accounts.capacity(slot, at)) ? 1 : 0;
    }
    int within = 0;
    for (int d = 0; d < dimensions; d++) {
      int at = layout.slot(columns[d]);
      if (at >= 0 && Share.measurable(accounts.capacity(slot, at))) {
        capacity[d] = accounts.capacity(slot, at);
        within++;
      }
    }
    whole[slot] = counted == within;
    List<Long> key = LongStream.of(capacity).boxed().toList();
    Integer kind = kindByCapacity.get(key);
    if (kind == null) {
      kind = kindCount++;
      kindByCapacity.put(key, kind);
      if (kindCount * dimensions > capacities.length) {
        capacities = Arrays.copyOf(capacities, Math.max(16, 2 * kindCount * dimensions));
      }
      for (int d = 0; d < dimensions; d++) {
        Share share = capacity[d] == 0 ? null : new Share(capacity[d]);
        capacities[kind * dimensions + d] = share;
        if (share != null && (largest[d] == null || capacity[d] > largest[d].capacity())) {
          largest[d] = share;
        }
        if (share != null && (smallest[d] == null || capacity[d] < smallest[d].capacity())) {
          smallest[d] = share;
        }
      }
    }
    kinds[slot] = kind;
  }

  /** Reads what is in use of a node. */
  void read(int slot) {
    closed[slot] = leftOut[slot] || accounts.cordoned(slot);
    extremeCount -= extreme[slot] ? 1 : 0;
    extreme[slot] = false;
    if (leftOut[slot]) {
      return;
    }
    Layout layout = accounts.layout(slot);
    int base = slot * dimensions;
    for (int d = 0; d < dimensions; d++) {
      Share capacity = capacities[kinds[slot] * dimensions + d];
      if (capacity == null) {
        shares[base + d] = ABSENT;
      } else {
        int at = layout.slot(columns[d]);
        used[base + d] = accounts.capacity(slot, at) - accounts.left(slot, at);
        shares[base + d] = capacity.quick(used[base + d]);
        extreme[slot] |= isExtreme(shares[base + d]);
      }
    }
    extremeCount += extreme[slot] ? 1 : 0;
  }

  private static boolean isExtreme(long share) {
    return Math.abs(share) > EXTREME;
  }

  /** Binds a workload, which later calls are about. */
  void bind(Demand demand) {
    query++;
    this.demand = demand;
    addsExtreme = false;
    for (int d = 0; d < dimensions; d++) {
      int at = demand.indexOf(columns[d]);
      needs[d] = at < 0 ? 0 : demand.need(at);
      boolean limited = at >= 0 && needs[d] > 0 && !demand.isImmune(at);
      leastParts[d] = largest[d] == null ? 0 : Math.min(WHOLE, largest[d].quick(needs[d]));
      room[d] = limited ? WHOLE : Long.MAX_VALUE;
      addsExtreme |= !limited && smallest[d] != null && isExtreme(smallest[d].quick(needs[d]));
    }
  }

  /**
   * Whether a share in use, or one that the workload of the search adds, is extreme somewhere. Only
   * immunities, negative needs and nodes that were made smaller make this possible. Then shares
   * cannot be added, and bounds of boxes are not certain. A node that is too small for the workload
   * does not count: however shares are added, it has no room.
   */
  boolean hasExtremeShares() {
    return addsExtreme || extremeCount > 0;
  }

  /**
   * Whether nodes may have room for the workload of the search; false is certain.
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
      count += capacities[kind * dimensions + d] == null ? 0 : 1;
    }
    return count == 0 ? Long.MAX_VALUE : 2 * LoadRule.leastSquares(score, count);
  }

  /** As {@link #limit}, by {@link LoadRule#FULLEST}. */
  static long limitOfFullest(long score) {
    int drop = Share.BITS - LoadRule.FULLEST.bits();
    return score >= Long.MAX_VALUE >> drop ? Long.MAX_VALUE : ((score + 1) << drop) - 1;
  }

  /**
   * Whether the workload of the search may have room on a node and a score of interest there; false
   * is certain.
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
    int base = node * dimensions;
    long lowest = Long.MAX_VALUE;
    long highest = Long.MIN_VALUE;
    for (int d = 0; d < dimensions; d++) {
      long share = shares[base + d] + adds[from + d];
      if (share > room[d]) {
        return false;
      }
      if (shares[base + d] != ABSENT) {
        lowest = Math.min(lowest, share);
        highest = Math.max(highest, share);
      }
    }
    if (rule == LoadRule.FULLEST) {
      return highest <= limit;
    }
    int drop = Share.BITS - rule.bits();
    return limit == Long.MAX_VALUE
        || square(Math.max(0, (highest >> drop) - (lowest >> drop) - 1)) < limit;
  }

  /**
   * The index in {@link #added} of the first share that the workload of the search adds to a kind.
   */
  int added(int kind) {
    int base = kind * dimensions;
    if (addedFor[kind] != query) {
      addedFor[kind] = query;
      for (int d = 0; d < dimensions; d++) {
        added[base + d] = added(kind, d);
      }
    }
    return base;
  }

  private long added(int kind, int dimension) {
    Share capacity = capacities[kind * dimensions + dimension];
    return needs[dimension] == 0 || capacity == null ? 0 : capacity.quick(needs[dimension]);
  }

  LoadRule rule() {
    return rule;
  }

  /**
   * In inverse proportion to the capacity of a node: the largest of any node divided by it, as a
   * share; {@link #ABSENT} where the node has none.
   */
  long inverse(int node, int dimension) {
    return inverses[kinds[node] * dimensions + dimension];
  }

  /**
   * What the workload of the search adds at least to the share of a capacity, and of any smaller
   * one. A negative need counts as the lowest share.
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
   * What the workload of the search adds at most to the share of a capacity, and of any larger one.
   * Both shares of the product are up to {@link Share#SLACK} and one parts too low.
   *
   * @param inverse of the capacity; 0 where no node has one
   */
  long addedAtMost(int dimension, long inverse) {
    return addedAtLeast(dimension, inverse) + (inverse >> (Share.BITS - 2)) + 6;
  }

  /** The share above which the workload of the search has no room. */
  long room(int dimension) {
    return room[dimension];
  }

  long addedAt(int at) {
    return added[at];
  }

  /** The score of a node with the workload of the search on it; the lowest is the best. */
  long score(int node) {
    if (node >= whole.length || !whole[node] || hasExtremeShares()) {
      return scoreByAccounts(node, demand);
    }
    int kind = added(kinds[node]);
    int base = node * dimensions;
    int count = 0;
    for (int d = 0; d < dimensions; d++) {
      if (shares[base + d] != ABSENT) {
        parts[count++] = share(node, d, shares[base + d] + added[kind + d]);
      }
    }
    return score(parts, count);
  }

  /** A share in the parts of the rule, exactly: the quick one, unless it is near the next part. */
  private long share(int node, int dimension, long quick) {
    int drop = Share.BITS - rule.bits();
    long parts = 1L << drop;
    if ((quick & (parts - 1)) < parts - 2 * Share.SLACK - 2) {
      return quick >> drop;
    }
    Share capacity = capacities[kinds[node] * dimensions + dimension];
    return capacity.exact(used[node * dimensions + dimension] + needs[dimension], rule.bits());
  }

  /** The same, read from the accounts, for any node and any workload. */
  long scoreByAccounts(int node, Demand workload) {
    Layout layout = accounts.layout(node);
    long[] all = new long[layout.size()];
    int count = 0;
    for (int at = 0; at < layout.size(); at++) {
      long capacity = accounts.capacity(node, at);
      if (Share.measurable(capacity)) {
        int required = workload.indexOf(layout.id(at));
        long amount =
            capacity - accounts.left(node, at) + (required < 0 ? 0 : workload.need(required));
        all[count++] = Share.exact(amount, capacity, rule.bits());
      }
    }
    return score(all, count);
  }

  private long score(long[] parts, int count) {
    long largest = count == 0 ? 0 : parts[0];
    long sum = 0;
    for (int i = 0; i < count; i++) {
      largest = Math.max(largest, parts[i]);
      sum += parts[i];
    }
    if (rule == LoadRule.FULLEST || count == 0) {
      return largest;
    }
    long mean = Math.floorDiv(sum, count);
    long squares = 0;
    for (int i = 0; i < count; i++) {
      squares += square(parts[i] - mean);
    }
    return LoadRule.variance(squares, count);
  }

  /** The square of a deviation; one above 16 times the capacity counts as that. */
  static long square(long deviation) {
    long capped = Math.max(-(1L << 28), Math.min(1L << 28, deviation));
    return capped * capped;
  }

  /** Reads the shares of a node again. */
  void audit(Audit audit, int slot) {
    if (leftOut[slot]) {
      return;
    }
    Layout layout = accounts.layout(slot);
    for (int d = 0; d < dimensions; d++) {
      int at = layout.slot(columns[d]);
      boolean measured = at >= 0 && Share.measurable(accounts.capacity(slot, at));
      long amount = measured ? accounts.capacity(slot, at) - accounts.left(slot, at) : 0;
      String of = " of resource " + columns[d] + " on node";
      audit.equal("load: amount in use" + of, slot, amount, used[slot * dimensions + d]);
      audit.equal(
          "load: share" + of,
          slot,
          measured ? new Share(accounts.capacity(slot, at)).quick(amount) : ABSENT,
          shares[slot * dimensions + d]);
    }
    boolean any = false;
    for (int d = 0; d < dimensions; d++) {
      any |= shares[slot * dimensions + d] != ABSENT && isExtreme(shares[slot * dimensions + d]);
    }
    audit.equal("load: extreme share of node", slot, any ? 1 : 0, extreme[slot] ? 1 : 0);
    audit.equal("load: cordon of node " + slot, accounts.cordoned(slot), closed[slot]);
  }
}
