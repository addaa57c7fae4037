package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.monitor.DaemonThreads;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * Threads that make a term's calls of the server. Each piece of work ends with a message in the
 * inbox. Threads are started when they are first needed. Once they are closed, no write that was
 * sent by {@link #send} takes effect any more. Thread-safe.
 */
final class CallWorkers implements AutoCloseable {
  /** How long a message waits for room, in milliseconds, before the end is looked for. */
  private static final long LONGEST_WAIT = 100;

  /** The priority of work that others wait for, whatever pod it is about. */
  static final int FIRST = Integer.MAX_VALUE;

  private final Duration limit;
  private final BlockingQueue<Message> inbox;
  private final BooleanSupplier mayAct;
  private final UncaughtExceptionHandler crashed;
  private final ThreadPoolExecutor threads;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong numbers = new AtomicLong();

  /** When no write whose outcome was unknown takes effect any more. */
  private final AtomicLong lastEffect = new AtomicLong(System.nanoTime());

  private volatile boolean closed;

  /** A piece of work. */
  interface Work {
    /** Returns the message of its end; null where later work has it. */
    Message carryOut() throws InterruptedException;
  }

  /** Work that waits for a thread. */
  private record Turn(int priority, long number, Runnable work)
      implements Runnable, Comparable<Turn> {
    @Override
    public void run() {
      work.run();
    }

    @Override
    public int compareTo(Turn other) {
      return priority == other.priority
          ? Long.compare(number, other.number)
          : Integer.compare(other.priority, priority);
    }
  }

  /** A call that changes something on the server. */
  interface Write {
    /** Sends it, and returns the server's answer. */
    JsonNode send() throws IOException;
  }

  /**
   * Threads that wait for work.
   *
   * @param name what the names of the threads begin with
   * @param count the largest number of threads
   * @param limit the longest that a call may take; it takes no effect after that
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
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            new DaemonThreads(name, crashed));
  }

  /**
   * Does a piece of work in the background, that of the highest priority first: much of it may
   * wait.
   */
  void submit(int priority, Work work) {
    inFlight.incrementAndGet();
    queue(priority, work);
  }

  /**
   * Does a piece of work after some nanoseconds, for which no thread waits.
   *
   * @return false after {@link #close}: then the work is not done
   */
  boolean submitAfter(long nanos, Work work) {
    if (closed) {
      return false;
    }
    inFlight.incrementAndGet();
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
        .execute(() -> queue(FIRST, work));
    return true;
  }

  private void queue(int priority, Work work) {
    try {
      threads.execute(new Turn(priority, numbers.incrementAndGet(), () -> carryOut(work)));
    } catch (RejectedExecutionException isClosed) {
      inFlight.decrementAndGet();
    }
  }

  private void carryOut(Work work) {
    try {
      Message end = work.carryOut();
      if (end != null) {
        put(end);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error failed) {
      crashed.uncaughtException(Thread.currentThread(), failed);
    } finally {
      inFlight.decrementAndGet();
    }
  }

  /** The inbox of a term that ends is not read: a message that finds no room in it is dropped. */
  private void put(Message end) throws InterruptedException {
    boolean isDone = false;
    while (!isDone) {
      isDone = inbox.offer(end, closed ? 0 : LONGEST_WAIT, TimeUnit.MILLISECONDS) || closed;
    }
  }

  /** Whether the work may send a call. It checks this before each one. */
  boolean maySend() {
    return !closed && mayAct.getAsBoolean();
  }

  /** When a write that is sent now takes no effect any more. */
  long noEffectFrom() {
    return System.nanoTime() + limit.toNanos();
  }

  /** Sends a write. While its outcome is unknown and it may take effect, {@link #close} waits. */
  JsonNode send(Write write) throws IOException {
    long until = noEffectFrom();
    try {
      return write.send();
    } catch (IOException failed) {
      if (ApiException.mayHaveHappened(failed)) {
        lastEffect.accumulateAndGet(until, (one, other) -> one - other > 0 ? one : other);
      }
      throw failed;
    }
  }

  /** The same; where the work may send nothing any more, that is a failure, too. */
  JsonNode sendIfAllowed(Write write) throws IOException {
    if (!maySend()) {
      throw new IOException("no leader");
    }
    return send(write);
  }

  /** The pieces of work that have not ended. */
  int inFlight() {
    return inFlight.get();
  }

  /**
   * Nothing may be sent any more, not even by work that is queued. Waits for the calls under way,
   * and until no write whose outcome is unknown can take effect: another leader may begin then. An
   * interrupt does not end the wait. Outcomes that find no room in the inbox are dropped.
   */
  @Override
  public void close() {
    closed = true;
    threads.shutdown();
    long longest = System.nanoTime() + 2 * limit.toNanos();
    boolean interrupted = false;
    while (true) {
      try {
        threads.awaitTermination(longest - System.nanoTime(), TimeUnit.NANOSECONDS);
        TimeUnit.NANOSECONDS.sleep(lastEffect.get() - System.nanoTime());
        break;
      } catch (InterruptedException impatient) {
        interrupted = true;
      }
    }
    threads.shutdownNow();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
