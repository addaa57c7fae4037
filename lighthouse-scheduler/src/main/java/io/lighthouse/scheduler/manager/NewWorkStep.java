package io.lighthouse.scheduler.manager;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.scheduler.NotPlaced.Why;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Warning;
import io.lighthouse.scheduler.port.PortException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The step of a pass that commits what a {@link QueueWalk} has decided. Between passes it remembers
 * the committed executions that the running ones do not know yet, and of which job types a warning
 * was raised.
 *
 * <p>Before the store has committed, whatever fails undoes all new work of the pass; after it,
 * nothing does.
 */
final class NewWorkStep {
  private static final String STORE = "ExecutionStore";

  private final SchedulingPorts ports;

  /** Committed executions that the running ones do not know yet. */
  private List<RunningExecution> unregistered = List.of();

  /** The kind of the last warning about a job type, as long as it is not over; by type. */
  private final Map<String, Warning.Kind> warned = new TreeMap<>(Names.order());

  NewWorkStep(SchedulingPorts ports) {
    this.ports = ports;
  }

  /** Makes up for what failed in the last pass. */
  void begin() {
    register(unregistered);
  }

  /**
   * All or nothing.
   *
   * @throws LighthouseException if the store threw: then nothing was committed
   */
  void commit(QueueWalk walk) {
    if (walk.placed.isEmpty() && walk.cancelled.isEmpty()) {
      return;
    }
    Pass pass = walk.pass;
    List<RunningExecution> answer =
        Guard.call(
            STORE,
            "commit",
            () ->
                ports
                    .store()
                    .commit(List.copyOf(walk.placed), List.copyOf(walk.cancelled), pass.when));
    // It has committed: from here on nothing may throw.
    List<RunningExecution> committed = new ArrayList<>();
    if (!pass.log.tries(() -> committed.addAll(Guard.list(STORE, "commit", () -> answer)))) {
      pass.fulfilled.forEach(node -> node.resetNewJobExes(mayBeCommitted -> true));
      walk.placed.forEach(placement -> notPlaced(placement, Why.UNCONFIRMED, pass));
      return;
    }
    pass.committed.addAll(committed);
    note(walk, committed);
    if (pass.log.tries(() -> register(List.copyOf(committed)))) {
      Map<String, List<RunningExecution>> byNode =
          committed.stream().collect(Collectors.groupingBy(RunningExecution::node));
      for (SchedulingNode node : pass.fulfilled) {
        node.addScheduledJobExes(byNode.getOrDefault(node.name(), List.of()));
      }
    } else {
      // They are committed, and stay so; they are registered before the next pass, which starts
      // them.
      Set<String> ids = idsOf(committed);
      pass.fulfilled.forEach(node -> node.resetNewJobExes(ids::contains));
    }
  }

  private static void note(QueueWalk walk, List<RunningExecution> committed) {
    Pass pass = walk.pass;
    walk.cancelled.forEach(entry -> pass.log.queue.cancelled.add(entry.id()));
    Set<String> ids = idsOf(committed);
    for (Placement placement : walk.placed) {
      if (ids.remove(placement.execution().id())) {
        pass.log.queue.placements.add(placement);
      } else {
        notPlaced(placement, Why.GONE, pass);
      }
    }
    if (!ids.isEmpty()) {
      String fault = "answered executions that were not placed: " + ids;
      pass.log.failures.add(new PortException(STORE, "commit", fault, null));
    }
  }

  private static Set<String> idsOf(List<RunningExecution> executions) {
    Set<String> ids = new TreeSet<>(Names.order());
    executions.forEach(execution -> ids.add(execution.id()));
    return ids;
  }

  /** As if nothing new had been looked at: on every node that accepted something. */
  static void rollBack(QueueWalk walk) {
    Pass pass = walk.pass;
    pass.fulfilled.forEach(SchedulingNode::resetNewJobExes);
    walk.placed.forEach(placement -> notPlaced(placement, Why.ROLLED_BACK, pass));
    walk.placed.clear();
    pass.log.queue.reservations.clear();
  }

  private void register(List<RunningExecution> committed) {
    if (!committed.isEmpty()) {
      unregistered = committed;
      Guard.tell("RunningExecutions", "add", () -> ports.running().add(committed));
      unregistered = List.of();
    }
  }

  private static void notPlaced(Placement placement, Why why, Pass pass) {
    pass.log.notPlaced(placement.execution(), why, List.of(), Map.of());
  }

  void warn(QueueWalk walk) {
    Pass pass = walk.pass;
    for (Warning warning : walk.unmet().values()) {
      raise(warning, pass);
      warned.put(warning.subject(), warning.kind());
    }
    warned
        .entrySet()
        .removeIf(
            last ->
                walk.isOver(last.getKey(), last.getValue())
                    && pass.log.triesToTell(
                        "SchedulingEvents", "clear", () -> ports.events().clear(last.getKey())));
  }

  void raise(Warning warning, Pass pass) {
    pass.log.triesToTell(
        "SchedulingEvents", "raise", () -> ports.events().raise(warning, pass.when));
  }
}
