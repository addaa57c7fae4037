package io.lighthouse.fleets.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** An executor that runs its queued tasks only on demand, in the calling thread. */
final class Steps implements Executor {
  private final Deque<Runnable> steps = new ArrayDeque<>();

  @Override
  public void execute(Runnable step) {
    steps.add(step);
  }

  /** Does what is to be done next. */
  void one() {
    steps.remove().run();
  }

  /** Does all there is to do. */
  void go() {
    while (!steps.isEmpty()) {
      steps.poll().run();
    }
  }
}
