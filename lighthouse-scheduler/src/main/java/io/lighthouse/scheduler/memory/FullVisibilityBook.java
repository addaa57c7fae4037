package io.lighthouse.scheduler.memory;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Names;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.Amounts;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.Offer;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.CapacityBook;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The book of an engine without offers, which can say of each agent what work may use of it. What
 * is offered is that less what is in use, the watermark is all of it, and allocating makes up one
 * offer. There is never anything to decline.
 *
 * <p>Where an agent has shrunk below its use, what it offers is 0, not negative. Thread-safe: one
 * lock.
 */
public final class FullVisibilityBook implements CapacityBook {
  private final String session;
  private final Map<String, Resources> allocatable = new TreeMap<>(Names.order());
  private final Map<String, Resources> offered = new TreeMap<>(Names.order());
  private long offersMade;

  /**
   * An empty book.
   *
   * @param session the session that its offers name; what the client answers
   * @throws InvalidInputException if the session is empty or ill-formed
   */
  public FullVisibilityBook(String session) {
    this.session = Names.require(session, "full visibility book", "session");
  }

  /**
   * Says what work may use of an agent; replaces what was said before.
   *
   * @param agent the agent
   * @param resources finite quantities of 0 or more; rounded down to nine digits after the point
   * @throws InvalidInputException if a name is ill-formed or a quantity is negative or infinite
   */
  public synchronized void allocatable(String agent, Resources resources) {
    Names.require(agent, "full visibility book", "agent");
    allocatable.put(agent, Amounts.offered(resources, "agent '" + agent + "'"));
  }

  /**
   * An agent is gone.
   *
   * @param agent the agent
   */
  public synchronized void agentLost(String agent) {
    allocatable.remove(agent);
    offered.remove(agent);
  }

  @Override
  public synchronized Map<String, NodeCapacity> refresh(Collection<Task> current, Instant when) {
    Map<String, Resources> inUse = InUse.byAgent(current);
    Map<String, NodeCapacity> capacities = new LinkedHashMap<>();
    offered.clear();
    allocatable.forEach(
        (agent, all) -> {
          Resources used = inUse.getOrDefault(agent, Resources.none());
          Resources free = notNegative(Amounts.minus(all, used));
          offered.put(agent, free);
          capacities.put(agent, new NodeCapacity(free, used, all));
        });
    return capacities;
  }

  @Override
  public synchronized Map<String, List<Offer>> allocate(
      Map<String, Resources> wanted, Instant when) {
    Map<String, List<Offer>> allocated = new LinkedHashMap<>();
    offered.forEach(
        (agent, free) -> {
          if (wanted.containsKey(agent) && Amounts.covers(free, wanted.get(agent))) {
            String id = agent + "#" + offersMade++;
            allocated.put(agent, List.of(new Offer(id, agent, session, free, when)));
          }
        });
    offered.clear();
    return allocated;
  }

  @Override
  public List<Offer> takeUnallocated() {
    return List.of();
  }

  @Override
  public synchronized Resources largestPerResource() {
    Resources largest = Resources.none();
    for (Resources all : allocatable.values()) {
      largest = Amounts.max(largest, all);
    }
    return largest;
  }

  @Override
  public synchronized Resources clusterTotal() {
    return Amounts.sum(allocatable.values());
  }

  private static Resources notNegative(Resources vector) {
    Resources floored = vector;
    for (int i = 0; i < vector.size(); i++) {
      if (vector.quantity(i).signum() < 0) {
        floored = floored.with(vector.name(i), Quantity.ZERO);
      }
    }
    return floored;
  }
}
