package io.lighthouse.scheduler;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.DeviceLedger;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The ledger of one node for one pass: what it has accepted, what that takes, what is left. Made
 * anew in each pass and thrown away after it.
 *
 * <p>Three kinds of accepting share one step: if what is left of the offered resources covers a
 * request, it is moved from <em>remaining</em> to <em>allocated</em>; else nothing changes. So
 * {@code allocated + remaining = offered}, exactly, at every moment.
 *
 * <p>Scores count the job types of the catalogue that would still fit on what is left: the lower,
 * the fuller the node would be, the better. What is left is computed from the watermark, which is
 * what the node is believed to have, not from what happens to be offered now.
 *
 * <p>The methods are those of Scale's documented class of this name. Not thread-safe.
 */
public final class SchedulingNode {
  private final String agent;
  private final ClusterNode node;
  private final boolean readyForNewJob;
  private final boolean readyForNextJobTask;
  private final boolean readyForSystemTask;
  private final NodeCapacity capacity;
  private final DeviceLedger devices;
  private final Availability availability;

  private Resources allocated = Resources.none();
  private Resources remaining;

  /** Accepted node and system tasks; later also the job tasks that were started. */
  private final List<Task> tasks = new ArrayList<>();

  /** Accepted from the queue, not yet committed. */
  private final List<Placement> newExecutions = new ArrayList<>();

  /** Accepted, with the next task not yet started. */
  private final List<RunningExecution> runningExecutions = new ArrayList<>();

  private List<ResourceOffer> offers = List.of();

  /**
   * A ledger in which nothing is accepted, on a node without numbered devices.
   *
   * @param agent the agent of the node, read once for the pass
   * @param node the node
   * @param tasks the launched tasks of that agent that have not ended
   * @param running the executions of the node
   * @param capacity what the agent has
   */
  public SchedulingNode(
      String agent,
      ClusterNode node,
      List<Task> tasks,
      List<RunningExecution> running,
      NodeCapacity capacity) {
    this(agent, node, tasks, running, capacity, new DeviceLedger());
  }

  /**
   * A ledger in which nothing is accepted. The ledger of devices learns how many the node has.
   *
   * @param agent the agent of the node, read once for the pass
   * @param node the node
   * @param tasks the launched tasks of that agent that have not ended
   * @param running the executions of the node
   * @param capacity what the agent has
   * @param devices where devices are reserved
   */
  public SchedulingNode(
      String agent,
      ClusterNode node,
      List<Task> tasks,
      List<RunningExecution> running,
      NodeCapacity capacity,
      DeviceLedger devices) {
    this.agent = agent;
    this.node = node;
    this.readyForNewJob = node.isReadyForNewJob();
    this.readyForNextJobTask = node.isReadyForNextJobTask();
    this.readyForSystemTask = node.isReadyForSystemTask();
    this.capacity = capacity;
    this.devices = devices;
    this.remaining = capacity.offered();
    this.availability = new Availability(capacity.watermark(), tasks, running);
    devices.learn(node.name(), capacity);
  }

  /**
   * Asks the node to accept the next task of an execution that it has. Whether a task of it runs
   * already is the caller's to check. Nothing is started here.
   *
   * @param execution an execution that was scheduled on this node before
   * @param waiting where the next task is appended if it finds no room
   * @return true if <em>something now waits</em>: not ready, no next task and accepted are all
   *     false
   */
  public boolean acceptJobExeNextTask(RunningExecution execution, List<? super Task> waiting) {
    Task next = readyForNextJobTask ? execution.nextTask().orElse(null) : null;
    if (next == null) {
      return false;
    }
    if (take(next.resources())) {
      runningExecutions.add(execution);
      return false;
    }
    waiting.add(next);
    return true;
  }

  /**
   * Asks the node to accept an execution from the queue. What became of it stands in {@link
   * #newExecutions}.
   *
   * @param execution the execution
   * @return true if it was accepted; false if the node is not ready, has too little left, or too
   *     few free devices, and then nothing has changed
   */
  public boolean acceptNewJobExe(PendingExecution execution) {
    if (!readyForNewJob
        || !fits(execution.request())
        || !devices.reserve(node.name(), execution.id(), execution.request())) {
      return false;
    }
    take(execution.request());
    newExecutions.add(new Placement(execution, node.name(), agent));
    availability.add(execution);
    return true;
  }

  /**
   * Asks the node to accept the maintenance that is due on it. There is no check of readiness: the
   * node decides what to propose. A later, smaller task may get in while an earlier one waits.
   *
   * @param when the time
   * @param waiting where the tasks that find no room are appended, in order
   * @return true if <em>something now waits</em>
   */
  public boolean acceptNodeTasks(Instant when, List<? super Task> waiting) {
    boolean waits = false;
    for (Task task : node.nodeTasks(when)) {
      if (take(task.resources())) {
        tasks.add(task);
      } else {
        waiting.add(task);
        waits = true;
      }
    }
    return waits;
  }

  /**
   * Asks the node to accept a system task.
   *
   * @param task the task; it is kept as a copy that names this agent
   * @return true if it was accepted; else nothing has changed
   */
  public boolean acceptSystemTask(Task task) {
    if (!readyForSystemTask || !take(task.resources())) {
      return false;
    }
    tasks.add(task.on(agent));
    return true;
  }

  /**
   * Hands over the offers that were allocated to this node, in place of earlier ones. If they do
   * not cover what is allocated, all next tasks of executions are dropped; if they still do not,
   * all tasks are. The offers stay in every case, and are accepted with fewer tasks or none. Called
   * when new executions have been committed or reset.
   *
   * @param allocatedOffers the offers
   * @return what was dropped
   */
  public List<Task> addAllocatedOffers(List<ResourceOffer> allocatedOffers) {
    offers = List.copyOf(allocatedOffers);
    Resources lent = ResourceVectors.sum(offers.stream().map(ResourceOffer::resources).toList());
    List<Task> dropped = new ArrayList<>();
    if (ResourceVectors.covers(lent, allocated)) {
      return dropped;
    }
    runningExecutions.forEach(execution -> execution.nextTask().ifPresent(dropped::add));
    runningExecutions.clear();
    // An execution may have taken more than its next task needs, and may have no next task by now.
    allocate(ResourceVectors.sum(tasks.stream().map(Task::resources).toList()));
    if (!ResourceVectors.covers(lent, allocated)) {
      dropped.addAll(tasks);
      tasks.clear();
      allocate(Resources.none());
    }
    return dropped;
  }

  /**
   * Hands over those of the new executions that were committed and are now running: their first
   * tasks take the place that they had. Those of the new executions that were not committed give
   * their resources and devices back.
   *
   * @param executions the committed executions of this node; what the node did not accept in this
   *     pass is ignored
   */
  public void addScheduledJobExes(List<RunningExecution> executions) {
    Map<String, RunningExecution> committed = new HashMap<>();
    executions.forEach(execution -> committed.put(execution.id(), execution));
    for (Placement placement : newExecutions) {
      RunningExecution execution = committed.get(placement.execution().id());
      if (execution != null) {
        runningExecutions.add(execution);
      }
    }
    newExecutions.removeIf(placement -> committed.containsKey(placement.execution().id()));
    resetNewJobExes();
  }

  /** Forgets the new executions, and takes their resources and devices back. */
  public void resetNewJobExes() {
    resetNewJobExes(execution -> false);
  }

  /**
   * Forgets the new executions, and takes their resources back. Those that were committed, or may
   * have been, keep their devices: they start in a later pass. If they do not run when the next
   * pass begins, the ledger of devices takes the devices back.
   *
   * @param keepsDevices whether the execution of an id keeps its devices
   */
  public void resetNewJobExes(Predicate<String> keepsDevices) {
    for (Placement placement : newExecutions) {
      PendingExecution execution = placement.execution();
      allocate(ResourceVectors.minus(allocated, execution.request()));
      availability.remove(execution);
      if (!keepsDevices.test(execution.id())) {
        devices.release(node.name(), execution.id());
      }
    }
    newExecutions.clear();
  }

  /**
   * Starts the next task of every execution that was accepted. An execution that was cancelled
   * meanwhile yields none; what was allocated for it stays allocated.
   *
   * @return the executions whose tasks were started, in the order of these tasks
   */
  public List<RunningExecution> startJobExeTasks() {
    List<RunningExecution> started = new ArrayList<>();
    for (RunningExecution execution : runningExecutions) {
      execution
          .startNextTask()
          .ifPresent(
              task -> {
                tasks.add(task);
                started.add(execution);
              });
    }
    runningExecutions.clear();
    return started;
  }

  /**
   * How well the node fits an execution from the queue; as {@link #scoreForScheduling}.
   *
   * @param execution the execution
   * @param types what each job type usually needs; one that stands twice counts twice
   * @return 0 or more, the lower the better; nothing if what is left does not cover it
   */
  public OptionalInt scoreJobExeForScheduling(PendingExecution execution, List<Resources> types) {
    return scoreForScheduling(execution.request(), types);
  }

  /**
   * How well the node fits a system task; as {@link #scoreForScheduling}.
   *
   * @param task the task
   * @param types what each job type usually needs; one that stands twice counts twice
   * @return 0 or more, the lower the better; nothing if what is left does not cover it
   */
  public OptionalInt scoreSystemTaskForScheduling(Task task, List<Resources> types) {
    return scoreForScheduling(task.resources(), types);
  }

  /**
   * How well the node fits to be kept free for an execution: how many job types would fit beside it
   * once everything less important has ended. Equally important work is not expected to give way.
   *
   * @param execution the execution
   * @param types what each job type usually needs; one that stands twice counts twice
   * @return 0 or more, the lower the better; nothing if it would not fit even then
   */
  public OptionalInt scoreJobExeForReservation(PendingExecution execution, List<Resources> types) {
    Resources available = availableFor(execution.priority());
    return ResourceVectors.covers(available, execution.request())
        ? OptionalInt.of(
            ResourceVectors.covered(ResourceVectors.minus(available, execution.request()), types))
        : OptionalInt.empty();
  }

  /**
   * The agent.
   *
   * @return the session of the node in this pass
   */
  public String agent() {
    return agent;
  }

  /**
   * The name of the node.
   *
   * @return its name
   */
  public String name() {
    return node.name();
  }

  /**
   * Whether it may take executions from the queue in this pass.
   *
   * @return true if it may
   */
  public boolean isReadyForNewJob() {
    return readyForNewJob;
  }

  /**
   * Whether it may take next tasks in this pass.
   *
   * @return true if it may
   */
  public boolean isReadyForNextJobTask() {
    return readyForNextJobTask;
  }

  /**
   * Whether it may take system tasks in this pass.
   *
   * @return true if it may
   */
  public boolean isReadyForSystemTask() {
    return readyForSystemTask;
  }

  /**
   * What the node had at the start of the pass.
   *
   * @return its capacity
   */
  public NodeCapacity capacity() {
    return capacity;
  }

  /**
   * What everything accepted takes.
   *
   * @return the sum
   */
  public Resources allocated() {
    return allocated;
  }

  /**
   * What is left of the offered resources.
   *
   * @return offered less allocated
   */
  public Resources remaining() {
    return remaining;
  }

  /**
   * The offers that were allocated.
   *
   * @return the offers, empty before {@link #addAllocatedOffers}
   */
  public List<ResourceOffer> allocatedOffers() {
    return offers;
  }

  /**
   * The accepted node and system tasks, and the job tasks that were started.
   *
   * @return a view
   */
  public List<Task> allocatedTasks() {
    return Collections.unmodifiableList(tasks);
  }

  /**
   * The executions accepted from the queue and not yet committed.
   *
   * @return a view
   */
  public List<Placement> newExecutions() {
    return Collections.unmodifiableList(newExecutions);
  }

  /**
   * The executions whose next task was accepted and not yet started.
   *
   * @return a view
   */
  public List<RunningExecution> runningExecutions() {
    return Collections.unmodifiableList(runningExecutions);
  }

  /**
   * The node.
   *
   * @return what the ledger was made with
   */
  public ClusterNode node() {
    return node;
  }

  /**
   * What the node is believed to have free.
   *
   * @return the watermark less what runs and what was accepted
   */
  public Resources headroom() {
    return ResourceVectors.minus(
        ResourceVectors.minus(capacity.watermark(), capacity.inUse()), allocated);
  }

  /**
   * Whether the node lends anything: one that does not cannot start what needs nothing either.
   *
   * @return true if something was offered
   */
  public boolean lends() {
    return !capacity.offered().isEmpty();
  }

  /**
   * Whether what is left of the offered resources covers a request.
   *
   * @param request the request
   * @return true if it fits now
   */
  public boolean fits(Resources request) {
    return lends() && ResourceVectors.covers(remaining, request);
  }

  /**
   * What an execution could have here once all less important work has ended.
   *
   * @param priority the priority of the execution
   * @return the resources
   */
  public Resources availableFor(int priority) {
    return availability.forPriority(priority);
  }

  /**
   * How well the node fits a request: how many job types still fit beside it.
   *
   * @param need the request
   * @param types what each job type usually needs; one that stands twice counts twice
   * @return 0 or more, the lower the better; nothing if what is left does not cover it
   */
  public OptionalInt scoreForScheduling(Resources need, List<Resources> types) {
    return fits(need)
        ? OptionalInt.of(ResourceVectors.covered(ResourceVectors.minus(headroom(), need), types))
        : OptionalInt.empty();
  }

  private boolean take(Resources request) {
    if (!fits(request)) {
      return false;
    }
    allocate(ResourceVectors.plus(allocated, request));
    return true;
  }

  private void allocate(Resources all) {
    allocated = all;
    remaining = ResourceVectors.minus(capacity.offered(), allocated);
  }
}
