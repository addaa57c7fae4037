package io.lighthouse.scheduler;

import io.lighthouse.scheduler.model.DeviceLedger;
import io.lighthouse.scheduler.port.CapacityBook;
import io.lighthouse.scheduler.port.Catalogue;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.NodeDirectory;
import io.lighthouse.scheduler.port.PendingQueue;
import io.lighthouse.scheduler.port.RunningExecutions;
import io.lighthouse.scheduler.port.SchedulingEvents;
import io.lighthouse.scheduler.port.SystemTasks;
import io.lighthouse.scheduler.port.TaskRegistry;
import java.util.Objects;

/**
 * Everything that a scheduling manager works on. Immutable.
 *
 * @param nodes the nodes
 * @param book what they have, lend and use
 * @param queue the work that waits
 * @param store where new work is committed
 * @param running the work that runs
 * @param tasks the tasks that were launched
 * @param systemTasks the tasks that come before all new work
 * @param catalogue the job types and workspaces
 * @param events where warnings and totals go
 * @param devices the numbered devices of the nodes
 */
public record SchedulingPorts(
    NodeDirectory nodes,
    CapacityBook book,
    PendingQueue queue,
    ExecutionStore store,
    RunningExecutions running,
    TaskRegistry tasks,
    SystemTasks systemTasks,
    Catalogue catalogue,
    SchedulingEvents events,
    DeviceLedger devices) {
  /** Checks that none is missing. */
  public SchedulingPorts {
    Objects.requireNonNull(nodes, "nodes");
    Objects.requireNonNull(book, "book");
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(running, "running");
    Objects.requireNonNull(tasks, "tasks");
    Objects.requireNonNull(systemTasks, "systemTasks");
    Objects.requireNonNull(catalogue, "catalogue");
    Objects.requireNonNull(events, "events");
    Objects.requireNonNull(devices, "devices");
  }
}
