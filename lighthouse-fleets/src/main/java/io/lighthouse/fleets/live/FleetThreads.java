package io.lighthouse.fleets.live;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of the fleets: those that take turns and read the store, those that complete answers,
 * and the one that checks deadlines. Thread-safe.
 */
final class FleetThreads {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  private static final int LOOK_MILLIS = 50;

  private final Executor working;

  /** Null where the threads that work belong to the caller, who also checks deadlines. */
  private final ExecutorService own;

  /** Checks deadlines; null as above. */
  private final ScheduledExecutorService looking;

  /** Completes the answers of a turn while the next turn runs. */
  private volatile Executor answering = Runnable::run;

  /** Threads of the caller. */
  FleetThreads(Executor working) {
    this.working = working;
    this.own = null;
    this.looking = null;
  }

  /** Threads of their own, except those that complete answers. */
  static FleetThreads ofTheirOwn(Executor answering) {
    FleetThreads threads = new FleetThreads();
    threads.answerBy(answering);
    return threads;
  }

  private FleetThreads() {
    AtomicInteger number = new AtomicInteger();
    own =
        Executors.newCachedThreadPool(
            work -> daemon(work, "lighthouse-fleet-" + number.incrementAndGet()));
    working = own;
    looking =
        Executors.newSingleThreadScheduledExecutor(
            work -> daemon(work, "lighthouse-fleet-deadlines"));
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Checks deadlines from now on, by a function that must not throw. */
  void look(Runnable check) {
    looking.scheduleWithFixedDelay(check, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Starts work that runs beside the turns; returns false where no thread is available. */
  boolean begin(Runnable work) {
    try {
      working.execute(work);
      return true;
    } catch (RejectedExecutionException stopping) {
      return false;
    } catch (Throwable noThread) {
      try {
        LOG.log(
            System.Logger.Level.WARNING, "no thread could be started: {0}", noThread.toString());
      } catch (Throwable mute) {
        // There is no memory to log it.
      }
      return false;
    }
  }

  void answerBy(Executor others) {
    answering = others;
  }

  /**
   * Completes the answers of a turn in another thread; where none takes them, in the turn's own.
   */
  void answer(Runnable completing) {
    try {
      answering.execute(completing);
    } catch (RejectedExecutionException | Error noThread) {
      completing.run();
    }
  }

  /** Ends its own threads, and waits for the work that has begun. */
  void close(Duration most) {
    if (own == null) {
      return;
    }
    looking.shutdownNow();
    own.shutdown();
    try {
      own.awaitTermination(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
