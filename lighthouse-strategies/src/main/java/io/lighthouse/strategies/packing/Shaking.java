package io.lighthouse.strategies.packing;

import io.lighthouse.api.strategy.Amounts;

/** Changes a placement at random, so that a search leaves local optima. */
final class Shaking {
  /** The random swaps and moves that are tried at a time. */
  private static final int SHAKES = 20;

  /** The same on equal nodes. */
  private static final int UNIFORM_SHAKES = 100;

  private final Board board;
  private final Chance chance;

  Shaking(Board board, Chance chance) {
    this.board = board;
    this.chance = chance;
  }

  /** Swaps and moves a few workloads at random, if they fit. */
  void shake() {
    int shakes = board.uniform ? UNIFORM_SHAKES : SHAKES;
    for (int i = 0; i < shakes; i++) {
      int one = chance.below(board.loads);
      int other = chance.below(board.loads);
      int from = board.home[one];
      int to = board.home[other];
      board.steps--;
      if (from < 0 || to < 0 || from == to || !board.movable[one] || board.closed(to)) {
        continue;
      }
      if (board.hasRoom(one, to)) {
        move(one, to);
      } else if (board.movable[other]
          && !board.closed(from)
          && swapHasRoom(one, other)
          && (!board.uniform || gathersRest(one, other))) {
        swap(one, other);
      }
    }
  }

  /**
   * Whether a swap brings the larger workload to the fuller node. The second workload counts as the
   * larger of two equal ones, and its node as the fuller of two equal ones. On equal nodes, what is
   * left over gathers on few nodes that way, where it is of use.
   */
  private boolean gathersRest(int one, int other) {
    boolean isLarger = board.size[one] > board.size[other];
    return isLarger == rest(board.home[one]) >= rest(board.home[other]);
  }

  /** What is left over on a node, as parts of the mean capacity weighted by scarcity. */
  private long rest(int node) {
    long rest = 0;
    for (int d = 0; d < board.dims; d++) {
      long left = board.left[node * board.dims + d];
      rest += board.scarcity[d] * Units.parts(left, board.mean[d]);
    }
    return rest;
  }

  private boolean swapHasRoom(int one, int other) {
    int dims = board.dims;
    int from = board.home[one] * dims;
    int to = board.home[other] * dims;
    for (int d = 0; d < dims; d++) {
      long gives = board.need[one * dims + d];
      long takes = board.need[other * dims + d];
      if (!hasRoom(board.left[to + d], takes, board.ask[one * dims + d])
          || !hasRoom(board.left[from + d], gives, board.ask[other * dims + d])) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasRoom(long left, long freed, long asked) {
    return left == Amounts.INFINITY || left + freed >= asked;
  }

  private void move(int load, int to) {
    if (!board.allows(load, to)) {
      return;
    }
    Board.Mark mark = board.mark();
    board.take(load);
    if (board.fitsFriendly(load, to)) {
      board.place(load, to);
      board.forget(mark);
    } else {
      board.back(mark);
    }
  }

  private void swap(int one, int other) {
    int from = board.home[one];
    int to = board.home[other];
    if (!board.allows(one, to) || !board.allows(other, from)) {
      return;
    }
    Board.Mark mark = board.mark();
    board.take(one);
    board.take(other);
    if (board.fitsFriendly(one, to)) {
      board.place(one, to);
      if (board.fitsFriendly(other, from)) {
        board.place(other, from);
        board.forget(mark);
        return;
      }
    }
    board.back(mark);
  }
}
