package io.lighthouse.scheduler.manager;

import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.model.RunningExecution;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which node has refused to launch which execution: how often in a row, and which are avoided until
 * when. What is avoided no longer is forgotten; so is a count once the node has launched something
 * of the execution. What is known of an execution is forgotten once the execution is over.
 */
final class Avoidance {
  private final SchedulingPolicy.Refusals policy;

  /** How often in a row the node of a running execution has refused it; by the execution's id. */
  private final Map<String, Integer> refusals = new HashMap<>();

  /** Until when nodes are avoided, by name; by the execution's id. */
  private final Map<String, Map<String, Instant>> avoided = new HashMap<>();

  /** Those of {@link #avoided} that have been given another node, by the execution's id. */
  private final Set<String> placed = new HashSet<>();

  Avoidance(SchedulingPolicy.Refusals policy) {
    this.policy = policy;
  }

  /** A pass begins. */
  void begin(Pass pass) {
    avoided.values().forEach(nodes -> nodes.values().removeIf(until -> !until.isAfter(pass.when)));
    avoided.values().removeIf(Map::isEmpty);
    if (!refusals.isEmpty() || !avoided.isEmpty()) {
      Set<String> ids = new HashSet<>();
      for (RunningExecution execution : pass.running) {
        // One that is in the queue again may still be named here if a port has failed.
        if (execution.status() != RunningExecution.Status.REQUEUED) {
          ids.add(execution.id());
        }
      }
      refusals.keySet().retainAll(ids);
      avoided.keySet().removeIf(id -> placed.contains(id) && !ids.contains(id));
      placed.addAll(ids);
    }
    placed.retainAll(avoided.keySet());
  }

  /** The new work of a pass is committed: what was given a node, and what was cancelled. */
  void committed(Pass pass) {
    pass.log.queue.cancelled.forEach(avoided::remove);
    pass.committed.forEach(execution -> placed.add(execution.id()));
    placed.retainAll(avoided.keySet());
  }

  /** Notes a refusal; says whether it is one too many. */
  boolean refused(String execution) {
    return refusals.merge(execution, 1, Integer::sum) >= policy.most();
  }

  /** Notes that something of an execution was launched. */
  void launched(String execution) {
    refusals.remove(execution);
  }

  /** An execution has gone back to the queue, and avoids its node from now on. */
  SchedulingReport.Requeued avoid(String execution, String node, Instant when) {
    boolean forever = Duration.between(when, Instant.MAX).compareTo(policy.avoidance()) < 0;
    Instant until = forever ? Instant.MAX : when.plus(policy.avoidance());
    avoided.computeIfAbsent(execution, id -> new HashMap<>()).put(node, until);
    placed.remove(execution);
    Integer count = refusals.remove(execution);
    return new SchedulingReport.Requeued(execution, node, count == null ? 0 : count, until);
  }

  /** Whether an execution avoids any node. */
  boolean concerns(String execution) {
    return avoided.containsKey(execution);
  }

  boolean avoids(String execution, String node) {
    Map<String, Instant> nodes = avoided.get(execution);
    return nodes != null && nodes.containsKey(node);
  }
}
