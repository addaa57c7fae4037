package io.lighthouse.fleets.live;

import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * What is read from a shared store for calls that wait for it: fleets that are not in memory, and
 * the heads of all. Callers do not block. Thread-safe.
 */
final class StoreReadings {
  private final Fleets fleets;
  private final TaskQueue<Reading<?>> queue;

  /** The reading of all heads that lists wait for; null where none does; guarded by this. */
  private Reading<List<Head>> heads;

  StoreReadings(Fleets fleets) {
    this.fleets = fleets;
    this.queue = new TaskQueue<>(fleets, "the search for fleets");
  }

  /** Finds a fleet that is not in memory. */
  CompletableFuture<LiveFleet> fleet(String name) {
    Reading<LiveFleet> reading = new Reading<>(() -> fleets.find(name));
    String what = "whether there is a fleet '" + name + "'";
    return inTime(
        what,
        () -> {
          queue.add(reading);
          return reading.answer;
        });
  }

  /**
   * The heads of all fleets at this moment, or later. All that ask before a reading begins share
   * it.
   */
  CompletableFuture<List<Head>> heads() {
    return inTime("which fleets there are", this::sharedHeads);
  }

  private CompletableFuture<List<Head>> sharedHeads() {
    Reading<List<Head>> mine;
    boolean isNew;
    synchronized (this) {
      isNew = heads == null || !queue.waits(heads);
      heads = isNew ? new Reading<>(this::readHeads) : heads;
      mine = heads;
    }
    if (isNew) {
      queue.add(mine);
    }
    return mine.answer.copy();
  }

  /** Lists that ask from here on get a later reading. */
  private List<Head> readHeads() throws StoreException {
    synchronized (this) {
      heads = null;
    }
    return fleets.journal().heads();
  }

  /**
   * What the store answers within the time of the queue, to a call that waits until then. The
   * future is made first: where memory is lacking later, a dependent one would never end.
   */
  private <T> CompletableFuture<T> inTime(String what, Supplier<CompletableFuture<T>> begin) {
    WaitingCalls.Place place = fleets.waitingCalls().place();
    CompletableFuture<T> answer = new CompletableFuture<>();
    return place.take(
        () -> {
          begin
              .get()
              .orTimeout(fleets.limits().queue().toMillis(), TimeUnit.MILLISECONDS)
              .whenComplete(
                  (found, failed) -> {
                    place.leave();
                    end(answer, what, found, failed);
                  });
          return answer;
        });
  }

  private static <T> void end(CompletableFuture<T> answer, String what, T found, Throwable failed) {
    if (failed == null) {
      answer.complete(found);
    } else {
      Replies.refuse(answer, refusal(what, failed));
    }
  }

  /** Why something was not read. */
  private static Throwable refusal(String what, Throwable failed) {
    try {
      return failed instanceof TimeoutException
          ? new FleetException(
              Kind.OVERLOAD, "the store did not answer in time " + what + "; try again")
          : FleetCalls.cause(failed); // A copy of a future wraps it.
    } catch (OutOfMemoryError none) {
      return none;
    }
  }

  /** Refuses all that wait. */
  void close() {
    queue.refuseAll(Fleets.closing());
  }

  /** Something that is read, unless it has been answered already. */
  private final class Reading<T> implements TaskQueue.Task {
    private final LiveFleet.Reading<T> reading;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    Reading(LiveFleet.Reading<T> reading) {
      this.reading = reading;
    }

    @Override
    public void run() {
      if (answer.isDone()) {
        return;
      }
      try {
        answer.complete(fleets.read(reading));
      } catch (RuntimeException | Error failed) {
        Replies.refuse(answer, failed);
      }
    }

    @Override
    public void refuse(FleetException why) {
      Replies.refuse(answer, why);
    }
  }
}
