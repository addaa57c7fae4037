package io.lighthouse.strategies.packing;

import java.util.Arrays;

/**
 * Begins the search anew from fillings that it has found on its way (Monaci and Toth 2006). It
 * chooses one for each open node, such that few workloads are left over. This is of use on equal
 * nodes that are nearly full, where few sets of workloads fill a node (docs/lab/packings.md,
 * "Fillings recombined").
 */
final class Recombination {
  /** Nodes are nearly full if at least this percentage of a resource is required. */
  private static final int FULL_PERCENT = 90;

  /** The most workloads; above, a choice among the fillings takes too long. */
  private static final int MOST_LOADS = 1_000;

  private static final int MOST_FILLINGS = 1 << 14;

  private final Board board;
  private final Ejection ejection;

  /**
   * The most nodes that the batch nearly fills; 0 if the fillings of one are of no use on others.
   */
  private final long mostNodes;

  /** Null until nodes are nearly full. */
  private Patterns patterns;

  Recombination(Board board, Ejection ejection) {
    this.board = board;
    this.ejection = ejection;
    mostNodes = suits() ? mostNodes() : 0;
  }

  private boolean suits() {
    return board.isAhead()
        && board.uniform
        && board.loads <= MOST_LOADS
        && Arrays.stream(board.home).allMatch(node -> node != Board.NOWHERE);
  }

  private long mostNodes() {
    long most = 0;
    for (int d = 0; d < board.dims; d++) {
      if (board.capacity[d] > 0) { // Else it is infinite on all nodes, or nothing needs it.
        most = Math.max(most, board.demand(d) * 100 / (Units.ONE * FULL_PERCENT));
      }
    }
    return most;
  }

  /** Remembers what is on a node while that may be of use: the open nodes are nearly full. */
  void remember(int node) {
    if (board.openCount <= mostNodes && board.isAhead()) {
      patterns = patterns == null ? new Patterns(board, MOST_FILLINGS) : patterns;
      patterns.add(node);
    }
  }

  /** Whether the batch nearly fills one node fewer than are open. */
  boolean isNearlyFull() {
    return board.openCount - 1 <= mostNodes && board.isAhead();
  }

  /** Whether to begin anew on one node fewer. */
  boolean isDue() {
    return patterns != null && isNearlyFull();
  }

  /**
   * Places the workloads anew on the open nodes, and adds those left over to the ejection pool.
   *
   * @param turns how many fillings are replaced before the choice is made
   */
  void rearrange(long turns) {
    for (int node = 0; node < board.nodes; node++) {
      if (board.held[node] > 0) {
        patterns.add(node);
      }
    }
    int[][] sets = patterns.sets();
    SetCovering covering = new SetCovering(sets, board.size, ejection.chance());
    long mostExamined = Math.min(Math.max(0, board.steps), Long.MAX_VALUE >> 3) << 3;
    int[] chosen = covering.choose(board.openCount, turns, mostExamined, board::checkBudget);
    board.steps -= covering.examined() >> 3;
    for (int load = 0; load < board.loads; load++) {
      if (board.home[load] != Board.NOWHERE && board.movable[load]) {
        board.take(load);
      }
    }
    for (int i = 0; i < chosen.length; i++) {
      for (int load : sets[chosen[i]]) {
        if (board.home[load] == Board.NOWHERE && board.fitsFriendly(load, board.open[i])) {
          board.place(load, board.open[i]);
        }
      }
    }
    ejection.addUnplaced();
  }
}
