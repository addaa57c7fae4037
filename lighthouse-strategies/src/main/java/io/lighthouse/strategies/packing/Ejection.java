package io.lighthouse.strategies.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntConsumer;

/**
 * Makes room for workloads without a node by ejecting smaller ones, which are then placed
 * elsewhere: an ejection pool with guided penalties (Nagata and Braysy 2009), with sizes as
 * weights. Between ejections, a few random swaps and moves perturb the placement.
 */
final class Ejection {
  private final Board board;
  private final Chance chance;
  private final EjectionSearch search;
  private final Shaking shaking;

  /** Whether the smaller of two pools is the one with fewer workloads, and not with less size. */
  private final boolean byNumber;

  /** The workloads without a node; the last is placed next. */
  private int[] pool = new int[16];

  private int poolSize;
  private long poolWeight;

  Ejection(Board board, Chance chance, boolean byNumber) {
    this.board = board;
    this.chance = chance;
    this.byNumber = byNumber;
    search = new EjectionSearch(board, chance);
    shaking = new Shaking(board, chance);
  }

  /** The random numbers of the search. */
  Chance chance() {
    return chance;
  }

  void clear() {
    poolSize = 0;
    poolWeight = 0;
    search.clear();
  }

  /** Adds all workloads without a node that may move; returns whether there are any. */
  boolean addUnplaced() {
    boolean any = false;
    for (int load = 0; load < board.loads; load++) {
      if (board.home[load] == Board.NOWHERE && board.movable[load]) {
        add(load);
        any = true;
      }
    }
    return any;
  }

  /** Adds a workload without a node. */
  void add(int load) {
    if (poolSize == pool.length) {
      pool = Arrays.copyOf(pool, 2 * poolSize);
    }
    pool[poolSize++] = load;
    poolWeight += board.size[load];
  }

  /** Sorts the pool so that the largest workload is placed next. */
  void sort() {
    int[] sorted =
        Units.sorted(
            Arrays.stream(pool, 0, poolSize),
            Comparator.comparingLong((Integer load) -> board.size[load])
                .thenComparing(Comparator.reverseOrder()));
    System.arraycopy(sorted, 0, pool, 0, poolSize);
  }

  /**
   * Searches for room for all workloads in the pool. Returns whether all have a node. If not, it
   * restores the state with the smallest pool that occurred.
   *
   * @param turns the most turns
   * @param follows whether the session is brought to each such state; if it refuses one, the search
   *     ends in the last state that it accepted
   * @param onPlaced receives each node on which a turn has placed a workload
   */
  boolean run(long turns, boolean follows, IntConsumer onPlaced) {
    Board.Mark smallest = board.mark();
    int smallestSize = poolSize;
    long smallestWeight = poolWeight;
    for (long turn = 0; turn < turns && poolSize > 0 && board.steps > 0; turn++) {
      board.checkBudget();
      int load = pool[--poolSize];
      poolWeight -= board.size[load];
      int node = room(load);
      if (node != Board.NOWHERE) {
        board.place(load, node);
        onPlaced.accept(node);
        if (byNumber && poolSize != smallestSize
            ? poolSize < smallestSize
            : poolWeight < smallestWeight) {
          if (follows && !board.carryOut(smallest)) {
            board.back(smallest);
            return false;
          }
          smallestSize = poolSize;
          smallestWeight = poolWeight;
          board.forget(smallest);
          smallest = board.mark();
        }
        continue;
      }
      search.penalize(load);
      EjectionSearch.Found found = search.find(load);
      if (found.node() != Board.NOWHERE && eject(load, found)) {
        onPlaced.accept(found.node());
      } else { // It waits until all others have had a turn.
        add(load);
        System.arraycopy(pool, 0, pool, 1, poolSize - 1);
        pool[0] = load;
      }
      shaking.shake();
    }
    if (poolSize == 0) {
      board.forget(smallest);
      return true;
    }
    board.back(smallest);
    return false;
  }

  /** The friendly node that a workload fits with the least left over; prefers nodes in use. */
  private int room(int load) {
    int found = Board.NOWHERE;
    long least = Long.MAX_VALUE;
    int dims = board.dims;
    board.steps -= board.openCount >> 2;
    for (int i = 0; i < board.openCount; i++) {
      int node = board.open[i];
      if (!board.hasRoom(load, node)) {
        continue;
      }
      long rest = board.inUse(node) ? 0 : 1L << 50;
      for (int d = 0; d < dims; d++) {
        long over = board.left[node * dims + d] - board.need[load * dims + d];
        rest += board.scarcity[d] * Units.parts(over, board.mean[d]);
      }
      board.steps--;
      if (rest < least && board.fitsFriendly(load, node)) {
        least = rest;
        found = node;
      }
    }
    return found;
  }

  /** Puts a workload in the place of others. Returns whether the session takes it there. */
  private boolean eject(int load, EjectionSearch.Found found) {
    Board.Mark mark = board.mark();
    for (int other : found.loads()) {
      board.take(other);
    }
    if (!board.fitsFriendly(load, found.node())) {
      board.back(mark);
      return false;
    }
    board.place(load, found.node());
    board.forget(mark);
    Comparator<Integer> bySize = Comparator.comparingLong(other -> board.size[other]);
    for (int other : Units.sorted(Arrays.stream(found.loads()), bySize)) {
      add(other); // The largest is placed next.
    }
    return true;
  }
}
