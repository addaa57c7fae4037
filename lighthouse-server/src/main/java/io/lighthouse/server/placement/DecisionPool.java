package io.lighthouse.server.placement;

import io.lighthouse.fleets.OverdueThread;
import io.lighthouse.server.http.AnsweringThread;
import io.lighthouse.server.http.Deadlines;
import io.lighthouse.server.http.Watchdog;
import java.time.Duration;
import java.util.Deque;
import java.util.LinkedList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a few decisions at a time, each for a limited time; others wait for a limited time, in their
 * order.
 *
 * <p>Java cannot stop a thread that loops. A decision that is over its time is answered, and its
 * thread is interrupted again and again. A decision that calls the engine ends then. Where it has
 * still not ended when its grace of processor time is used up ({@link OverdueThread}), the decision
 * reports whether its thread is to be abandoned. If so, the thread is counted and replaced: the
 * loop costs a processor but no place. Otherwise it keeps its place until it ends. Thread-safe.
 */
public final class DecisionPool implements AutoCloseable {
  /** A decision of the pool. */
  public interface Decision {
    /** Decides and answers. */
    void decide();

    /** Answers that it waited too long for its turn. Must not block. */
    void turnedAway();

    /**
     * Answers that it is over its time. Must not block.
     *
     * @return false where it has just answered itself; then it is not interrupted, since an
     *     interrupt would close the connection during the answer
     */
    boolean overTime();

    /**
     * The decision has not ended although it was interrupted. Must not block.
     *
     * @return whether its thread is to be abandoned
     */
    boolean unending();

    /**
     * It has ended without an answer, such as for lack of memory. Ends its request. Must not block.
     *
     * @param why what it has thrown
     */
    void lost(Throwable why);

    /** Its thread was abandoned, and has ended after all. Must not block. */
    default void abandonedEnded() {}
  }

  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");

  private final Deadlines deadlines;
  private final Watchdog watchdog;
  private final int places;
  private final long waitNanos;
  private final long decisionNanos;
  private final ExecutorService threads;

  private final AtomicInteger abandoned = new AtomicInteger();

  /**
   * A list: where memory ends while an {@link java.util.ArrayDeque} grows, it looks empty, and its
   * next element replaces the first one. Guarded by this.
   */
  private final Deque<Task> waiting = new LinkedList<>();

  /** How many places are taken; guarded by this. */
  private int running;

  /**
   * A pool without decisions.
   *
   * @param deadlines checks the decisions that wait and run
   * @param watchdog watches the threads
   * @param places most decisions at a time
   * @param wait how long a decision may wait for its turn
   * @param decision how long a decision may take
   */
  public DecisionPool(
      Deadlines deadlines, Watchdog watchdog, int places, Duration wait, Duration decision) {
    this(deadlines, watchdog, places, wait, decision, AnsweringThread.pool("lighthouse-decision-"));
  }

  /** The same with the caller's threads. */
  DecisionPool(
      Deadlines deadlines,
      Watchdog watchdog,
      int places,
      Duration wait,
      Duration decision,
      ExecutorService threads) {
    this.deadlines = deadlines;
    this.watchdog = watchdog;
    this.places = places;
    this.threads = threads;
    waitNanos = wait.toNanos();
    decisionNanos = decision.toNanos();
  }

  /**
   * Runs a decision as soon as there is a place.
   *
   * @param decision what to decide
   */
  public void submit(Decision decision) {
    Task task = new Task(decision);
    deadlines.add(task);
    boolean starts;
    try {
      starts = takePlaceOrWait(task);
    } catch (Throwable noMemory) {
      deadlines.remove(task); // Its caller gets an error now.
      throw noMemory;
    }
    if (starts) {
      start(task);
    }
  }

  /** Takes a place for a task; where none is free, lets it wait and returns false. */
  private synchronized boolean takePlaceOrWait(Task task) {
    if (running == places) {
      waiting.add(task);
      return false;
    }
    running++;
    return true;
  }

  /** Starts a thread for a place that is taken. Where none can be started, frees the place. */
  private void start(Task task) {
    try {
      threads.execute(() -> work(task));
    } catch (Throwable noThread) {
      freePlace();
      task.turnAway();
      // Last, as memory may be lacking for it.
      LOG.log(System.Logger.Level.ERROR, "no thread could be started: {0}", noThread.toString());
    }
  }

  private synchronized void freePlace() {
    running--;
  }

  /**
   * The number of abandoned threads that still run.
   *
   * @return 0 or more
   */
  public int abandoned() {
    return abandoned.get();
  }

  /**
   * The number of decisions that run in a place.
   *
   * @return 0 or more
   */
  public synchronized int running() {
    return running;
  }

  /**
   * The number of decisions that wait.
   *
   * @return 0 or more
   */
  public synchronized int waiting() {
    return waiting.size();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** Runs one task after the other in a thread, until none waits. */
  private void work(Task first) {
    Task task = first;
    boolean hasPlace = true;
    try {
      while (hasPlace) {
        if (task.run()) {
          hasPlace = false; // Another thread was given it.
          abandoned.decrementAndGet();
          task.decision.abandonedEnded();
        } else {
          task = next();
          hasPlace = task != null;
        }
      }
    } finally {
      if (hasPlace) {
        startNext(); // It breaks off, such as for lack of memory.
      }
    }
  }

  /**
   * The next task for a place that is free now; null where none waits, and then the place is given
   * up.
   */
  private synchronized Task next() {
    Task task = waiting.poll();
    if (task == null) {
      running--;
    }
    return task;
  }

  private synchronized void forget(Task task) {
    waiting.remove(task);
  }

  private void replace() {
    abandoned.incrementAndGet();
    startNext();
  }

  /** Passes a place that is free now to another thread, if a task waits. */
  private void startNext() {
    Task task = next();
    if (task != null) {
      start(task);
    }
  }

  private enum State {
    WAITING,
    RUNNING,
    LATE,
    OVER_TIME,
    ANSWERED,
    REPLACED,
    DONE
  }

  /** One decision of the pool, with its state. */
  private final class Task implements Deadlines.Waiting {
    private final Decision decision;

    /** Guarded by this, as are all fields below. */
    private State state = State.WAITING;

    private long since = System.nanoTime();
    private Thread thread;

    /** Not null when it is over its time and its thread is interrupted. */
    private OverdueThread overdue;

    private boolean givenUp;

    /** What is to be done when it is due: made in advance, since memory may be lacking then. */
    private final Runnable turnAway = this::turnAway;

    private final Runnable answerLate = this::answerLate;
    private final Runnable giveUp = this::giveUp;

    Task(Decision decision) {
      this.decision = decision;
    }

    /** Runs it, if it is not answered yet; returns whether the thread was replaced meanwhile. */
    boolean run() {
      synchronized (this) {
        if (state != State.WAITING) {
          return false;
        }
        state = State.RUNNING;
        since = System.nanoTime();
        thread = Thread.currentThread();
      }
      try {
        watchdog.begin(decisionNanos);
        decision.decide();
      } catch (Throwable lost) { // Such as no memory to answer.
        lose(lost);
      } finally {
        deadlines.remove(this);
        watchdog.end();
      }
      synchronized (this) {
        boolean replaced = state == State.REPLACED;
        state = State.DONE;
        Thread.interrupted(); // Clears an interrupt of this task.
        return replaced;
      }
    }

    /** Ends its request; its thread goes on with its place, whatever is lacking. */
    private void lose(Throwable why) {
      try {
        decision.lost(why);
        LOG.log(System.Logger.Level.ERROR, "a decision ended without an answer", why);
      } catch (Throwable mute) {
        // There is no memory even for this.
      }
    }

    @Override
    public synchronized Runnable due(long now) {
      switch (state) {
        case WAITING:
          if (now - since < waitNanos) {
            return null;
          }
          state = State.DONE;
          return turnAway;
        case RUNNING:
          if (now - since < decisionNanos) {
            return null;
          }
          state = State.LATE;
          return answerLate;
        case OVER_TIME:
          overdue = overdue == null ? new OverdueThread(thread) : overdue;
          if (!overdue.interrupt() || givenUp) {
            return null;
          }
          givenUp = true;
          return giveUp;
        case REPLACED:
          thread.interrupt();
          return null;
        default:
          return null;
      }
    }

    /** Answers that it gets no turn. */
    private void turnAway() {
      synchronized (this) {
        state = State.DONE;
      }
      deadlines.remove(this);
      forget(this);
      try {
        decision.turnedAway();
      } catch (Throwable unanswered) {
        decision.lost(unanswered);
        throw unanswered;
      }
    }

    /**
     * Answers for a decision that is over its time. From then on it is interrupted, unless it has
     * answered itself. Where memory is lacking for the answer, it is interrupted in any case: then
     * an answer of its own may break off, and the connection be closed.
     */
    private void answerLate() {
      boolean ours = true;
      try {
        ours = decision.overTime();
      } catch (Throwable unanswered) {
        decision.lost(unanswered);
      } finally {
        synchronized (this) {
          if (state == State.LATE) {
            state = ours ? State.OVER_TIME : State.ANSWERED;
          }
        }
      }
    }

    private void giveUp() {
      synchronized (this) {
        if (state != State.OVER_TIME) {
          return; // It has ended meanwhile.
        }
      }
      boolean abandon = decision.unending();
      synchronized (this) {
        if (abandon && state == State.OVER_TIME) {
          state = State.REPLACED;
          watchdog.forget(thread); // It is counted as abandoned.
          replace();
          return;
        }
      }
      if (abandon) {
        decision.abandonedEnded(); // It ended while it was given up.
      }
    }
  }
}
