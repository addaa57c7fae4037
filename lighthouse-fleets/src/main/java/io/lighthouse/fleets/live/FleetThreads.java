package io.lighthouse.fleets.live;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of the fleets: those that take turns and read the store, those that complete answers,
 * and the one that checks deadlines. Thread-safe.
 */
final class FleetThreads {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** The time between two checks of deadlines. */
  private static final long CHECK_NANOS = 50_000_000;

  private final Executor working;

  /** Null where the threads belong to the caller, and the caller checks the deadlines. */
  private final ExecutorService own;

  private volatile boolean closed;

  /** Completes the answers of a turn while the next turn runs. */
  private volatile Executor answering = Runnable::run;

  /** Threads of the caller. */
  FleetThreads(Executor working) {
    this.working = working;
    this.own = null;
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
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(
        (ended, bug) -> LOG.log(System.Logger.Level.ERROR, "work on the fleets broke off", bug));
    return thread;
  }

  /** Checks deadlines from now on, in a thread of its own. */
  void checkDeadlines(Runnable check) {
    daemon(() -> checkUntilClosed(check), "lighthouse-fleet-deadlines").start();
  }

  /** A timer of the JDK would end where memory is lacking for it; this needs none. */
  private void checkUntilClosed(Runnable check) {
    while (!closed) {
      Thread.interrupted(); // A check may have left an interrupt, which would end each pause.
      LockSupport.parkNanos(CHECK_NANOS);
      try {
        check.run();
      } catch (Throwable bug) {
        // Such as no memory: the next check comes all the same.
      }
    }
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
   * Completes answers in another thread; where none takes them, whatever it throws, in this one.
   */
  void answer(Runnable completing) {
    try {
      answering.execute(completing);
    } catch (RuntimeException | Error noThread) { // They would be lost.
      completing.run();
    }
  }

  /** Ends its own threads, and waits for the work that has begun. */
  void close(Duration most) {
    closed = true;
    if (own == null) {
      return;
    }
    own.shutdown();
    try {
      own.awaitTermination(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
