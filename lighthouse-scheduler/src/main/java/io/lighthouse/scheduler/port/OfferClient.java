package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.Offer;
import io.lighthouse.scheduler.model.Task;
import java.util.List;

/**
 * The way to the cluster manager. An offer that is not known there any more is ignored when
 * declined, and makes a launch fail.
 */
public interface OfferClient {
  /**
   * Whether there is a connection.
   *
   * @return true if it makes sense to start a pass
   */
  boolean connected();

  /**
   * The identity under which the cluster manager knows us now. A pass that sees it change takes and
   * launches nothing.
   *
   * @return the session; empty if there is none yet
   */
  String session();

  /**
   * Accepts offers of one node and runs tasks on them. What the tasks do not need goes back to the
   * cluster manager.
   *
   * @param node the name of the node
   * @param offers all of one agent; at least one
   * @param tasks what to run; none gives the offers back
   */
  void launch(String node, List<Offer> offers, List<Task> tasks);

  /**
   * Gives offers back.
   *
   * @param offers at least one, of any agents
   */
  void decline(List<Offer> offers);
}
