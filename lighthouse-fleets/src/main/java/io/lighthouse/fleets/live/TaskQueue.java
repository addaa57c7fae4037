package io.lighthouse.fleets.live;

import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tasks that one thread does, one after the other. It runs only while some wait. So a store that
 * does not answer keeps one thread, however many wait for it. Thread-safe.
 */
final class TaskQueue<T extends TaskQueue.Task> {
  /** Something that is done or refused. */
  interface Task extends Runnable {
    /** Refuses it: there is no thread for it, or its thread has failed. */
    void refuse(FleetException why);
  }

  private final Fleets fleets;
  private final String what;

  /** Made in advance, as memory may be lacking when a task waits; so is the next one. */
  private final Runnable work = this::runAll;

  private final FleetException brokenOff;

  /** A list, as for the calls of a {@link LiveFleet}. Guarded by itself. */
  private final Deque<T> waiting = new LinkedList<>();

  /** The task that runs, or for which a thread starts; null for none; guarded by waiting. */
  private T present;

  TaskQueue(Fleets fleets, String what) {
    this.fleets = fleets;
    this.what = what;
    this.brokenOff = new FleetException(Kind.OVERLOAD, what + " failed; try again");
  }

  /** Adds a task. Where no thread can be started, all that wait are refused. */
  void add(T task) {
    boolean starts;
    synchronized (waiting) {
      waiting.add(task);
      starts = present == null;
      present = starts ? task : present;
    }
    if (starts && !fleets.threads().begin(work)) {
      stop();
      try {
        refuseAll(fleets.noThread(what));
      } finally {
        remove(task); // If it could not be refused, its caller gets an error now.
      }
    }
  }

  private void runAll() {
    T one = null;
    try {
      for (one = next(); one != null; one = next()) {
        one.run();
      }
    } catch (Throwable failed) {
      stop(); // Such as for lack of memory.
      if (one != null) {
        one.refuse(brokenOff);
      }
      refuseAll(brokenOff);
      throw failed;
    }
  }

  /**
   * The next task starts a thread again. Called before a refusal is made, as memory may be lacking
   * for it.
   */
  private void stop() {
    synchronized (waiting) {
      present = null;
    }
  }

  private T next() {
    synchronized (waiting) {
      present = waiting.poll();
      return present;
    }
  }

  /** Refuses all that wait. */
  void refuseAll(FleetException why) {
    for (T one = poll(); one != null; one = poll()) {
      one.refuse(why);
    }
  }

  private T poll() {
    synchronized (waiting) {
      return waiting.poll();
    }
  }

  private void remove(T task) {
    synchronized (waiting) {
      waiting.remove(task);
    }
  }

  /** Whether a task has not begun, and a thread will come to it. */
  boolean waits(T task) {
    synchronized (waiting) {
      return present != null && waiting.contains(task);
    }
  }

  /**
   * Moves the waiting tasks of a kind to a list, and adds the one that runs, if it is one. Where
   * memory ends, those in the list were moved.
   */
  void takeAll(Predicate<T> kind, List<T> into) {
    synchronized (waiting) {
      waiting.removeIf(one -> kind.test(one) && into.add(one));
      if (present != null && kind.test(present)) {
        into.add(present);
      }
    }
  }
}
