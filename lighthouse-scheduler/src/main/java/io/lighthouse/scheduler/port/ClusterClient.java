package io.lighthouse.scheduler.port;

import io.lighthouse.api.Names;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import java.util.List;

/**
 * The way to the cluster manager, or to the engine. An offer that is not known there any more is
 * ignored when declined, and makes a launch fail.
 *
 * <p>An engine without offers implements {@link #connected}, {@link #session} (any constant, or the
 * identity of its leader election) and {@link #launch}, and uses a book whose {@link
 * CapacityBook#makesOffers} is false.
 *
 * <p>A client promises: {@link #session} never returns to an earlier identity. Every task that
 * {@link #launch} did not refuse has started, or is later reported as lost. A launch that throws
 * may have arrived or not.
 */
public interface ClusterClient {
  /**
   * A task that was not started.
   *
   * @param task the id of the task, one of the launch
   * @param reason why, in a few words
   */
  record Refusal(String task, String reason) {
    /** Checks that there is an id. */
    public Refusal {
      Names.require(task, "refusal", "task");
      reason = reason == null ? "" : reason;
    }
  }

  /**
   * Whether there is a connection.
   *
   * @return true if it makes sense to start a pass
   */
  boolean connected();

  /**
   * The identity under which the cluster manager knows us now. A pass that sees it change takes and
   * launches nothing, and offers made to another one are never launched.
   *
   * @return the session; empty if there is none yet
   */
  String session();

  /**
   * Accepts offers of one node and runs tasks on them. What the tasks do not need goes back to the
   * cluster manager.
   *
   * @param node the name of the node
   * @param offers all of one agent; at least one. Of no use to an engine without offers
   * @param tasks what to run, an id each; none gives the offers back
   * @return the tasks that were refused and do not run; empty for none. The others run
   */
  List<Refusal> launch(String node, List<ResourceOffer> offers, List<Task> tasks);

  /**
   * Gives offers back. Never called where {@link CapacityBook#makesOffers} is false.
   *
   * @param offers at least one, of any agents, all made to the present session
   */
  default void decline(List<ResourceOffer> offers) {}
}
