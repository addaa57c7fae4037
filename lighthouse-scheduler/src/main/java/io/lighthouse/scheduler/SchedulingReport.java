package io.lighthouse.scheduler;

import io.lighthouse.api.LighthouseException;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.Offer;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a pass did, what it did not do, and why. Every list is in the order in which things
 * happened; every map in the order of its keys' names. Immutable.
 *
 * @param when the time of the pass
 * @param outcome how it ended
 * @param placements the executions of the queue that were committed and given a node
 * @param cancelled the ids of the cancelled executions that left the queue
 * @param notPlaced the executions of the queue that were looked at and stay, and why
 * @param excluded the job types of which nothing was looked at: {@link NotPlaced.Why#TYPE_PAUSED}
 *     or {@link NotPlaced.Why#TYPE_LIMIT}
 * @param waiting the node, job and system tasks that found no room
 * @param reservations the nodes that were kept free, and for whom
 * @param lost the ids of the executions that were failed because their node is gone
 * @param starved the ids of the executions that were failed because their next task waited too long
 * @param shortages what the tasks that have waited for many passes lack, by agent
 * @param launches what was launched, a node each
 * @param dropped the tasks that had been accepted and were not launched, because the node's offers
 *     no longer sufficed or the tasks could not be recorded; they come back in the next pass
 * @param declined the offers that were given back
 * @param failures what failed on the way; the pass went on
 */
public record SchedulingReport(
    Instant when,
    Outcome outcome,
    List<Placement> placements,
    List<String> cancelled,
    List<NotPlaced> notPlaced,
    Map<String, NotPlaced.Why> excluded,
    List<Waiting> waiting,
    List<Reservation> reservations,
    List<String> lost,
    List<String> starved,
    Map<String, Resources> shortages,
    List<Launch> launches,
    List<Task> dropped,
    List<Offer> declined,
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
    /** To its end, but a system task found no place, so no new work was placed. */
    NEW_WORK_HELD_BACK,
    /** To its end, but the queue, the store or the strategy failed, so no new work was placed. */
    NEW_WORK_ROLLED_BACK
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
   * @param failed whether the call failed. Then the tasks count as launched until they are reported
   *     as lost, and the offers are declined in a later pass
   */
  public record Launch(
      String node, String agent, List<Offer> offers, List<Task> tasks, boolean failed) {
    /** Copies. */
    public Launch {
      offers = List.copyOf(offers);
      tasks = List.copyOf(tasks);
    }
  }

  /** Copies. */
  public SchedulingReport {
    placements = List.copyOf(placements);
    cancelled = List.copyOf(cancelled);
    notPlaced = List.copyOf(notPlaced);
    excluded = Collections.unmodifiableMap(new LinkedHashMap<>(excluded));
    waiting = List.copyOf(waiting);
    reservations = List.copyOf(reservations);
    lost = List.copyOf(lost);
    starved = List.copyOf(starved);
    shortages = Collections.unmodifiableMap(new LinkedHashMap<>(shortages));
    launches = List.copyOf(launches);
    dropped = List.copyOf(dropped);
    declined = List.copyOf(declined);
    failures = List.copyOf(failures);
  }

  /**
   * The number of tasks launched, of all families, those of failed calls too: what {@link
   * SchedulingManager#performScheduling} returns.
   *
   * @return 0 or more
   */
  public int launchedTasks() {
    return launches.stream().mapToInt(launch -> launch.tasks().size()).sum();
  }

  /**
   * The offers that were accepted, those of failed calls too.
   *
   * @return the offers, node by node
   */
  public List<Offer> accepted() {
    List<Offer> accepted = new ArrayList<>();
    launches.forEach(launch -> accepted.addAll(launch.offers()));
    return accepted;
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

  /**
   * Numbers for metrics, by name: {@code launched_tasks}, {@code new_executions}, {@code
   * cancelled_executions}, {@code not_placed}, {@code waiting_tasks}, {@code reserved_nodes},
   * {@code lost_executions}, {@code starved_executions}, {@code accepted_offers}, {@code
   * declined_offers}, {@code dropped_tasks}, {@code failed_launches}, {@code failures}.
   *
   * @return a map in this order
   */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("launched_tasks", (long) launchedTasks());
    counts.put("new_executions", (long) placements.size());
    counts.put("cancelled_executions", (long) cancelled.size());
    counts.put("not_placed", (long) notPlaced.size());
    counts.put("waiting_tasks", (long) waiting.size());
    counts.put("reserved_nodes", (long) reservations.size());
    counts.put("lost_executions", (long) lost.size());
    counts.put("starved_executions", (long) starved.size());
    counts.put("accepted_offers", (long) accepted().size());
    counts.put("declined_offers", (long) declined.size());
    counts.put("dropped_tasks", (long) dropped.size());
    counts.put("failed_launches", launches.stream().filter(Launch::failed).count());
    counts.put("failures", (long) failures.size());
    return Collections.unmodifiableMap(counts);
  }
}
