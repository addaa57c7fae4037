package io.lighthouse.strategies.packing;

import java.util.Arrays;

/** Makes room on a board for the workloads without a node, and empties nodes. */
final class Improvement {
  /** The turns of an attempt to empty a node, multiplied by one plus its earlier failures. */
  private static final long TURNS = 200;

  /** The same on equal nodes. */
  private static final long UNIFORM_TURNS = 160 * TURNS;

  /** The same on equal nodes that are nearly full, where a search from fillings follows. */
  private static final long FULL_TURNS = 40 * TURNS;

  /** The turns of a search that begins from fillings found before, multiplied by the failures. */
  private static final long RECOMBINED_TURNS = 10 * TURNS;

  /** The failed attempts after which a node is no longer emptied. */
  private static final int MOST_FAILURES = 24;

  private final Board board;
  private final Ejection ejection;
  private final long[] prices;

  /** Called after each change for the better that the session has followed. */
  private final Runnable onBetter;

  Improvement(Board board, long[] prices, Ejection ejection, Runnable onBetter) {
    this.board = board;
    this.prices = prices;
    this.ejection = ejection;
    this.onBetter = onBetter;
  }

  /** Makes room for the workloads without a node. */
  void makeRoom() {
    boolean again = true;
    while (again) {
      ejection.clear();
      if (!ejection.addUnplaced()) {
        return;
      }
      boolean ahead = board.isAhead();
      ejection.sort();
      ejection.run(Long.MAX_VALUE, true, node -> {});
      onBetter.run();
      again = ahead && !board.isAhead(); // A rule that the board does not mirror.
    }
  }

  /** Empties node after node until the steps are spent. */
  void empty() {
    int[] failures = new int[board.nodes];
    // Emptied nodes stay closed, and so do all nodes that were never in use.
    board.close(node -> !board.inUse(node));
    Recombination recombination = new Recombination(board, ejection);
    while (board.steps > 0) {
      int node = cheapestToEmpty(failures);
      if (node == Board.NOWHERE) {
        break;
      }
      long turns = turns(recombination) * (1 + failures[node]);
      if (!tryToEmpty(node, turns, recombination, () -> clear(node))) {
        failures[node]++;
        if (recombination.isDue() && board.steps > 0) {
          long again = RECOMBINED_TURNS * failures[node];
          tryToEmpty(node, again, recombination, () -> recombination.rearrange(again));
        }
      }
    }
    board.close(node -> false);
  }

  private long turns(Recombination recombination) {
    if (!board.uniform) {
      return TURNS;
    }
    return recombination.isNearlyFull() ? FULL_TURNS : UNIFORM_TURNS;
  }

  /**
   * Closes a node and makes a start that has some workloads in the ejection pool. Searches room for
   * them for some turns. Returns whether all have a node; if not, everything is as before.
   */
  private boolean tryToEmpty(int node, long turns, Recombination recombination, Runnable start) {
    Board.Mark before = board.mark();
    board.close(other -> other == node || board.closed(other));
    ejection.clear();
    start.run();
    ejection.sort();
    if (ejection.run(turns, false, recombination::remember) && board.carryOut(before)) {
      board.forget(before);
      onBetter.run();
      return true;
    }
    board.back(before);
    board.close(other -> other != node && board.closed(other));
    return false;
  }

  /** Takes the workloads off a node. */
  private void clear(int node) {
    for (int load : Arrays.copyOf(board.on[node], board.held[node])) {
      board.take(load);
      ejection.add(load);
    }
  }

  /** The node with the least load for its price that is below {@link #MOST_FAILURES}. */
  private int cheapestToEmpty(int[] failures) {
    int found = Board.NOWHERE;
    long least = 0;
    for (int node = 0; node < board.nodes; node++) {
      if (board.held[node] == 0
          || board.inhabited[node]
          || failures[node] >= MOST_FAILURES
          || prices[node] == 0
          || !allMovable(node)) {
        continue;
      }
      board.steps--;
      long cost = (board.loadOf(node) + board.sizeOf(node) / 2) * (1 + failures[node]);
      if (found == Board.NOWHERE || Units.compare(cost, prices[node], least, prices[found]) < 0) {
        least = cost;
        found = node;
      }
    }
    return found;
  }

  private boolean allMovable(int node) {
    for (int i = 0; i < board.held[node]; i++) {
      if (!board.movable[board.on[node][i]]) {
        return false;
      }
    }
    return true;
  }
}
