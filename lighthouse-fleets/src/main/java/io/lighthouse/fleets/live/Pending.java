package io.lighthouse.fleets.live;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call that waits for its decision, and its future answer. Thread-safe. */
final class Pending {
  private final FleetCall call;
  private final CompletableFuture<Answer> answer;
  private final long since = System.nanoTime();

  /**
   * Set by its turn, which decides the call, or by the deadline of the queue, whichever is first.
   */
  private final AtomicBoolean taken = new AtomicBoolean();

  Pending(FleetCall call, CompletableFuture<Answer> answer) {
    this.call = call;
    this.answer = answer;
  }

  FleetCall call() {
    return call;
  }

  CompletableFuture<Answer> answer() {
    return answer;
  }

  /** Gives the answer. */
  void complete(Answer done) {
    try {
      answer.complete(done);
    } catch (RuntimeException | Error failed) {
      // The answer is given; what follows it failed, as for lack of memory. The next calls are
      // answered.
    }
  }

  /** Whether its decision may begin: false where it was refused for waiting too long. */
  boolean take() {
    return taken.compareAndSet(false, true);
  }

  /** Whether it has waited for {@code nanos}. */
  boolean hasWaited(long now, long nanos) {
    return now - since >= nanos;
  }

  void fail(Throwable why) {
    Replies.refuse(answer, why);
  }
}
