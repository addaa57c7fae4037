package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Work that has been given a node, and runs its steps there one at a time.
 *
 * <p>At most one task is current. A step that finished is not run again; one that was lost is, as a
 * task of a new id. Once it has failed or was cancelled nothing more starts; it is finished when
 * nothing runs and nothing remains.
 *
 * <p>Thread-safe: status updates and the scheduling pass may meet.
 */
public final class RunningExecution {
  /** The most important first; of one priority by id. */
  public static final Comparator<RunningExecution> MOST_IMPORTANT_FIRST =
      RunningExecution::compareImportance;

  /** How many characters of an id go into {@link #idPrefix}. */
  private static final int PREFIX = Long.BYTES;

  /** How it stands. */
  public enum Status {
    /** Something runs or remains. */
    RUNNING,
    /** Every step finished. */
    COMPLETED,
    /** A step failed or timed out, or the execution was failed as a whole. */
    FAILED,
    /** It was cancelled. */
    CANCELED,
    /** Its node refused it: it went back to the queue, and runs no longer. */
    REQUEUED
  }

  /**
   * How far an execution has come: what is to be recorded to go on with it after a restart.
   *
   * @param status how it stands
   * @param failure why it failed; empty if it did not
   * @param step the index of the step that runs or, if none does, whose turn it is; the number of
   *     steps if none remains
   * @param attempts how many tasks were started; no two have the same number in their ids
   * @param currentTask the id of the task that runs; nothing if none does
   * @param waitingSince since when nothing runs, if nothing does
   */
  public record Progress(
      Status status,
      String failure,
      int step,
      int attempts,
      Optional<String> currentTask,
      Instant waitingSince) {}

  private final PendingExecution origin;
  private final String node;
  private final String agent;
  private final Instant started;
  private final List<Step> steps;

  /** The beginning of the id as a number, in the order of names: most comparisons need no more. */
  private final long idPrefix;

  /** The step whose turn it is; {@code steps.size()} when none remains. */
  private int next;

  /** How many tasks were started; the number of the next one. */
  private int attempts;

  /**
   * The task of the step {@code next} as {@link #startNextTask} would start it; null if not made.
   */
  private Task upcoming;

  /** What runs; null if nothing does. */
  private Task current;

  private volatile Status status = Status.RUNNING;

  /** Why it failed; empty if it did not. */
  private String failure = "";

  /** Since when nothing runs, if nothing does: the start, or the end of the previous task. */
  private Instant waitingSince;

  /**
   * An execution at its beginning.
   *
   * @param placement what runs, and where
   * @param started when it was given its node
   * @param steps what it runs, in order; at least one, none asking for more than the execution
   * @throws InvalidInputException if there is no step or one asks for more than the execution
   */
  public RunningExecution(Placement placement, Instant started, List<Step> steps) {
    this.origin = placement.execution();
    this.node = placement.node();
    this.agent = placement.agent();
    this.started = started;
    this.waitingSince = started;
    this.steps = List.copyOf(steps);
    this.idPrefix = prefix(origin.id());
    String subject = "execution '" + origin.id() + "'";
    if (steps.isEmpty()) {
      throw new InvalidInputException(subject, "steps", "empty", "at least one step");
    }
    for (Step step : steps) {
      if (!ResourceVectors.covers(origin.request(), step.resources())) {
        throw new InvalidInputException(
            subject,
            "steps." + step.name(),
            step.resources().toString(),
            "no more than the execution asks for, " + origin.request());
      }
    }
  }

  /**
   * An execution in the middle: after a restart, from what {@link #progress} said when it was
   * recorded last. Its current task, if it has one, is the same as before.
   *
   * @param placement what runs, and where
   * @param started when it was given its node
   * @param steps what it runs, in order; the same as before
   * @param progress how far it has come
   * @return the execution
   * @throws InvalidInputException as the constructor, or if there is no such step, the number of
   *     attempts is negative, or no step is left for a current task or the status {@code RUNNING}
   */
  public static RunningExecution resume(
      Placement placement, Instant started, List<Step> steps, Progress progress) {
    RunningExecution execution = new RunningExecution(placement, started, steps);
    execution.goOn(progress);
    return execution;
  }

  private synchronized void goOn(Progress progress) {
    String subject = "execution '" + id() + "'";
    boolean runs = progress.currentTask().isPresent();
    boolean remains = runs || progress.status() == Status.RUNNING;
    int last = remains ? steps.size() - 1 : steps.size();
    if (progress.step() < 0 || progress.step() > last) {
      throw new InvalidInputException(
          subject, "progress.step", "" + progress.step(), "0 to " + last);
    }
    if (progress.attempts() < 0) {
      throw new InvalidInputException(
          subject, "progress.attempts", "" + progress.attempts(), "0 or more");
    }
    status = progress.status();
    failure = progress.failure();
    attempts = progress.attempts();
    waitingSince = progress.waitingSince();
    next = runs ? progress.step() + 1 : progress.step();
    if (runs) {
      Step step = steps.get(progress.step());
      current = Task.job(progress.currentTask().get(), step.name(), agent, id(), step.resources());
    }
  }

  /**
   * How far it has come.
   *
   * @return what {@link #resume} takes
   */
  public synchronized Progress progress() {
    return new Progress(
        status,
        failure,
        current == null ? next : next - 1,
        attempts,
        Optional.ofNullable(current).map(Task::id),
        waitingSince);
  }

  /**
   * The id.
   *
   * @return unique among all executions
   */
  public String id() {
    return origin.id();
  }

  /**
   * The name of its job type.
   *
   * @return a name
   */
  public String jobType() {
    return origin.jobType();
  }

  /**
   * How important it is.
   *
   * @return the lower, the more important
   */
  public int priority() {
    return origin.priority();
  }

  /**
   * What waited in the queue.
   *
   * @return the queue's entry
   */
  public PendingExecution origin() {
    return origin;
  }

  /**
   * Where it runs.
   *
   * @return the name of the node
   */
  public String node() {
    return node;
  }

  /**
   * Under which session of the node it runs.
   *
   * @return the agent
   */
  public String agent() {
    return agent;
  }

  /**
   * When it was given its node.
   *
   * @return the time
   */
  public Instant started() {
    return started;
  }

  /**
   * How it stands.
   *
   * @return the status
   */
  public Status status() {
    return status;
  }

  /**
   * Why it failed.
   *
   * @return such as {@code node-lost}; nothing if it did not fail
   */
  public synchronized Optional<String> failure() {
    return failure.isEmpty() ? Optional.empty() : Optional.of(failure);
  }

  /**
   * What runs.
   *
   * @return the task; nothing if none does
   */
  public synchronized Optional<Task> currentTask() {
    return Optional.ofNullable(current);
  }

  /**
   * The first of what remains, also while another task runs. Its id stays the same until it is
   * started, or until the task that runs comes back as lost or refused. Changes nothing.
   *
   * @return the task; nothing if none remains
   */
  public synchronized Optional<Task> nextTask() {
    return Optional.ofNullable(upcoming());
  }

  /**
   * Whether nothing runs and something remains.
   *
   * @return true if a task could be started
   */
  public synchronized boolean isNextTaskReady() {
    return current == null && remains();
  }

  /**
   * Makes the first of what remains the current task.
   *
   * @return it; nothing if a task runs or none remains
   */
  public synchronized Optional<Task> startNextTask() {
    if (!isNextTaskReady()) {
      return Optional.empty();
    }
    current = upcoming();
    upcoming = null;
    next++;
    attempts++;
    return Optional.of(current);
  }

  /**
   * The current task finished. After the last one, the execution is completed.
   *
   * @param task the id of the task
   * @param when the time
   * @return false if that task is not current: then nothing changes
   */
  public synchronized boolean taskFinished(String task, Instant when) {
    if (!end(task, when)) {
      return false;
    }
    if (status == Status.RUNNING && next == steps.size()) {
      status = Status.COMPLETED;
    }
    return true;
  }

  /**
   * The current task failed or was killed; so has the execution, and what remained is dropped.
   *
   * @param task the id of the task
   * @param cause why, such as {@code task-failed}
   * @param when the time
   * @return false if that task is not current: then nothing changes
   */
  public synchronized boolean taskFailed(String task, String cause, Instant when) {
    if (!end(task, when)) {
      return false;
    }
    stop(Status.FAILED, cause);
    return true;
  }

  /**
   * The current task was lost: it runs again, under a new id, unless the execution has failed or
   * was cancelled meanwhile.
   *
   * @param task the id of the task
   * @param when the time
   * @return false if that task is not current: then nothing changes
   */
  public synchronized boolean taskLost(String task, Instant when) {
    if (!taskNotLaunched(task)) {
      return false;
    }
    waitingSince = when;
    return true;
  }

  /**
   * The current task was started, but never launched: as {@link #taskLost}, but the execution has
   * not stopped waiting.
   *
   * @param task the id of the task
   * @return false if that task is not current: then nothing changes
   */
  public synchronized boolean taskNotLaunched(String task) {
    if (current == null || !current.id().equals(task)) {
      return false;
    }
    current = null;
    if (status == Status.RUNNING) {
      next--;
      upcoming = null;
    }
    return true;
  }

  /**
   * Fails the execution as a whole: what remained is dropped; a current task stays until it ends.
   *
   * @param cause why, such as {@code node-lost}
   * @return false if it has ended already: then nothing changes
   */
  public synchronized boolean fail(String cause) {
    return stop(Status.FAILED, cause);
  }

  /**
   * Cancels it. Its remaining tasks are dropped; a current task stays until it ends.
   *
   * @return false if it has ended already: then nothing changes
   */
  public synchronized boolean cancel() {
    return stop(Status.CANCELED, "");
  }

  /**
   * It goes back to the queue: what remained is dropped here.
   *
   * @return false if a task runs or it has ended already: then nothing changes
   */
  public synchronized boolean requeue() {
    return current == null && stop(Status.REQUEUED, "");
  }

  /**
   * Since when nothing has run: since the previous task ended or was lost or, before the first one,
   * since the execution was given its node.
   *
   * @return the time; nothing if a task runs or none remains
   */
  public synchronized Optional<Instant> waitingSince() {
    return isNextTaskReady() ? Optional.of(waitingSince) : Optional.empty();
  }

  /**
   * Whether nothing runs and nothing remains.
   *
   * @return true if it is over
   */
  public synchronized boolean isFinished() {
    return current == null && !remains();
  }

  /**
   * Whether nothing has run for too long although something remains: since the previous task ended
   * or was lost or, before the first one, since the execution was given its node.
   *
   * @param when the time
   * @param limit how long it may wait
   * @return true if more than the limit has gone by
   */
  public synchronized boolean isStarved(Instant when, Duration limit) {
    return isNextTaskReady() && Duration.between(waitingSince, when).compareTo(limit) > 0;
  }

  @Override
  public String toString() {
    return "execution '" + id() + "' on node '" + node + "', " + status();
  }

  private static int compareImportance(RunningExecution a, RunningExecution b) {
    int order = Integer.compare(a.priority(), b.priority());
    if (order == 0) {
      order = Long.compareUnsigned(a.idPrefix, b.idPrefix);
    }
    return order != 0 ? order : Names.compare(a.id(), b.id());
  }

  /**
   * A byte for each character; one that is not ASCII is greater than all that are, and the last.
   */
  private static long prefix(String id) {
    long prefix = 0;
    boolean over = false;
    for (int i = 0; i < PREFIX; i++) {
      int next = over || i >= id.length() ? 0 : Math.min(id.charAt(i), 0x80);
      over |= next == 0x80;
      prefix = prefix << Byte.SIZE | next;
    }
    return prefix;
  }

  private boolean remains() {
    return status == Status.RUNNING && next < steps.size();
  }

  private Task upcoming() {
    if (upcoming == null && remains()) {
      Step step = steps.get(next);
      upcoming =
          Task.job(
              id() + "/" + step.name() + "/" + attempts,
              step.name(),
              agent,
              id(),
              step.resources());
    }
    return upcoming;
  }

  private boolean end(String task, Instant when) {
    if (current == null || !current.id().equals(task)) {
      return false;
    }
    current = null;
    waitingSince = when;
    return true;
  }

  private boolean stop(Status to, String cause) {
    if (status != Status.RUNNING) {
      return false;
    }
    status = to;
    failure = cause;
    upcoming = null;
    return true;
  }
}
