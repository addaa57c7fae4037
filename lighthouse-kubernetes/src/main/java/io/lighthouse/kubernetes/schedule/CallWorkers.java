package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.monitor.DaemonThreads;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Threads that make a term's calls of the server. Each piece of work ends with a message in the
 * inbox. Threads are started when they are first needed. Thread-safe.
 */
final class CallWorkers implements AutoCloseable {
  private final Duration limit;
  private final BlockingQueue<Message> inbox;
  private final BooleanSupplier mayAct;
  private final UncaughtExceptionHandler crashed;
  private final ScheduledThreadPoolExecutor threads;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean closed;

  /** A piece of work. */
  interface Work {
    /** Returns the message of its end; null where later work has it. */
    Message carryOut() throws InterruptedException;
  }

  /**
   * Threads that wait for work.
   *
   * @param name what the names of the threads begin with
   * @param count the largest number of threads
   * @param limit the longest that a call may take
   * @param mayAct whether this process may act
   * @param crashed receives the throwable that ends one of the threads
   */
  CallWorkers(
      String name,
      int count,
      Duration limit,
      BlockingQueue<Message> inbox,
      BooleanSupplier mayAct,
      UncaughtExceptionHandler crashed) {
    this.limit = limit;
    this.inbox = inbox;
    this.mayAct = mayAct;
    this.crashed = crashed;
    threads = new ScheduledThreadPoolExecutor(count, new DaemonThreads(name, crashed));
  }

  /** Does a piece of work in the background. */
  void submit(Work work) {
    submitAfter(0, work);
  }

  /**
   * The same after some nanoseconds, for which no thread waits.
   *
   * @return false after {@link #close}: then the work is not done
   */
  boolean submitAfter(long nanos, Work work) {
    inFlight.incrementAndGet();
    try {
      threads.schedule(() -> carryOut(work), nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException isClosed) {
      inFlight.decrementAndGet();
      return false;
    }
  }

  private void carryOut(Work work) {
    try {
      Message end = work.carryOut();
      if (end != null) {
        inbox.put(end);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error failed) {
      crashed.uncaughtException(Thread.currentThread(), failed);
    } finally {
      inFlight.decrementAndGet();
    }
  }

  /** Whether the work may send a call. It checks this before each one. */
  boolean maySend() {
    return !closed && mayAct.getAsBoolean();
  }

  /** The pieces of work that have not ended. */
  int inFlight() {
    return inFlight.get();
  }

  /**
   * Nothing may be sent any more, not even by work that is queued. Waits for the calls under way,
   * so that none takes effect later. The inbox must have room for the outcomes.
   */
  @Override
  public void close() {
    closed = true;
    threads.shutdown();
    boolean interrupted = false;
    try {
      threads.awaitTermination(2 * limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException impatient) {
      interrupted = true;
    }
    threads.shutdownNow();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
