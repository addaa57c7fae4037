package io.lighthouse.core.share;

import io.lighthouse.api.Names;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;

/**
 * What the nodes of a ledger have of each resource, as far as shares of it count ({@link
 * Share#measurable}).
 */
public final class FleetCapacities {
  private FleetCapacities() {}

  /** Receives the measurable accounts. */
  public interface Visitor {
    /** One account of a node, scaled; less than 0 is left where it is overdrawn. */
    void visit(int id, long capacity, long left);
  }

  /** Visits the measurable accounts of all nodes, in their order. */
  public static void visit(Ledger ledger, Visitor visitor) {
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      Layout layout = ledger.accounts().layout(node);
      for (int at = 0; at < layout.size(); at++) {
        long capacity = ledger.accounts().capacity(node, at);
        if (Share.measurable(capacity)) {
          visitor.visit(layout.id(at), capacity, ledger.accounts().left(node, at));
        }
      }
    }
  }

  /** What all nodes together have, by resource id; null where no node has a measurable amount. */
  public static BigInteger[] totals(Ledger ledger) {
    BigInteger[] totals = new BigInteger[ledger.resources().resourceIds()];
    long[] open = new long[totals.length];
    visit(
        ledger,
        (id, capacity, left) -> {
          if (open[id] + capacity < 0) {
            totals[id] = plus(totals[id], open[id]);
            open[id] = 0;
          }
          open[id] += capacity;
        });
    for (int id = 0; id < totals.length; id++) {
      totals[id] = open[id] > 0 ? plus(totals[id], open[id]) : totals[id];
    }
    return totals;
  }

  private static BigInteger plus(BigInteger sum, long amount) {
    return sum == null ? BigInteger.valueOf(amount) : sum.add(BigInteger.valueOf(amount));
  }

  /**
   * What a mean node has, for comparing amounts of different resources, by resource id; {@link
   * Mean#NONE} where no node has a measurable amount.
   */
  public static Mean[] means(Ledger ledger) {
    return Arrays.stream(totals(ledger))
        .map(total -> total == null ? Mean.NONE : Mean.of(total, ledger.nodes().nodeCount()))
        .toArray(Mean[]::new);
  }

  /** On how many nodes each resource is measurable, by resource id. */
  public static int[] nodeCounts(Ledger ledger) {
    int[] counts = new int[ledger.resources().resourceIds()];
    visit(ledger, (id, capacity, left) -> counts[id]++);
    return counts;
  }

  /** Of which resources some node has an endless amount, by resource id. */
  public static boolean[] endless(Ledger ledger) {
    boolean[] endless = new boolean[ledger.resources().resourceIds()];
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      Layout layout = ledger.accounts().layout(node);
      for (int at = 0; at < layout.size(); at++) {
        endless[layout.id(at)] |= ledger.accounts().capacity(node, at) == Long.MAX_VALUE;
      }
    }
    return endless;
  }

  /**
   * The most common resources.
   *
   * @param counts by resource id, how common it is; those of 0 are left out
   * @return their ids, the most common first; equal ones by name
   */
  public static int[] mostCommon(Ledger ledger, int[] counts, int most) {
    return IntStream.range(0, counts.length)
        .filter(id -> counts[id] > 0)
        .boxed()
        .sorted(
            Comparator.comparingInt((Integer id) -> -counts[id])
                .thenComparing(ledger.resources()::resource, Names.order()))
        .limit(most)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * The largest share in use on a node.
   *
   * @param added a workload that is counted as placed there; null for none
   * @param bits as of {@link Share#exact(long, long, int)}
   */
  public static long fullest(Ledger ledger, int node, Demand added, int bits) {
    return combined(ledger, node, added, bits, Math::max);
  }

  /** The shares in use on a node, combined one by one, from 0 on; otherwise as {@link #fullest}. */
  public static long combined(
      Ledger ledger, int node, Demand added, int bits, LongBinaryOperator operator) {
    Layout layout = ledger.accounts().layout(node);
    long all = 0;
    for (int at = 0; at < layout.size(); at++) {
      long capacity = ledger.accounts().capacity(node, at);
      if (Share.measurable(capacity)) {
        int place = added == null ? -1 : added.indexOf(layout.id(at));
        long used = capacity - ledger.accounts().left(node, at);
        used += place < 0 ? 0 : added.need(place);
        all = operator.applyAsLong(all, Share.positive(used, capacity, bits));
      }
    }
    return all;
  }
}
