package io.lighthouse.server.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Detects threads of the service that are stuck. A thread works for the service in steps, from
 * {@link #begin} to {@link #end}; a step never waits for a client. A thread is stuck if its step
 * takes longer than allowed, or if it is needed and has ended. A check only reads the open steps,
 * and needs no thread of its own. Thread-safe.
 */
public final class Watchdog implements Deadlines.Waiting {
  /** The default time of a step: far longer than any pause of a healthy process. */
  private static final Duration ALLOWED = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");

  private final long allowedNanos;
  private final Map<Thread, Step> steps = new ConcurrentHashMap<>();
  private final Set<Thread> needed = ConcurrentHashMap.newKeySet();

  /** The stuck threads that were logged. */
  private final Set<Step> logged = ConcurrentHashMap.newKeySet();

  /** A watchdog that allows ten seconds for each step. */
  public Watchdog() {
    this(ALLOWED);
  }

  /**
   * A watchdog that allows another time.
   *
   * @param allowed how long a step may take
   */
  public Watchdog(Duration allowed) {
    allowedNanos = allowed.toNanos();
  }

  /**
   * The present thread begins a step.
   *
   * @return whether it was in no step before; then it must {@link #end} this one
   */
  public boolean begin() {
    return begin(0);
  }

  /**
   * The present thread begins a step with additional time.
   *
   * @param nanos the additional time, beyond that of every step
   * @return whether it was in no step before; then it must {@link #end} this one
   */
  public boolean begin(long nanos) {
    Thread thread = Thread.currentThread();
    return steps.putIfAbsent(thread, new Step(thread, System.nanoTime() + allowedNanos + nanos))
        == null;
  }

  /** The present thread ends its step. */
  public void end() {
    Step ended = steps.remove(Thread.currentThread());
    if (!logged.isEmpty() && ended != null) {
      logged.remove(ended);
    }
  }

  /**
   * Runs a step; if the thread is already in a step, it is a part of that one.
   *
   * @param step the step
   */
  public void run(Runnable step) {
    boolean begun = begin();
    try {
      step.run();
    } finally {
      if (begun) {
        end();
      }
    }
  }

  /**
   * Stops watching a thread: its caller has abandoned and counted it.
   *
   * @param thread the thread
   */
  public void forget(Thread thread) {
    steps.remove(thread);
  }

  /**
   * Adds a thread that the service cannot work without.
   *
   * @param thread the thread, started
   */
  void need(Thread thread) {
    needed.add(thread);
  }

  /** Stops watching a needed thread that has ended normally. */
  void needNoMore(Thread thread) {
    needed.remove(thread);
  }

  /**
   * The threads that are stuck.
   *
   * @return their names; empty if there are none
   */
  public List<String> stuck() {
    List<String> names = new ArrayList<>();
    long now = System.nanoTime();
    for (Step step : steps.values()) {
      if (now - step.until > 0) {
        names.add(step.thread.getName());
      }
    }
    for (Thread thread : needed) {
      if (!thread.isAlive()) {
        names.add(thread.getName());
      }
    }
    return names;
  }

  /** Logs the stuck threads, each step once, with their stack traces. */
  @Override
  public Runnable due(long now) {
    List<Step> found = new ArrayList<>();
    for (Step step : steps.values()) {
      if (now - step.until > 0 && logged.add(step)) {
        found.add(step);
      }
    }
    return found.isEmpty() ? null : () -> found.forEach(Watchdog::log);
  }

  private static void log(Step step) {
    StringBuilder at = new StringBuilder();
    for (StackTraceElement frame : step.thread.getStackTrace()) {
      at.append("\n\tat ").append(frame);
    }
    LOG.log(
        System.Logger.Level.ERROR,
        "thread " + step.thread.getName() + " has not moved on for too long; it is" + at);
  }

  /** The step of a thread; every step is a new object. */
  private static final class Step {
    private final Thread thread;
    private final long until;

    Step(Thread thread, long until) {
      this.thread = thread;
      this.until = until;
    }
  }
}
