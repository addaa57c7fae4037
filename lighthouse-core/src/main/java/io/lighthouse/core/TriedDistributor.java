package io.lighthouse.core;

import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Subscription;
import java.util.function.Supplier;

/**
 * The fleet while something is tried out: the same ledger, whose log is played back afterwards.
 * Usable by the thread that tries, until its question has answered.
 */
final class TriedDistributor extends OperatedDistributor {
  private final Thread owner = Thread.currentThread();
  private long generation;
  private boolean ended;

  /** Whether a call of it runs, such as a trial within this one. */
  private boolean running;

  TriedDistributor(Operations operations, long generation) {
    super(operations);
    this.generation = generation;
  }

  void end() {
    ended = true;
  }

  @Override
  <T> T run(Supplier<T> call) {
    if (ended || Thread.currentThread() != owner) {
      throw new IllegalStateException(
          "a fleet that is tried out is there only for the question, in its thread");
    }
    if (operations.calledBack()) {
      throw new IllegalStateException("a strategy must not call its own distributor");
    }
    if (running) {
      throw new IllegalStateException(
          "what is tried out is asked of the distributor that the question is handed");
    }
    int before = operations.begin(false);
    running = true;
    try {
      T answer = call.get();
      if (operations.changed()) {
        generation++;
      }
      return answer;
    } catch (Throwable thrown) {
      operations.rollBack(before, thrown);
      throw thrown;
    } finally {
      running = false;
    }
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    throw new UnsupportedOperationException("nobody is told of what is only tried out");
  }

  @Override
  public String toString() {
    return "trial of a distributor '" + strategy().name() + "'";
  }
}
