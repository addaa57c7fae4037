package io.lighthouse.core.order;

import io.lighthouse.api.Names;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
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
 * BIN_PACK}, 10,000 nodes, {@code REPLACE}) took 15 times as long on 2026-11-25.
 */
public final class NameOrder {
  private static final int CHUNK = 256;

  /** The distance between the labels of neighbours at the ends of the order. */
  private static final long STEP = 1L << 32;

  private final Ledger ledger;

  /** The nodes in order, cut into chunks; the first {@link #chunkCount}. */
  private int[][] chunks;

  /** How many nodes each chunk has; at least one. */
  private int[] sizes;

  private int chunkCount;

  /** By node: its label. */
  private long[] labels;

  /** How often all labels have changed. */
  private int relabelled;

  public NameOrder(Ledger ledger) {
    this.ledger = ledger;
    int[] order =
        IntStream.range(0, ledger.nodes().slotCount()).filter(ledger.nodes()::alive).toArray();
    int nodes = order.length;
    IndexSort.byName(order, 0, nodes, ledger.nodes()::nodeName);
    labels = new long[ledger.nodes().slotCount()];
    int each = CHUNK / 2;
    chunkCount = (nodes + each - 1) / each;
    chunks = new int[chunkCount + 4][];
    sizes = new int[chunks.length];
    for (int i = 0; i < chunkCount; i++) {
      sizes[i] = Math.min(each, nodes - i * each);
      chunks[i] = Arrays.copyOf(Arrays.copyOfRange(order, i * each, i * each + sizes[i]), CHUNK);
    }
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
  void add(int node) {
    if (node >= labels.length) {
      labels = Arrays.copyOf(labels, node + node / 4 + 8);
    }
    if (chunkCount == 0) {
      insertChunk(0, new int[CHUNK], 0);
    }
    IntPredicate before = other -> compare(other, node) < 0;
    int chunk = chunkOf(before);
    if (sizes[chunk] == CHUNK) {
      split(chunk);
      chunk = chunkOf(before);
    }
    int at = placeIn(chunk, before);
    insert(node, chunk, at);
    if (!label(node, chunk, at)) {
      space();
      relabelled++;
    }
  }

  private void insert(int node, int chunk, int at) {
    int[] of = chunks[chunk];
    System.arraycopy(of, at, of, at + 1, sizes[chunk] - at);
    of[at] = node;
    sizes[chunk]++;
  }

  /** Removes a node. */
  void remove(int node) {
    IntPredicate upTo = other -> labels[other] <= labels[node];
    int chunk = chunkOf(upTo);
    int at = placeIn(chunk, upTo) - 1;
    System.arraycopy(chunks[chunk], at + 1, chunks[chunk], at, --sizes[chunk] - at);
    if (sizes[chunk] == 0) {
      chunkCount--;
      System.arraycopy(chunks, chunk + 1, chunks, chunk, chunkCount - chunk);
      System.arraycopy(sizes, chunk + 1, sizes, chunk, chunkCount - chunk);
    }
  }

  /** The last chunk whose first node satisfies {@code first}; the first chunk if none does. */
  private int chunkOf(IntPredicate first) {
    int from = 0;
    int to = chunkCount - 1;
    while (from < to) {
      int middle = (from + to + 1) >>> 1;
      if (first.test(chunks[middle][0])) {
        from = middle;
      } else {
        to = middle - 1;
      }
    }
    return from;
  }

  /** How many nodes of a chunk satisfy {@code first}. */
  private int placeIn(int chunk, IntPredicate first) {
    int from = 0;
    int to = sizes[chunk];
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (first.test(chunks[chunk][middle])) {
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

  private void split(int chunk) {
    int half = CHUNK / 2;
    int[] upper = Arrays.copyOf(Arrays.copyOfRange(chunks[chunk], half, CHUNK), CHUNK);
    sizes[chunk] = half;
    insertChunk(chunk + 1, upper, CHUNK - half);
  }

  private void insertChunk(int at, int[] chunk, int size) {
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunkCount);
      sizes = Arrays.copyOf(sizes, 2 * chunkCount);
    }
    System.arraycopy(chunks, at, chunks, at + 1, chunkCount - at);
    System.arraycopy(sizes, at, sizes, at + 1, chunkCount - at);
    chunks[at] = chunk;
    sizes[at] = size;
    chunkCount++;
  }

  /** Gives a node a label between its neighbours; returns false if no label is left there. */
  private boolean label(int node, int chunk, int at) {
    boolean first = chunk == 0 && at == 0;
    boolean last = chunk == chunkCount - 1 && at == sizes[chunk] - 1;
    long before =
        first
            ? 0
            : labels[at > 0 ? chunks[chunk][at - 1] : chunks[chunk - 1][sizes[chunk - 1] - 1]];
    long after =
        last ? 0 : labels[at < sizes[chunk] - 1 ? chunks[chunk][at + 1] : chunks[chunk + 1][0]];
    if (first || last) {
      labels[node] = first && last ? 0 : first ? after - STEP : before + STEP;
      return Math.abs(labels[node]) < Long.MAX_VALUE / 2;
    }
    labels[node] = before + (after - before) / 2;
    return labels[node] > before;
  }

  /** Gives all nodes evenly spaced labels, with as much room at both ends. */
  private void space() {
    long count = 1;
    for (int chunk = 0; chunk < chunkCount; chunk++) {
      count += sizes[chunk];
    }
    long step = Long.MAX_VALUE / 4 / count;
    long next = -step * (count / 2);
    for (int chunk = 0; chunk < chunkCount; chunk++) {
      for (int at = 0; at < sizes[chunk]; at++) {
        labels[chunks[chunk][at]] = next;
        next += step;
      }
    }
  }

  /** Checks that the chunks hold each node once, in the order of names and of labels. */
  void audit(Audit audit) {
    int count = 0;
    int before = NodeTable.NONE;
    for (int chunk = 0; chunk < chunkCount; chunk++) {
      for (int at = 0; at < sizes[chunk]; at++) {
        int node = chunks[chunk][at];
        if (before != NodeTable.NONE) {
          audit.equal("name order: the names before node " + node, true, compare(before, node) < 0);
          audit.equal(
              "name order: the labels before node " + node, true, labels[before] < labels[node]);
        }
        before = node;
        count++;
      }
    }
    audit.equal("nodes in the order of names", ledger.nodes().nodeCount(), count);
  }
}
