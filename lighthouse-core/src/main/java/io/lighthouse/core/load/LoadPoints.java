package io.lighthouse.core.load;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.FleetCapacities;
import io.lighthouse.core.share.Share;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The nodes as points: what is in use of the most common resources, as shares of the capacity.
 * Nodes of equal capacity are of one kind. The kinds and the resources are those of the moment when
 * all nodes were read; a node that comes later is no point.
 */
final class LoadPoints {
  /** Stands for the share of a resource that a node does not have. */
  static final long ABSENT = -(1L << 61);

  /**
   * Larger shares are extreme. The sum of two that are not stays below {@link Share#MOST}, from
   * which on the sum of shares is no longer the share of the sum.
   */
  private static final long EXTREME = Share.MOST / 2;

  /** The number of resources of a point at most; the others are read from the accounts. */
  private static final int MOST_DIMENSIONS = 6;

  private final NodeAccounts accounts;
  private final NodeTable nodes;
  private final LoadRule rule;

  /** Ids of the resources that make up a point. */
  private final int[] resourceIds;

  /** The number of them. */
  final int dimensions;

  /** Shares in use, quick; [slot * dimensions + dimension]. */
  final long[] shares;

  /** What is in use, scaled; beside {@link #shares}. */
  private final long[] used;

  /** By slot its kind. */
  final int[] kinds;

  /** By slot whether it takes no workloads, or is left out. */
  private final boolean[] closed;

  /** By slot whether it is no point any more. */
  private final boolean[] leftOut;

  /** By slot whether all that counts is in its point. */
  private final boolean[] whole;

  /** By slot whether it has an extreme share in use. */
  private final boolean[] extreme;

  /** The number of such nodes. */
  private int extremeCount;

  /** By kind and dimension; null where there is no capacity. */
  private Share[] capacities = {};

  private int kindCount;

  /**
   * By kind and dimension the largest capacity of any node divided by that of the kind, as a share;
   * {@link #ABSENT} where there is no capacity.
   */
  private final long[] inverses;

  /** By dimension the largest capacity of any node; null where no node has one. */
  private final Share[] largest;

  /** The smallest capacities; as {@link #largest}. */
  private final Share[] smallest;

  /** Chooses the dimensions, and reads every node. */
  LoadPoints(Ledger ledger, LoadRule rule) {
    accounts = ledger.accounts();
    nodes = ledger.nodes();
    this.rule = rule;
    int slots = nodes.slotCount();
    resourceIds =
        FleetCapacities.mostCommon(ledger, FleetCapacities.nodeCounts(ledger), MOST_DIMENSIONS);
    dimensions = resourceIds.length;
    shares = new long[slots * dimensions];
    used = new long[slots * dimensions];
    kinds = new int[slots];
    closed = new boolean[slots];
    leftOut = new boolean[slots];
    whole = new boolean[slots];
    extreme = new boolean[slots];
    largest = new Share[dimensions];
    smallest = new Share[dimensions];
    Map<List<Long>, Integer> kindByCapacity = new HashMap<>();
    for (int slot = 0; slot < slots; slot++) {
      readKind(slot, kindByCapacity);
      read(slot);
    }
    inverses = new long[kindCount * dimensions];
    for (int at = 0; at < inverses.length; at++) {
      Share most = largest[at % dimensions];
      inverses[at] = capacities[at] == null ? ABSENT : capacities[at].quick(most.capacity());
    }
  }

  private void readKind(int slot, Map<List<Long>, Integer> kindByCapacity) {
    Layout layout = accounts.layout(slot);
    long[] capacity = new long[dimensions];
    int counted = 0;
    for (int at = 0; at < layout.size(); at++) {
      counted += Share.measurable(accounts.capacity(slot, at)) ? 1 : 0;
    }
    int within = 0;
    for (int d = 0; d < dimensions; d++) {
      int at = layout.slot(resourceIds[d]);
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
        int at = layout.slot(resourceIds[d]);
        used[base + d] = accounts.capacity(slot, at) - accounts.left(slot, at);
        shares[base + d] = capacity.quick(used[base + d]);
        extreme[slot] |= isExtreme(shares[base + d]);
      }
    }
    extremeCount += extreme[slot] ? 1 : 0;
  }

  /** A node has other accounts from now on, or none: it is no point any more. */
  void leaveOut(int slot) {
    if (has(slot)) {
      leftOut[slot] = true;
      whole[slot] = false;
    }
  }

  // ---- one node ----

  /** Whether there was a node at a slot, or could have been, when all were read. */
  boolean has(int slot) {
    return slot < closed.length;
  }

  /** Whether a node takes no workloads, or is left out, or was added since all were read. */
  boolean closed(int node) {
    return !has(node) || closed[node];
  }

  /** Whether all that counts of a node is in its point. */
  boolean whole(int node) {
    return has(node) && whole[node];
  }

  /** Whether two nodes of one kind have the same in use. */
  boolean areEqual(int node, int other) {
    for (int d = 0; d < dimensions; d++) {
      if (used(node, d) != used(other, d)) {
        return false;
      }
    }
    return true;
  }

  /** What is in use of a node, scaled. */
  long used(int node, int dimension) {
    return used[node * dimensions + dimension];
  }

  /** Reads the coordinates of a node: its shares, or their deviations from their mean. */
  void locate(int node, long[] coordinates) {
    long sum = 0;
    int count = 0;
    for (int d = 0; d < dimensions; d++) {
      coordinates[d] = shares[node * dimensions + d];
      if (coordinates[d] != ABSENT) {
        sum += coordinates[d];
        count++;
      }
    }
    if (rule == LoadRule.VARIANCE && count > 0) {
      long mean = Math.floorDiv(sum, count);
      for (int d = 0; d < dimensions; d++) {
        if (coordinates[d] != ABSENT) {
          coordinates[d] -= mean;
        }
      }
    }
  }

  // ---- all nodes ----

  LoadRule rule() {
    return rule;
  }

  /** The id of the resource of a dimension. */
  int resourceId(int dimension) {
    return resourceIds[dimension];
  }

  int kindCount() {
    return kindCount;
  }

  /** The capacity of the nodes of a kind; null where they have none. */
  Share capacity(int kind, int dimension) {
    return capacities[kind * dimensions + dimension];
  }

  /**
   * In inverse proportion to the capacity of a node: the largest of any node divided by it, as a
   * share; {@link #ABSENT} where the node has none.
   */
  long inverse(int node, int dimension) {
    return inverses[kinds[node] * dimensions + dimension];
  }

  /** The largest capacity of any node; null where no node has one. */
  Share largest(int dimension) {
    return largest[dimension];
  }

  /** The smallest capacity of any node; null where no node has one. */
  Share smallest(int dimension) {
    return smallest[dimension];
  }

  /** Whether some node has an extreme share in use. */
  boolean hasExtremeShares() {
    return extremeCount > 0;
  }

  static boolean isExtreme(long share) {
    return Math.abs(share) > EXTREME;
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

  // ---- audit ----

  /** Whether some of the first {@code count} nodes are no points any more. */
  boolean hasLeftOut(int[] slots, int count) {
    for (int at = 0; at < count; at++) {
      if (leftOut[slots[at]]) {
        return true;
      }
    }
    return false;
  }

  /** Reads the shares of a node again. */
  void audit(Audit audit, int slot) {
    if (leftOut[slot]) {
      return;
    }
    Layout layout = accounts.layout(slot);
    for (int d = 0; d < dimensions; d++) {
      int at = layout.slot(resourceIds[d]);
      boolean measured = at >= 0 && Share.measurable(accounts.capacity(slot, at));
      long amount = measured ? accounts.capacity(slot, at) - accounts.left(slot, at) : 0;
      String of = " of resource " + resourceIds[d] + " on node";
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
