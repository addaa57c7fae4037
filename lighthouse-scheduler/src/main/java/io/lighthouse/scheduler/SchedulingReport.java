package io.lighthouse.scheduler;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a pass did, what it did not do, and why: of the queue, of the work that runs, and of what
 * was sent. Every list is in the order in which things happened; every map in the order of its
 * keys' names. Immutable.
 *
 * <p>{@link #summary} says it in a line, {@link #text} in full, {@link #counts} in numbers.
 *
 * @param when the time of the pass
 * @param outcome how it ended
 * @param queue what became of the work that waits
 * @param running what became of the work that runs
 * @param sent what was sent to the cluster manager
 * @param failures what failed on the way; the pass went on
 */
public record SchedulingReport(
    Instant when,
    Outcome outcome,
    Queue queue,
    Running running,
    Sent sent,
    List<LighthouseException> failures) {

  /** How a pass ended. */
  public enum Outcome {
    /** To its end. */
    DONE,
    /** There was no client, no connection or no session: nothing was done. */
    NOT_CONNECTED,
    /**
     * The session was another one after the new work: nothing was launched, and no offer taken.
     * What was committed stays committed and is launched by a later pass.
     */
    SESSION_CHANGED,
    /**
     * Offers could not be allocated, or the session could not be read: nothing was launched. What
     * was committed stays committed and is launched by a later pass.
     */
    LAUNCHES_HELD_BACK,
    /**
     * To its end, but a system task found no place, so no new work was placed. Only where a node is
     * ready for new work: a paused scheduler holds nothing back for the sake of a system task.
     */
    NEW_WORK_HELD_BACK,
    /**
     * To its end, but the queue, the filter, the strategy or the store failed, so no new work was
     * placed. Cancelled entries have left the queue unless they could not be read or the store
     * failed.
     */
    NEW_WORK_ROLLED_BACK
  }

  /**
   * What became of the work that waits.
   *
   * @param placements the executions that were committed and given a node
   * @param cancelled the ids of the cancelled executions that left the queue
   * @param notPlaced the executions that were looked at and stay, and why
   * @param excluded the job types of which nothing was looked at: {@link NotPlaced.Why#TYPE_PAUSED}
   *     or {@link NotPlaced.Why#TYPE_LIMIT}
   * @param reservations the nodes that were kept free, each for an execution
   */
  public record Queue(
      List<Placement> placements,
      List<String> cancelled,
      List<NotPlaced> notPlaced,
      Map<String, NotPlaced.Why> excluded,
      List<Reservation> reservations) {
    /** Copies. */
    public Queue {
      placements = List.copyOf(placements);
      cancelled = List.copyOf(cancelled);
      notPlaced = List.copyOf(notPlaced);
      excluded = Collections.unmodifiableMap(new LinkedHashMap<>(excluded));
      reservations = List.copyOf(reservations);
    }

    /**
     * Why an execution was not placed.
     *
     * @param execution its id
     * @return the answer; nothing if the pass did not look at it, or placed it
     */
    public Optional<NotPlaced> whyNot(String execution) {
      return notPlaced.stream().filter(entry -> entry.execution().equals(execution)).findFirst();
    }
  }

  /**
   * What became of the work that runs, and of the tasks that come before all new work.
   *
   * @param waiting the node, job and system tasks that found no room
   * @param shortages what the tasks that have waited for many passes lack, by agent
   * @param lost the ids of the executions that were failed in this pass because their node is gone
   * @param starved the ids of the executions that were failed in this pass because their next task
   *     waited too long
   * @param away the ids of the executions whose node is away, and that are not lost yet
   * @param toKill the current tasks of executions that are over: failed, or cancelled. A task is
   *     here in each pass until it is reported to have ended
   */
  public record Running(
      List<Waiting> waiting,
      Map<String, Resources> shortages,
      List<String> lost,
      List<String> starved,
      List<String> away,
      List<Task> toKill) {
    /** Copies. */
    public Running {
      waiting = List.copyOf(waiting);
      shortages = Collections.unmodifiableMap(new LinkedHashMap<>(shortages));
      lost = List.copyOf(lost);
      starved = List.copyOf(starved);
      away = List.copyOf(away);
      toKill = List.copyOf(toKill);
    }
  }

  /**
   * What was sent to the cluster manager.
   *
   * @param launches what was launched, a node each
   * @param requeued the executions that went back to the queue because their node refused them
   * @param dropped the tasks that had been accepted and were not launched, because the node's
   *     offers no longer sufficed or the tasks could not be recorded; they come back in the next
   *     pass
   * @param declined the offers that were given back
   */
  public record Sent(
      List<Launch> launches,
      List<Requeued> requeued,
      List<Task> dropped,
      List<ResourceOffer> declined) {
    /** Copies. */
    public Sent {
      launches = List.copyOf(launches);
      requeued = List.copyOf(requeued);
      dropped = List.copyOf(dropped);
      declined = List.copyOf(declined);
    }

    /**
     * The offers that were accepted, those of failed calls too.
     *
     * @return the offers, node by node
     */
    public List<ResourceOffer> accepted() {
      List<ResourceOffer> accepted = new ArrayList<>();
      launches.forEach(launch -> accepted.addAll(launch.offers()));
      return accepted;
    }
  }

  /**
   * A task that found no room.
   *
   * @param task the task
   * @param passes in how many passes in a row it has now waited
   */
  public record Waiting(Task task, int passes) {}

  /**
   * A node that was kept free.
   *
   * @param node the name of the node
   * @param execution the id of the execution that it was kept free for
   * @param priority the priority of the execution
   */
  public record Reservation(String node, String execution, int priority) {}

  /**
   * What was sent to one node.
   *
   * @param node the name of the node
   * @param agent its agent
   * @param offers the offers that were accepted
   * @param tasks the tasks; none gave the offers back
   * @param refused those of the tasks that were refused, and why. They do not run, and are tried
   *     again
   * @param failed whether the call failed. Then the tasks count as launched until they are reported
   *     as lost, and the offers are declined in a later pass
   */
  public record Launch(
      String node,
      String agent,
      List<ResourceOffer> offers,
      List<Task> tasks,
      List<Refusal> refused,
      boolean failed) {
    /** Copies. */
    public Launch {
      offers = List.copyOf(offers);
      tasks = List.copyOf(tasks);
      refused = List.copyOf(refused);
    }
  }

  /**
   * An execution that went back to the queue.
   *
   * @param execution its id
   * @param node the node that refused it, and that it avoids
   * @param refusals how many of its launches in a row the node had refused
   * @param until until when it avoids the node
   */
  public record Requeued(String execution, String node, int refusals, Instant until) {}

  /** Copies. */
  public SchedulingReport {
    failures = List.copyOf(failures);
  }

  /**
   * The number of tasks launched, of all families, those of failed calls too, without those that
   * were refused: what {@link io.lighthouse.scheduler.manager.SchedulingManager#performScheduling}
   * returns.
   *
   * @return 0 or more
   */
  public int launchedTasks() {
    return sent.launches().stream()
        .mapToInt(launch -> launch.tasks().size() - launch.refused().size())
        .sum();
  }

  /**
   * Numbers for metrics, by name: {@code launched_tasks}, {@code refused_tasks}, {@code
   * new_executions}, {@code cancelled_executions}, {@code not_placed}, {@code waiting_tasks},
   * {@code reserved_nodes}, {@code lost_executions}, {@code starved_executions}, {@code
   * away_executions}, {@code requeued_executions}, {@code tasks_to_kill}, {@code accepted_offers},
   * {@code declined_offers}, {@code dropped_tasks}, {@code failed_launches}, {@code failures}.
   *
   * @return a map in this order
   */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("launched_tasks", (long) launchedTasks());
    counts.put(
        "refused_tasks",
        sent.launches().stream().mapToLong(launch -> launch.refused().size()).sum());
    counts.put("new_executions", (long) queue.placements().size());
    counts.put("cancelled_executions", (long) queue.cancelled().size());
    counts.put("not_placed", (long) queue.notPlaced().size());
    counts.put("waiting_tasks", (long) running.waiting().size());
    counts.put("reserved_nodes", (long) queue.reservations().size());
    counts.put("lost_executions", (long) running.lost().size());
    counts.put("starved_executions", (long) running.starved().size());
    counts.put("away_executions", (long) running.away().size());
    counts.put("requeued_executions", (long) sent.requeued().size());
    counts.put("tasks_to_kill", (long) running.toKill().size());
    counts.put("accepted_offers", (long) sent.accepted().size());
    counts.put("declined_offers", (long) sent.declined().size());
    counts.put("dropped_tasks", (long) sent.dropped().size());
    counts.put("failed_launches", sent.launches().stream().filter(Launch::failed).count());
    counts.put("failures", (long) failures.size());
    return Collections.unmodifiableMap(counts);
  }

  /**
   * The pass in one line: how it ended, and every count that is not 0.
   *
   * @return such as {@code done: 3 launched tasks, 2 new executions, 2 accepted offers}
   */
  public String summary() {
    return ReportText.summary(this);
  }

  /**
   * The pass in full: the summary, then a line for each thing that was decided.
   *
   * @return lines, each ended by a line feed
   */
  public String text() {
    return ReportText.full(this);
  }
}
