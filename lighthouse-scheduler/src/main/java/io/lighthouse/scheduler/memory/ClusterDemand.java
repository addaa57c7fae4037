package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.model.JobType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much work there is, and what it needs, beside what the cluster has. Needs are computed from
 * the usual requests of the job types, not from those of the entries; quantities of 0 are left out.
 * Work of a type that the catalogue does not know is counted and needs nothing. Immutable.
 *
 * @param cluster the size of the cluster as last reported; empty if it never was
 * @param counts the number of executions, by status
 * @param needs what they usually need, by status
 */
public record ClusterDemand(
    Resources cluster, Map<Status, Integer> counts, Map<Status, Resources> needs) {
  /** Where work stands. */
  public enum Status {
    /** Known, and not yet in the queue. */
    PENDING,
    /** In the queue. */
    QUEUED,
    /** Given a node. */
    RUNNING
  }

  /**
   * The demand on a scheduler in memory.
   *
   * @param memory its adapters
   * @param pending how many executions of each job type are known and not yet in the queue
   * @return the demand now
   */
  public static ClusterDemand of(InMemoryPorts memory, Map<String, Integer> pending) {
    Map<String, Resources> usual = new HashMap<>();
    for (JobType type : memory.catalogue().jobTypes()) {
      usual.put(type.name(), type.request());
    }
    Map<Status, Map<String, Integer>> byType = new EnumMap<>(Status.class);
    byType.put(Status.PENDING, pending);
    byType.put(Status.QUEUED, memory.queue().countByType());
    byType.put(Status.RUNNING, memory.executions().countByType());
    Map<Status, Integer> counts = new EnumMap<>(Status.class);
    Map<Status, Resources> needs = new EnumMap<>(Status.class);
    byType.forEach(
        (status, types) -> {
          counts.put(status, types.values().stream().mapToInt(Integer::intValue).sum());
          needs.put(status, need(types, usual));
        });
    return new ClusterDemand(
        memory.events().clusterTotal().orElse(Resources.none()),
        Collections.unmodifiableMap(counts),
        Collections.unmodifiableMap(needs));
  }

  private static Resources need(Map<String, Integer> types, Map<String, Resources> usual) {
    Map<String, Quantity> sum = new TreeMap<>(Names.order());
    types.forEach(
        (type, count) -> {
          Resources one = usual.getOrDefault(type, Resources.none());
          for (int i = 0; i < one.size(); i++) {
            Quantity all =
                Quantity.of(
                    one.quantity(i).toBigDecimal().multiply(Quantity.of(count).toBigDecimal()));
            sum.merge(one.name(i), all, Quantity::plus);
          }
        });
    sum.values().removeIf(quantity -> quantity.signum() == 0);
    return Resources.of(sum);
  }
}
