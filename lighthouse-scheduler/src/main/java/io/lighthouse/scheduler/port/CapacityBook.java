package io.lighthouse.scheduler.port;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What each agent has, lends and uses. Maps are in the order of the agents' names.
 *
 * <p>A book promises:
 *
 * <ul>
 *   <li>{@link #allocate} and {@link #takeUnallocated} return an offer at most once, and only if it
 *       was made to the session of the last {@link #refresh}.
 *   <li>{@link #allocate} can give what {@link #refresh} calls offered, until something is
 *       rescinded.
 *   <li>The watermark of an agent is at least what the agent offers and has in use together, unless
 *       a known total cuts it.
 * </ul>
 *
 * <p>Promised also: where {@link #allocate} or {@link #takeUnallocated} throws, it has taken
 * nothing. Offers that a book took out before it threw are lost to the manager, which can neither
 * use nor decline them. A book that cannot promise this must put them back itself, or decline them.
 */
public interface CapacityBook {
  /**
   * The sum over the agents of the total where it is known, else of the watermark, as it stood
   * after the last refresh.
   *
   * @return the size of the cluster
   */
  Resources clusterTotal();

  /**
   * Files what has come in since the last time, forgets the offers of earlier sessions, and says
   * what each agent has. Once a pass.
   *
   * @param session the session of the pass; offers made to another one are of no use in it
   * @param current all launched tasks that have not ended
   * @param when the time
   * @return the capacity of every agent that is known
   */
  Map<String, NodeCapacity> refresh(String session, Collection<Task> current, Instant when);

  /**
   * The most that there is of each resource on any agent; of different resources the agents may
   * differ.
   *
   * @return the maximum, name by name
   */
  Resources largestPerResource();

  /**
   * Takes offers out of the book: for each agent enough for what is wanted, or, if they do not
   * suffice, none but those that were held too long. Of an agent that is named here and lends
   * anything, at least one offer is taken even if nothing is wanted.
   *
   * @param wanted what is wanted of each agent on which anything shall start
   * @param when the time
   * @return the offers taken; also of agents that {@code wanted} does not name
   */
  Map<String, List<ResourceOffer>> allocate(Map<String, Resources> wanted, Instant when);

  /**
   * Takes all other offers out of the book, to be declined.
   *
   * @return the offers, the oldest first
   */
  List<ResourceOffer> takeUnallocated();

  /**
   * Whether its offers exist outside of it. For an engine without offers they are made up for each
   * pass, and unused ones are never declined.
   *
   * @return false if offers are never to be declined
   */
  default boolean makesOffers() {
    return true;
  }
}
