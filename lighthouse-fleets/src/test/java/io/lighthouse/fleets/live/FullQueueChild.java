package io.lighthouse.fleets.live;

import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.store.MemoryJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Adds calls to the queue of a fleet until there is no memory for one more. Ends with {@link #DONE}
 * where all that were taken are answered.
 */
final class FullQueueChild {
  static final int DONE = 7;
  private static final int MOST = 1_000;
  private static final List<Pending> CALLS = new ArrayList<>();

  /** How many calls the fleet has taken. */
  private static int taken;

  private FullQueueChild() {}

  /** Takes nothing. */
  public static void main(String[] args) throws Exception {
    Steps steps = new Steps();
    Fleets fleets = Engine.fleets(new MemoryJournal(), steps, 1 << 20);
    fleets.create("f", MemoryChild.problem(), "", false).join();
    LiveFleet fleet = fleets.live().get("f");
    while (CALLS.size() < MOST) {
      CALLS.add(new Pending(FleetCall.of(FleetQuestions.summary()), new CompletableFuture<>()));
    }
    fleet.submit(CALLS.get(taken++));
    MemoryChild.withoutMemory(() -> submit(fleet));
    steps.go();
    long answered = CALLS.stream().filter(one -> one.answer().isDone()).count();
    System.out.println("taken: " + taken + ", answered: " + answered);
    System.exit(taken < MOST && answered == taken ? DONE : 1);
  }

  private static void submit(LiveFleet fleet) {
    try {
      while (taken < MOST) {
        fleet.submit(CALLS.get(taken));
        taken++;
      }
    } catch (OutOfMemoryError full) {
      // The call was not taken.
    }
  }
}
