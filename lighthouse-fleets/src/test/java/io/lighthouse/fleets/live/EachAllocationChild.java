package io.lighthouse.fleets.live;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets memory end at each allocation of calls on a shared store in turn. Ends with {@link #DONE} if
 * none of them counts as waiting afterwards, and each creation that was begun is answered. No call
 * that fails for lack of memory may be carried out.
 */
final class EachAllocationChild {
  static final int DONE = 7;

  /** At most as many pieces are freed before a call; what a call keeps takes some of them. */
  private static final int MOST_PIECES = 12;

  /** Up to as many pieces are freed before a creation ends: more than it needs. */
  private static final int FREED = 100;

  /** Up to as many pieces are freed before a fleet is found for a call: more than that needs. */
  private static final int FREED_TO_FIND = 20;

  /** The pieces that are there in any case. */
  private static final int PIECES = 500;

  /** Small pieces of memory; null beyond those that found memory. */
  private static final byte[][] SPARE = new byte[2 * PIECES][];

  /** How long there is too little memory: a refusal that finds none waits for it. */
  private static final long SCARCE_NANOS = 30_000_000;

  /** When the memory is freed, as {@link System#nanoTime}; 0 while it is not to be freed. */
  private static volatile long freed;

  private static final Steps STEPS = new Steps();
  private static final StoreQueuesTest.SharedMemory STORE = new StoreQueuesTest.SharedMemory();
  private static Fleets fleets;
  private static int refused;

  private EachAllocationChild() {}

  /** Takes nothing. */
  public static void main(String[] args) throws Exception {
    fleets =
        new Fleets(
            STORE,
            Engine::of,
            FleetLimits.STANDARD.withQueue(5_000, Duration.ofHours(1)),
            FleetObserver.NONE,
            Clock.systemUTC(),
            STEPS,
            1 << 20);
    StoreReadings readings = new StoreReadings(fleets);
    FleetCreation creation = new FleetCreation(fleets);
    FleetCreation.Wanted late = late();
    boolean sound =
        noneWaits("fleet", () -> readings.fleet("none"))
            && noneWaits("heads", readings::heads)
            && noneWaits("creation", () -> creation.create(late))
            && isEachAnswered(creation, late)
            && isNoneRefusedThatIsCarriedOut();
    System.exit(sound && refused > 0 ? DONE : 1);
  }

  /** A creation that is over its time, so that it ends without the store. */
  private static FleetCreation.Wanted late() {
    long since = System.nanoTime() - FleetLimits.STANDARD.decision().toNanos() - 1;
    return new FleetCreation.Wanted("f", MemoryChild.problem(), 0, "", false, () -> {}, since);
  }

  /** Begins calls of a kind while memory ends; returns whether none waits in the end. */
  private static boolean noneWaits(String kind, Runnable call) {
    call.run(); // Loads what it needs.
    STEPS.go();
    withLittleMemory(
        () -> {
          int next = 0;
          for (int i = 0; next < PIECES; i++) {
            Arrays.fill(SPARE, next, next + i % MOST_PIECES, null);
            next += i % MOST_PIECES;
            begin(call);
          }
        });
    STEPS.go();
    System.out.println(kind + ": waiting " + fleets.waiting() + ", refused so far " + refused);
    return fleets.waiting() == 0;
  }

  private static void begin(Runnable call) {
    try {
      call.run();
    } catch (OutOfMemoryError none) {
      refused++;
    }
  }

  /** Ends creations while memory ends; returns whether each was answered. */
  private static boolean isEachAnswered(FleetCreation creation, FleetCreation.Wanted wanted) {
    Thread freeing = new Thread(EachAllocationChild::free);
    freeing.setDaemon(true);
    freeing.start();
    Runnable steps = STEPS::go;
    int[] answered = {0};
    withLittleMemory(
        () -> {
          for (int i = 0; i < FREED; i++) {
            Arrays.fill(SPARE, null);
            CompletableFuture<Answer> answer = creation.create(wanted);
            takeRest();
            Arrays.fill(SPARE, 0, i, null);
            freed = System.nanoTime() + SCARCE_NANOS | 1;
            begin(steps);
            freed = 0;
            answered[0] += answer.isDone() ? 1 : 0;
          }
        });
    System.out.println("creations answered: " + answered[0] + ", waiting " + fleets.waiting());
    return answered[0] == FREED && fleets.waiting() == 0;
  }

  /**
   * Lets memory end while a fleet is found for a call; returns whether each call is answered, and
   * none is both refused and carried out.
   */
  private static boolean isNoneRefusedThatIsCarriedOut() throws Exception {
    fleets.create("f", MemoryChild.problem(), "", false);
    STEPS.go();
    Runnable next = STEPS::one;
    int carriedOut = 0;
    int refusals = 0;
    int answered = 0;
    for (int i = 0; i < FREED_TO_FIND; i++) {
      int pieces = i;
      fleets.live().clear();
      long before = STORE.head(1).orElseThrow().generation();
      CompletableFuture<Answer> answer = fleets.submit("f", FaultChild.assign("w" + i));
      withLittleMemory(
          () -> {
            Arrays.fill(SPARE, 0, pieces, null);
            freed = System.nanoTime() + SCARCE_NANOS | 1;
            begin(next);
            freed = 0;
          });
      STEPS.go();
      boolean wrote = STORE.head(1).orElseThrow().generation() > before;
      carriedOut += wrote && answer.isCompletedExceptionally() ? 1 : 0;
      refusals += answer.isCompletedExceptionally() ? 1 : 0;
      answered += answer.isDone() ? 1 : 0;
    }
    System.out.println(
        "calls answered: " + answered + ", refused " + refusals + ", carried out " + carriedOut);
    return answered == FREED_TO_FIND && refusals > 0 && carriedOut == 0 && fleets.waiting() == 0;
  }

  private static void free() {
    while (true) {
      LockSupport.parkNanos(SCARCE_NANOS / 10);
      long when = freed;
      if (when != 0 && System.nanoTime() - when > 0) {
        Arrays.fill(SPARE, null);
      }
    }
  }

  private static void withLittleMemory(Runnable meanwhile) {
    for (int i = 0; i < PIECES; i++) {
      SPARE[i] = new byte[8];
    }
    MemoryChild.withoutMemory(
        () -> {
          takeRest();
          meanwhile.run();
        });
  }

  /** Fills the memory with small pieces. */
  private static void takeRest() {
    try {
      for (int i = 0; i < SPARE.length; i++) {
        SPARE[i] = SPARE[i] == null ? new byte[8] : SPARE[i];
      }
    } catch (OutOfMemoryError full) {
      // That is what it is for.
    }
  }
}
