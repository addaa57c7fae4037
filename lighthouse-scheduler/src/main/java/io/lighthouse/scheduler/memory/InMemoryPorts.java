package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.model.DeviceLedger;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.CapacityBook;
import io.lighthouse.scheduler.port.PlacementFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * All adapters in memory, tied together, with one call for each event. Thread-safe, as each of them
 * is.
 *
 * <pre>{@code
 * OfferBook book = new OfferBook();
 * InMemoryPorts memory = new InMemoryPorts(book, Maintenance.NONE, Step::main);
 * SchedulingManager manager = new SchedulingManager(memory.ports());
 * memory.agentConnected("host-1", "agent-1", now);
 * memory.catalogue().put(JobType.of("resize", Resources.of("cpus", 1)));
 * memory.queue().add(PendingExecution.of("e1", "resize", 100, now, Resources.of("cpus", 1)));
 * book.offer(offersFromTheCluster);
 * SchedulingReport report = manager.runPass(client, now);
 * memory.taskEnded(taskId, TaskListener.End.FINISHED, later);
 * memory.agentLost("agent-1", later);
 * }</pre>
 */
public final class InMemoryPorts {
  private final InMemoryNodes nodes;
  private final InMemoryQueue queue;
  private final CapacityBook book;
  private final InMemorySystemTasks systemTasks;
  private final InMemoryCatalogue catalogue = new InMemoryCatalogue();
  private final InMemoryEvents events = new InMemoryEvents();
  private final InMemoryExecutions executions;
  private final InMemoryTasks tasks;
  private final SchedulingPorts ports;

  /** The node tasks and system jobs that had run for too long at the last check of limits. */
  private volatile List<Task> overdue = List.of();

  /**
   * Empty adapters, with a queue of at most a million entries, for a process that never restarts.
   *
   * @param book the book of capacities
   * @param maintenance what nodes do for themselves
   * @param steps what an execution runs, such as {@code Step::main}
   */
  public InMemoryPorts(
      CapacityBook book, Maintenance maintenance, Function<PendingExecution, List<Step>> steps) {
    this(book, maintenance, steps, new InMemoryQueue());
  }

  /**
   * Empty adapters, for a process that never restarts.
   *
   * @param book the book of capacities
   * @param maintenance what nodes do for themselves
   * @param steps what an execution runs, such as {@code Step::main}
   * @param queue the queue
   */
  public InMemoryPorts(
      CapacityBook book,
      Maintenance maintenance,
      Function<PendingExecution, List<Step>> steps,
      InMemoryQueue queue) {
    this(book, maintenance, steps, queue, "");
  }

  /**
   * Empty adapters.
   *
   * @param book the book of capacities
   * @param maintenance what nodes do for themselves
   * @param steps what an execution runs, such as {@code Step::main}
   * @param queue the queue
   * @param incarnation a part of the ids of node and system tasks, such as the number of this start
   *     counted in the store. No earlier start had the same; without {@code '/'}. Empty if the
   *     process never restarts
   * @throws io.lighthouse.api.error.InvalidInputException if it is ill-formed
   */
  public InMemoryPorts(
      CapacityBook book,
      Maintenance maintenance,
      Function<PendingExecution, List<Step>> steps,
      InMemoryQueue queue,
      String incarnation) {
    this.book = book;
    this.queue = queue;
    systemTasks = new InMemorySystemTasks(incarnation);
    nodes = new InMemoryNodes(maintenance, incarnation);
    executions = new InMemoryExecutions(queue, steps, over -> nodes.executionEnded(over.node()));
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
            new DeviceLedger(),
            PlacementFilter.ALL);
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
   * A node connects, or connects anew. If it was connected under another agent, that one is lost.
   * Under the same agent, its tasks may still run: report those that do not as lost.
   *
   * @param node the name of the node; it is added if it is not known
   * @param agent the agent under which it connects
   * @param when the time
   * @return the node
   * @throws io.lighthouse.api.error.InvalidInputException if a name is empty or ill-formed, or
   *     another node is, or was last, connected under this agent; then nothing changes
   */
  public synchronized InMemoryNode agentConnected(String node, String agent, Instant when) {
    nodes.requireFree(agent, node);
    InMemoryNode known = nodes.get(node).orElseGet(() -> nodes.add(node));
    String before = known.agent();
    if (!before.isEmpty() && !before.equals(agent)) {
      agentLost(before, when);
    }
    known.online(agent);
    return known;
  }

  /**
   * An agent does not answer for the moment: its node takes nothing, what runs there may still run.
   * If it does not come back before the grace of the policy is over, its executions are lost.
   *
   * @param agent the agent
   */
  public void agentAway(String agent) {
    nodes.byAgent(agent).ifPresent(InMemoryNode::offline);
  }

  /**
   * An agent is gone for good: its offers, its tasks, and, in the next pass or once the grace of
   * the policy is over, its executions.
   *
   * @param agent the agent
   * @param when the time
   * @return how many tasks were lost
   */
  public int agentLost(String agent, Instant when) {
    if (book instanceof LocalBook local) {
      local.agentLost(agent);
    }
    nodes
        .byAgent(agent)
        .filter(node -> node.agent().equals(agent))
        .ifPresent(InMemoryNode::offline);
    return tasks.agentLost(agent, when);
  }

  /**
   * A task was seen to run.
   *
   * @param id its id
   * @param when the time
   * @return false if it is not known
   */
  public boolean taskRunning(String id, Instant when) {
    return tasks.running(id, when);
  }

  /**
   * A task has ended.
   *
   * @param id its id
   * @param end how
   * @param when the time
   * @return false if it is not known, or was lost: then nothing happens, except that it is no
   *     longer to be killed
   */
  public boolean taskEnded(String id, TaskListener.End end, Instant when) {
    return tasks.ended(id, end, when);
  }

  /**
   * Cancels an execution.
   *
   * @param execution its id
   * @param when the time
   * @return false if it is not known, or over
   */
  public boolean cancel(String execution, Instant when) {
    return executions.cancel(execution, when);
  }

  /**
   * After a restart of the process: takes in executions as they were recorded, made by {@link
   * io.lighthouse.scheduler.model.RunningExecution#resume}, and the tasks that run. {@link
   * DeviceLedger#restore} restores their devices. To be called before the first pass.
   *
   * @param resumed the executions
   * @param when the time, from which on the limits of the tasks count
   */
  public void restore(Collection<RunningExecution> resumed, Instant when) {
    restore(resumed, List.of(), when);
  }

  /**
   * After a restart of the process: as {@link #restore(Collection, Instant)}, with the node and
   * system tasks that were launched and have not ended. None of them is proposed again. All tasks
   * count as running from now on: those that the engine does not know are to be reported by {@link
   * #taskEnded} as {@link TaskListener.End#LOST}. What nodes have done for themselves is restored
   * by {@link InMemoryNode#restore}, before they connect.
   *
   * @param resumed the executions
   * @param others the node and system tasks, as they were launched
   * @param when the time, from which on the limits of the tasks count
   * @throws io.lighthouse.api.error.InvalidInputException if one of the others is a job task, or
   *     could have been made by these ports because their incarnation is the same; then nothing
   *     changes from that task on
   */
  public void restore(Collection<RunningExecution> resumed, Collection<Task> others, Instant when) {
    for (Task task : others) {
      if (task.family() == Task.Family.SYSTEM) {
        systemTasks.restore(task);
      } else {
        nodes.restore(task);
      }
      runs(task, when);
    }
    executions.restore(resumed);
    resumed.forEach(execution -> execution.currentTask().ifPresent(task -> runs(task, when)));
  }

  private void runs(Task task, Instant when) {
    tasks.launched(List.of(task), when);
    tasks.running(task.id(), when);
  }

  /**
   * Time has gone by. Tasks that never started are lost, and their steps run again; since the
   * engine may still start them, they are to be killed ({@link #toKill}). So are those that have
   * run for too long, and their executions fail ({@code task-timeout}). Tasks of services have no
   * such limit. To be called before each pass.
   *
   * @param when the time
   */
  public void checkLimits(Instant when) {
    tasks.loseNeverStarted(when);
    List<String> jobs = systemTasks.openJobs();
    List<Task> others = new ArrayList<>();
    for (Task task : tasks.overdue(when)) {
      if (task.family() == Task.Family.JOB) {
        executions.failAt(task, "task-timeout", when);
      } else if (task.family() == Task.Family.NODE || jobs.contains(task.name())) {
        others.add(task);
      }
    }
    overdue = others;
  }

  /**
   * What is to be killed now. The current tasks of executions that failed or were cancelled. The
   * node tasks and system jobs that have run for too long. The tasks that were lost because they
   * never started; these are named for an hour at most ({@link InMemoryTasks#KILL_LIMIT}), and not
   * after their agent is lost. Each call names a task again until the task is reported to have
   * ended.
   *
   * @return the tasks, in the order of their ids
   */
  public List<Task> toKill() {
    List<Task> all = executions.toKill();
    overdue.stream().filter(task -> tasks.get(task.id()).isPresent()).forEach(all::add);
    all.addAll(tasks.late());
    all.sort(Comparator.comparing(Task::id, Names.order()));
    return all;
  }
}
