package io.lighthouse.fleets.live;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.json.Problem;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps a fleet in a process whose memory ends again and again, while some threads call the fleet.
 * Prints each call that was answered. Ends with {@link #DONE} where each call had an answer or an
 * error in time.
 */
final class MemoryChild {
  static final int DONE = 7;
  private static final int WAITED_FOR_EVER = 8;
  private static final int CALLERS = 4;

  /** How many times the memory ends. */
  private static final int ROUNDS = 25;

  private static final AtomicInteger FAILED = new AtomicInteger();
  private static volatile boolean ends;

  private MemoryChild() {}

  /** Takes the file of the fleets. */
  public static void main(String[] args) throws Exception {
    Fleets fleets =
        Fleets.open(
            SqliteJournal.open(Path.of(args[0])),
            Engine::of,
            FleetLimits.STANDARD.withQueue(100, Duration.ofSeconds(1)),
            FleetObserver.NONE,
            Clock.systemUTC(),
            Runnable::run);
    fleets.create("f", problem(), "", false).join();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      String name = "w" + i + "-";
      callers.add(new Thread(() -> call(fleets, name)));
    }
    callers.forEach(Thread::start);
    for (int round = 0; round < ROUNDS; round++) {
      Thread.sleep(50);
      withoutMemory(MemoryChild::pause);
    }
    ends = true;
    for (Thread caller : callers) {
      caller.join();
    }
    System.out.println("failed: " + FAILED.get());
    System.out.println("doubt: " + fleets.doubt().isPresent());
    System.out.flush();
    Runtime.getRuntime().halt(DONE);
  }

  static Problem problem() {
    return Engine.problem(
        "{'strategy':'prioritized','nodes':[{'name':'n','resources':{'cpu':1000000}}],"
            + "'workloads':[]}");
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException hurry) {
      throw new AssertionError(hurry);
    }
  }

  /** Takes all memory, does something, and frees it. */
  static void withoutMemory(Runnable meanwhile) {
    Object[] all = null;
    for (int size = 1 << 20; size >= 16; size /= 2) {
      try {
        while (true) {
          all = new Object[] {all, new byte[size]};
        }
      } catch (OutOfMemoryError full) {
        // Smaller pieces may fit.
      }
    }
    meanwhile.run();
    if (all == null) {
      throw new IllegalStateException("there was no memory at all");
    }
  }

  /** Calls until the end; a call that failed is repeated with its key. */
  private static void call(Fleets fleets, String prefix) {
    for (int i = 0; !ends; i++) {
      String name = prefix + i;
      while (!isAnswered(fleets, name)) {
        FAILED.incrementAndGet();
        if (fleets.doubt().isPresent()) {
          return; // Nothing is written any more.
        }
      }
      print(name);
    }
  }

  private static void print(String name) {
    while (true) {
      try {
        System.out.println(name);
        return;
      } catch (OutOfMemoryError none) {
        Thread.onSpinWait();
      }
    }
  }

  private static boolean isAnswered(Fleets fleets, String name) {
    try {
      CompletableFuture<Answer> answer = fleets.submit("f", FaultChild.assign(name));
      while (true) {
        try {
          answer.get(Duration.ofMinutes(1).toMillis(), TimeUnit.MILLISECONDS);
          return true;
        } catch (OutOfMemoryError none) {
          Thread.onSpinWait(); // For the wait itself.
        }
      }
    } catch (TimeoutException never) {
      System.out.println("no answer: " + name);
      System.out.flush();
      Runtime.getRuntime().halt(WAITED_FOR_EVER);
      return false;
    } catch (ExecutionException | FleetException | OutOfMemoryError failed) {
      return false;
    } catch (InterruptedException hurry) {
      throw new AssertionError(hurry);
    }
  }
}
