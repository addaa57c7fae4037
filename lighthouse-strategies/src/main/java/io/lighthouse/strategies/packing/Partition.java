package io.lighthouse.strategies.packing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A board divided into parts that are alike: POP (Narayanan and others, "Solving Large-Scale
 * Granular Resource Allocation Problems Efficiently with POP", SOSP 2021). A part has every n-th
 * node with the workloads on it, and every n-th unplaced workload. While the board is ahead of the
 * session, the threads of the caller's pool, or of the common one, help the caller to work on
 * copies of parts. The division depends on the board alone, and the parts are adopted in their
 * order. So the result is the same for any number of threads, also where none can be created.
 */
final class Partition {
  /** How many parts are copied at a time, for each processor. */
  private static final int PARTS_PER_PROCESSOR = 2;

  private final Board board;
  private final int parts;
  private final int[] nodes;
  private final int[] unplaced;

  /**
   * A division of a board.
   *
   * @param nodes the nodes, in the order in which they are dealt
   * @param unplaced the workloads without a node, likewise
   */
  Partition(Board board, int parts, int[] nodes, int[] unplaced) {
    this.board = board;
    this.parts = parts;
    this.nodes = nodes;
    this.unplaced = unplaced;
  }

  /**
   * Changes a board in parts. A few at a time are copied and adopted, also in the session. So a
   * budget that ends meanwhile loses no more than those. From the first part that the session
   * refuses, the parts are changed in place.
   *
   * @param onCopy places workloads on a part
   * @param inPlace places workloads of a part on the board, given its nodes and workloads
   */
  void change(Consumer<Board> onCopy, BiConsumer<int[], int[]> inPlace) {
    int most = PARTS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    for (int from = 0; from < parts; from += most) {
      int count = Math.min(most, parts - from);
      int[][] some = every(from, count, nodes);
      int[][] rest = every(from, count, unplaced);
      Board[] copies = board.isAhead() ? changed(some, rest, onCopy) : new Board[count];
      for (int i = 0; i < count; i++) {
        if (copies[i] == null || !board.adopt(copies[i], some[i], rest[i])) {
          inPlace.accept(some[i], rest[i]);
        }
        copies[i] = null;
      }
      board.checkBudget();
    }
  }

  /**
   * Copies of parts, changed. The caller and its helpers take the parts in turn. The caller makes
   * those again that failed, once the helpers have ended.
   */
  private Board[] changed(int[][] some, int[][] rest, Consumer<Board> change) {
    Thread caller = Thread.currentThread();
    Board[] copies = new Board[some.length];
    AtomicInteger next = new AtomicInteger();
    Semaphore ended = new Semaphore(0);
    Runnable turns =
        () -> {
          for (int i = next.getAndIncrement(); i < copies.length; i = next.getAndIncrement()) {
            try {
              copies[i] = changed(some[i], rest[i], change, caller);
            } catch (Throwable failed) {
              // The caller makes it again.
            } finally {
              ended.release();
            }
          }
        };
    Deque<ForkJoinTask<?>> helpers = callHelpers(turns, copies.length - 1);
    turns.run();
    helpers.forEach(ForkJoinTask::tryUnfork); // Those that no thread has taken.
    ended.acquireUninterruptibly(copies.length);
    for (int i = 0; i < copies.length; i++) {
      copies[i] = copies[i] == null ? changed(some[i], rest[i], change, caller) : copies[i];
    }
    return copies;
  }

  /**
   * Has threads of a pool run the same as the caller, as many as it has or can create. Returns what
   * they run, the last first.
   */
  private static Deque<ForkJoinTask<?>> callHelpers(Runnable turns, int most) {
    Deque<ForkJoinTask<?>> helpers = new ArrayDeque<>();
    boolean isOfPool = ForkJoinTask.inForkJoinPool();
    ForkJoinPool pool = isOfPool ? ForkJoinTask.getPool() : ForkJoinPool.commonPool();
    int threads = isOfPool ? pool.getParallelism() - 1 : ForkJoinPool.getCommonPoolParallelism();
    for (int i = 0; i < Math.min(most, threads); i++) {
      try {
        helpers.push(ForkJoinTask.adapt(turns));
        pool.execute(helpers.peek());
      } catch (RuntimeException | Error failed) { // No thread, or no memory for a task.
        return helpers; // The caller does it alone.
      }
    }
    return helpers;
  }

  /** A copy of a part, changed; unchanged after the end of the budget. */
  private Board changed(int[] some, int[] rest, Consumer<Board> change, Thread caller) {
    Board part = board.part(some, rest);
    if (!caller.isInterrupted() && !isOver()) {
      change.accept(part);
    }
    return part;
  }

  /**
   * Whether the budget is spent. A session is not for several threads at a time, and the interrupt
   * of a thread of the pool is not the caller's.
   */
  private boolean isOver() {
    boolean interrupted = Thread.interrupted();
    try {
      synchronized (this) {
        return board.session.over();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** For each of some parts every n-th of some numbers, where n is the number of parts. */
  private int[][] every(int from, int count, int[] of) {
    return IntStream.range(from, from + count)
        .mapToObj(
            first ->
                IntStream.iterate(first, at -> at < of.length, at -> at + parts)
                    .map(at -> of[at])
                    .toArray())
        .toArray(int[][]::new);
  }
}
