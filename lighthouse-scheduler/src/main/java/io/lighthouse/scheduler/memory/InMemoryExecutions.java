package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.RunningExecutions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The executions that run and, for a while, those that have ended; the store that commits and the
 * running ones in one. Of ended executions the last 100,000 are remembered.
 *
 * <p>An id that is over may be queued again, and runs again. As long as this process remembers its
 * last end, or had it restored ({@link #restore}), its tasks have new ids. An id that still runs
 * and is queued again waits in the queue until then.
 *
 * <p>Thread-safe: one lock, which is taken before that of the queue.
 */
public final class InMemoryExecutions implements ExecutionStore, RunningExecutions, TaskListener {
  /** How many ended executions are remembered. */
  public static final int REMEMBERED = 100_000;

  private final InMemoryQueue queue;
  private final Function<PendingExecution, List<Step>> steps;
  private final Consumer<Ended> whenOver;

  /** Committed and not finished, by id. */
  private final Map<String, RunningExecution> executions = new HashMap<>();

  /** Those that were taken in, in order. */
  private final NavigableSet<RunningExecution> running =
      new TreeSet<>(RunningExecution.MOST_IMPORTANT_FIRST);

  /** How many tasks were started of those that went back to the queue or are over, by id. */
  private final Map<String, Integer> attempts = new HashMap<>();

  /** Over, by id. */
  private final Map<String, Ended> ended = new LinkedHashMap<>();

  /** Messages that are not taken yet. */
  private final Deque<Ended> messages = new ArrayDeque<>();

  /** Receives each message at once; null where messages are kept. */
  private Consumer<Ended> listener;

  /**
   * An execution that is over.
   *
   * @param id its id
   * @param status how it ended
   * @param cause why it failed; empty if it did not
   * @param node the name of its node; empty if it was cancelled in the queue
   * @param when the time
   */
  public record Ended(
      String id, RunningExecution.Status status, String cause, String node, Instant when) {}

  /**
   * Executions of one step.
   *
   * @param queue the queue that commits take from
   */
  public InMemoryExecutions(InMemoryQueue queue) {
    this(queue, Step::main, over -> {});
  }

  /**
   * Executions.
   *
   * @param queue the queue that commits take from
   * @param steps what an execution runs
   * @param whenOver receives each execution that is over; called under the lock, so it must not
   *     block. What it throws is ignored
   */
  public InMemoryExecutions(
      InMemoryQueue queue, Function<PendingExecution, List<Step>> steps, Consumer<Ended> whenOver) {
    this.queue = queue;
    this.steps = steps;
    this.whenOver = whenOver;
  }

  @Override
  public synchronized List<RunningExecution> commit(
      List<Placement> placed, List<PendingExecution> cancelled, Instant when) {
    List<RunningExecution> started = new ArrayList<>();
    // Whatever could throw comes first.
    Map<String, RunningExecution> made = new HashMap<>();
    for (Placement placement : placed) {
      PendingExecution entry = placement.execution();
      made.put(entry.id(), atItsBeginning(placement, when));
    }
    for (PendingExecution entry : cancelled) {
      queue.remove(entry.id()).ifPresent(gone -> endCancelled(gone, when));
    }
    for (Placement placement : placed) {
      String id = placement.execution().id();
      if (executions.containsKey(id)) {
        continue;
      }
      Optional<PendingExecution> entry = queue.remove(id);
      if (entry.isEmpty()) {
        continue;
      }
      if (entry.get().cancelled()) {
        endCancelled(entry.get(), when);
      } else {
        executions.put(id, made.get(id));
        attempts.remove(id);
        ended.remove(id);
        started.add(made.get(id));
      }
    }
    return started;
  }

  /** One that comes from the queue a second time counts its tasks on: their ids are new ones. */
  private RunningExecution atItsBeginning(Placement placement, Instant when) {
    PendingExecution entry = placement.execution();
    return RunningExecution.resume(
        placement,
        when,
        steps.apply(entry),
        new RunningExecution.Progress(
            RunningExecution.Status.RUNNING,
            "",
            0,
            attempts.getOrDefault(entry.id(), 0),
            Optional.empty(),
            when));
  }

  @Override
  public synchronized List<RunningExecution> requeue(List<RunningExecution> refused, Instant when) {
    List<RunningExecution> back = new ArrayList<>();
    for (RunningExecution execution : refused) {
      if (executions.get(execution.id()) == execution
          && execution.status() == RunningExecution.Status.RUNNING
          && execution.currentTask().isEmpty()
          && queue.putBack(execution.origin())) {
        execution.requeue();
        countOn(execution);
        executions.remove(execution.id());
        running.remove(execution);
        back.add(execution);
      }
    }
    return back;
  }

  @Override
  public synchronized List<RunningExecution> snapshot() {
    return new ArrayList<>(running);
  }

  @Override
  public synchronized void add(List<RunningExecution> committed) {
    for (RunningExecution execution : committed) {
      if (!ended.containsKey(execution.id())) {
        executions.putIfAbsent(execution.id(), execution);
        running.add(executions.get(execution.id()));
      }
    }
  }

  @Override
  public synchronized void fail(Collection<RunningExecution> failing, String cause, Instant when) {
    for (RunningExecution execution : failing) {
      execution.fail(cause);
      endIfFinished(execution, when);
    }
  }

  /** Fails the execution of a task, unless it is over or has gone on to another task. */
  synchronized void failAt(Task task, String cause, Instant when) {
    RunningExecution execution = executions.get(task.execution());
    if (execution != null
        && execution.currentTask().map(Task::id).filter(task.id()::equals).isPresent()) {
      fail(List.of(execution), cause, when);
    }
  }

  @Override
  public synchronized void finished(Collection<RunningExecution> over, Instant when) {
    over.forEach(execution -> endIfFinished(execution, when));
  }

  /**
   * Cancels an execution. If it runs, its current task is to be killed. In the queue it is marked
   * as cancelled; where one of its id runs as well, only once that is cancelled.
   *
   * @param id its id
   * @param when the time
   * @return false if it is not known, or over
   */
  public synchronized boolean cancel(String id, Instant when) {
    RunningExecution execution = executions.get(id);
    if (execution == null || !execution.cancel()) {
      return queue.cancel(id);
    }
    endIfFinished(execution, when);
    return true;
  }

  @Override
  public synchronized void ended(Task task, End end, Instant when) {
    RunningExecution execution = executions.get(task.execution());
    if (execution == null) {
      return;
    }
    switch (end) {
      case FINISHED -> execution.taskFinished(task.id(), when);
      case FAILED -> execution.taskFailed(task.id(), "task-failed", when);
      case KILLED -> execution.taskFailed(task.id(), "task-killed", when);
      case LOST -> execution.taskLost(task.id(), when);
      case REFUSED -> execution.taskNotLaunched(task.id());
    }
    endIfFinished(execution, when);
  }

  /**
   * After a restart of the scheduling manager: every committed execution is taken in again.
   *
   * @return how many had not been
   */
  public synchronized int recover() {
    int before = running.size();
    running.addAll(executions.values());
    return running.size() - before;
  }

  /**
   * Takes in executions as they were recorded: after a restart of the process, with {@link
   * RunningExecution#resume}. They are in the next snapshot. The caller also restores their running
   * tasks in the registry, and their devices in the ledger.
   *
   * <p>One that went back to the queue ({@link RunningExecution.Status#REQUEUED}) does not run: its
   * tasks are only counted on, so that they have new ids when its id is placed again. One that is
   * over is reported ({@link Ended}) with the time since when nothing of it runs, and its tasks are
   * counted on, too. Where its end was reported before the restart, it is now reported again.
   *
   * @param resumed the executions
   */
  public synchronized void restore(Collection<RunningExecution> resumed) {
    for (RunningExecution execution : resumed) {
      if (execution.status() == RunningExecution.Status.REQUEUED) {
        countOn(execution);
      } else if (execution.isFinished()) {
        if (executions.putIfAbsent(execution.id(), execution) == null) {
          endIfFinished(execution, execution.progress().waitingSince());
        }
      } else {
        ended.remove(execution.id());
        add(List.of(execution));
      }
    }
  }

  /**
   * The current tasks of executions that failed or were cancelled.
   *
   * @return the tasks, in the order of their ids
   */
  public synchronized List<Task> toKill() {
    List<Task> tasks = new ArrayList<>();
    for (RunningExecution execution : executions.values()) {
      if (execution.status() != RunningExecution.Status.RUNNING) {
        execution.currentTask().ifPresent(tasks::add);
      }
    }
    tasks.sort(Comparator.comparing(Task::id, Names.order()));
    return tasks;
  }

  /**
   * An execution that was committed and is not over.
   *
   * @param id its id
   * @return the execution; nothing if there is none
   */
  public synchronized Optional<RunningExecution> get(String id) {
    return Optional.ofNullable(executions.get(id));
  }

  /**
   * An execution that is over.
   *
   * @param id its id
   * @return how it ended; nothing if it has not, or is no longer remembered
   */
  public synchronized Optional<Ended> ended(String id) {
    return Optional.ofNullable(ended.get(id));
  }

  /**
   * The next message that an execution has ended, each once, in order. Messages that are not taken
   * are kept as long as the executions are remembered.
   *
   * @return the message; nothing if there is none
   */
  public synchronized Optional<Ended> nextMessage() {
    return Optional.ofNullable(messages.poll());
  }

  /**
   * From now on each execution that is over is reported at once, and not kept as a message. Where
   * the receiver throws, nothing else fails, and the message is kept for {@link #nextMessage}.
   *
   * @param receiver receives each; called under the lock, so it must not block
   */
  public synchronized void listen(Consumer<Ended> receiver) {
    listener = receiver;
  }

  /**
   * How many executions of each job type run.
   *
   * @return a copy, in the order of names
   */
  public synchronized Map<String, Integer> countByType() {
    Map<String, Integer> counts = new TreeMap<>(Names.order());
    for (RunningExecution execution : executions.values()) {
      counts.merge(execution.jobType(), 1, Integer::sum);
    }
    return counts;
  }

  private void endCancelled(PendingExecution entry, Instant when) {
    remember(new Ended(entry.id(), RunningExecution.Status.CANCELED, "", "", when));
  }

  private void endIfFinished(RunningExecution execution, Instant when) {
    if (execution.isFinished() && executions.remove(execution.id(), execution)) {
      running.remove(execution);
      countOn(execution);
      remember(
          new Ended(
              execution.id(),
              execution.status(),
              execution.failure().orElse(""),
              execution.node(),
              when));
    }
  }

  private void countOn(RunningExecution execution) {
    attempts.merge(execution.id(), execution.progress().attempts(), Math::max);
  }

  private void remember(Ended over) {
    ended.remove(over.id());
    ended.put(over.id(), over);
    if (ended.size() > REMEMBERED) {
      String oldest = ended.keySet().iterator().next();
      ended.remove(oldest);
      attempts.remove(oldest);
    }
    tells(whenOver, over);
    if (listener == null || !tells(listener, over)) {
      messages.add(over);
      if (messages.size() > REMEMBERED) {
        messages.remove();
      }
    }
  }

  /** Whether the receiver took it. What it throws must not undo half of what has happened. */
  private static boolean tells(Consumer<Ended> receiver, Ended over) {
    try {
      receiver.accept(over);
      return true;
    } catch (RuntimeException | Error thrown) {
      return false;
    }
  }
}
