package io.lighthouse.core.constraint;

import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeSet;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A workload prefers nodes that hold no workload of its aversion groups. A few groups are checked
 * one by one. For many groups, the holders are gathered once per workload in one bitmap.
 *
 * <p>Without that bitmap, the cases {@code CROWD} and {@code CROWD_PACKED} of {@code
 * CliffBenchmark} (10,000 nodes) took 2.4 and 17 times as long on 2026-11-25.
 */
public final class Aversion extends Constraint {
  /** The holders of more groups than this are gathered in a bitmap. */
  private static final int MOST_SETS = 8;

  private final Ledger ledger;
  private Demand demand;

  /** By node: whether it holds no workload of these groups; valid once gathered. */
  private long[] free = new long[0];

  private boolean gathered;

  Aversion(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  boolean prepare(Demand wanted) {
    demand = wanted;
    gathered = false;
    return !demand.antiAffinityHolders().isEmpty();
  }

  @Override
  boolean admits(int node) {
    if (gathered) {
      return (free[node >> 6] >>> node & 1) != 0;
    }
    List<NodeSet> holders = demand.antiAffinityHolders();
    for (int i = 0; i < holders.size(); i++) {
      if (holders.get(i).has(node)) {
        return false;
      }
    }
    return true;
  }

  /** Adds bitmaps of the friendly nodes behind the present ones. */
  @Override
  void addRows(RowScan rows) {
    int words = (ledger.nodes().slotCount() + 63) >> 6;
    gather(words);
    if (gathered) {
      rows.append(free);
      return;
    }
    for (int i = 0; i < demand.antiAffinityHolders().size(); i++) {
      long[] of = demand.antiAffinityHolders().get(i).free(words);
      if (of != null) {
        rows.append(of);
      }
    }
  }

  private void gather(int words) {
    List<NodeSet> holders = demand.antiAffinityHolders();
    if (gathered || holders.size() <= MOST_SETS) {
      return;
    }
    gathered = true;
    if (free.length < words) {
      free = new long[words];
    }
    Arrays.fill(free, -1L);
    for (int i = 0; i < holders.size(); i++) {
      holders.get(i).clearFrom(free);
    }
  }

  @Override
  void reportBroken(int node, Broken broken) {
    if (!admits(node)) {
      broken.add(this, 0, Reason.Kind.AVERSE, 0, 0, 1);
    }
  }

  /** The groups that make a node averse to the workload. */
  @Override
  public Reason reason(int node, int condition) {
    Set<String> shared = new TreeSet<>(Names.order());
    for (String group : demand.workload().aversionGroups()) {
      if (ledger.members().averse(ledger.members().find(group), node) > 0) {
        shared.add(group);
      }
    }
    return new Reason.Averse(shared);
  }
}
