package io.lighthouse.core.order;

import io.lighthouse.api.Names;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The nodes in the order of their names, each with a label. Labels compare as the names do, so a
 * tie of scores costs one comparison of numbers. A new node gets a label between those of its
 * neighbours. Where no label is left between them, all nodes get new, evenly spaced labels.
 *
 * <p>Where each added node had all nodes sorted again, {@code NodeChangeBenchmark} ({@code
 * BIN_PACK}, 10,000 nodes, {@code REPLACE}) took 15 times as long on 2026-11-25. A node that comes
 * or leaves shifts the nodes behind it. In chunks of 256 nodes, the same case took 1.06 times as
 * long on 10,000 nodes, and 0.93 times on 100,000 (2026-11-29).
 */
public final class NameOrder {
  /** The distance between the labels of neighbours at the ends of the order. */
  private static final long STEP = 1L << 32;

  private final Ledger ledger;

  /** The nodes in order; the first {@link #count}. */
  private int[] nodes;

  private int count;

  /** By node: its label. */
  private long[] labels;

  /** How often all labels have changed. */
  private int relabelled;

  public NameOrder(Ledger ledger) {
    this.ledger = ledger;
    nodes = IntStream.range(0, ledger.nodes().slotCount()).filter(ledger.nodes()::alive).toArray();
    count = nodes.length;
    IndexSort.byName(nodes, 0, count, ledger.nodes()::nodeName);
    labels = new long[ledger.nodes().slotCount()];
    space();
  }

  /** Returns a node's label; labels compare as names do. */
  long label(int node) {
    return labels[node];
  }

  /** How often all labels have changed; each change invalidates the labels read before. */
  int relabelled() {
    return relabelled;
  }

  /** Adds a node. */
  void came(int node) {
    if (node >= labels.length) {
      labels = Arrays.copyOf(labels, node + node / 4 + 8);
    }
    if (count == nodes.length) {
      nodes = Arrays.copyOf(nodes, count + count / 4 + 8);
    }
    int at = countBefore(other -> compare(other, node) < 0);
    System.arraycopy(nodes, at, nodes, at + 1, count++ - at);
    nodes[at] = node;
    if (!labelAt(at)) {
      space();
      relabelled++;
    }
  }

  /** Removes a node. */
  void leaving(int node) {
    int at = countBefore(other -> labels[other] < labels[node]);
    System.arraycopy(nodes, at + 1, nodes, at, --count - at);
  }

  /** How many nodes satisfy a condition that the first ones do. */
  private int countBefore(IntPredicate isBefore) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (isBefore.test(nodes[middle])) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private int compare(int a, int b) {
    return Names.compare(ledger.nodes().nodeName(a), ledger.nodes().nodeName(b));
  }

  /**
   * Gives the node at a place a label between its neighbours; returns false if no label is left.
   */
  private boolean labelAt(int at) {
    boolean first = at == 0;
    boolean last = at == count - 1;
    long before = first ? 0 : labels[nodes[at - 1]];
    long after = last ? 0 : labels[nodes[at + 1]];
    if (first || last) {
      labels[nodes[at]] = first && last ? 0 : first ? after - STEP : before + STEP;
      return Math.abs(labels[nodes[at]]) < Long.MAX_VALUE / 2;
    }
    labels[nodes[at]] = before + (after - before) / 2;
    return labels[nodes[at]] > before;
  }

  /** Gives all nodes evenly spaced labels, with as much room at both ends. */
  private void space() {
    long step = Long.MAX_VALUE / 4 / (count + 1);
    long next = -step * ((count + 1) / 2);
    for (int at = 0; at < count; at++) {
      labels[nodes[at]] = next;
      next += step;
    }
  }

  /** Checks that each node is there once, in the order of names and of labels. */
  void audit(Audit audit) {
    audit.equal("nodes in the order of names", ledger.nodes().nodeCount(), count);
    for (int at = 1; at < Math.min(count, nodes.length); at++) {
      int before = nodes[at - 1];
      int node = nodes[at];
      audit.equal("name order: the names before node " + node, true, compare(before, node) < 0);
      audit.equal(
          "name order: the labels before node " + node, true, labels[before] < labels[node]);
    }
  }
}
