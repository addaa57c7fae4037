package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.Resources;
import java.time.Duration;

/** Something that happens to a virtual cluster. Immutable. */
public sealed interface TraceEvent {
  /**
   * When it happens.
   *
   * @return the time since the beginning, 0 or more
   */
  Duration at();

  /**
   * A node connects, also one that was there before.
   *
   * @param at when
   * @param node its name
   * @param resources what it has; finite quantities of 0 or more
   */
  record NodeJoins(Duration at, String node, Resources resources) implements TraceEvent {}

  /**
   * A node is gone, and everything that runs on it.
   *
   * @param at when
   * @param node its name
   */
  record NodeLeaves(Duration at, String node) implements TraceEvent {}

  /**
   * A node takes nothing new; what runs there goes on.
   *
   * @param at when
   * @param node its name
   */
  record NodePauses(Duration at, String node) implements TraceEvent {}

  /**
   * A node takes new work again.
   *
   * @param at when
   * @param node its name
   */
  record NodeResumes(Duration at, String node) implements TraceEvent {}

  /**
   * In the pass at this time, the offers of a node are rescinded after the pass has seen them.
   *
   * @param at when
   * @param node its name
   */
  record OffersRescinded(Duration at, String node) implements TraceEvent {}

  /**
   * Work comes into the queue.
   *
   * @param at when
   * @param execution its id, unique in the trace
   * @param jobType the name of its job type
   * @param priority how important it is: the lower, the more important
   * @param request what it needs
   * @param runs how long it runs
   */
  record Submits(
      Duration at, String execution, String jobType, int priority, Resources request, Duration runs)
      implements TraceEvent {}

  /**
   * Nobody wants an execution any more.
   *
   * @param at when
   * @param execution its id
   */
  record Cancels(Duration at, String execution) implements TraceEvent {}

  /**
   * A system task becomes due.
   *
   * @param at when
   * @param name its name, unique in the trace
   * @param request what it needs
   * @param runs how long it runs
   */
  record SystemTaskDue(Duration at, String name, Resources request, Duration runs)
      implements TraceEvent {}
}
