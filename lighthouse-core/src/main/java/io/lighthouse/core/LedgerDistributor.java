package io.lighthouse.core;

import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Subscription;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A distributor over a ledger: one lock, one call at a time, and listeners told afterwards. */
final class LedgerDistributor extends OperatedDistributor {
  private final ReentrantLock lock = new ReentrantLock();
  private final Announcements announcements = new Announcements();

  /** Changed under the lock only. */
  private volatile long generation;

  /** What {@link #toString} tells, which must not wait for the lock. */
  private volatile int nodes;

  private volatile int placed;

  /** Takes over the operations. */
  LedgerDistributor(Operations operations, long generation) {
    super(operations);
    this.generation = generation;
    publishSize();
  }

  /** Runs a call alone, one after another; refuses one that comes from inside another. */
  @Override
  <T> T run(Supplier<T> call) {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          operations.calledBack()
              ? "a strategy must not call its own distributor"
              : "what is tried out is asked of the distributor that the question is handed");
    }
    take();
    try {
      int before = operations.begin(announcements.wanted());
      try {
        T answer = call.get();
        if (operations.changed()) {
          generation++;
          publishSize();
          announcements.add(generation, operations.done());
        }
        return answer;
      } catch (Throwable thrown) {
        operations.rollBack(before, thrown);
        throw thrown;
      } finally {
        operations.commit();
      }
    } finally {
      lock.unlock();
      announcements.tell();
    }
  }

  private void take() {
    if (lock.tryLock()) {
      return;
    }
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      CancellationException end =
          new CancellationException("the call had not begun when its thread was interrupted");
      end.initCause(interrupted);
      throw end;
    }
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    return announcements.subscribe(listener);
  }

  private void publishSize() {
    nodes = operations.nodeCount();
    placed = operations.placedCount();
  }

  @Override
  public String toString() {
    return "distributor '"
        + strategy().name()
        + "' of "
        + nodes
        + " nodes with "
        + placed
        + " workloads";
  }
}
