package io.lighthouse.strategies.packing;

import io.lighthouse.api.strategy.Amounts;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The fillings of equal nodes that the search has come upon, each once, with what else fits such a
 * node. When there are too many, the oldest is forgotten.
 */
final class Patterns {
  /** A filling is kept if it has at least this percentage of the mean size on a node in use. */
  private static final int FULL_PERCENT = 75;

  private final Board board;
  private final int most;

  /** The fillings with what else fits, by the hash of what was found; the oldest first. */
  private final Map<Long, int[]> sets = new LinkedHashMap<>();

  private final long totalSize;
  private final int[] largestFirst;
  private final boolean[] isIn;
  private final long[] rest;

  /**
   * No fillings yet.
   *
   * @param most the most that are kept
   */
  Patterns(Board board, int most) {
    this.board = board;
    this.most = most;
    totalSize = Arrays.stream(board.size).sum();
    largestFirst =
        Units.sorted(
            IntStream.range(0, board.loads), Comparator.comparingLong(load -> -board.size[load]));
    isIn = new boolean[board.loads];
    rest = new long[board.dims];
  }

  /** The fillings: the workloads of each. */
  int[][] sets() {
    return sets.values().toArray(int[][]::new);
  }

  /** Adds the filling of a node, unless it is known or has much less than other nodes. */
  void add(int node) {
    board.steps--;
    if (board.loadOf(node) < totalSize / Math.max(1, board.openCount) * FULL_PERCENT / 100) {
      return;
    }
    int[] set = Arrays.copyOf(board.on[node], board.held[node]);
    long hash = hash(set);
    if (sets.containsKey(hash)) {
      return;
    }
    if (sets.size() == most) {
      sets.remove(sets.keySet().iterator().next());
    }
    sets.put(hash, grown(set, node));
  }

  /** A filling and what else fits by its amounts, the largest first. Rivals may be among it. */
  private int[] grown(int[] set, int node) {
    for (int d = 0; d < board.dims; d++) {
      rest[d] = board.left[node * board.dims + d];
    }
    for (int load : set) {
      isIn[load] = true;
    }
    int[] all = set;
    for (int load : largestFirst) {
      if (!isIn[load] && fits(load)) {
        isIn[load] = true;
        all = Arrays.copyOf(all, all.length + 1);
        all[all.length - 1] = load;
        for (int d = 0; d < board.dims; d++) {
          boolean isFinite = rest[d] != Amounts.INFINITY && rest[d] != Amounts.NEGATIVE_INFINITY;
          rest[d] -= isFinite ? board.need[load * board.dims + d] : 0;
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
}
