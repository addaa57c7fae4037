package io.lighthouse.strategies.packing;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A board divided into parts that are alike: POP (Narayanan and others, "Solving Large-Scale
 * Granular Resource Allocation Problems Efficiently with POP", SOSP 2021). A part has every n-th
 * node with the workloads on it, and every n-th unplaced workload. The threads of the caller's
 * pool, or of the common one, work on the parts. The division depends on the board alone, and the
 * parts are merged in their order. So the result is the same for any number of threads.
 */
final class Partition {
  private Partition() {}

  /**
   * Changes a board in parts. Parts whose turn comes after the caller's budget is spent, or after
   * the caller is interrupted, are left as they are.
   *
   * @param board a board that is ahead of the session
   * @param parts their number
   * @param nodes the nodes, in the order in which they are dealt
   * @param unplaced the workloads without a node, likewise
   * @param change places workloads on a part
   */
  static void change(Board board, int parts, int[] nodes, int[] unplaced, Consumer<Board> change) {
    Thread caller = Thread.currentThread();
    Board[] changed =
        IntStream.range(0, parts)
            .parallel()
            .mapToObj(
                index -> {
                  Board part =
                      board.part(every(parts, index, nodes), every(parts, index, unplaced));
                  if (!caller.isInterrupted() && !isOver(board)) {
                    change.accept(part);
                  }
                  return part;
                })
            .toArray(Board[]::new);
    Arrays.stream(changed).forEach(board::adopt);
    board.checkBudget();
  }

  /**
   * Whether the budget is spent. A session is not for several threads at a time, and the interrupt
   * of a thread of the pool is not the caller's.
   */
  private static boolean isOver(Board board) {
    boolean interrupted = Thread.interrupted();
    try {
      synchronized (board) {
        return board.session.over();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Every n-th of some numbers, from the first given one on. */
  static int[] every(int n, int first, int[] of) {
    return IntStream.iterate(first, at -> at < of.length, at -> at + n).map(at -> of[at]).toArray();
  }
}
