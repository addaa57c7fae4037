package io.lighthouse.scheduler.port;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.Offer;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What each agent has, lends and uses. Maps are in the order of the agents' names. */
public interface CapacityBook {
  /**
   * The sum over the agents of the total where it is known, else of the watermark, as it stood
   * after the last refresh.
   *
   * @return the size of the cluster
   */
  Resources clusterTotal();

  /**
   * Files what has come in since the last time, and says what each agent has. Once a pass.
   *
   * @param current all launched tasks that have not ended
   * @param when the time
   * @return the capacity of every agent that is known
   */
  Map<String, NodeCapacity> refresh(Collection<Task> current, Instant when);

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
   * @return the offers taken; also of agents that nobody asked about
   */
  Map<String, List<Offer>> allocate(Map<String, Resources> wanted, Instant when);

  /**
   * Takes all other offers out of the book, to be declined.
   *
   * @return the offers, the oldest first
   */
  List<Offer> takeUnallocated();
}
