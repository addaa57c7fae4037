package io.lighthouse.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thread that checks everything that waits, about 20 times a second, and has overdue things
 * ended. Ending a thing writes, and sometimes reads: a few other threads do that, so that no
 * connection can delay the deadlines of the others. Only where no such thread can be started, this
 * one does it. Thread-safe.
 */
public final class Deadlines implements AutoCloseable {
  private static final int TICK_MILLIS = 50;
  private static final int ENDING_THREADS = 8;
  private static final long IDLE_SECONDS = 10;
  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");

  /** Something with a deadline. */
  public interface Waiting {
    /**
     * Checks whether its time is over. Must neither wait nor read nor write.
     *
     * @param now the time, as {@link System#nanoTime}
     * @return the action, to be run on another thread; null where there is none
     */
    Runnable due(long now);
  }

  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
  private final Watchdog watchdog;
  private final Thread thread = new Thread(this::run, "lighthouse-deadlines");
  private final ExecutorService ending;
  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param watchdog watches it, and the threads that end overdue things
   */
  public Deadlines(Watchdog watchdog) {
    this(watchdog, endingThreads());
  }

  /** The same with the caller's threads. */
  Deadlines(Watchdog watchdog, ExecutorService ending) {
    this.watchdog = watchdog;
    this.ending = ending;
    waiting.add(watchdog);
    thread.setDaemon(true);
    thread.start();
    watchdog.need(thread);
  }

  private static ExecutorService endingThreads() {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            ENDING_THREADS,
            ENDING_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread one = new Thread(work, "lighthouse-ending-" + number.incrementAndGet());
              one.setDaemon(true);
              return one;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /**
   * Adds something to be checked.
   *
   * @param one what waits
   */
  public void add(Waiting one) {
    waiting.add(one);
  }

  /**
   * Removes something, which is not checked any more.
   *
   * @param one what waited
   */
  public void remove(Waiting one) {
    waiting.remove(one);
  }

  @Override
  public void close() {
    closed = true;
    watchdog.needNoMore(thread);
    thread.interrupt();
    ending.shutdown();
  }

  private void run() {
    while (!closed) {
      try {
        watchdog.run(this::checkAll);
      } catch (Throwable thrown) { // Such as no memory for a step; the next check may have some.
        logFailure(thrown);
      }
      try {
        Thread.sleep(TICK_MILLIS);
      } catch (InterruptedException ended) {
        // It is closed; no other reason ends the loop.
      }
    }
  }

  private void checkAll() {
    long now = System.nanoTime();
    for (Waiting one : waiting) {
      try {
        Runnable due = one.due(now);
        if (due != null) {
          begin(due);
        }
      } catch (Throwable thrown) { // The deadlines of the others must be kept all the same.
        logFailure(thrown);
      }
    }
  }

  /** Ends a thing on another thread; here where none can be started, as nothing asks again. */
  private void begin(Runnable due) {
    try {
      ending.execute(() -> end(due));
    } catch (Throwable noThread) {
      end(due);
    }
  }

  private void end(Runnable due) {
    boolean begun = false;
    try {
      begun = watchdog.begin();
    } catch (Throwable noMemory) {
      // It is ended unwatched, as nothing asks again.
    }
    try {
      due.run();
    } catch (Throwable thrown) {
      logFailure(thrown);
    } finally {
      if (begun) {
        watchdog.end();
      }
    }
  }

  private static void logFailure(Throwable thrown) {
    try {
      LOG.log(System.Logger.Level.WARNING, "a deadline could not be kept", thrown);
    } catch (Throwable mute) {
      // There is no memory to log it: no reason to end the loop.
    }
  }
}
