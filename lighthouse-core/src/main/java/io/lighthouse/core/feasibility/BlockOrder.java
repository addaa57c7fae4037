package io.lighthouse.core.feasibility;

import io.lighthouse.api.Names;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The nodes in the order of (score, name), in blocks of 64 with rows of bits of their own.
 *
 * <p>Within a block the slots are in no order; the blocks stand in order, apart at separators: all
 * keys of a block are above the separator of the block before and not above its own. A row has a
 * word a block, in which a node's bit stands in its slot. A search goes from block to block, ANDs
 * the rows of {@link Levels}, and takes the smallest key that fits of the first block that has one.
 * A node moves only when its new key leaves its block; a full block splits, an empty one goes.
 */
final class BlockOrder {
  private static final int SLOTS = 64;

  /** How full the blocks are at first. */
  private static final int FILL = 40;

  private final Ledger ledger;
  private final Levels levels;
  private final Scores scores;

  /** By node: the score, 128 bits. */
  private final long[] high;

  private final long[] low;

  /** By node: its place in the order of names. */
  private final int[] rank;

  /** By node: block times 64 plus slot. */
  private final int[] position;

  /** By position: the node; of a free one whatever was there. */
  private int[] members;

  /** By block: which slots are taken. */
  private long[] live;

  /** One bit a slot; [dimension][level][block]. */
  private final long[][][] rows;

  /** The blocks in order; the first {@link #blocks}. */
  private int[] sequence;

  /** By place in the sequence: the separator; that of the last block counts as infinite. */
  private long[] lastHigh;

  private long[] lastLow;
  private int[] lastRank;
  private int blocks;

  /** Blocks given out so far; those not in the sequence are in {@link #free}. */
  private int made;

  private int[] free;
  private int freeCount;

  /** The rows of the search at hand. */
  private final RowScan chosen = new RowScan();

  /** Sorts all nodes. Scores must be wide. */
  BlockOrder(Ledger ledger, Levels levels, Scores scores) {
    this.ledger = ledger;
    this.levels = levels;
    this.scores = scores;
    int nodes = ledger.nodeCount();
    high = new long[nodes];
    low = new long[nodes];
    rank = new int[nodes];
    position = new int[nodes];
    rows = new long[levels.dimensions()][][];
    for (int d = 0; d < rows.length; d++) {
      rows[d] = new long[levels.levels(d)][];
    }
    int[] byName =
        IntStream.range(0, nodes)
            .boxed()
            .sorted(Comparator.comparing(ledger::nodeName, Names.order()))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 0; i < nodes; i++) {
      rank[byName[i]] = i;
    }
    for (int node = 0; node < nodes; node++) {
      scores.computeNode(node);
      high[node] = scores.high();
      low[node] = scores.low();
    }
    int[] byKey =
        Arrays.stream(byName)
            .boxed()
            .sorted((a, b) -> Scores.compare(high[a], low[a], high[b], low[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    int count = Math.max(1, (nodes + FILL - 1) / FILL);
    room(count + count / 2 + 4);
    for (int b = 0; b < count; b++) {
      sequence[b] = make();
      int end = Math.min(nodes, (b + 1) * FILL);
      for (int i = b * FILL; i < end; i++) {
        put(byKey[i], sequence[b]);
      }
      if (end > 0) {
        separate(b, byKey[end - 1]);
      }
    }
    blocks = count;
    levels.follow(this);
  }

  long high(int node) {
    return high[node];
  }

  long low(int node) {
    return low[node];
  }

  int rank(int node) {
    return rank[node];
  }

  /** Whether a node stands below a key. */
  boolean below(int node, long keyHigh, long keyLow, int keyRank) {
    int compared = Scores.compare(high[node], low[node], keyHigh, keyLow);
    return compared < 0 || (compared == 0 && rank[node] < keyRank);
  }

  /** A level of a node has been crossed. */
  void flip(int dimension, int level, int node, boolean set) {
    int at = position[node];
    if (set) {
      rows[dimension][level][at >> 6] |= 1L << at;
    } else {
      rows[dimension][level][at >> 6] &= ~(1L << at);
    }
  }

  /** What is left of a node has changed. */
  void settled(int node) {
    scores.computeNode(node);
    if (high[node] == scores.high() && low[node] == scores.low()) {
      return;
    }
    int block = position[node] >> 6;
    int place = find(scores.high(), scores.low(), rank[node]);
    if (sequence[place] != block) {
      take(node, block);
      if (live[block] == 0 && blocks > 1) {
        drop(find(high[node], low[node], rank[node]));
        place = find(scores.high(), scores.low(), rank[node]);
      }
      if (live[sequence[place]] == -1L) {
        split(place);
        place = find(scores.high(), scores.low(), rank[node]);
      }
      put(node, sequence[place]);
    }
    high[node] = scores.high();
    low[node] = scores.low();
  }

  // ---- searching ----

  /** The place in the sequence of the block that holds a key, or would. */
  int find(long keyHigh, long keyLow, int keyRank) {
    int from = 0;
    int to = blocks - 1;
    while (from < to) {
      int middle = (from + to) >>> 1;
      int compared = Scores.compare(lastHigh[middle], lastLow[middle], keyHigh, keyLow);
      if (compared < 0 || (compared == 0 && lastRank[middle] < keyRank)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /**
   * The first node that fits. The levels have taken up the demand.
   *
   * @param eligible a row of the nodes that are eligible; null for no such row
   * @param start the place in the sequence before which nothing fits; ascending only
   * @param friends whether averse nodes are passed over
   */
  int first(Demand demand, long[] eligible, int start, boolean friends, boolean descending) {
    chosen.clear();
    levels.addRows(chosen, rows);
    int used = chosen.count();
    long[] a = used > 0 ? chosen.row(0) : live;
    long[] b = used > 1 ? chosen.row(1) : a;
    long[] c = used > 2 ? chosen.row(2) : a;
    long[] d = used > 3 ? chosen.row(3) : a;
    int first = Finder.NONE;
    int step = descending ? -1 : 1;
    for (int at = descending ? blocks - 1 : start; at >= 0 && at < blocks; at += step) {
      if (first != Finder.NONE && !(descending && ties(at, first))) {
        break;
      }
      int block = sequence[at];
      long word = a[block] & b[block] & c[block] & d[block];
      for (int i = 4; i < used; i++) {
        word &= chosen.row(i)[block];
      }
      for (; word != 0; word &= word - 1) {
        int node = members[(block << 6) + Long.numberOfTrailingZeros(word)];
        if (levels.covers(node)
            && (first == Finder.NONE || before(node, first, descending))
            && (eligible == null || (eligible[node >> 6] >>> node & 1) != 0)
            && !(friends && Fit.averse(node, demand))
            && Fit.fits(ledger, node, demand)) {
          first = node;
        }
      }
    }
    return first;
  }

  /** Whether a block may hold a node of the same score. */
  private boolean ties(int at, int node) {
    return Scores.compare(lastHigh[at], lastLow[at], high[node], low[node]) >= 0;
  }

  boolean before(int a, int b, boolean descending) {
    int compared = Scores.compare(high[a], low[a], high[b], low[b]);
    return compared == 0 ? rank[a] < rank[b] : descending == compared > 0;
  }

  // ---- blocks ----

  private void put(int node, int block) {
    int slot = Long.numberOfTrailingZeros(~live[block]);
    position[node] = (block << 6) + slot;
    members[position[node]] = node;
    live[block] |= 1L << slot;
    for (int d = 0; d < rows.length; d++) {
      for (int level = levels.height(d, node); level >= 0; level--) {
        rows[d][level][block] |= 1L << slot;
      }
    }
  }

  private void take(int node, int block) {
    long others = ~(1L << position[node]);
    live[block] &= others;
    for (int d = 0; d < rows.length; d++) {
      for (int level = levels.height(d, node); level >= 0; level--) {
        rows[d][level][block] &= others;
      }
    }
  }

  private void drop(int place) {
    free[freeCount++] = sequence[place];
    blocks--;
    if (place == blocks) {
      return; // The block before becomes the last; its separator no longer counts.
    }
    System.arraycopy(sequence, place + 1, sequence, place, blocks - place);
    System.arraycopy(lastHigh, place + 1, lastHigh, place, blocks - place);
    System.arraycopy(lastLow, place + 1, lastLow, place, blocks - place);
    System.arraycopy(lastRank, place + 1, lastRank, place, blocks - place);
  }

  /** Moves the upper half of a full block to a new one behind it. */
  private void split(int place) {
    int block = sequence[place];
    Integer[] sorted = new Integer[SLOTS];
    for (int slot = 0; slot < SLOTS; slot++) {
      sorted[slot] = members[(block << 6) + slot];
    }
    Arrays.sort(sorted, (a, b) -> before(a, b, false) ? -1 : a.equals(b) ? 0 : 1);
    int fresh = make();
    System.arraycopy(sequence, place + 1, sequence, place + 2, blocks - place - 1);
    System.arraycopy(lastHigh, place, lastHigh, place + 1, blocks - place);
    System.arraycopy(lastLow, place, lastLow, place + 1, blocks - place);
    System.arraycopy(lastRank, place, lastRank, place + 1, blocks - place);
    blocks++;
    sequence[place + 1] = fresh;
    for (int i = SLOTS / 2; i < SLOTS; i++) {
      take(sorted[i], block);
      put(sorted[i], fresh);
    }
    separate(place, sorted[SLOTS / 2 - 1]);
  }

  private void separate(int place, int node) {
    lastHigh[place] = high[node];
    lastLow[place] = low[node];
    lastRank[place] = rank[node];
  }

  private int make() {
    if (freeCount > 0) {
      return free[--freeCount];
    }
    if (made == live.length) {
      room(2 * made);
    }
    return made++;
  }

  private void room(int length) {
    if (live == null) {
      live = new long[0];
      members = new int[0];
      sequence = new int[0];
      lastHigh = new long[0];
      lastLow = new long[0];
      lastRank = new int[0];
      free = new int[0];
      for (long[][] of : rows) {
        Arrays.fill(of, new long[0]);
      }
    }
    live = Arrays.copyOf(live, length);
    members = Arrays.copyOf(members, SLOTS * length);
    sequence = Arrays.copyOf(sequence, length + 1);
    lastHigh = Arrays.copyOf(lastHigh, length + 1);
    lastLow = Arrays.copyOf(lastLow, length + 1);
    lastRank = Arrays.copyOf(lastRank, length + 1);
    free = Arrays.copyOf(free, length);
    for (long[][] of : rows) {
      for (int level = 0; level < of.length; level++) {
        of[level] = Arrays.copyOf(of[level], length);
      }
    }
  }
}
