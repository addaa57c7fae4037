package io.lighthouse.core;

import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Subscription;
import java.util.function.Supplier;

/**
 * The fleet during a trial: the same ledger, whose log is rolled back afterwards. Usable by the
 * thread of the trial, until its question has answered.
 */
final class TrialDistributor extends BaseDistributor {
  private final Thread owner = Thread.currentThread();
  private long generation;
  private boolean ended;

  /** Whether a call runs, such as a trial within this one. */
  private boolean running;

  TrialDistributor(FleetOperations operations, long generation) {
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
    operations.refuseCallBack();
    if (running) {
      throw new IllegalStateException(
          "a trial is running: ask the distributor that the question was given");
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
    throw new UnsupportedOperationException("a trial has no listeners");
  }

  @Override
  public String toString() {
    return "trial of a distributor '" + strategy().name() + "'";
  }
}
