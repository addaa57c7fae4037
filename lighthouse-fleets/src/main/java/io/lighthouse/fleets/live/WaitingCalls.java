package io.lighthouse.fleets.live;

import io.lighthouse.api.error.Plural;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The calls that wait, of all fleets: at most as many as may. Thread-safe. */
final class WaitingCalls {
  private final Fleets fleets;
  private final AtomicInteger count = new AtomicInteger();

  WaitingCalls(Fleets fleets) {
    this.fleets = fleets;
  }

  /** How many calls wait. */
  int count() {
    return count.get();
  }

  /** Counts one more call, unless as many wait as may, or the fleets are closed. */
  void begin() {
    fleets.requireOpen();
    int most = fleets.limits().waiting();
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      throw new FleetException(
          Kind.OVERLOAD,
          "the limit of " + Plural.of(most, "waiting call") + " is reached; try again");
    }
  }

  /** Counts calls that wait no more, because their turn begins or they are refused. */
  void end(int calls) {
    count.addAndGet(-calls);
  }

  /** A place for one call, which does not wait yet. */
  Place place() {
    return new Place();
  }

  /** The place of one call that waits. It is left once, whatever ends the call. Thread-safe. */
  final class Place {
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Takes the place, and begins what the call waits for. Where that fails, leaves it. */
    <T> T take(Supplier<T> begin) {
      begin();
      taken.set(true);
      try {
        return begin.get();
      } catch (Throwable failed) {
        leave();
        throw failed;
      }
    }

    /** The call waits no more. A second call does nothing. */
    void leave() {
      if (taken.compareAndSet(true, false)) {
        end(1);
      }
    }
  }
}
