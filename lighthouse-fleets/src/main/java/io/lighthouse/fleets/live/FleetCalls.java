package io.lighthouse.fleets.live;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.EarlierFleets;
import io.lighthouse.fleets.store.Entry;
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
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    submit(name, call, answer);
    return answer;
  }

  /**
   * The same with a future of the caller's. All that the answer needs is made before the call is in
   * a queue: afterwards a lack of memory must not refuse what is carried out.
   */
  private void submit(String name, FleetCall call, CompletableFuture<Answer> answer) {
    LiveFleet here = fleets.live().get(name);
    if (here != null) {
      submitHereOrToSuccessor(here, call, answer);
    } else if (!fleets.journal().isShared()) {
      answer.complete(repeated(name, call).orElseThrow(() -> Fleets.noSuchFleet(name)));
    } else if (!fleets.mayBeShared(name)) {
      throw Fleets.noSuchFleet(name); // A store that is away would keep the caller.
    } else {
      readings
          .fleet(name)
          .whenComplete((fleet, failed) -> submitToFound(name, fleet, failed, call, answer));
    }
  }

  /** Submits a call to a fleet of the store, or to none where there is none or the store failed. */
  private void submitToFound(
      String name,
      LiveFleet fleet,
      Throwable failed,
      FleetCall call,
      CompletableFuture<Answer> answer) {
    try {
      if (failed == null) {
        submitHereOrToSuccessor(fleet, call, answer);
        return;
      }
      Throwable why = cause(failed);
      Optional<Answer> earlier = isGone(why) ? repeated(name, call) : Optional.empty();
      if (earlier.isPresent()) {
        answer.complete(earlier.get());
      } else {
        Replies.refuse(answer, why);
      }
    } catch (RuntimeException | Error refused) {
      Replies.refuse(answer, refused);
    }
  }

  /** Why a future failed, without the wrapping that dependent futures add. */
  static Throwable cause(Throwable failed) {
    return failed instanceof CompletionException ? failed.getCause() : failed;
  }

  private void submitHereOrToSuccessor(
      LiveFleet fleet, FleetCall call, CompletableFuture<Answer> answer) {
    CompletableFuture<Answer> here = answer;
    if (fleets.journal().isShared() || call.command().deletes()) {
      here = new CompletableFuture<>();
      here.whenComplete((done, refused) -> endOrSubmitAgain(fleet, call, done, refused, answer));
    }
    fleet.submit(new Pending(call, here));
  }

  /**
   * Answers a call; one to a fleet that is gone is submitted again, to the fleet that may have been
   * created under its name.
   */
  private void endOrSubmitAgain(
      LiveFleet fleet,
      FleetCall call,
      Answer done,
      Throwable refused,
      CompletableFuture<Answer> answer) {
    try {
      if (refused == null) {
        answer.complete(done);
      } else if (isGone(refused)) {
        fleets.remove(fleet);
        submit(fleet.name(), call, answer);
      } else {
        Replies.refuse(answer, refused);
      }
    } catch (RuntimeException | Error failed) {
      Replies.refuse(answer, failed);
    }
  }

  /** Whether a call was refused because there is no such fleet. */
  static boolean isGone(Throwable refused) {
    return refused instanceof FleetException why && why.kind() == Kind.NO_SUCH_FLEET;
  }

  /** The answer of a gone fleet to the repetition of the call that deleted it. */
  private Optional<Answer> repeated(String name, FleetCall call) {
    return fleets.read(() -> deletion(name, call, fleets.journal()));
  }

  /**
   * The answer to a call that has deleted a fleet of this name, so that its repetition deletes no
   * later fleet of that name.
   *
   * @param before read for it
   */
  Optional<Answer> deletion(String name, FleetCall call, EarlierFleets before)
      throws StoreException {
    if (!call.deletes() || call.key().isEmpty()) {
      return Optional.empty();
    }
    FleetCall.Key key = call.key().get();
    Optional<Entry> earlier = before.byKeyOfGone(name, call.token(), key.key(), key.request());
    if (earlier.isEmpty()) {
      return Optional.empty();
    }
    long fleet = earlier.get().fleet();
    long life = before.isFirst(name, fleet) ? 0 : fleet;
    return Optional.of(Replies.replayed(call, earlier.get(), life, fleets.observer()));
  }
}
