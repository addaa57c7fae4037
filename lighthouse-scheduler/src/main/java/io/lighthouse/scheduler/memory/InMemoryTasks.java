package io.lighthouse.scheduler.memory;

import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.TaskRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The launched tasks that have not ended, and how long they may take. Thread-safe: one lock;
 * listeners are called outside of it, one after another.
 */
public final class InMemoryTasks implements TaskRegistry {
  /** How long a task may take from its launch to its start. */
  public static final Duration STAGING_LIMIT = Duration.ofMinutes(2);

  /** How long a task may run by default. */
  public static final Duration RUNNING_LIMIT = Duration.ofHours(1);

  /** How long a task that never started is to be killed, if its end is not reported. */
  public static final Duration KILL_LIMIT = Duration.ofHours(1);

  /**
   * The most exceptions that are suppressed in one: a listener may throw the same one each time.
   */
  private static final int MOST_SUPPRESSED = 100;

  private final List<TaskListener> listeners;
  private volatile Function<Task, Optional<Duration>> runningLimit =
      task -> Optional.of(RUNNING_LIMIT);

  /** By the task's id, in the order of launches. */
  private final Map<String, Launched> tasks = new LinkedHashMap<>();

  /**
   * The tasks that were lost because they never started, and when; by the task's id. The engine may
   * still start them, though their steps run again.
   */
  private final Map<String, NeverStarted> late = new LinkedHashMap<>();

  /** A task, and when it was lost. */
  private record NeverStarted(Task task, Instant lost) {}

  /** A task, and when it was launched and seen to run; the latter null before. */
  private record Launched(Task task, Instant launched, Instant running) {}

  /**
   * Tasks that may run for an hour.
   *
   * @param listeners called in this order
   */
  public InMemoryTasks(List<TaskListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  /**
   * Sets how long tasks may run, in place of an hour each, such as by the job type of the execution
   * of a task.
   *
   * @param limit how long a task may run; nothing for no limit
   */
  public void limitRunning(Function<Task, Optional<Duration>> limit) {
    runningLimit = Objects.requireNonNull(limit, "limit");
  }

  @Override
  public synchronized List<Task> current() {
    return select(launched -> true);
  }

  @Override
  public void launched(List<Task> launched, Instant when) {
    // A task can end once it is registered. Its end must not reach a listener before its launch.
    List<Runnable> takingBack = new ArrayList<>();
    try {
      for (Task task : launched) {
        for (TaskListener listener : listeners) {
          listener.launched(task, when);
          takingBack.add(() -> listener.ended(task, TaskListener.End.REFUSED, when));
        }
      }
    } catch (RuntimeException | Error thrown) {
      // None of these tasks is registered, so nothing else would report their ends.
      takingBack.forEach(each -> tries(each, thrown));
      throw thrown;
    }
    synchronized (this) {
      for (Task task : launched) {
        tasks.putIfAbsent(task.id(), new Launched(task, when, null));
      }
    }
  }

  private static void tries(Runnable each, Throwable thrown) {
    try {
      each.run();
    } catch (RuntimeException | Error more) {
      if (more != thrown && thrown.getSuppressed().length < MOST_SUPPRESSED) {
        thrown.addSuppressed(more);
      }
    }
  }

  @Override
  public void refused(List<Task> refused, Instant when) {
    callAll(refused, task -> ended(task.id(), TaskListener.End.REFUSED, when));
  }

  /**
   * A task that was launched and has not ended.
   *
   * @param id its id
   * @return the task; nothing if it is not known
   */
  public synchronized Optional<Task> get(String id) {
    return Optional.ofNullable(tasks.get(id)).map(Launched::task);
  }

  /**
   * An agent is gone for good: all its tasks have ended as lost.
   *
   * @param agent the agent
   * @param when the time
   * @return how many they were
   */
  public int agentLost(String agent, Instant when) {
    List<Task> lost = select(launched -> launched.task().agent().equals(agent));
    synchronized (this) {
      late.values().removeIf(known -> known.task().agent().equals(agent));
    }
    callAll(lost, task -> ended(task.id(), TaskListener.End.LOST, when));
    return lost.size();
  }

  private synchronized List<Task> select(Predicate<Launched> wanted) {
    List<Task> selected = new ArrayList<>();
    for (Launched launched : tasks.values()) {
      if (wanted.test(launched)) {
        selected.add(launched.task());
      }
    }
    return selected;
  }

  /**
   * A task was seen to run.
   *
   * @param id its id
   * @param when the time
   * @return false if it is not known
   */
  public synchronized boolean running(String id, Instant when) {
    return tasks.computeIfPresent(
            id,
            (same, known) ->
                known.running() == null
                    ? new Launched(known.task(), known.launched(), when)
                    : known)
        != null;
  }

  /**
   * A task has ended. Every listener is called; what the first of them throws is thrown afterwards.
   *
   * @param id its id
   * @param end how
   * @param when the time
   * @return false if it is not known, or was lost: then no listener is called, and it is no longer
   *     to be killed
   */
  public boolean ended(String id, TaskListener.End end, Instant when) {
    Launched known;
    synchronized (this) {
      late.remove(id);
      known = tasks.remove(id);
    }
    if (known == null) {
      return false;
    }
    callAll(listeners, listener -> listener.ended(known.task(), end, when));
    return true;
  }

  /** Calls for each, whatever the calls throw; then throws the first of it. */
  private static <T> void callAll(List<T> all, Consumer<T> call) {
    for (int i = 0; i < all.size(); i++) {
      try {
        call.accept(all.get(i));
      } catch (RuntimeException | Error thrown) {
        all.subList(i + 1, all.size()).forEach(each -> tries(() -> call.accept(each), thrown));
        throw thrown;
      }
    }
  }

  /**
   * The tasks that were launched and not seen to run in time: to be reported as lost.
   *
   * @param when the time
   * @return the tasks, in the order of launches
   */
  public synchronized List<Task> neverStarted(Instant when) {
    return select(known -> isNeverStarted(known, when));
  }

  private static boolean isNeverStarted(Launched known, Instant when) {
    return known.running() == null
        && Duration.between(known.launched(), when).compareTo(STAGING_LIMIT) > 0;
  }

  /** Ends those tasks as lost, unless they are seen to run or end meanwhile. */
  void loseNeverStarted(Instant when) {
    synchronized (this) {
      late.values().removeIf(task -> Duration.between(task.lost(), when).compareTo(KILL_LIMIT) > 0);
    }
    callAll(neverStarted(when), task -> loseNeverStarted(task, when));
  }

  private void loseNeverStarted(Task task, Instant when) {
    synchronized (this) {
      Launched known = tasks.get(task.id());
      if (known == null || !isNeverStarted(known, when)) {
        return;
      }
      tasks.remove(task.id());
      late.put(task.id(), new NeverStarted(task, when));
    }
    callAll(listeners, listener -> listener.ended(task, TaskListener.End.LOST, when));
  }

  /**
   * The tasks that never started, were lost, and may still start: to be killed.
   *
   * @return a new list
   */
  synchronized List<Task> late() {
    List<Task> all = new ArrayList<>();
    late.values().forEach(known -> all.add(known.task()));
    return all;
  }

  /**
   * The tasks that have run for too long: to be killed.
   *
   * @param when the time
   * @return the tasks, in the order of launches
   */
  public List<Task> overdue(Instant when) {
    List<Launched> all = new ArrayList<>();
    synchronized (this) {
      all.addAll(tasks.values());
    }
    // Outside of the lock, as the caller's limit may read other adapters.
    all.removeIf(known -> known.running() == null || !isOverdue(known, when));
    return all.stream().map(Launched::task).toList();
  }

  private boolean isOverdue(Launched known, Instant when) {
    return runningLimit
        .apply(known.task())
        .filter(limit -> Duration.between(known.running(), when).compareTo(limit) > 0)
        .isPresent();
  }
}
