package io.lighthouse.scheduler;

import io.lighthouse.scheduler.model.DeviceLedger;
import io.lighthouse.scheduler.port.CapacityBook;
import io.lighthouse.scheduler.port.Catalogue;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.NodeDirectory;
import io.lighthouse.scheduler.port.PendingQueue;
import io.lighthouse.scheduler.port.PlacementFilter;
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
 * @param filter which nodes an execution may be placed on
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
    DeviceLedger devices,
    PlacementFilter filter) {
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
    Objects.requireNonNull(filter, "filter");
  }

  /**
   * The same with another directory of nodes.
   *
   * @param other the nodes
   * @return new ports
   */
  public SchedulingPorts withNodes(NodeDirectory other) {
    return new SchedulingPorts(
        other, book, queue, store, running, tasks, systemTasks, catalogue, events, devices, filter);
  }

  /**
   * The same with another book.
   *
   * @param other what the nodes have, lend and use
   * @return new ports
   */
  public SchedulingPorts withBook(CapacityBook other) {
    return new SchedulingPorts(
        nodes,
        other,
        queue,
        store,
        running,
        tasks,
        systemTasks,
        catalogue,
        events,
        devices,
        filter);
  }

  /**
   * The same with another queue.
   *
   * @param other the work that waits
   * @return new ports
   */
  public SchedulingPorts withQueue(PendingQueue other) {
    return new SchedulingPorts(
        nodes, book, other, store, running, tasks, systemTasks, catalogue, events, devices, filter);
  }

  /**
   * The same with another store.
   *
   * @param other where new work is committed
   * @return new ports
   */
  public SchedulingPorts withStore(ExecutionStore other) {
    return new SchedulingPorts(
        nodes, book, queue, other, running, tasks, systemTasks, catalogue, events, devices, filter);
  }

  /**
   * The same with other running executions.
   *
   * @param other the work that runs
   * @return new ports
   */
  public SchedulingPorts withRunning(RunningExecutions other) {
    return new SchedulingPorts(
        nodes, book, queue, store, other, tasks, systemTasks, catalogue, events, devices, filter);
  }

  /**
   * The same with another registry.
   *
   * @param other the tasks that were launched
   * @return new ports
   */
  public SchedulingPorts withTasks(TaskRegistry other) {
    return new SchedulingPorts(
        nodes, book, queue, store, running, other, systemTasks, catalogue, events, devices, filter);
  }

  /**
   * The same with other system tasks.
   *
   * @param other the tasks that come before all new work
   * @return new ports
   */
  public SchedulingPorts withSystemTasks(SystemTasks other) {
    return new SchedulingPorts(
        nodes, book, queue, store, running, tasks, other, catalogue, events, devices, filter);
  }

  /**
   * The same with another catalogue.
   *
   * @param other the job types and workspaces
   * @return new ports
   */
  public SchedulingPorts withCatalogue(Catalogue other) {
    return new SchedulingPorts(
        nodes, book, queue, store, running, tasks, systemTasks, other, events, devices, filter);
  }

  /**
   * The same with other events.
   *
   * @param other where warnings and totals go
   * @return new ports
   */
  public SchedulingPorts withEvents(SchedulingEvents other) {
    return new SchedulingPorts(
        nodes, book, queue, store, running, tasks, systemTasks, catalogue, other, devices, filter);
  }

  /**
   * The same with another ledger of devices.
   *
   * @param other the numbered devices of the nodes
   * @return new ports
   */
  public SchedulingPorts withDevices(DeviceLedger other) {
    return new SchedulingPorts(
        nodes, book, queue, store, running, tasks, systemTasks, catalogue, events, other, filter);
  }

  /**
   * The same with another filter.
   *
   * @param other which nodes an execution may be placed on
   * @return new ports
   */
  public SchedulingPorts withFilter(PlacementFilter other) {
    return new SchedulingPorts(
        nodes, book, queue, store, running, tasks, systemTasks, catalogue, events, devices, other);
  }
}
