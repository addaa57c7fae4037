package io.lighthouse.strategies.packing;

import io.lighthouse.api.strategy.Amounts;
import java.util.Arrays;

/**
 * Finds the filling of a node that is worth the most, among workloads of few kinds. It is a
 * depth-first branch and bound: the most copies of the most valuable kind come first. A search that
 * takes too long is cut off, and gives the best filling that it has found.
 */
final class FillingSearch {
  /** How many kinds one step of the board pays for. */
  static final int KINDS_PER_STEP = 4;

  private static final int DENSITY_BITS = 8;

  private final Board board;
  private final int dims;

  /** One workload of each kind. */
  private final int[] samples;

  /** What a workload of each kind is worth; descending. */
  private final long[] worth;

  private final long mostExamined;

  /** How many workloads of each kind may be taken. */
  private int[] available;

  private final long[] room;

  /** The number of workloads of each kind, where the search is and in the best filling. */
  private final int[] present;

  private final int[] best;
  private long bestWorth;

  /**
   * The most that a part of a resource is worth, in parts of two to the power of {@link
   * #DENSITY_BITS}, in the kinds from each on; {@code Long.MAX_VALUE} if one needs nothing of it.
   */
  private final long[] density;

  /** The least that a workload of the kinds from each on needs of each resource. */
  private final long[] least;

  /** Whether a workload of the kinds from each on may be taken. */
  private final boolean[] any;

  /** How many kinds have been examined. */
  private long examined;

  /**
   * A search.
   *
   * @param samples one workload of each kind; none is immune to a resource or gives one
   * @param worth what a workload of each kind is worth, at least 1; descending
   * @param mostExamined how many kinds one search may examine, beside its first descent
   */
  FillingSearch(Board board, int[] samples, long[] worth, long mostExamined) {
    this.board = board;
    this.samples = samples;
    this.worth = worth;
    this.mostExamined = mostExamined;
    dims = board.dims;
    room = new long[dims];
    present = new int[samples.length];
    best = new int[samples.length];
    density = new long[(samples.length + 1) * dims];
    least = new long[(samples.length + 1) * dims];
    Arrays.fill(least, Long.MAX_VALUE);
    any = new boolean[samples.length + 1];
  }

  /** The number of workloads of each kind in the filling found last, until the next search. */
  int[] best() {
    return best;
  }

  /**
   * Finds a filling of what is left of a node, and charges the board for it. Ends by an exception
   * if the caller's budget is spent.
   *
   * @param available how many workloads of each kind may be taken
   * @return what the filling is worth; 0 if nothing fits
   */
  long search(int node, int[] available) {
    board.checkBudget();
    this.available = available;
    System.arraycopy(board.left, node * dims, room, 0, dims);
    Arrays.fill(present, 0);
    Arrays.fill(best, 0);
    bestWorth = 0;
    examined = 0;
    measure();
    descend(0, 0);
    board.steps -= 1 + (samples.length + examined) / KINDS_PER_STEP;
    return bestWorth;
  }

  private void measure() {
    for (int kind = samples.length - 1; kind >= 0; kind--) {
      any[kind] = any[kind + 1] || available[kind] > 0;
      for (int d = 0; d < dims; d++) {
        int at = kind * dims + d;
        density[at] = density[at + dims];
        least[at] = least[at + dims];
        if (available[kind] > 0) {
          long parts = board.parts[samples[kind] * dims + d];
          long dense = parts == 0 ? Long.MAX_VALUE : (worth[kind] << DENSITY_BITS) / parts + 1;
          density[at] = Math.max(density[at], dense);
          least[at] = Math.min(least[at], board.need[samples[kind] * dims + d]);
        }
      }
    }
  }

  /** Takes the next kind that fits: the most copies first, then fewer. */
  private void descend(int from, long worthSoFar) {
    if (worthSoFar > bestWorth) {
      bestWorth = worthSoFar;
      System.arraycopy(present, 0, best, 0, best.length);
    }
    int kind = from;
    int most = 0;
    while (mayFit(kind) && (most = copies(kind)) == 0) {
      kind++;
    }
    if (most == 0 || worthSoFar + bound(kind) <= bestWorth) {
      return;
    }
    int fewest = any[kind + 1] ? 0 : most;
    for (int count = most; count >= fewest && (count == most || examined < mostExamined); count--) {
      examined++;
      present[kind] = count;
      take(kind, count);
      descend(kind + 1, worthSoFar + count * worth[kind]);
      take(kind, -count);
    }
    present[kind] = 0;
  }

  /** Whether the room may be enough for one of the kinds from one on. */
  private boolean mayFit(int from) {
    for (int d = 0; d < dims && any[from]; d++) {
      if (room[d] < least[from * dims + d]) {
        return false;
      }
    }
    return any[from];
  }

  /** How many workloads of a kind may be taken and fit the room. */
  private int copies(int kind) {
    examined++;
    long most = available[kind];
    for (int d = 0; d < dims; d++) {
      long need = board.need[samples[kind] * dims + d];
      if (room[d] < need) {
        return 0;
      }
      most = need == 0 || room[d] == Amounts.INFINITY ? most : Math.min(most, room[d] / need);
    }
    return (int) most;
  }

  private void take(int kind, int count) {
    for (int d = 0; d < dims; d++) {
      if (room[d] != Amounts.INFINITY) {
        room[d] -= count * board.need[samples[kind] * dims + d];
      }
    }
  }

  /** What the room is worth at most, filled with the kinds from one on. */
  private long bound(int kind) {
    long bound = Long.MAX_VALUE >> 1;
    for (int d = 0; d < dims; d++) {
      long dense = density[kind * dims + d];
      boolean isCapped = room[d] >> Units.MOST_CAPACITIES_BITS >= board.mean[d];
      if (!isCapped && dense != Long.MAX_VALUE) {
        long parts = Units.parts(room[d], board.mean[d]);
        bound = Math.min(bound, parts * dense >> DENSITY_BITS);
      }
    }
    return bound;
  }
}
