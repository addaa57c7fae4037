package io.lighthouse.scheduler.memory;

import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.model.DeviceLedger;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.CapacityBook;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * All adapters in memory, tied together. Thread-safe, as each of them is.
 *
 * <pre>{@code
 * OfferBook book = new OfferBook();
 * InMemoryPorts memory = new InMemoryPorts(book, Maintenance.NONE, Step::main);
 * SchedulingManager manager = new SchedulingManager(memory.ports());
 * memory.nodes().add("host-1").online("agent-1");
 * memory.catalogue().put(JobType.of("resize", Resources.of("cpus", 1)));
 * memory.queue().add(PendingExecution.of("e1", "resize", 100, now, Resources.of("cpus", 1)));
 * book.offer(offersFromTheCluster);
 * manager.performScheduling(client, now);
 * memory.tasks().ended(taskId, TaskListener.End.FINISHED, later);
 * }</pre>
 */
public final class InMemoryPorts {
  private final InMemoryNodes nodes;
  private final InMemoryQueue queue = new InMemoryQueue();
  private final InMemorySystemTasks systemTasks = new InMemorySystemTasks();
  private final InMemoryCatalogue catalogue = new InMemoryCatalogue();
  private final InMemoryEvents events = new InMemoryEvents();
  private final InMemoryExecutions executions;
  private final InMemoryTasks tasks;
  private final SchedulingPorts ports;

  /** Tasks to be killed. */
  private final Deque<Task> toKill = new ArrayDeque<>();

  /**
   * Empty adapters.
   *
   * @param book the book of capacities
   * @param maintenance what nodes do for themselves
   * @param steps what an execution runs, such as {@code Step::main}
   */
  public InMemoryPorts(
      CapacityBook book, Maintenance maintenance, Function<PendingExecution, List<Step>> steps) {
    nodes = new InMemoryNodes(maintenance);
    executions =
        new InMemoryExecutions(queue, steps, this::kill, over -> nodes.executionEnded(over.node()));
    tasks = new InMemoryTasks(List.of(executions, nodes, systemTasks));
    ports =
        new SchedulingPorts(
            nodes,
            book,
            queue,
            executions,
            executions,
            tasks,
            systemTasks,
            catalogue,
            events,
            new DeviceLedger());
  }

  /**
   * What a manager works on.
   *
   * @return the ports, always the same
   */
  public SchedulingPorts ports() {
    return ports;
  }

  /**
   * The nodes.
   *
   * @return the adapter
   */
  public InMemoryNodes nodes() {
    return nodes;
  }

  /**
   * The work that waits.
   *
   * @return the adapter
   */
  public InMemoryQueue queue() {
    return queue;
  }

  /**
   * The work that runs, and the store.
   *
   * @return the adapter
   */
  public InMemoryExecutions executions() {
    return executions;
  }

  /**
   * The launched tasks.
   *
   * @return the adapter
   */
  public InMemoryTasks tasks() {
    return tasks;
  }

  /**
   * The tasks that come before all new work.
   *
   * @return the adapter
   */
  public InMemorySystemTasks systemTasks() {
    return systemTasks;
  }

  /**
   * The job types and workspaces.
   *
   * @return the adapter
   */
  public InMemoryCatalogue catalogue() {
    return catalogue;
  }

  /**
   * Warnings and totals.
   *
   * @return the adapter
   */
  public InMemoryEvents events() {
    return events;
  }

  /**
   * The next task that is to be killed, each once: its execution failed or was cancelled.
   *
   * @return the task; nothing if there is none
   */
  public Optional<Task> nextToKill() {
    synchronized (toKill) {
      return Optional.ofNullable(toKill.poll());
    }
  }

  private void kill(Task task) {
    synchronized (toKill) {
      toKill.add(task);
    }
  }
}
