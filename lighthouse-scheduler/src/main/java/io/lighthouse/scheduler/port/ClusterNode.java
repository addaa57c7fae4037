package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.List;

/**
 * A node as the scheduling manager sees it. The manager calls each method once a pass, and keeps
 * the answer for the rest of the pass.
 *
 * <p>A node promises: its name never changes. An agent that was left never comes back, so that what
 * was started under it cannot be taken for what runs now. {@link #nodeTasks} names the same agent
 * as {@link #agent}. A task keeps its id until it is launched.
 */
public interface ClusterNode {
  /**
   * The name. A node whose name is empty, or holds a lone surrogate, gets no new work where a
   * placement strategy chooses ({@link io.lighthouse.scheduler.NodeChoice}).
   *
   * @return unique among the nodes, for good; as {@link io.lighthouse.api.Names} requires
   */
  String name();

  /**
   * The session under which the node is connected now.
   *
   * @return the agent, unique among the nodes; empty if it was never connected
   */
  String agent();

  /**
   * Whether it may take executions from the queue.
   *
   * @return true if it may
   */
  boolean isReadyForNewJob();

  /**
   * Whether it may take the next tasks of executions that it has. The executions of a node that may
   * not are lost.
   *
   * @return true if it may
   */
  boolean isReadyForNextJobTask();

  /**
   * Whether it may take system tasks.
   *
   * @return true if it may
   */
  boolean isReadyForSystemTask();

  /**
   * The maintenance that is due on it and not yet launched. A task that finds no room is proposed
   * again, under the same id.
   *
   * @param when the time
   * @return node tasks for its present agent, the most urgent first, and each once
   */
  List<Task> nodeTasks(Instant when);
}
