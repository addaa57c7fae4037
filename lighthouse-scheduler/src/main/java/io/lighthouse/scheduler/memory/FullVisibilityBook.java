package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The book of an engine without offers, which can say of each agent what work may use of it. What
 * is offered is that less what is in use by our tasks and by others, the watermark is all but what
 * others use, and allocating makes up one offer. There is never anything to decline.
 *
 * <p>Where an agent has shrunk below its use, what it offers is 0, not negative. Thread-safe: one
 * lock.
 */
public final class FullVisibilityBook implements LocalBook {
  private final Map<String, Resources> allocatable = new TreeMap<>(Names.order());

  /** What others use of an agent; by agent. */
  private final Map<String, Resources> foreign = new TreeMap<>(Names.order());

  private final Map<String, Resources> offered = new TreeMap<>(Names.order());
  private long offersMade;

  /** The session of the pass that is under way; its offers name it. */
  private String session = "";

  /** An empty book. */
  public FullVisibilityBook() {}

  /**
   * Sets what work may use of an agent.
   *
   * @param agent the agent
   * @param resources quantities from 0 to 1e900; rounded down to nine digits after the point
   * @throws InvalidInputException if a name is ill-formed or a quantity is negative or above 1e900
   */
  public synchronized void allocatable(String agent, Resources resources) {
    Names.require(agent, "full visibility book", "agent");
    allocatable.put(agent, ResourceVectors.offered(resources, "agent '" + agent + "'"));
  }

  /**
   * Sets what others use of an agent, such as work that was not started through the scheduling
   * manager. It is never offered, and the watermark does not contain it.
   *
   * @param agent the agent
   * @param used quantities from 0 to 1e900
   * @throws InvalidInputException if a name is ill-formed or a quantity is negative or above 1e900
   */
  public synchronized void foreignUse(String agent, Resources used) {
    Names.require(agent, "full visibility book", "agent");
    foreign.put(agent, ResourceVectors.request(used, "foreign use of agent '" + agent + "'"));
  }

  @Override
  public synchronized void agentLost(String agent) {
    allocatable.remove(agent);
    foreign.remove(agent);
    offered.remove(agent);
  }

  @Override
  public synchronized Map<String, NodeCapacity> refresh(
      String passSession, Collection<Task> current, Instant when) {
    session = passSession;
    Map<String, Resources> inUse = InUse.byAgent(current);
    Map<String, NodeCapacity> capacities = new LinkedHashMap<>();
    offered.clear();
    allocatable.forEach(
        (agent, all) -> {
          Resources used = inUse.getOrDefault(agent, Resources.none());
          Resources ours = ours(agent, all);
          Resources free = notNegative(ResourceVectors.minus(ours, used));
          offered.put(agent, free);
          capacities.put(agent, new NodeCapacity(free, used, ours, all));
        });
    return capacities;
  }

  @Override
  public synchronized Map<String, List<ResourceOffer>> allocate(
      Map<String, Resources> wanted, Instant when) {
    Map<String, List<ResourceOffer>> allocated = new LinkedHashMap<>();
    offered.forEach(
        (agent, free) -> {
          if (wanted.containsKey(agent) && ResourceVectors.covers(free, wanted.get(agent))) {
            String id = agent + "#" + offersMade++;
            allocated.put(agent, List.of(new ResourceOffer(id, agent, session, free, when)));
          }
        });
    offered.clear();
    return allocated;
  }

  @Override
  public List<ResourceOffer> takeUnallocated() {
    return List.of();
  }

  @Override
  public boolean makesOffers() {
    return false;
  }

  @Override
  public synchronized Resources largestPerResource() {
    Resources largest = Resources.none();
    for (Map.Entry<String, Resources> each : allocatable.entrySet()) {
      largest = ResourceVectors.max(largest, ours(each.getKey(), each.getValue()));
    }
    return largest;
  }

  /** What of an agent is not used by others. */
  private Resources ours(String agent, Resources all) {
    Resources others = foreign.get(agent);
    return others == null ? all : notNegative(ResourceVectors.minus(all, others));
  }

  @Override
  public synchronized Resources clusterTotal() {
    return ResourceVectors.sum(allocatable.values());
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
