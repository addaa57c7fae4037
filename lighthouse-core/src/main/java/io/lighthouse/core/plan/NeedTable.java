package io.lighthouse.core.plan;

import io.lighthouse.core.account.Layout;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.FleetCapacities;
import io.lighthouse.core.share.Mean;
import io.lighthouse.core.share.Share;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * What workloads need of the most common resources, read once for each workload; and their sizes,
 * as of {@link PlanSession#size}.
 */
final class NeedTable {
  private static final int MOST_DIMENSIONS = 8;

  private final PlanSession session;
  private final Ledger ledger;

  /** The ids of the resources that are checked. */
  private final int[] ids;

  /** Below 0 where it gives, and 0 where it is immune; [entry * ids + dimension]. */
  private long[] needs = {};

  /** By entry; 0 where it has not been read. */
  private long[] sizes = {};

  /** Nodes have room as long as their load stays below this. */
  private long mostLoad = Long.MAX_VALUE;

  NeedTable(PlanSession session, int[] newcomers) {
    this.session = session;
    ledger = session.ledger;
    ids = chooseResources(newcomers);
  }

  /** The measurable resources that most newcomers need, or most nodes have. */
  private int[] chooseResources(int[] newcomers) {
    int[] counts = FleetCapacities.nodeCounts(ledger);
    for (int entry : newcomers) {
      Demand demand = ledger.demand(entry);
      for (int i = 0; i < demand.size(); i++) {
        int id = demand.id(i);
        counts[id] += counts[id] > 0 ? ledger.nodes().slotCount() : 0;
      }
    }
    return FleetCapacities.mostCommon(ledger, counts, MOST_DIMENSIONS);
  }

  private void read(int entry) {
    if (entry >= sizes.length) {
      int length = Math.max(entry + 1, sizes.length + (sizes.length >> 1) + 16);
      sizes = Arrays.copyOf(sizes, length);
      needs = Arrays.copyOf(needs, length * ids.length);
    }
    if (sizes[entry] > 0) {
      return;
    }
    Demand demand = ledger.demand(entry);
    sizes[entry] = Math.max(1, session.size(demand));
    for (int d = 0; d < ids.length; d++) {
      int at = demand.indexOf(ids[d]);
      needs[entry * ids.length + d] = at < 0 || demand.isImmuneTo(ids[d]) ? 0 : demand.need(at);
    }
  }

  /** The id of the resource of a dimension. */
  int id(int dimension) {
    return ids[dimension];
  }

  /** How many resources are checked. */
  int dimensions() {
    return ids.length;
  }

  /** By dimension, what a workload needs, as of {@link #amount}. */
  long[] amounts(int entry) {
    read(entry);
    return Arrays.copyOfRange(needs, entry * ids.length, (entry + 1) * ids.length);
  }

  /** By dimension, what some workloads need on average. */
  Mean[] means(int[] entries) {
    Mean[] means = new Mean[ids.length];
    for (int d = 0; d < ids.length; d++) {
      long sum = 0; // All requirements together are below 2^62 (Admission).
      for (int entry : entries) {
        read(entry);
        sum += Math.max(0, amount(entry, d));
      }
      means[d] = Mean.of(BigInteger.valueOf(sum), entries.length);
    }
    return means;
  }

  /** The size of a workload, above 0. */
  long size(int entry) {
    read(entry);
    return sizes[entry];
  }

  /**
   * What a workload needs of a resource; below 0 where it gives, and 0 where it is immune. Its size
   * has been read before.
   */
  long amount(int entry, int dimension) {
    return needs[entry * ids.length + dimension];
  }

  /**
   * From now on, nodes have room only as long as their load ({@link PlanSession#load}) stays below
   * this. It must not rise again: {@link OtherNodes} remembers which workloads fit nowhere.
   */
  void keepBelow(long load) {
    mostLoad = load;
  }

  /** How much more an account may hold while the load of its node stays below one. */
  private long spare(int node, int at, long load) {
    long left = ledger.accounts().left(node, at);
    long capacity = ledger.accounts().capacity(node, at);
    return load <= PlanSession.FULL && Share.measurable(capacity)
        ? left - capacity + Share.amountBelow(load, capacity, PlanSession.SHARE_BITS)
        : left;
  }

  /**
   * By dimension, how much more a node may hold while its load stays below one, 1 or more. Below 0
   * if the node has to lose some for that.
   */
  long[] spare(int node, long load) {
    long[] spare = new long[ids.length];
    Layout layout = ledger.accounts().layout(node);
    for (int d = 0; d < ids.length; d++) {
      int at = layout.slot(ids[d]);
      if (at >= 0) {
        long more = spare(node, at, load);
        spare[d] =
            Share.measurable(ledger.accounts().capacity(node, at)) ? more : Math.max(0, more);
      }
    }
    return spare;
  }

  /** Whether a workload needs no more than one of some nodes has to spare; false is certain. */
  boolean fitsAny(int entry, long[][] spares) {
    read(entry);
    for (long[] spare : spares) {
      int d = 0;
      while (d < ids.length && (amount(entry, d) <= 0 || amount(entry, d) <= spare[d])) {
        d++;
      }
      if (d == ids.length) {
        return true;
      }
    }
    return false;
  }

  /** Whether a node has room for a workload, as far as amounts and loads show; false is certain. */
  boolean hasRoom(int entry, int node) {
    read(entry);
    Layout layout = ledger.accounts().layout(node);
    for (int d = 0; d < ids.length; d++) {
      long need = needs[entry * ids.length + d];
      if (need > 0) {
        int at = layout.slot(ids[d]);
        if (at < 0 || spare(node, at, mostLoad) < need) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * What a node lacks for a workload, by dimension, 0 or more; null where it would have no room for
   * it if it were empty.
   */
  long[] lack(int entry, int node) {
    read(entry);
    long[] lack = new long[ids.length];
    Layout layout = ledger.accounts().layout(node);
    for (int d = 0; d < ids.length; d++) {
      long need = needs[entry * ids.length + d];
      if (need > 0) {
        int at = layout.slot(ids[d]);
        if (at < 0) {
          return null;
        }
        long left = ledger.accounts().left(node, at);
        long spare = spare(node, at, mostLoad);
        // What it has less to spare than is left stays free on an empty node, too.
        long free = left - spare;
        if (left == Long.MIN_VALUE || need > ledger.accounts().capacity(node, at) - free) {
          return null;
        }
        lack[d] = Math.max(0, need - spare);
      }
    }
    return lack;
  }
}
