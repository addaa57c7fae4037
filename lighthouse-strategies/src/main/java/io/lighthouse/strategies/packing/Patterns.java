package io.lighthouse.strategies.packing;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The fillings of equal nodes that the search has come upon, each once, with what else fits such a
 * node. When there are too many, a new one takes the place of the oldest.
 */
final class Patterns {
  private static final int MOST = 1 << 14;

  /** A filling is kept if it has at least this percentage of the mean size on a node in use. */
  private static final int FULL_PERCENT = 75;

  private final Board board;
  private final int[][] sets = new int[MOST][];
  private final long[] hashes = new long[MOST];

  /** A hash table with linear probing: 1 plus an index of {@link #sets}, or 0. */
  private final int[] table = new int[4 * MOST];

  private int size;

  /** Where the next filling goes in {@link #sets}. */
  private int next;

  private final long totalSize;
  private final int[] largestFirst;
  private final boolean[] isIn;
  private final long[] rest;

  Patterns(Board board) {
    this.board = board;
    totalSize = Arrays.stream(board.size).sum();
    largestFirst =
        IntStream.range(0, board.loads)
            .boxed()
            .sorted((a, b) -> Long.compare(board.size[b], board.size[a]))
            .mapToInt(Integer::intValue)
            .toArray();
    isIn = new boolean[board.loads];
    rest = new long[board.dims];
  }

  /** The fillings: the workloads of each. */
  int[][] sets() {
    return Arrays.copyOf(sets, size);
  }

  /** Adds the filling of a node, unless it is known or has much less than other nodes. */
  void add(int node) {
    board.steps--;
    if (board.loadOf(node) < totalSize / Math.max(1, board.openCount) * FULL_PERCENT / 100) {
      return;
    }
    int[] set = Arrays.copyOf(board.on[node], board.held[node]);
    long hash = hash(set);
    if (table[find(hash)] != 0) {
      return;
    }
    if (size == MOST) {
      remove(find(hashes[next]));
    } else {
      size++;
    }
    sets[next] = grown(set, node);
    hashes[next] = hash;
    table[find(hash)] = next + 1;
    next = (next + 1) % MOST;
  }

  /** A filling and what else fits, the largest first. */
  private int[] grown(int[] set, int node) {
    for (int d = 0; d < board.dims; d++) {
      rest[d] = board.left[node * board.dims + d];
    }
    for (int load : set) {
      isIn[load] = true;
    }
    int[] all = set;
    for (int load : largestFirst) {
      if (!isIn[load] && fits(load) && isFriendly(load, all)) {
        isIn[load] = true;
        all = Arrays.copyOf(all, all.length + 1);
        all[all.length - 1] = load;
        for (int d = 0; d < board.dims; d++) {
          rest[d] -= board.need[load * board.dims + d];
        }
      }
    }
    for (int load : all) {
      isIn[load] = false;
    }
    board.steps -= board.loads >> 3;
    return all;
  }

  private boolean fits(int load) {
    for (int d = 0; d < rest.length; d++) {
      if (rest[d] < board.ask[load * rest.length + d]) {
        return false;
      }
    }
    return true;
  }

  private boolean isFriendly(int load, int[] set) {
    for (int i = 0; board.groups[load].length > 0 && i < set.length; i++) {
      if (board.rivals(load, set[i])) {
        return false;
      }
    }
    return true;
  }

  // ---- the hash table ----

  /** The hash of a set; its order does not tell. */
  private static long hash(int[] set) {
    long sum = 0;
    for (int load : set) {
      sum += mix(load + 1);
    }
    return mix(sum);
  }

  /** Mixes the bits of a number (the finalizer of splitmix64). */
  private static long mix(long number) {
    long mixed = (number ^ number >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  /** The place of a hash in the table, or the free one where it belongs. */
  private int find(long hash) {
    int at = place(hash);
    while (table[at] != 0 && hashes[table[at] - 1] != hash) {
      at = after(at);
    }
    return at;
  }

  /** Frees a place, and moves up what would not be found any more. */
  private void remove(int place) {
    int free = place;
    table[free] = 0;
    for (int at = after(free); table[at] != 0; at = after(at)) {
      int distance = at - place(hashes[table[at] - 1]) & table.length - 1;
      if (distance >= (at - free & table.length - 1)) {
        table[free] = table[at];
        table[at] = 0;
        free = at;
      }
    }
  }

  private int place(long hash) {
    return (int) hash & table.length - 1;
  }

  private int after(int at) {
    return at + 1 & table.length - 1;
  }
}
