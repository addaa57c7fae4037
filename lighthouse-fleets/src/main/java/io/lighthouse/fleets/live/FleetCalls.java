package io.lighthouse.fleets.live;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Submits calls to fleets by name. Where the fleet of a call is gone, submits the call to the fleet
 * that was created anew under its name, or repeats the answer to its deletion. Thread-safe.
 */
final class FleetCalls {
  private final Fleets fleets;
  private final StoreReadings readings;

  FleetCalls(Fleets fleets, StoreReadings readings) {
    this.fleets = fleets;
    this.readings = readings;
  }

  /** Submits a call to the fleet of a name. */
  CompletableFuture<Answer> submit(String name, FleetCall call) {
    LiveFleet here = fleets.live().get(name);
    if (here != null) {
      return submitHereOrToSuccessor(here, call);
    }
    if (!fleets.journal().isShared()) {
      return repeated(name, call).orElseThrow(() -> Fleets.noSuchFleet(name));
    }
    if (!fleets.mayBeShared(name)) {
      throw Fleets.noSuchFleet(name); // A store that is away would keep the caller.
    }
    return readings
        .fleet(name)
        .handle(
            (fleet, failed) ->
                failed == null
                    ? submitHereOrToSuccessor(fleet, call)
                    : repeatedOr(name, call, failed))
        .thenCompose(answer -> answer);
  }

  /** The answer to a repeated deletion of a fleet that is not there, or why it is not. */
  private CompletableFuture<Answer> repeatedOr(String name, FleetCall call, Throwable none) {
    Throwable why = cause(none);
    return isGone(why)
        ? repeated(name, call).orElseGet(() -> CompletableFuture.failedFuture(why))
        : CompletableFuture.failedFuture(why);
  }

  /** Why a future failed, without the wrapping that dependent futures add. */
  static Throwable cause(Throwable failed) {
    return failed instanceof CompletionException ? failed.getCause() : failed;
  }

  private CompletableFuture<Answer> submitHereOrToSuccessor(LiveFleet fleet, FleetCall call) {
    CompletableFuture<Answer> answer = fleet.submit(call);
    return fleets.journal().isShared() || call.command().deletes()
        ? answer
            .handle((done, refused) -> isGone(refused) ? submitToSuccessor(fleet, call) : answer)
            .thenCompose(last -> last)
        : answer;
  }

  /** Submits a call again, to the fleet that may have been created under the name of a gone one. */
  private CompletableFuture<Answer> submitToSuccessor(LiveFleet gone, FleetCall call) {
    fleets.remove(gone);
    return submit(gone.name(), call);
  }

  /** Whether a call was refused because there is no such fleet. */
  static boolean isGone(Throwable refused) {
    return refused instanceof FleetException why && why.kind() == Kind.NO_SUCH_FLEET;
  }

  /** The answer of a gone fleet to the repetition of the call that deleted it. */
  private Optional<CompletableFuture<Answer>> repeated(String name, FleetCall call) {
    return fleets.read(() -> deletion(name, call)).map(CompletableFuture::completedFuture);
  }

  /**
   * The answer to a call that has deleted a fleet of this name, so that its repetition deletes no
   * later fleet of that name.
   */
  Optional<Answer> deletion(String name, FleetCall call) throws StoreException {
    if (!call.deletes() || call.key().isEmpty()) {
      return Optional.empty();
    }
    FleetCall.Key key = call.key().get();
    Journal journal = fleets.journal();
    Optional<Entry> earlier = journal.byKeyOfGone(name, call.token(), key.key(), key.request());
    if (earlier.isEmpty()) {
      return Optional.empty();
    }
    long fleet = earlier.get().fleet();
    long life = journal.isFirst(name, fleet) ? 0 : fleet;
    return Optional.of(Replies.replayed(call, earlier.get(), life, fleets.observer()));
  }
}
